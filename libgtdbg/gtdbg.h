/* SPDX-License-Identifier: MIT */
/*
 * libgtdbg: debugging the threads of an Intel GPU.
 *
 * Calls return 0 or a count on success and a negative errno on failure; errno
 * itself means nothing. Results come back through trailing pointers, which a
 * failure leaves untouched. Every freeing call accepts NULL. No call prints,
 * exits or installs a signal handler. An object belongs to one thread at a
 * time; different objects share nothing.
 */
#ifndef GTDBG_H
#define GTDBG_H

#include <linux/gtdbg.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef GTDBG_API
#define GTDBG_API __attribute__((visibility("default")))
#endif

struct gtdbg;

/**
 * gtdbg_version() - version of this library
 *
 * Returns a string as "0.1.0".
 */
GTDBG_API const char *gtdbg_version(void);

/**
 * gtdbg_open() - open the kernel module's device
 * @path: the device, or NULL for /dev/gtdbg
 * @out: the handle, to be closed with gtdbg_close()
 *
 * Fails with ENOENT if the module is not loaded, EACCES without permission,
 * ENOTTY if @path is another kind of file, and EPROTONOSUPPORT if the module
 * speaks another version of the interface.
 */
GTDBG_API int gtdbg_open(const char *path, struct gtdbg **out);

/** gtdbg_close() - close the device; NULL is accepted */
GTDBG_API void gtdbg_close(struct gtdbg *gtdbg);

/**
 * gtdbg_info() - ask what the module can do
 * @gtdbg: the device
 * @out: version, features and limits
 */
GTDBG_API int gtdbg_info(struct gtdbg *gtdbg, struct gtdbg_info *out);

/** gtdbg_fd() - descriptor of the device, which the handle keeps */
GTDBG_API int gtdbg_fd(struct gtdbg *gtdbg);

#ifdef __cplusplus
}
#endif

#endif
