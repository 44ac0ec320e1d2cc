// SPDX-License-Identifier: MIT
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

struct node {
  __global const int *place;
  short low, high;
};

union number {
  float real;
  uint bits;
  uchar bytes[4];
};

struct outer {
  struct node nodes[2];
  union number number;
  struct {
    char letter;
    bool flag;
  } mark;
};

enum colour { RED = -1, GREEN, BLUE = 7 };

__kernel void shapes(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  struct outer o = {{{in, 1, -2}, {in + 3, 3, 4}}, {3.0f}, {'g', true}};
  int grid[2][3] = {{1, 2, 3}, {4, 5, item}};
  __global const int *first = in + 1;
  __global const int **where = &first;
  enum colour c = BLUE;
  half h = 1.5h;
  half3 h3 = (half3)(0.5h, -1.0h, 65504.0h);
  long wide = 1L << 40;
  ulong all = ~0UL;
  bool odd = item & 1;
  char16 letters = 'a';
  out[item] = o.nodes[1].place[0] + grid[1][2] + (*where)[item] + c +
              (int)(h + h3.x) + (int)(wide >> 38) + (int)all + odd +
              letters.sf + (int)o.number.real + o.mark.letter;
}

__attribute__((intel_reqd_sub_group_size(32)))
__kernel void thirtytwo(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  int value = in[item] * 2;
  if (item % 32 >= 20)
    value = value + 1;
  out[item] = value;
}

// A struct has its names for itself.
struct tag {
  int five[5];
};

__kernel void names(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  struct tag whole = {{1, 2, 3, 4, item}};
  short tag = 3;
  int sizeof_item = 9;
  int *first = whole.five;
  out[item] = whole.five[4] + tag + sizeof_item + first[item & 1];
}
