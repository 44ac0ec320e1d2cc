/* SPDX-License-Identifier: MIT */
/* Programs at their place in the save area, and the table that leads to them. */
#ifndef EU_BINDING_H
#define EU_BINDING_H

#include <linux/gtdbg_sip.h>
#include <stdint.h>

struct driver;

/* Such that the exclusive or of all is what it should be. */
void binding_check(struct gtdbg_sip_program *program, uint32_t ip);

/* Write @program as number @number, with its check for @ip. */
void binding_write(struct driver *driver, struct gtdbg_sip_program *program,
		   uint32_t ip, uint32_t number);

/*
 * Bind @op, up to its END, to the instruction at @ip: with what follows, if it is more
 * than one place has room for. NULL: nothing is bound to it.
 */
void binding_set(struct driver *driver, uint32_t ip, uint32_t number,
		 const struct gtdbg_sip_op *op);

#endif
