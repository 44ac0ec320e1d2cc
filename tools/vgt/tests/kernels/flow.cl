/* SPDX-License-Identifier: MIT */
/* Control flow: each kernel diverges between the lanes of a thread. */

kernel void flow_if(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int x = in[i], result;

	if (x < 0) {
		if (x & 1)
			result = x * 3;
		else if (x & 2)
			result = x - 7;
		else
			result = -x;
	} else if (x % 3 == 0) {
		result = x / 3;
	} else {
		result = x ^ 0x55;
		if (x > 500)
			result += 1000;
	}
	out[i] = result;
}

kernel void flow_while(global const uint *in, global uint *out)
{
	size_t i = get_global_id(0);
	uint x = in[i] % 1000 + 1, steps = 0;

	while (x != 1) {
		x = x & 1 ? 3 * x + 1 : x / 2;
		steps++;
	}
	out[i] = steps;
}

kernel void flow_do(global const uint *in, global uint *out)
{
	size_t i = get_global_id(0);
	uint a = in[i] | 1, b = in[i] >> 16 | 1, rest;

	do {
		rest = a % b;
		a = b;
		b = rest;
	} while (rest);
	out[i] = a;
}

kernel void flow_break_continue(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int x = in[i] & 63, sum = 0;

	for (int k = 0; k < 100; k++) {
		if (k % 5 == x % 5)
			continue;
		sum += k;
		if (sum > x * 20)
			break;
		if (k & 1)
			sum -= 2;
	}
	out[i] = sum;
}

kernel void flow_nested(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int x = in[i] & 31, count = 0;

	for (int a = 0; a < x; a++) {
		for (int b = a; b < 12; b++) {
			if ((a ^ b) == x)
				break;
			for (int c = 0; c < b; c++) {
				if (c * 2 == x)
					continue;
				if (c > a + 3)
					break;
				count += a * b + c;
			}
		}
		if (count > 3000)
			break;
	}
	out[i] = count;
}

kernel void flow_goto(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int x = in[i] & 1023, tries = 0;

again:
	tries++;
	for (int a = 1; a < 20; a++)
		for (int b = 1; b < 20; b++) {
			if (a * b > x)
				goto found;
			if (a * b == x - 3 && tries < 3) {
				x -= 40;
				goto again;
			}
		}
	tries += 100;
found:
	out[i] = tries * 10000 + x;
}

kernel void flow_switch_dense(global const uint *in, global uint *out)
{
	size_t i = get_global_id(0);
	uint x = in[i], r = 0;

	switch (x % 11) {
	case 0:
		r = 5;
		break;
	case 1:
		r = x;
		break;
	case 2:
	case 3:
		r = x * 2;
	case 4:
		r += 9;
		break;
	case 5:
		out[i] = 12345;
		return;
	case 6:
		r = x >> 3;
		break;
	case 7:
		r = ~x;
	default:
		r ^= 0xff00;
	}
	out[i] = r;
}

kernel void flow_switch_sparse(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int r;

	switch (in[i]) {
	case -2000000000:
		r = 1;
		break;
	case -1:
		r = 2;
		break;
	case 7:
		r = 3;
		break;
	case 1000:
		r = 4;
		break;
	case 0x7fffffff:
		r = 5;
		break;
	default:
		r = in[i] > 0 ? 6 : 7;
	}
	out[i] = r;
}

kernel void flow_return(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int x = in[i];

	if (x & 1)
		return;
	out[i] = 1;
	for (int k = 0; k < 8; k++) {
		if (x >> k & 1) {
			out[i] = 2 + k;
			return;
		}
	}
	out[i] = 99;
}

kernel void flow_short_circuit(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int n = get_global_size(0);
	int k = in[i] & 0xff, hits = 0;

	while (k < n && in[k] != 0 && (in[k] & 7) != 3) {
		hits++;
		k += (in[k] & 3) + 1;
	}
	out[i] = (k >= n || in[k] == 0) ? -hits : hits;
}

kernel void flow_mandelbrot(global int *out)
{
#pragma OPENCL FP_CONTRACT OFF
	int px = get_global_id(0), py = get_global_id(1);
	float cx = px * 0.125f - 2.0f, cy = py * 0.125f - 1.0f;
	float x = 0, y = 0;
	int k;

	for (k = 0; k < 64; k++) {
		float xx = x * x, yy = y * y;

		if (xx + yy > 4.0f)
			break;
		y = 2 * x * y + cy;
		x = xx - yy + cx;
	}
	out[py * get_global_size(0) + px] = k;
}

kernel void flow_sort(global const int *in, global int *out)
{
	size_t i = get_global_id(0);
	int v[9];

	for (int k = 0; k < 9; k++)
		v[k] = in[9 * i + k];
	for (int a = 1; a < 9; a++) {
		int key = v[a], b = a - 1;

		while (b >= 0 && v[b] > key) {
			v[b + 1] = v[b];
			b--;
		}
		v[b + 1] = key;
	}
	for (int k = 0; k < 9; k++)
		out[9 * i + k] = v[k];
}

kernel void flow_machine(global const uint *in, global uint *out)
{
	size_t i = get_global_id(0);
	uint code = in[i], state = 0, acc = 1;

	for (int step = 0; step < 40; step++) {
		switch (state) {
		case 0:
			acc += code & 15;
			state = code & 1 ? 2 : 1;
			break;
		case 1:
			acc ^= acc << 3;
			state = acc & 4 ? 3 : 0;
			break;
		case 2:
			acc = acc * 5 + 1;
			state = acc & 2 ? 1 : 3;
			break;
		case 3:
			if (acc > 0xf0000000)
				state = 4;
			else
				state = acc & 3;
			code = code >> 1 | code << 31;
			break;
		default:
			acc--;
			state = 0;
		}
	}
	out[i] = acc;
}

kernel void flow_uniform(global const int *in, global int *out, int turns)
{
	size_t i = get_global_id(0);
	int sum = in[i];

	for (int k = 0; k < turns; k++) {
		if (turns > 10)
			sum += k * in[i];
		else
			sum -= k;
		if (k == 17)
			break;
	}
	out[i] = sum;
}

kernel void flow_binary_search(global const int *table, int n,
			       global const int *keys, global int *out)
{
	size_t i = get_global_id(0);
	int low = 0, high = n;

	while (low < high) {
		int middle = (low + high) / 2;

		if (table[middle] == keys[i]) {
			out[i] = middle;
			return;
		}
		if (table[middle] < keys[i])
			low = middle + 1;
		else
			high = middle;
	}
	out[i] = -1 - low;
}
