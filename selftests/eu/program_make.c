// SPDX-License-Identifier: MIT
#include "program_make.h"

#include <stdlib.h>
#include <string.h>

static const struct model *model; /* the thread */
static uint32_t lanes; /* enabled ones */

static uint64_t qword_at(uint32_t byte)
{
	return model_dword(model, byte) | (uint64_t)model_dword(model, byte + 4) << 32;
}

static bool random_place(void)
{
	return !(rand() & 1);
}

/* What some lane has there, or a number that none may have. */
static void compare_make(struct gtdbg_sip_op *op, uint32_t like)
{
	*op = (struct gtdbg_sip_op){
		.op = GTDBG_SIP_OP_EQUAL + (uint32_t)rand() % 3,
		.b = rand() & 1 ? 0x80000000U : rand() & 1 ? 0x80 : 0,
		.c = rand() % 4 ? 0 : 0xff,
	};
	op->a = (random_place() ? like : (uint32_t)rand() * 3U) ^ op->b;
	/* Else one of so many channels always satisfies it. */
	if (op->op != GTDBG_SIP_OP_EQUAL && !op->c && rand() % 4)
		op->a = op->op == GTDBG_SIP_OP_LESS ? 0x80000005U : 0x7ffffff0U;
}

static bool is_address(uint64_t place)
{
	return place - model->address - 1024 <= model->len - 2048;
}

/* Does each channel have an address of the scratch in the registers from @byte? */
static bool is_addresses(uint32_t byte)
{
	for (uint32_t lane = 0; lane < 32; lane++)
		if (lanes >> lane & 1 && !is_address(qword_at(byte + 8 * lane)))
			return false;
	return true;
}

/* Of an item or a group. The programs' own registers are the first twelve. */
static struct gtdbg_sip_op number_make(void)
{
	uint32_t place[3];

	for (uint32_t i = 0; i < 3; i++)
		place[i] = 4 * ((uint32_t)rand() % (rand() & 1 ? 128 : 1024));
	if (rand() & 1)
		return (struct gtdbg_sip_op){ GTDBG_SIP_OP_UNIFORM, place[0],
					      0, 0 };
	return (struct gtdbg_sip_op){
		GTDBG_SIP_OP_ITEM,
		32 * (1 + (uint32_t)rand() % (rand() & 1 ? 14 : 126)),
		place[0] << 16 | place[1], place[2] };
}

/* Of registers that hold addresses. */
static uint32_t address_make(void)
{
	uint32_t byte;

	do
		byte = 32 * (1 + (uint32_t)rand() % 118);
	while (!is_addresses(byte));
	return byte;
}

static uint32_t delta_make(void)
{
	return (uint32_t)(rand() % 512 - 256);
}

static uint32_t step_make(void)
{
	return (uint32_t)(rand() % 32 - 16) & 0xffff;
}

/* An address that all channels have. */
static uint32_t place_make(void)
{
	uint32_t byte;

	do
		byte = 8 * ((uint32_t)rand() % (rand() & 1 ? 56 : 512));
	while (!is_address(qword_at(byte)));
	return byte;
}

/* Up to the last byte that the largest operands lead to. */
static struct gtdbg_sip_op local_make(uint32_t how)
{
	uint32_t bytes = 1U << rand() % 3;

	return (struct gtdbg_sip_op){
		GTDBG_SIP_OP_LOCAL, (uint32_t)rand() % 0x4000,
		GTDBG_SIP_SLM_END - bytes,
		bytes << GTDBG_SIP_LOCAL_BYTES_SHIFT | how |
		(how & GTDBG_SIP_LOCAL_INDEX ? (uint32_t)rand() % 17 : 0) };
}

/* Six operations: local memory behind a pointer, by an index that is small enough. */
static uint32_t led_make(struct gtdbg_sip_op *op)
{
	uint32_t n = 0;

	op[n++] = number_make();
	op[n++] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_COMPUTE, 0xffff7fff,
					 GTDBG_SIP_COMPUTE_AND, 0 };
	op[n++].op = GTDBG_SIP_OP_KEEP;
	op[n++] = (struct gtdbg_sip_op){
		GTDBG_SIP_OP_REGISTER, 32 * (1 + (uint32_t)rand() % 120), 0, 0 };
	op[n++] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_COMPUTE, 0x3ff,
					 GTDBG_SIP_COMPUTE_AND, 0 };
	op[n++] = local_make(GTDBG_SIP_LOCAL_KEPT | GTDBG_SIP_LOCAL_INDEX);
	return n;
}

/* A value, in up to three operations; returns how many. */
static uint32_t value_make(struct gtdbg_sip_op *op, uint32_t room)
{
	static const uint32_t loads[] = {
		GTDBG_SIP_OP_LOAD, GTDBG_SIP_OP_LOAD_BYTE, GTDBG_SIP_OP_LOAD_WORD,
	};
	uint32_t n = 0;

	switch (rand() % 6) {
	case 0:
		op[n++] = number_make();
		return n;
	case 1:
		op[n++] = (struct gtdbg_sip_op){
			GTDBG_SIP_OP_FETCH, address_make() | 1U << rand() % 3 << 16,
			step_make(), delta_make() };
		return n;
	case 2:
		op[n++] = local_make(0);
		return n;
	case 3:
		if (room < 2)
			break;
		op[n++] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_PLACE,
						 place_make(), step_make(),
						 delta_make() };
		op[n++].op = loads[rand() % 3];
		return n;
	default:
		break;
	}
	if (room < 3 || rand() & 1) {
		op[n++] = (struct gtdbg_sip_op){
			GTDBG_SIP_OP_REGISTER,
			32 * (1 + (uint32_t)rand() % 120), 0, 0 };
		return n;
	}
	op[n++] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_ADDRESS, address_make(), 0,
					 0 };
	if (rand() & 1)
		op[n++] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_ADD, delta_make(),
						 step_make(), 0 };
	op[n++].op = loads[rand() % 3];
	return n;
}

/* By numbers alone is divided. */
static struct gtdbg_sip_op compute_make(uint32_t kept)
{
	struct gtdbg_sip_op op = {
		GTDBG_SIP_OP_COMPUTE, (uint32_t)rand() * 3U >> rand() % 32,
		/* Those above may stop the thread: see long.c. */
		1 + (uint32_t)rand() % GTDBG_SIP_COMPUTE_FLOAT_EQUAL,
		kept | (rand() & 1 ? GTDBG_SIP_COMPUTE_TURNED : 0) };
	bool divides = op.b >= GTDBG_SIP_COMPUTE_QUOTIENT &&
		       op.b <= GTDBG_SIP_COMPUTE_REMAINDER_UNSIGNED;

	if (kept)
		op.a = 0;
	if (!divides)
		return op;
	if (kept) {
		op.b = GTDBG_SIP_COMPUTE_ADD;
		return op;
	}
	op.c = 0;
	if (!op.a || op.a == UINT32_MAX)
		op.a = 7;
	return op;
}

/* What some lane has there, or something less. */
static uint32_t wide_make(struct gtdbg_sip_op *op)
{
	struct gtdbg_sip_op probe[] = {
		{ GTDBG_SIP_OP_ADDRESS, address_make(), 0, 0 },
		{ GTDBG_SIP_OP_ADD, delta_make(), step_make(), 0 },
		{ GTDBG_SIP_OP_LOAD, 0, 0, 0 },
	};
	uint32_t lane = (uint32_t)rand() % 8, low, high;

	memcpy(op, probe, 2 * sizeof(*op));
	low = model_value(model, probe, 3, lane);
	probe[1].a += 4;
	high = model_value(model, probe, 3, lane);
	op[2] = (struct gtdbg_sip_op){
		GTDBG_SIP_OP_WIDE, low - (uint32_t)(rand() & 1),
		high ^ (uint32_t)!(rand() & 3), 0 };
	if (rand() & 1)
		op[2].c |= GTDBG_SIP_WIDE_LESS;
	if (rand() & 1)
		op[2].c |= GTDBG_SIP_WIDE_UNSIGNED;
	/* Else one of so many channels always satisfies it. */
	if (op[2].c & GTDBG_SIP_WIDE_LESS && rand() & 3)
		op[2].b = op[2].c & GTDBG_SIP_WIDE_UNSIGNED ? 0x01000000 :
							      0x81000000;
	if (!(rand() & 3))
		op[2].c |= GTDBG_SIP_WIDE_NOT;
	return 3;
}

/* A term takes two operations or more, as many as @room at most; returns how many. */
static uint32_t term_make(struct gtdbg_sip_op *op, uint32_t room)
{
	uint32_t n;

	if (room >= 3 && !(rand() & 3))
		return wide_make(op);
	if (room >= 8 && !(rand() & 3))
		n = led_make(op);
	else
		n = value_make(op, room - 1);
	if (room - n >= 4 && rand() & 1) {
		op[n++].op = GTDBG_SIP_OP_KEEP;
		n += value_make(op + n, room - n - 2);
		op[n++] = compute_make(GTDBG_SIP_COMPUTE_KEPT);
	}
	while (room - n >= 2 && !(rand() & 3))
		op[n++] = compute_make(0);
	compare_make(&op[n], model_value(model, op, n, (uint32_t)rand() % 8));
	return n + 1;
}

/* Up to two captures; returns how many operations they take. */
static uint32_t captures_make(struct gtdbg_sip_op *op)
{
	uint32_t n = 0;

	if (rand() & 1) {
		n = value_make(op, 3);
		if (rand() & 1)
			op[n++] = compute_make(0);
		op[n++] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_CAPTURE_VALUE, 0,
						 0, (uint32_t)rand() % 3 };
		return n;
	}
	op[n++] = (struct gtdbg_sip_op){
		GTDBG_SIP_OP_CAPTURE_REGISTER,
		32 * (1 + (uint32_t)rand() % 120), 0, (uint32_t)rand() % 3 };
	if (rand() & 1)
		return n;
	op[n++] = (struct gtdbg_sip_op){ GTDBG_SIP_OP_ADDRESS, address_make(), 0,
					 0 };
	op[n++] = (struct gtdbg_sip_op){
		GTDBG_SIP_OP_CAPTURE, delta_make(), step_make(),
		(uint32_t)rand() % 3 };
	return n;
}

void program_make(const struct model *thread, uint32_t enabled,
		  struct gtdbg_sip_op *op)
{
	uint32_t n = 0, room = rand() & 1 ? GTDBG_SIP_OPS_MAX - 1 :
				GTDBG_SIP_PROGRAM_OPS_MAX - 1;
	bool records = rand() & 1;

	model = thread;
	lanes = enabled;
	memset(op, 0, GTDBG_SIP_PROGRAM_OPS_MAX * sizeof(*op));
	if (records) {
		room--;
		n = captures_make(op);
	}
	if (!records || (room - n >= 2 && rand() & 1))
		n += term_make(op + n, room - n);
	while (room - n >= 3 && rand() % 3 && !records) {
		if (rand() & 1)
			op[n++].op = GTDBG_SIP_OP_OR;
		n += term_make(op + n, room - n);
	}
	if (records)
		op[n++] = (struct gtdbg_sip_op){
			GTDBG_SIP_OP_RECORD, 77, 0, 0 };
	op[n].op = GTDBG_SIP_OP_END;
}
