// SPDX-License-Identifier: MIT
/*
 * Call stacks. A called function keeps one register for its *frame*: dwords
 * return address, return mask, stack pointer, frame pointer in units of 16
 * bytes, and as a quadword the front-end frame pointer, by which variables are
 * found. Behind its prologue it has stored what that register held at the call
 * to scratch memory at the frame pointer, so the stores form a chain, until it
 * puts that back to return.
 */
#include "symbols.h"

#include "cubin.h"
#include "liveness.h"
#include "scope.h"

#include <errno.h>
#include <string.h>

#define FRAMES_MAX	64
#define SCRATCH_TAG	0x0900000000000000ull
#define FRAME_VISA	125
#define RESULT_VISA	26
#define FRAME_INTELGT	127
#define EM_INTELGT_NUMBER 205

/* The frame register, and a record of the chain. */
struct record {
	uint32_t return_ip;
	uint32_t return_mask;
	uint32_t stack_pointer;
	uint32_t frame_pointer;
	uint64_t front_end;
	uint64_t front_end_stack;
};

struct unwind {
	struct gtdbg_symbols *symbols;
	const struct gtdbg_machine *machine;
	struct gtdbg_frame *frames;
	size_t capacity;
	size_t count;
};

uint32_t gtdbg_frame_register(const struct gtdbg_symbols *symbols)
{
	GElf_Ehdr header;

	if (gelf_getehdr(symbols->elf, &header) &&
	    header.e_machine == EM_INTELGT_NUMBER)
		return FRAME_INTELGT;
	return FRAME_VISA;
}

/* Numbers and pointers of all lanes lie one behind the other, in registers from there on. */
int gtdbg_frame_result(struct gtdbg_symbols *symbols, uint64_t pc, uint32_t lane,
		       const struct gtdbg_type **type_out,
		       uint32_t *offset_bytes_out)
{
	const struct gtdbg_type *type;
	Dwarf_Die die;
	int ret = gtdbg_subprogram_find(symbols, pc, &die);

	if (!ret)
		ret = gtdbg_type_of(symbols, &die, &type);
	if (ret)
		return ret;
	switch (type->kind) {
	case GTDBG_TYPE_VOID:
		return -ENOENT;
	case GTDBG_TYPE_BOOLEAN:
	case GTDBG_TYPE_CHARACTER:
	case GTDBG_TYPE_INTEGER:
	case GTDBG_TYPE_UNSIGNED:
	case GTDBG_TYPE_ENUM:
	case GTDBG_TYPE_FLOAT:
	case GTDBG_TYPE_POINTER:
		break;
	default:
		return -EOPNOTSUPP;
	}
	if (gtdbg_frame_register(symbols) != FRAME_VISA || lane >= 32)
		return -EOPNOTSUPP;
	*type_out = type;
	*offset_bytes_out = RESULT_VISA * GTDBG_GRF_BYTES +
			    lane * (uint32_t)type->size_bytes;
	return 0;
}

static struct gtdbg_frame *frame_add(struct unwind *unwind,
				     const struct gtdbg_frame *like)
{
	struct gtdbg_frame *frame;

	if (unwind->count == unwind->capacity)
		return NULL;
	frame = &unwind->frames[unwind->count];
	*frame = *like;
	frame->level = unwind->count++;
	return frame;
}

/*
 * Adds the frames of one real function: those that were inlined at this place,
 * innermost first, then itself. In an outer one, the line is that of the call.
 */
static void frames_of_function(struct unwind *unwind,
			       const struct gtdbg_frame *base)
{
	struct gtdbg_frame next = *base;
	Dwarf_Die scopes[SCOPES_MAX];
	struct gtdbg_frame *frame;
	int i = gtdbg_scopes_find(unwind->symbols, base->lookup_pc, scopes);

	if (!i)
		frame_add(unwind, base);
	while (i--) {
		frame = frame_add(unwind, &next);
		if (!frame)
			break;
		frame->function = gtdbg_die_name(&scopes[i]);
		frame->scope = dwarf_dieoffset(&scopes[i]);
		frame->is_inlined = i > 0;
		if (!i)
			break;
		next.line = gtdbg_scope_call_line(&scopes[i]);
		next.file = gtdbg_scope_call_file(&scopes[i]);
	}
}

static int record_read(const struct unwind *unwind, uint32_t frame_pointer,
		       struct record *out)
{
	const struct gtdbg_machine *machine = unwind->machine;

	return machine->memory_read(machine->context, SCRATCH_TAG |
				    (uint64_t)frame_pointer * 16, out,
				    sizeof(*out));
}

static void frame_start(struct unwind *unwind, struct gtdbg_frame *frame,
			uint64_t pc, uint64_t lookup_pc, uint32_t lanes)
{
	struct gtdbg_line line;

	memset(frame, 0, sizeof(*frame));
	frame->pc = pc;
	frame->lookup_pc = lookup_pc;
	frame->lanes = lanes;
	if (!gtdbg_line_find(unwind->symbols, lookup_pc, &line)) {
		frame->file = line.file;
		frame->line = line.line;
	}
}

/*
 * While it is not known where scratch memory lies, the innermost call still is,
 * unless the function has called others itself: its register holds where it
 * will return to, and the front end keeps a chain of its own in private memory.
 */
static int record_guess(struct unwind *unwind, const struct record *now,
			uint64_t code_base,
			const struct gtdbg_function *function,
			struct record *out)
{
	const struct gtdbg_machine *machine = unwind->machine;
	uint64_t pc = now->return_ip - (uint32_t)code_base;
	struct gtdbg_function caller;

	if (gtdbg_function_find(unwind->symbols, pc, &caller) ||
	    caller.start == function->start)
		return -1;
	*out = *now;
	return machine->memory_read(machine->context, now->front_end,
				    &out->front_end, sizeof(out->front_end));
}

/*
 * In its prologue a function has not yet stored the record. At its end it puts back what
 * its caller had, before it returns, and then is the caller what the register says.
 */
static bool is_in_register(struct unwind *unwind, uint64_t pc,
			   const struct gtdbg_function *function)
{
	const uint64_t base = unwind->symbols->text_base;
	struct liveness_request query = {
		.byte = gtdbg_frame_register(unwind->symbols) *
			GTDBG_GRF_BYTES +
			offsetof(struct record, frame_pointer),
		.len_bytes = sizeof(uint32_t),
		.start = function->body - base,
		.end = function->end - base,
		.pc = pc - base,
	};
	const struct home_map *homes;

	if (pc < function->body)
		return true;
	/* Without a prologue that is known its own write is no other one. */
	if (function->body == function->start)
		return false;
	homes = gtdbg_symbols_homes(unwind->symbols);
	return homes && gtdbg_liveness_is_written(homes, &query);
}

/* The kernel itself was called by no one. */
static bool is_outermost(struct unwind *unwind, uint64_t pc,
			 struct gtdbg_function *function)
{
	return gtdbg_cubin_is(unwind->symbols) ||
	       gtdbg_function_find(unwind->symbols, pc, function) ||
	       function->start == unwind->symbols->text_base;
}

int gtdbg_frame_unwind(struct gtdbg_symbols *symbols,
		       const struct gtdbg_machine *machine, uint64_t pc,
		       uint32_t lanes, uint64_t code_base,
		       struct gtdbg_frame *frames, size_t capacity)
{
	struct unwind unwind = {
		.symbols = symbols, .machine = machine,
		.frames = frames, .capacity = capacity,
	};
	struct gtdbg_function function;
	struct gtdbg_frame frame;
	struct record now = { 0 }, call;
	uint32_t return_pc;
	int depth;

	/* Of CUDA's threads the frame register is not known. */
	if (!gtdbg_cubin_is(symbols))
		machine->register_read(machine->context,
				       gtdbg_frame_register(symbols) *
				       GTDBG_GRF_BYTES, &now, sizeof(now));
	frame_start(&unwind, &frame, pc, pc, lanes);
	for (depth = 0; depth < FRAMES_MAX; depth++) {
		bool is_outer = is_outermost(&unwind, frame.lookup_pc,
					     &function);

		frame.frame_base = now.front_end;
		frames_of_function(&unwind, &frame);
		if (is_outer)
			break;
		if (depth == 0 && is_in_register(&unwind, pc, &function))
			call = now;
		else if (record_read(&unwind, now.frame_pointer, &call) &&
			 (depth || record_guess(&unwind, &now, code_base,
						&function, &call)))
			break;
		return_pc = call.return_ip - (uint32_t)code_base;
		frame_start(&unwind, &frame, return_pc, return_pc - 1,
			    call.return_mask);
		now = call;
	}
	return unwind.count;
}
