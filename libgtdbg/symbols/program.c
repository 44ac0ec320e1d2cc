// SPDX-License-Identifier: MIT
#include "program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LANES_MAX	32
#define DELTA_MAX	(1 << 24)

/* A dword of the register file tells its place, and which half of a qword it is. */
#define MARK_LOW	0x40000000u
#define MARK_SHIFT	4

/* The highest byte of addresses of local memory. */
#define LOCAL_TAG	0x0aULL
#define LOCAL_TAG_SHIFT	56

int gtdbg_program_refuse(struct compiler *compiler, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(compiler->why, compiler->why_bytes, format, arguments);
	va_end(arguments);
	return -EOPNOTSUPP;
}

int gtdbg_program_refuse_long(struct compiler *compiler)
{
	return gtdbg_program_refuse(compiler, "it takes more than %u operations",
				    GTDBG_SIP_PROGRAM_OPS_MAX);
}

/*
 * The thread whose registers say which they are
 */

static uint32_t mark(uint32_t byte)
{
	return byte << MARK_SHIFT | (byte & 4 ? 0 : MARK_LOW);
}

static int marked_read(void *context, uint32_t offset, void *buf, size_t len)
{
	uint8_t *out = buf;

	(void)context;
	for (size_t i = 0; i < len; i++) {
		uint32_t byte = offset + (uint32_t)i;
		uint32_t value = mark(byte & ~3u);

		out[i] = (uint8_t)(value >> 8 * (byte & 3));
	}
	return 0;
}

static int nothing_read(void *context, uint64_t address, void *buf, size_t len)
{
	(void)context;
	(void)address;
	(void)buf;
	(void)len;
	return -ENODATA;
}

static const struct gtdbg_machine marked = {
	.register_read = marked_read,
	.memory_read = nothing_read,
};

static int home_in_private(uint64_t address, struct home *home)
{
	uint32_t byte = (uint32_t)(address >> (32 + MARK_SHIFT)) - 4;
	uint64_t place = (uint64_t)mark(byte + 4) << 32 | mark(byte);

	home->is_memory = true;
	home->byte = byte;
	home->delta = (int64_t)(address - place);
	return byte % 8 || home->delta >= DELTA_MAX ||
	       home->delta <= -DELTA_MAX ? -EOPNOTSUPP : 0;
}

static int home_in_memory(uint64_t address, struct home *home)
{
	if (address >> LOCAL_TAG_SHIFT == LOCAL_TAG) {
		home->is_local = true;
		home->delta = address & (GTDBG_SIP_SLM_END - 1);
		return home->is_pointer ? -EOPNOTSUPP : 0;
	}
	return home_in_private(address, home);
}

static int home_find(struct compiler *compiler,
		     const struct gtdbg_variable *variable, uint32_t lane,
		     struct home *home)
{
	struct gtdbg_location location;
	uint32_t value;
	int ret;

	memset(home, 0, sizeof(*home));
	ret = gtdbg_variable_place(compiler->symbols, &compiler->frame,
				   variable, &marked, lane, &location);
	if (ret < 0)
		return ret;
	home->is_pointer = ret;
	if (location.kind == GTDBG_LOCATION_MEMORY)
		return location.symbol ? -EOPNOTSUPP :
		       home_in_memory(location.address, home);
	if (home->is_pointer)
		return -EOPNOTSUPP;
	if (location.kind == GTDBG_LOCATION_REGISTER) {
		home->byte = location.register_offset_bytes;
		return 0;
	}
	memcpy(&value, location.value, sizeof(value));
	home->byte = (value & ~MARK_LOW) >> MARK_SHIFT;
	return location.value_len_bytes < sizeof(value) ||
	       value != mark(home->byte) ? -EOPNOTSUPP : 0;
}

/* For each lane, that @home of lane 0 is the first of a row. */
static int home_follow(struct compiler *compiler,
		       const struct gtdbg_variable *variable,
		       const struct home *home, uint32_t lanes)
{
	uint32_t bytes = home->is_local || home->is_shared ? 0 :
			 home->is_memory ? 8 : 4;
	struct home other;
	int ret;

	for (uint32_t lane = 1; lane < lanes; lane++) {
		ret = home_find(compiler, variable, lane, &other);
		if (ret)
			return ret;
		if (other.is_memory != home->is_memory ||
		    other.is_local != home->is_local ||
		    other.byte != home->byte + bytes * lane ||
		    other.delta != home->delta + home->step * lane)
			return -EOPNOTSUPP;
	}
	return 0;
}

/*
 * Operations
 */

int gtdbg_program_emit(struct compiler *compiler, uint32_t op, uint32_t a,
		       uint32_t b, uint32_t c)
{
	if (compiler->count == compiler->limit)
		return gtdbg_program_refuse_long(compiler);
	compiler->op[compiler->count++] = (struct gtdbg_sip_op){ op, a, b, c };
	return 0;
}

int gtdbg_program_begin(struct compiler *compiler,
			struct gtdbg_symbols *symbols, uint64_t pc, char *why,
			size_t why_bytes)
{
	memset(compiler, 0, sizeof(*compiler));
	compiler->symbols = symbols;
	compiler->limit = GTDBG_SIP_PROGRAM_OPS_MAX;
	compiler->why = why;
	compiler->why_bytes = why_bytes;
	if (gtdbg_frame_unwind(symbols, &marked, pc, 1, 0, &compiler->frame,
			       1) == 1)
		return 0;
	return gtdbg_program_refuse(compiler, "the code there is not known");
}

int gtdbg_program_variable(struct compiler *compiler, const char *name,
			   struct gtdbg_variable *variable)
{
	if (!gtdbg_variable_find(compiler->symbols, &compiler->frame, name,
				 variable))
		return 0;
	return gtdbg_program_refuse(compiler, "%s is no variable there", name);
}

static int home_refuse(struct compiler *compiler,
		       const struct gtdbg_variable *variable)
{
	return gtdbg_program_refuse(compiler,
				    "%s is where the GPU's routine does not look",
				    variable->name);
}

int gtdbg_program_home(struct compiler *compiler,
		       const struct gtdbg_variable *variable,
		       struct home *home)
{
	int ret = gtdbg_program_place(compiler, variable, home);

	return !ret && (home->is_local || home->is_pointer) ?
	       home_refuse(compiler, variable) : ret;
}

int gtdbg_program_place(struct compiler *compiler,
			const struct gtdbg_variable *variable,
			struct home *home)
{
	uint32_t lanes = gtdbg_symbols_simd_width(compiler->symbols,
						  compiler->frame.pc);
	struct home second;
	int ret;

	if (!lanes || lanes > LANES_MAX)
		lanes = LANES_MAX;
	ret = home_find(compiler, variable, 0, home);
	if (!ret)
		ret = home_find(compiler, variable, 1, &second);
	if (!ret) {
		home->step = second.delta - home->delta;
		home->is_shared = home->is_memory && second.is_memory &&
				  home->byte == second.byte;
	}
	if (!ret && (home->step > INT16_MAX || home->step < INT16_MIN))
		ret = -EOPNOTSUPP;
	if (!ret)
		ret = home_follow(compiler, variable, home, lanes);
	if (!ret && (home->is_local ? home->step : !home->is_shared &&
		     (home->byte % GTDBG_GRF_BYTES ||
		      home->byte < GTDBG_GRF_BYTES)))
		ret = -EOPNOTSUPP;
	if (ret == -EAGAIN || ret == -ESTALE)
		return gtdbg_program_refuse(compiler, "%s has no value there",
					    variable->name);
	return ret ? home_refuse(compiler, variable) : 0;
}

int gtdbg_program_finish(struct compiler *compiler, void *program,
			 size_t capacity)
{
	int ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_END, 0, 0, 0);
	size_t len = compiler->count * sizeof(compiler->op[0]);

	if (ret)
		return ret;
	if (len > capacity)
		return -EMSGSIZE;
	memcpy(program, compiler->op, len);
	return (int)len;
}
