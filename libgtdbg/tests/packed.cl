// SPDX-License-Identifier: MIT
// Numbers of 64 bits that lie at two bytes, at four, and at all even ones.
struct __attribute__((packed)) odd { short first; long second; };
struct __attribute__((packed)) even { int first; long second; };
struct __attribute__((packed)) row { long first; short second; };

__kernel void packed(__global const struct odd *odd, __global const struct even *even,
                     __global const struct row *row, __global long *out) {
  int l = get_global_id(0);
  out[l] = odd[l].second + even[l].second + row[l].first;
}
