// SPDX-License-Identifier: MIT
#include "handler.h"

vgt_exec vgt_fast_handler(struct vgt_inst *inst)
{
	(void)inst;
	return NULL;
}
