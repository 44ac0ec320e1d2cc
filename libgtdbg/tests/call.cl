struct pair {
  int member;
  float ratio;
};

enum side { LEFT, RIGHT = 5 };

__attribute__((noinline)) int twice(struct pair p, int by) {
  int a[4];
  for (int i = 0; i < 4; i++)
    a[i] = i * by;
  return a[3] + p.member;
}

__kernel void call(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  enum side where = RIGHT;
  float4 v = (float4)(1.5f, -2.0f, item, 4.0f);
  struct pair s;
  s.member = in[item];
  int result = twice(s, 10);
  out[item] = result + where + (int)v.x;
}
// SPDX-License-Identifier: MIT
