/* SPDX-License-Identifier: MIT */
/* Who is at the other end of a connection within this machine, and what he leaves. */
#ifndef VGT_PEER_H
#define VGT_PEER_H

#include <stdbool.h>
#include <sys/types.h>

/* Programs of our own user; root's server serves all. */
bool vgt_peer_is_served(uid_t user);

/*
 * A pidfd of the process that made the local connection @socket, as long as it runs; or
 * -errno.
 */
int vgt_peer_open(int socket);

/*
 * A process that has the other end of the connection @socket open; of a local one
 * the process that made it. Returns 0; -EREMOTE if it has none within this machine;
 * -ENOTCONN if it was closed; -ESRCH if no process that this one may look at has it,
 * or the one that made it has ended.
 */
int vgt_peer_process(int socket, pid_t *pid_out);

/*
 * Whose the other end of a TCP connection is. Returns 0; -EREMOTE if it is not within
 * this machine; -ENOTCONN if it was closed.
 */
int vgt_peer_user(int socket, uid_t *user_out);

/*
 * Close @socket, now: with a local one goes what its other end has sent, and may be
 * slow to.
 */
void vgt_peer_close(int socket);

#endif
