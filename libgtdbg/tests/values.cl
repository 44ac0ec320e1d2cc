__kernel void values(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  float4 v = (float4)(1.5f, -2.0f, item, 4.0f);
  uchar small = 200;
  long wide = -5000000000L;
  out[item] = (int)v.z + small + (int)(wide >> 40) + in[item];
}

__kernel void listed(__global const int *in,
                     __global int *out,
                     int count) {
  int item = get_global_id(0);
  if (item < count)
    out[item] = in[item];
}
// SPDX-License-Identifier: MIT
