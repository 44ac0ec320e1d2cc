__kernel void count(__global const uint *in, __global uint *out) {
  uint number = in[get_global_id(0)];
  out[get_global_id(0)] = number + 1;
}
// SPDX-License-Identifier: MIT
