/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_ACCESS_H
#define GTDBG_ACCESS_H

#include <linux/types.h>

struct gtdbg_session_attach;
struct pid;

/*
 * The process that the caller may attach to by @request, referenced. It was a
 * client if it was named by descriptor; by number it need not be one, and
 * request->refusal says that if no better reason is found. An error: the reason
 * is in request->refusal.
 */
struct pid *gtdbg_access_target(struct gtdbg_session_attach *request);

#endif
