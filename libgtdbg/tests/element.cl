// SPDX-License-Identifier: MIT
struct trio {
  int of[3];
};

struct view {
  int len;
  __global const int *first;
  __global const int (*rows)[4];
};

__kernel void element(__global const int *in, __global int *out) {
  __local int before[8];
  __local int grid[8][4];
  __local int *mine = grid[2];
  __global const int (*table)[4] = (__global const int (*)[4])in;
  __global const struct trio *trio = (__global const struct trio *)in;
  __global const char *bytes = (__global const char *)in;
  __global const char (*words)[4] = (__global const char (*)[4])in;
  int own[8] = { in[6] }, cells[4][4] = { { in[7] } };
  struct trio pair[4] = { { { in[8] } } };
  int i = in[0], j = in[1];
  uint u = in[2];
  long w = in[3];
  ulong s = in[4];
  short n = in[5];
  before[i] = j;
  grid[i][j] = before[j] + mine[i] + table[i][j] + trio[i].of[j] + bytes[u] + words[i][j];
  own[j] = cells[i][j] + pair[i].of[j];
  out[0] = grid[n][u] + w + s + own[u];
}

// Pointers that lie in others.
__kernel void viewed(__global const int *in, __global int *out) {
  int i = in[0], j = in[1];
  ulong s = in[4];
  short n = in[5];
  struct view view, views[2] = { { in[9] } };
  __global const int *ways[4] = { in };
  views[i] = view;
  view.first = views[j].first = ways[j] = in;
  out[i] = view.first[j] + views[n].rows[i][j] + *ways[s];
}

// Pointers that others lead to, and three indices.
struct node {
  int value;
  ulong id;
  __global struct node *next;
  __global const int *row;
};

__kernel void linked(__global const int *in, __global int *out) {
  __local int pile[2][4][8];
  __global struct node *node = (__global struct node *)out;
  __global struct node *__global *list = (__global struct node *__global *)out;
  __global const ulong *longs = (__global const ulong *)in;
  __global const int (*cube)[2][4] = (__global const int (*)[2][4])in;
  __global struct node *ends[4] = { node };
  ulong sizes[8] = { in[6] };
  int block[2][4][8] = { { { in[7] } } };
  int i = in[0], j = in[1];
  uint u = in[2];
  long w = in[3];
  ulong s = in[4];
  short n = in[5];
  pile[i][j][n] = in[8];
  ends[i] = node + j;
  block[i][j][n] = pile[j][i][u] + cube[i][j][n] + (int)longs[s];
  out[u] = node->next->value + ends[j]->row[w] + list[i]->value + block[j][i][n] + (int)sizes[i];
}
