// SPDX-License-Identifier: MIT
__constant int table[3] = {5, 6, 7};

struct pair {
  int member;
  float ratio;
};

union number {
  float real;
  uint bits;
  ushort halves[2];
};

enum colour { RED = -1, GREEN, BLUE = 7 };

__attribute__((noinline)) int scaled(__global const int *from, struct pair p, int by) {
  int scale = from[0] - 95;
  int sum = p.member * by;
  return sum + scale;
}

__kernel void every(__global const int *in, __global int *out, __local int *room) {
  __local int shared[128];
  int item = get_global_id(0);
  char c = -1 - item;
  uchar uc = 250 + item;
  short s = -300 - item;
  ushort us = 60000 + item;
  int i = -70000 - item;
  uint u = 4000000000u + item;
  float f = item + 0.5f;
  size_t place = item;
  int list[3] = {7, item, 9};
  struct pair pairs[2] = {{item, 0.5f}, {3, 1.5f}};
  union number number = {item + 1.5f};
  enum colour colour = item == 3 ? RED : BLUE;
  __private union number *n = &number;
  __private int *p = list + 1;
  __private struct pair *q = pairs + 1;
  __constant int *k = table + 1;
  __global int *g = out + item;
  shared[item] = item;
  barrier(CLK_LOCAL_MEM_FENCE);
  __local int *m = shared + item;
  int result = scaled(in, pairs[0], 10);
  *g = result + c + uc + s + us + i + (int)u + (int)f + (int)place + *p + q->member + *k + *m +
       n->halves[1] + colour;
}

__kernel void second(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  int twofold = in[item] * 2;
  out[item] = twofold;
}
