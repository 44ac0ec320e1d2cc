// SPDX-License-Identifier: MIT
__attribute__((noinline)) int add(int a, int b) {
  int total = a;
  total += b;
  return total;
}

// in[item] is item + 100, and out[item] becomes 3 * in[item] + 0 + 1 + 3 + 7.
__kernel void track(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  int sum = 0;
  for (int i = 0; i < 4; i++)
    if (i != 2)
      sum += in[item] + i;
  sum = add(sum, 7);
  out[item] = sum;
}

// Items 3, 10 and 17 add ten times their numbers to out[0].
__kernel void meet(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  int mine = in[item] % 7 == 5;
  if (mine)
    atomic_add(&out[0], item * 10);
  else if (item)
    out[item] = in[item];
}
