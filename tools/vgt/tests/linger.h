/* SPDX-License-Identifier: MIT */
/* What is slow to close, and sent to who is to close it. */
#ifndef VGT_TESTS_LINGER_H
#define VGT_TESTS_LINGER_H

#include <stdbool.h>
#include <stddef.h>

#define LINGER_S 300 /* only a hang reaches it */

/* A socket whose last descriptor takes LINGER_S to close, as nobody reads what was sent. */
int linger_open(void);

/*
 * Send @fd with @len_bytes (0 or 1) through @socket. False: there is no other end, and it is
 * closed at once when its sender closes it.
 */
bool linger_hand(int socket, int fd, size_t len_bytes);

#endif
