// SPDX-License-Identifier: MIT
inline int deeper(int a) {
  int twofold = a * 2;
  if (twofold > 220)
    twofold += a / 3;
  return twofold + 1;
}

inline int shallow(int a, int b) {
  int sum = deeper(a + 1);
  return sum * b + a;
}

__kernel void inlined(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  int value = in[item];
  int result = shallow(value, 3);
  out[item] = result;
}

__kernel void loop(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  int sum = 0;
  for (int i = 0; i < in[item] - 90; i++) {
    sum += in[i] * i;
    out[item] = sum;
  }
}
