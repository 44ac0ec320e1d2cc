// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program is a straight line of some operations, so its time is bounded; it names
 * registers by their place in the register file, memory by addresses that registers hold,
 * plus a limited index (GLOBAL_OWN), and local memory, which does not fault, as it likes. Where
 * what it has loaded leads to it loads only what lies in a window, which the module alone opens. It writes nothing but registers that
 * the SIP has saved, and records to the place for them.
 */
#include "program.h"

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "breakpoint.h"
#include "client.h"
#include "gtdbg.h"
#include "ignore.h"
#include "place.h"
#include "session.h"

#define GRF_BYTES 32
#define GRF_COUNT 128
#define LANES_MAX 32
#define SIGN_BIT 0x80000000U
#define LANES_NOT 0xff
#define ELEMENT_MAX 0x4000 /* of as many bytes: its product with an index fits */

/* What the operations so far have brought about. */
struct program_state {
	bool place, value, compared;
	bool partial; /* the value is not there for all lanes */
	bool kept, kept_partial; /* the same of what was kept */
	bool captured, recorded;
	bool records; /* one or more */
	bool led; /* the place is anywhere */
	bool looked; /* eight bytes at the place may be loaded, but not others */
	u8 windows;
	u16 sip_minor;
};

/* May lanes have elements of @bytes each in the registers from byte @at on? */
static bool operand_fits(u32 at, u32 bytes)
{
	return at >= GRF_BYTES && !(at % GRF_BYTES) &&
	       at <= GRF_BYTES * GRF_COUNT - LANES_MAX * bytes;
}

/* Is there a whole dword, of r0 or another one? */
static bool dword_fits(u32 at)
{
	return at < GRF_BYTES * GRF_COUNT && !(at % sizeof(u32));
}

/* The sign of a byte, of two, or of four. */
static bool compare_valid(const struct gtdbg_sip_op *op)
{
	return (!op->b || op->b == 0x80 || op->b == 0x8000 ||
		op->b == SIGN_BIT) && (!op->c || op->c == LANES_NOT);
}

/* Elements are not too large for their index, and nothing else stands beside it. */
static bool local_valid(const struct gtdbg_sip_op *op,
			const struct program_state *state)
{
	u32 flags = GTDBG_SIP_LOCAL_INDEX | GTDBG_SIP_LOCAL_KEPT;
	u32 bytes = (op->c & ~flags) >> GTDBG_SIP_LOCAL_BYTES_SHIFT;
	u32 size = op->c & U16_MAX;

	return (bytes == 1 || bytes == 2 || bytes == 4) &&
	       op->b <= GTDBG_SIP_SLM_END - bytes && size <= ELEMENT_MAX &&
	       (op->c & GTDBG_SIP_LOCAL_INDEX ? state->value : !size) &&
	       (!(op->c & GTDBG_SIP_LOCAL_KEPT) || state->kept);
}

static u32 global_bytes(const struct gtdbg_sip_op *op)
{
	u32 flags = GTDBG_SIP_GLOBAL_INDEX | GTDBG_SIP_GLOBAL_UNSIGNED |
		    GTDBG_SIP_GLOBAL_OWN;

	return (op->c & ~flags) >> GTDBG_SIP_GLOBAL_BYTES_SHIFT;
}

/* An index keeps its product in 32 bits. */
static bool global_valid(const struct gtdbg_sip_op *op,
			 const struct program_state *state)
{
	u32 flags = GTDBG_SIP_GLOBAL_UNSIGNED | GTDBG_SIP_GLOBAL_OWN;
	u32 bytes = global_bytes(op);
	u32 size = op->c & U16_MAX;

	if (!(op->c & GTDBG_SIP_GLOBAL_INDEX) &&
	    (size || op->b || op->c & flags))
		return false;
	if (op->c & GTDBG_SIP_GLOBAL_OWN ? op->a || !state->place :
	    op->a >= GTDBG_SIP_PROGRAM_WINDOWS_MAX ||
	    !(state->led || state->place))
		return false;
	return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) &&
	       size <= ELEMENT_MAX &&
	       (!size || op->b <= S32_MAX / size) && op->b <= S32_MAX &&
	       (!(op->c & GTDBG_SIP_GLOBAL_INDEX) || state->kept);
}

/* Those that came with windows, and with numbers of 64 bits. */
static int op_check_global(const struct gtdbg_sip_op *op,
			   struct program_state *state)
{
	bool valid;

	switch (op->op) {
	case GTDBG_SIP_OP_FOLLOW:
		valid = !op->a && !op->b && !op->c &&
			(state->place || state->looked);
		state->place = false;
		state->looked = false;
		state->led = true;
		/* Its message takes the place of the value. */
		state->value = false;
		break;
	case GTDBG_SIP_OP_GLOBAL:
		valid = global_valid(op, state);
		state->place = false;
		state->led = false;
		state->looked = global_bytes(op) == sizeof(u64);
		state->value = !state->looked;
		state->partial = true;
		if (op->c & GTDBG_SIP_GLOBAL_OWN)
			state->sip_minor = GTDBG_SIP_MINOR_LOAD_LONG;
		else
			state->windows = max_t(u8, state->windows, op->a + 1);
		break;
	case GTDBG_SIP_OP_LOAD_LONG:
		valid = !op->a && !op->b && !op->c &&
			(state->place || state->looked);
		state->looked = false;
		state->value = true;
		state->partial = true;
		state->sip_minor = GTDBG_SIP_MINOR_LOAD_LONG;
		break;
	default:
		return -EOPNOTSUPP;
	}
	state->sip_minor = max_t(u16, state->sip_minor, GTDBG_SIP_MINOR_GLOBAL);
	return valid ? 0 : -EINVAL;
}

/* Those that came with local memory. */
static int op_check_local(const struct gtdbg_sip_op *op,
			  struct program_state *state)
{
	bool valid;

	switch (op->op) {
	case GTDBG_SIP_OP_LOCAL:
		valid = local_valid(op, state);
		state->value = true;
		state->partial = true;
		break;
	case GTDBG_SIP_OP_PLACE:
		valid = dword_fits(op->a) && !(op->a % sizeof(u64)) &&
			op->b <= U16_MAX;
		state->place = true;
		state->led = false;
		break;
	default:
		return op_check_global(op, state);
	}
	state->sip_minor = max_t(u16, state->sip_minor, GTDBG_SIP_MINOR_LOCAL);
	return valid ? 0 : -EINVAL;
}

/* Those that came with longer programs. */
static int op_check_long(const struct gtdbg_sip_op *op,
			 struct program_state *state)
{
	u32 flags = GTDBG_SIP_WIDE_LESS | GTDBG_SIP_WIDE_UNSIGNED;
	bool valid;

	switch (op->op) {
	case GTDBG_SIP_OP_WIDE:
		valid = (state->place || state->looked) &&
			(!(op->c & ~flags) ||
			 (op->c & ~flags) == GTDBG_SIP_WIDE_NOT);
		state->value = false;
		state->compared = true;
		break;
	case GTDBG_SIP_OP_CAPTURE_VALUE:
		valid = !op->a && !op->b && op->c < GTDBG_SIP_CAPTURES_MAX &&
			state->value;
		state->captured = true;
		break;
	default:
		return op_check_local(op, state);
	}
	state->sip_minor = max_t(u16, state->sip_minor, GTDBG_SIP_MINOR_LONG);
	return valid ? 0 : -EINVAL;
}

static bool compute_divides(u32 kind)
{
	return kind >= GTDBG_SIP_COMPUTE_QUOTIENT &&
	       kind <= GTDBG_SIP_COMPUTE_REMAINDER_UNSIGNED;
}

/* Of what is kept, or of a number, there is one. Only some divide. */
static bool compute_valid(const struct gtdbg_sip_op *op,
			  const struct program_state *state)
{
	bool kept = op->c & GTDBG_SIP_COMPUTE_KEPT;

	if (compute_divides(op->b) && (op->c || !op->a || op->a == U32_MAX))
		return false;
	return op->b && op->b <= GTDBG_SIP_COMPUTE_LAST &&
	       op->c <= (GTDBG_SIP_COMPUTE_KEPT | GTDBG_SIP_COMPUTE_TURNED) &&
	       (!kept || (state->kept && !op->a));
}

/* Those that came with arithmetic. */
static int op_check_compute(const struct gtdbg_sip_op *op,
			    struct program_state *state)
{
	u32 bytes = op->a >> 16;
	bool valid;

	switch (op->op) {
	case GTDBG_SIP_OP_FETCH:
		valid = operand_fits(op->a & U16_MAX, sizeof(u64)) &&
			op->b <= U16_MAX &&
			(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
		if (bytes == sizeof(u64))
			state->sip_minor = GTDBG_SIP_MINOR_LOAD_LONG;
		state->place = true;
		state->led = false;
		state->value = true;
		state->partial = true;
		break;
	case GTDBG_SIP_OP_KEEP:
		valid = !op->a && !op->b && !op->c && state->value;
		state->kept = true;
		state->kept_partial = state->partial;
		break;
	case GTDBG_SIP_OP_COMPUTE:
		valid = state->value && compute_valid(op, state);
		if (op->c & GTDBG_SIP_COMPUTE_KEPT)
			state->partial |= state->kept_partial;
		if (op->b >= GTDBG_SIP_COMPUTE_ADD_LONG)
			state->sip_minor = GTDBG_SIP_MINOR_LOAD_LONG;
		if (op->b >= GTDBG_SIP_COMPUTE_FLOAT_LESS)
			state->sip_minor = max_t(u16, state->sip_minor,
						 GTDBG_SIP_MINOR_LONG);
		break;
	default:
		return op_check_long(op, state);
	}
	state->sip_minor = max_t(u16, state->sip_minor,
				 GTDBG_SIP_MINOR_COMPUTE);
	return valid ? 0 : -EINVAL;
}

/* Those that came with work-items. */
static int op_check_item(const struct gtdbg_sip_op *op,
			 struct program_state *state)
{
	bool valid;

	switch (op->op) {
	case GTDBG_SIP_OP_LOAD_BYTE:
	case GTDBG_SIP_OP_LOAD_WORD:
		valid = !op->a && !op->b && !op->c && state->place;
		state->partial = true;
		break;
	case GTDBG_SIP_OP_UNIFORM:
		valid = !op->b && !op->c && dword_fits(op->a);
		state->partial = false;
		break;
	case GTDBG_SIP_OP_ITEM:
		valid = operand_fits(op->a, sizeof(u16)) &&
			dword_fits(op->b & U16_MAX) &&
			dword_fits(op->b >> 16) && dword_fits(op->c);
		state->partial = false;
		break;
	default:
		return op_check_compute(op, state);
	}
	state->value = true;
	state->sip_minor = max_t(u16, state->sip_minor, GTDBG_SIP_MINOR_ITEM);
	return valid ? 0 : -EINVAL;
}

/* Those that came with records. */
static int op_check_record(const struct gtdbg_sip_op *op,
			   struct program_state *state)
{
	bool valid;

	switch (op->op) {
	case GTDBG_SIP_OP_CAPTURE:
		valid = op->b <= U16_MAX && state->place;
		state->partial = true;
		break;
	case GTDBG_SIP_OP_CAPTURE_REGISTER:
		valid = !op->b && operand_fits(op->a, sizeof(u32));
		state->partial = false;
		break;
	case GTDBG_SIP_OP_RECORD:
		state->recorded = true;
		state->records = true;
		state->sip_minor = max_t(u16, state->sip_minor,
					 GTDBG_SIP_MINOR_RECORD);
		return op->b || op->c ? -EINVAL : 0;
	default:
		return op_check_item(op, state);
	}
	state->value = true;
	state->captured = true;
	state->sip_minor = max_t(u16, state->sip_minor,
				 GTDBG_SIP_MINOR_RECORD);
	return valid && op->c < GTDBG_SIP_CAPTURES_MAX ? 0 : -EINVAL;
}

/* All lanes begin anew, for another record. The one before has taken all else. */
static int op_check_again(const struct gtdbg_sip_op *op,
			  struct program_state *state)
{
	if (op->op != GTDBG_SIP_OP_OR || op->a || op->b || op->c)
		return -EINVAL;
	*state = (struct program_state){
		.records = true,
		.windows = state->windows,
		.sip_minor = max_t(u16, state->sip_minor, GTDBG_SIP_MINOR_LONG),
	};
	return 0;
}

/* 0, -EINVAL, or -EOPNOTSUPP for one that is unknown. */
static int op_check(const struct gtdbg_sip_op *op, struct program_state *state)
{
	bool bare = !op->b && !op->c, valid;

	if (state->recorded)
		return op_check_again(op, state);
	if (op->op != GTDBG_SIP_OP_WIDE && op->op != GTDBG_SIP_OP_FOLLOW &&
	    op->op != GTDBG_SIP_OP_LOAD_LONG)
		state->looked = false;
	switch (op->op) {
	case GTDBG_SIP_OP_SURE: /* is not the first one */
		return -EINVAL;
	case GTDBG_SIP_OP_OR:
		valid = bare && !op->a && state->compared;
		state->compared = false;
		state->value = state->value && !state->partial;
		state->kept = state->kept && !state->kept_partial;
		/* Other channels have followed nothing. */
		state->led = false;
		break;
	case GTDBG_SIP_OP_ADD:
		valid = op->b <= U16_MAX && !op->c &&
			(state->place || state->led);
		break;
	case GTDBG_SIP_OP_REGISTER:
		valid = bare && operand_fits(op->a, sizeof(u32));
		state->value = true;
		state->partial = false;
		break;
	case GTDBG_SIP_OP_ADDRESS:
		valid = bare && operand_fits(op->a, sizeof(u64));
		state->place = true;
		state->led = false;
		break;
	case GTDBG_SIP_OP_LOAD:
		valid = bare && !op->a && state->place;
		state->value = true;
		state->partial = true;
		break;
	case GTDBG_SIP_OP_EQUAL:
	case GTDBG_SIP_OP_LESS:
	case GTDBG_SIP_OP_GREATER:
		valid = compare_valid(op) && state->value;
		state->compared = true;
		break;
	default:
		return op_check_record(op, state);
	}
	return valid ? 0 : -EINVAL;
}

/* All @count operations: the last one is END, and there is no other one. */
static int program_check(struct gtdbg_program *program, u32 count)
{
	const struct gtdbg_sip_op *last = &program->op[count - 1];
	struct program_state state = {
		.sip_minor = count > GTDBG_SIP_OPS_MAX ?
			     GTDBG_SIP_MINOR_LONG : GTDBG_SIP_MINOR_PROGRAM,
	};
	u32 i;
	int ret;

	for (i = 0; i < count - 1; i++) {
		ret = op_check(&program->op[i], &state);
		if (ret)
			return ret;
	}
	if (last->op != GTDBG_SIP_OP_END || last->a || last->b || last->c ||
	    !(state.compared || state.recorded) ||
	    ((state.captured || state.records) && !state.recorded))
		return -EINVAL;
	program->count = count;
	program->records = state.records;
	program->windows = state.windows;
	program->sip_minor = state.sip_minor;
	return 0;
}

/* What comes first may say how all else is carried out. */
static int program_check_sure(struct gtdbg_program *program, u32 count)
{
	const struct gtdbg_sip_op *op = program->op;
	int ret;

	if (op->op != GTDBG_SIP_OP_SURE)
		return program_check(program, count);
	if (op->a || op->b || op->c || count < 2)
		return -EINVAL;
	memmove(program->op, program->op + 1, (count - 1) * sizeof(*op));
	ret = program_check(program, count - 1);
	if (!ret && !program->records)
		ret = -EINVAL;
	program->sure = true;
	program->sip_minor = max_t(u16, program->sip_minor,
				   GTDBG_SIP_MINOR_SURE);
	return ret;
}

/* Threads that would stop run on, as many as @count says. */
static int program_ignore(struct gtdbg_program *program, u32 count)
{
	static const struct gtdbg_sip_op ignore = {
		.op = GTDBG_SIP_OP_IGNORE,
	}, end = {
		.op = GTDBG_SIP_OP_END,
	};

	if (!count)
		return 0;
	if (program->records)
		return -EINVAL;
	if (program->count == ARRAY_SIZE(program->op))
		return -EMSGSIZE;
	/* Without others all threads stop. */
	if (program->count)
		program->count--;
	program->op[program->count++] = ignore;
	program->op[program->count++] = end;
	program->sip_minor = max_t(u16, program->sip_minor,
				   GTDBG_SIP_MINOR_IGNORE);
	program->ignore = count;
	return 0;
}

static struct gtdbg_program *
program_create(const struct gtdbg_breakpoint_program *request)
{
	static atomic64_t serial;
	struct gtdbg_program *program;
	int ret = -EFAULT;

	if (request->len_bytes > sizeof(program->op) ||
	    request->len_bytes % sizeof(program->op[0]))
		return ERR_PTR(-EINVAL);
	program = kzalloc(sizeof(*program), GFP_KERNEL_ACCOUNT);
	if (!program)
		return ERR_PTR(-ENOMEM);
	program->serial = atomic64_inc_return(&serial);
	if (!copy_from_user(program->op, u64_to_user_ptr(request->program),
			    request->len_bytes))
		ret = request->len_bytes ?
		      program_check_sure(program, request->len_bytes /
					 sizeof(program->op[0])) : 0;
	if (!ret)
		ret = program_ignore(program, request->ignore);
	if (!ret)
		return program;
	kfree(program);
	return ERR_PTR(ret);
}

static int request_check(const struct gtdbg_session *session,
			 const struct gtdbg_breakpoint_program *request)
{
	u32 flags = request->flags;

	if ((flags && flags != GTDBG_BREAKPOINT_PROGRAM_F_QUERY &&
	     flags != GTDBG_BREAKPOINT_PROGRAM_F_TAKE) ||
	    (flags && (request->program || request->len_bytes ||
		       request->version || request->ignore)) ||
	    request->ignore > S32_MAX)
		return -EINVAL;
	if (flags == GTDBG_BREAKPOINT_PROGRAM_F_QUERY)
		return 0;
	if (flags)
		return session->observer ? -EPERM : 0;
	if (request->len_bytes && request->version != GTDBG_PROGRAM_VERSION)
		return -EOPNOTSUPP;
	if (!request->len_bytes && (request->program || request->version))
		return -EINVAL;
	return session->observer ? -EPERM : 0;
}

/* What its threads have taken, and the caller, if that is what it wants. */
static int program_count_ignored(struct gtdbg_session *session,
				 struct gtdbg_breakpoint_program *request)
{
	bool take = request->flags == GTDBG_BREAKPOINT_PROGRAM_F_TAKE;
	int ret = gtdbg_ignore_take(session, request->breakpoint, take);

	if (ret < 0)
		return ret;
	request->taken = ret;
	return gtdbg_breakpoint_ignored(session->client, request->breakpoint,
					&request->ignored);
}

int gtdbg_ioctl_breakpoint_program(struct gtdbg_session *session, void *arg)
{
	struct gtdbg_breakpoint_program *request = arg;
	struct gtdbg_program *program = NULL;
	int ret;

	ret = request_check(session, request);
	if (ret)
		return ret;
	request->planted = 0;
	request->decided = 0;
	request->taken = 0;
	request->ignored = 0;
	if (request->len_bytes || request->ignore) {
		program = program_create(request);
		if (IS_ERR(program))
			return PTR_ERR(program);
	}
	ret = request->flags ? 0 :
	      gtdbg_breakpoint_replace(session->client, request->breakpoint,
				       &program);
	kfree(program);
	if (!ret && request->flags != GTDBG_BREAKPOINT_PROGRAM_F_TAKE)
		ret = gtdbg_place_count(session, request);
	return ret ?: program_count_ignored(session, request);
}
