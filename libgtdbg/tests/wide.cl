// SPDX-License-Identifier: MIT
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void wide(__global const int *in, __global int *out) {
  size_t index = get_global_id(0);
  __global const int *from = in;
  int point = from[index];
  out[index] = point + *from;
}
