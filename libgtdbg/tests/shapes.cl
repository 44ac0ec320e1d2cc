// SPDX-License-Identifier: MIT
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef struct node {
  __global const struct node *next;
  int value;
  uchar tag[3];
} node_t;

union number {
  float real;
  uint bits;
  uchar bytes[4];
  uchar low;
};

struct outer {
  struct {
    short low, high;
  } pair;
  union number number;
  node_t nodes[2];
  bool flag;
};

enum colour { RED = -1, GREEN, BLUE = 7 };

__kernel void shapes(__global node_t *list, __global float4 *out,
                     __constant int *table, __local int *scratch) {
  struct outer o = {{1, 2}, {3.0f}, {{0}}, true};
  int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  __global float4 **where = &out;
  enum colour c = BLUE;
  half h = 1.5h;
  char letter = 'g';
  atomic_int *counter = 0;
  out[0] = o.number.real + grid[1][2] + h + letter + c + table[0] +
           list->next->value + (*where)[1] + (counter == 0);
}
