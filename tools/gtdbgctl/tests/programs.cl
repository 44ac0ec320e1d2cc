// SPDX-License-Identifier: MIT
struct pair {
  int member;
  float ratio;
};

__attribute__((noinline)) int twice(struct pair p, int by) {
  int a[4];
  for (int i = 0; i < 4; i++)
    a[i] = i * by;
  return a[3] + p.member;
}

__kernel void call(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  struct pair s;
  s.member = in[item];
  s.ratio = 0.5f;
  int result = twice(s, 10);
  out[item] = result;
}

__kernel void tile(__global const int *in, __global int *out) {
  __local int shared[16];
  int x = get_local_id(0), y = get_local_id(1);
  int place = y * 4 + x;
  shared[place] = in[get_global_id(1) * 8 + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = shared[15 - place];
  out[get_global_id(1) * 8 + get_global_id(0)] = other;
}

__kernel void kinds(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  float4 v = (float4)(1.5f, -2.0f, item, 4.0f);
  uchar small = 200;
  long wide = -5000000000L;
  int list[3] = {7, item, 9};
  out[item] = (int)v.z + small + (int)(wide >> 40) + list[1] + in[item];
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void sixteen(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  int value = in[item] * 2;
  if (item >= 8)
    value = value + 1;
  out[item] = value;
}

__attribute__((noinline)) int inner(int a) {
  int twofold = a * 2;
  return twofold + 1;
}

__attribute__((noinline)) int outer(int a) {
  int sum = inner(a + 1);
  return sum + a;
}

__kernel void levels(__global const int *in, __global int *out) {
  int item = get_global_id(0);
  int result = outer(in[item]);
  out[item] = result;
}

__kernel void spin(__global volatile const int *in, __global int *out) {
  while (in[0] == 100)
    out[get_global_id(0)] = in[1];
}

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

__kernel void stray(__global volatile const int *in, __global int *out) {
  int sum = 0;
  for (int i = 0; in[0] == 100; i += 1024)
    sum += in[i];
  out[get_global_id(0)] = in[1];
}

__attribute__((noinline)) int twist(int a) {
  int b = a ^ 5;
  return b + 1;
}

__kernel void meet(__global const int *in, __global int *out) {
  __local int row[8];
  int item = get_global_id(0), l = get_local_id(0);
  row[l] = in[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = twist(row[7 - l]);
  out[item] = other;
}
