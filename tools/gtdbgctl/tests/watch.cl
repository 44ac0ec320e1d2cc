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

// Each item's nth write to out is 100 * item + n: to its own element in each round, and
// then those of items 3, 10 and 17 to out[5], and those of item 12 to out[4].
__kernel void record(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  int n = 0;
  for (int i = 0; i < 3; i++) {
    out[item] = 100 * item + ++n;
    if (item % 7 == 3)
      atomic_xchg(&out[5], 100 * item + ++n);
    if (item == 12)
      out[4] = 100 * item + ++n;
  }
}

// So are those to row, of item 1 also to row[4].
__kernel void keep(__global const int *in, __global int *out) {
  __local int row[8];
  int item = get_local_id(0);
  int n = 0;
  for (int i = 0; i < 3; i++) {
    row[item] = 100 * item + ++n;
    if (item == 1)
      row[item + 3] = 100 * item + ++n;
  }
  out[item] = row[item];
}

// All write to variables of their own for 200 rounds; item 3 writes 150 to out[8] in one.
__kernel void late(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  int mine[4];
  for (int i = 0; i < 200; i++) {
    mine[i & 3] = i;
    if (i == 150 && item == 3)
      out[8] = mine[2];
  }
  out[item] = mine[item & 3];
}

// Item 20 waits for a 1 in out[50] before it writes to out[60].
__kernel void apart(__global const int *in, __global volatile int *out) {
  int item = get_global_id(0);
  if (item == 3)
    out[40] = in[item];
  if (item == 20) {
    while (out[50] != 1)
      ;
    out[60] = in[item];
  }
  out[item] = item;
}
