// SPDX-License-Identifier: MIT
/*
 * Variables of all types, with few values each: decide_text.c computes the same. Arrays
 * of a lane's own take room that the others then lack.
 */

struct pair {
	int whole;
	short middle;
	uchar quarter;
	char sign;
	uint last;
};

struct view {
	int whole;
	global const int *from;
};

struct trio {
	int of[3];
};

/* Two for each work-item lie behind the numbers, and behind all of these two pointers. */
struct link {
	int value;
	ulong id;
	global struct link *next;
	global const int *from;
};

enum heat { COLD = -3, WARM = 5, HOT };
enum depth { FLAT, DEEP = 9, DEEPEST = 0xfffffff0u };

#define MIXED(h) (((h) ^ (h) >> 15) * 2246822519u)
#define HASH(index, turn) MIXED((index) * 2654435761u + (turn) * 40503u)

__attribute__((intel_reqd_sub_group_size(WIDTH)))
kernel void decide(global const int *in, global int *out)
{
	uint index = get_global_id(0), sum = in[index], turn = out[index];
	local int row[8], *led, grid[2][4]; /* a group is one thread */
	global const int (*table)[4] = (global const int (*)[4])in;
#ifdef ARRAYS
	int own[8] = { 0 }, cells[2][4] = { { 0 } }; /* else none knows where they are */
#elif defined(POINTERS)
	local int pile[2][2][4];
	global const int (*cube)[2][4] = (global const int (*)[2][4])in;
	global struct link *links = (global struct link *)(in + get_global_size(0));
	global struct link *link = links + 2 * index;
	global struct link *global *list = (global struct link *global *)(links + 2 * get_global_size(0)) + 2 * index;
	global struct link *ends[4] = { 0 };
	ulong sizes[8] = { 0 };
	int block[2][2][4] = { { { 0 } } };
#else
	volatile struct pair pair = { 0 }; /* else it is taken to pieces, or nowhere */
	global const long *broad = (global const long *)in;
	global const struct trio *trio = (global const struct trio *)in;
	global const int4 *rows = (global const int4 *)in;
#if WIDTH == 8
	volatile int4 quad = { 0, 0, 0, 0 };
	enum heat mood = COLD;
	enum depth depth = DEEP;
	volatile struct view view = { 0 }; /* a pair of more lanes would lack its room */
#endif
#endif
	uint mixed = HASH(index, turn), h = mixed ^ mixed >> 13;
	int number = (h & 7) * 0x2468acefu;
	uint plain = (h >> 3 & 7) * 0x3579bdf1u;
	short narrow = (h >> 6 & 7) * 0x2bcd;
	ushort natural = (h >> 9 & 7) * 0x2bcd;
	char small = (h >> 12 & 7) * 0x25;
	uchar byte = (h >> 15 & 7) * 0x25;
	long wide = (long)(h >> 18 & 7) * 0x2468acef1357;
	ulong huge = (h >> 15 & 7) * 0x2468acef13579bdfu;
	float real = (h >> 21 & 7) == 7 ? NAN : ((int)(h >> 21 & 7) - 3) * 0.5f;
	float near = ((int)(h >> 25 & 7) - 3) * 0.5f;
	int few = h >> 24 & 3;
	ulong spot = few + 1;
	long back = 5 - few;

	for (int i = 0; i < 8; i++) {
		row[i] = (get_group_id(0) * 3 + turn * 5 + i & 7) * 0x2468acefu;
		grid[i / 4][i % 4] = (get_group_id(0) * 5 + turn * 3 + i & 7) * 0x2468acefu;
#ifdef ARRAYS
		own[i] = (h + i * 3 & 7) * 0x2468acefu;
		cells[i / 4][i % 4] = (h + i * 5 & 7) * 0x2468acefu;
#elif defined(POINTERS)
		sizes[i] = few + i;
		ends[i % 4] = link + (i % 4 == 1 || i % 4 == 2);
#endif
	}
	led = row + few;
#ifdef POINTERS
	for (int i = 0; i < 16; i++) {
		pile[i / 8][i / 4 % 2][i % 4] = (get_group_id(0) + turn + i * 3 & 7) * 0x2468acefu;
		block[i / 8][i / 4 % 2][i % 4] = (h + i * 5 & 7) * 0x2468acefu;
	}
	link[0] = (struct link){ (h >> 2 & 7) * 0x2468acefu, few, link + 1, in + few };
	link[1] = (struct link){ (h >> 5 & 7) * 0x2468acefu, few + 1, link, in + 5 };
	list[0] = link + 1;
	list[1] = link;
#elif !defined(ARRAYS)
	pair.whole = (h >> 1 & 7) * 0x2468acefu;
	pair.middle = (h >> 4 & 7) * 0x2bcd;
	pair.quarter = (h >> 7 & 7) * 0x25;
	pair.sign = (h >> 10 & 7) * 0x25;
	pair.last = (h >> 13 & 7) * 0x3579bdf1u;
#if WIDTH == 8
	view.whole = number;
	view.from = in + few;
	quad = (int4)((h >> 2 & 7) * 0x2468acefu, (h >> 3 & 7) * 0x2468acefu,
		      (h >> 4 & 7) * 0x2468acefu, (h >> 5 & 7) * 0x2468acefu);
	mood = few == 3 ? HOT : few == 2 ? COLD : WARM;
	depth = few == 3 ? DEEPEST : few == 2 ? DEEP : FLAT;
#endif
#endif
	if (h >> 26 & 1)
		sum += number + plain + narrow + natural + small + byte + wide + (int)real + (int)near + few;
	sum ^= number + plain * 3 + narrow + natural * 5 + small + byte + wide * 7 + (int)real + (int)near * 3 + few;
	sum ^= *led + row[7 - few] + (uint)huge + grid[few & 1][few] + table[few][1];
#ifdef ARRAYS
	sum ^= own[few] + cells[few & 1][few];
#elif defined(POINTERS)
	sum ^= link->next->value + ends[few]->value + list[few & 1]->value + (int)sizes[few];
	sum ^= pile[few & 1][1][few] + block[few & 1][1][few] + cube[few][1][few];
#else
	sum ^= (int)broad[few] + trio[few].of[2] + (uint)(spot * back) + rows[few].y;
	sum ^= pair.whole + pair.middle + pair.quarter + pair.sign + pair.last;
#if WIDTH == 8
	sum ^= view.whole + *view.from + quad.x + quad.w + mood + depth;
#endif
#endif
	out[index] = turn + 1 + (sum == 0x12345678 && turn == 0x7fffffff);
}
