/* SPDX-License-Identifier: MIT */
/* Random programs, such as the module lets through. */
#ifndef EU_PROGRAM_MAKE_H
#define EU_PROGRAM_MAKE_H

#include "model.h"

/*
 * Up to GTDBG_SIP_PROGRAM_OPS_MAX operations for a thread with the channels @enabled,
 * some of whose registers hold addresses of the memory of @thread. Records have the
 * tag 77.
 */
void program_make(const struct model *thread, uint32_t enabled,
		  struct gtdbg_sip_op *op);

#endif
