// SPDX-License-Identifier: MIT
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void wide(__global const int *in, __global int *out) {
  size_t index = get_global_id(0);
  __global const int *from = in;
  int point = from[index];
  out[index] = point + *from;
}

__kernel void four(__global const float *in, __global float *out) {
  struct __attribute__((packed)) { int first; long second; char last; } odd = { 0 };
  struct __attribute__((packed)) { char last; __global float *led; } way = { 0 };
  __local int grid[8];
  int i = get_global_id(0);
  grid[i & 7] = i;
  way.led = out;
  odd.second = i;
  out[i] = in[i] + odd.second + *way.led + grid[i & 3];
}
