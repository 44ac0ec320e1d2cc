/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GTDBG_ACCESS_H
#define GTDBG_ACCESS_H

#include <linux/types.h>

struct gtdbg_session_attach;
struct gtdbg_client;

/*
 * The client that the caller may attach to by @request, referenced, as long as
 * it runs the program that has registered; or an error. In request->refusal is
 * the reason, or what is to be said if that program has ended by now.
 */
struct gtdbg_client *gtdbg_access_target(struct gtdbg_session_attach *request);

#endif
