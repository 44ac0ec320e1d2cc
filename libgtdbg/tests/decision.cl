// SPDX-License-Identifier: MIT
struct pair {
  int whole;
  short middle;
  uchar quarter;
};

__kernel void decide(__global const int *in, __global int *out) {
  size_t index = get_global_id(0);
  int number = in[index];
  uint plain = (uint)number * 3;
  short narrow = (short)number;
  ushort natural = (ushort)plain;
  char small = (char)(number >> 3);
  uchar byte = (uchar)(number >> 5);
  struct pair pair;
  pair.whole = number - 7;
  pair.middle = (short)(plain >> 2);
  pair.quarter = (uchar)(plain >> 4);
  pair.whole += narrow + natural + small + byte;
  out[index] = pair.whole + pair.middle + pair.quarter;
}
