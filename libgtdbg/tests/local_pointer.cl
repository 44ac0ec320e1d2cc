// SPDX-License-Identifier: MIT
struct pair {
  int member;
  float ratio;
};

__kernel void share(__global const int *in, __global int *out) {
  __local int row[8];
  __local int total;
  __local struct pair both;
  int item = get_global_id(0), l = get_local_id(0);
  __local int *mine = &row[l];
  *mine = in[item];
  if (l == 0) {
    total = 1000;
    both.member = 77;
    both.ratio = 2.5f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = row[7 - l];
  out[item] = other + total + both.member;
}
