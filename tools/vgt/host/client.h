/* SPDX-License-Identifier: MIT */
/*
 * Clients of the kernel module. A GT can be debugged as the GT of a client, and
 * whose it is has to be said with the client's own descriptor. The hook in the
 * client's process hands it over before the runtime connects.
 */
#ifndef VGT_CLIENT_H
#define VGT_CLIENT_H

#include <stdint.h>
#include <sys/types.h>

/*
 * A socket at which hooks hand over their clients, for those whose runtime
 * connects to @port; or -errno.
 */
int vgt_client_listen(uint16_t port);

/*
 * Take what the next one at @listener has to hand over, without waiting for it. Returns
 * 0, or the negative errno of accept().
 */
int vgt_client_take(int listener);

/*
 * A descriptor that is readable when processes have ended whose clients are to
 * be forgotten with vgt_client_reap(); or -errno. It stays the same.
 */
int vgt_client_ended(void);
void vgt_client_reap(void);

/* A new descriptor of the client of process @pid, or -ENOENT. */
int vgt_client_get(pid_t pid);

#endif
