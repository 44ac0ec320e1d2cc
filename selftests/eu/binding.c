// SPDX-License-Identifier: MIT
#include "binding.h"

#include "driver.h"

#include <string.h>

#define MORE_AT (GTDBG_SIP_OPS_MAX - 1)

void binding_check(struct gtdbg_sip_program *program, uint32_t ip)
{
	uint32_t dword[GTDBG_SIP_PROGRAM_BYTES / 4];

	program->check = GTDBG_SIP_PROGRAM_MAGIC ^ ip;
	memcpy(dword, program, sizeof(dword));
	for (uint32_t i = 1; i < sizeof(dword) / sizeof(dword[0]); i++)
		program->check ^= dword[i];
}

void binding_write(struct driver *driver, struct gtdbg_sip_program *program,
		   uint32_t ip, uint32_t number)
{
	binding_check(program, ip);
	driver_write(driver, driver->area + GTDBG_SIP_PROGRAM_OFFSET +
		     number * GTDBG_SIP_PROGRAM_BYTES, program,
		     sizeof(*program));
}

void binding_set(struct driver *driver, uint32_t ip, uint32_t number,
		 const struct gtdbg_sip_op *op)
{
	struct gtdbg_sip_bucket bucket = { .tag = op ? ip : 0, .value = number };
	static uint32_t serial;
	uint32_t count = 1, part = 0, sure = 0;

	if (op && op->op == GTDBG_SIP_OP_SURE) {
		sure = GTDBG_SIP_PROGRAM_SURE;
		op++;
	}
	while (op && op[count - 1].op != GTDBG_SIP_OP_END)
		count++;
	serial++;
	for (; op && count; part++) {
		uint32_t here = count > GTDBG_SIP_OPS_MAX ? MORE_AT : count;
		struct gtdbg_sip_program program = {
			.count = number * sizeof(uint32_t),
			.part = serial * GTDBG_SIP_PARTS_MAX | part | sure,
			.first = number,
		};

		memcpy(program.op, op, here * sizeof(*op));
		op += here;
		count -= here;
		if (count)
			program.op[MORE_AT] = (struct gtdbg_sip_op){
				GTDBG_SIP_OP_MORE, number + part + 1, 0, 0 };
		binding_write(driver, &program, ip, number + part);
	}
	driver_write(driver, driver->area + GTDBG_SIP_TABLE_OFFSET +
		     (ip & GTDBG_SIP_TABLE_MASK), &bucket, sizeof(bucket));
}
