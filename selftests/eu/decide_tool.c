// SPDX-License-Identifier: MIT
/*
 * The tool's evaluator of expressions, with what it wants of a session: one stopped
 * thread, and no calls of the module.
 */
#include "decide.h"

#include <debugger.h>
#include <errno.h>
#include <expression.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <value.h>

static struct gtdbg_symbols *current;
static const struct gtdbg_machine *thread;
static char said[256];

int fail(struct debugger *debugger, const char *format, ...)
{
	va_list arguments;

	(void)debugger;
	va_start(arguments, format);
	vsnprintf(said, sizeof(said), format, arguments);
	va_end(arguments);
	return -1;
}

int debugger_need_thread(struct debugger *debugger)
{
	return debugger->has_thread ? 0 : -1;
}

struct gtdbg_symbols *kernel_symbols(struct debugger *debugger,
				     struct kernel *kernel)
{
	(void)debugger;
	(void)kernel;
	return current;
}

struct kernel *thread_kernel(struct debugger *debugger,
			     const struct gtdbg_thread_info *info)
{
	(void)debugger;
	(void)info;
	return NULL;
}

const struct gtdbg_frame *frame_current(struct debugger *debugger)
{
	return &debugger->frames[0];
}

uint64_t frame_address(struct debugger *debugger)
{
	return debugger->frames[0].pc;
}

const struct gtdbg_machine *gtdbg_stop_machine(struct gtdbg_stop *stop)
{
	(void)stop;
	return thread;
}

int gtdbg_stop_memory_write(struct gtdbg_stop *stop, uint64_t address,
			    const void *buf, size_t len_bytes)
{
	(void)stop;
	(void)address;
	(void)buf;
	(void)len_bytes;
	return -EPERM;
}

int gtdbg_stop_register_write(struct gtdbg_stop *stop, uint32_t offset_bytes,
			      const void *buf, size_t len_bytes)
{
	(void)stop;
	(void)offset_bytes;
	(void)buf;
	(void)len_bytes;
	return -EPERM;
}

int gtdbg_register_find_name(const char *name, struct gtdbg_register_name *out)
{
	(void)name;
	(void)out;
	return -ENOENT;
}

int gtdbg_register_list(struct gtdbg_session *session, uint32_t device,
			uint32_t context, struct gtdbg_register_set *sets,
			size_t capacity)
{
	(void)session;
	(void)device;
	(void)context;
	(void)sets;
	(void)capacity;
	return 0;
}

int gtdbg_register_read(struct gtdbg_session *session,
			const struct gtdbg_thread_info *info, uint32_t set,
			uint32_t first, uint32_t count, void *buf,
			size_t len_bytes)
{
	(void)session;
	(void)info;
	(void)set;
	(void)first;
	(void)count;
	(void)buf;
	(void)len_bytes;
	return -ENOENT;
}

/* In the innermost function. */
static bool debugger_stand(struct debugger *debugger,
			   struct gtdbg_symbols *symbols,
			   const struct gtdbg_machine *machine, uint64_t pc,
			   uint32_t lane)
{
	current = symbols;
	thread = machine;
	debugger->has_thread = true;
	debugger->lane = lane;
	debugger->frame_count = gtdbg_frame_unwind(symbols, machine, pc,
						   1U << lane, 0,
						   debugger->frames, 1);
	said[0] = 0;
	return debugger->frame_count == 1;
}

bool tool_follows(struct gtdbg_symbols *symbols,
		  const struct gtdbg_machine *machine, uint64_t pc,
		  uint32_t lane, const char *name, uint64_t *out)
{
	static struct debugger debugger;
	struct value *value = NULL;
	bool has_one;

	if (debugger_stand(&debugger, symbols, machine, pc, lane))
		value = expression_evaluate(&debugger, name);
	has_one = value && !value->unavailable &&
		  value->type->size_bytes == sizeof(*out);
	if (has_one)
		memcpy(out, value->bytes, sizeof(*out));
	free(value);
	return has_one;
}

bool tool_decides(struct gtdbg_symbols *symbols,
		  const struct gtdbg_machine *machine, uint64_t pc,
		  uint32_t lane, const char *text, bool *holds_out,
		  const char **why)
{
	static struct debugger debugger;

	*why = said;
	return debugger_stand(&debugger, symbols, machine, pc, lane) &&
	       !expression_condition(&debugger, text, holds_out);
}
