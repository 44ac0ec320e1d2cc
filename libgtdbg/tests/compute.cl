__kernel void compute(__global const int *in, __global int *out) {
  size_t index = get_global_id(0);
  int point = in[index];
  if (index % 2 == 0)
    point = point + 1000;
  else
    point = -1;
  out[index] = point;
}
// SPDX-License-Identifier: MIT
