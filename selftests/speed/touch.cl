// SPDX-License-Identifier: MIT
__kernel void touch(__global int *buffer) {
  int item = get_global_id(0);
  buffer[item * 10240] = item + 1;
  if (item % 9 < 2)
    buffer[item * 10240 + 5120] = -1;
  int done = item;
  buffer[item * 10240 + 1] = done;
}
