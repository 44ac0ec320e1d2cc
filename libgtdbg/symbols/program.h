/* SPDX-License-Identifier: MIT */
/*
 * Programs for the system routine, as they are made. Where a variable lies at a
 * place in the code does not depend on the thread but for the contents of registers.
 * So it is located for a thread whose registers say which register each is: what
 * comes out names them.
 */
#ifndef GTDBG_SYMBOLS_PROGRAM_H
#define GTDBG_SYMBOLS_PROGRAM_H

#include "symbols.h"

#include <linux/gtdbg_sip.h>

#include <stdarg.h>

struct compiler {
	struct gtdbg_symbols *symbols;
	struct gtdbg_frame frame;
	struct gtdbg_sip_op op[GTDBG_SIP_PROGRAM_OPS_MAX];
	uint32_t count;
	uint32_t limit;		/* how many there may be */
	uint64_t found[2];	/* variable that was looked at last, and its member */
	bool has_found;
	bool has_place;		/* that one has an address */
	bool has_value;		/* all lanes have its value */
	uint64_t window[GTDBG_SIP_PROGRAM_WINDOWS_MAX];	/* of pointers that it follows */
	uint32_t window_count;
	bool must_decide;	/* no thread is to stop for what the routine does not find */
	bool must_last;		/* nor may another one change what it looks at */
	bool is_fused;		/* one operation for each variable in memory */
	bool has_exact_indices;	/* fewer for two indices, of which none may be less than 0 */
	char *why;
	size_t why_bytes;
};

/* Where a variable is: in lane 0, and how it goes on with the others. */
struct home {
	bool is_memory;
	bool is_shared;		/* one register has an address for all lanes */
	bool is_pointer;	/* there 32 bits lie that lead into local memory */
	bool is_local;		/* at the offset @delta there, in all lanes */
	uint32_t byte;		/* of a register that has the address or value */
	int64_t delta;		/* to add to that address */
	int64_t step;		/* and to this for each lane more */
};

/* At @pc; -EOPNOTSUPP if nothing is known of it. */
int gtdbg_program_begin(struct compiler *compiler,
			struct gtdbg_symbols *symbols, uint64_t pc, char *why,
			size_t why_bytes);

/* Says why not. Returns -EOPNOTSUPP. */
int gtdbg_program_refuse(struct compiler *compiler, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

int gtdbg_program_refuse_long(struct compiler *compiler);

/* The variable of that name. */
int gtdbg_program_variable(struct compiler *compiler, const char *name,
			   struct gtdbg_variable *variable);
/* In registers or private memory, or, of all kinds, in the group's as well. */
int gtdbg_program_home(struct compiler *compiler,
		       const struct gtdbg_variable *variable,
		       struct home *home);
int gtdbg_program_place(struct compiler *compiler,
			const struct gtdbg_variable *variable,
			struct home *home);
int gtdbg_program_emit(struct compiler *compiler, uint32_t op, uint32_t a,
		       uint32_t b, uint32_t c);

/* With its END: its length, or -EMSGSIZE. */
int gtdbg_program_finish(struct compiler *compiler, void *program,
			 size_t capacity);

/*
 * condition.c: what the condition takes. Unless it must be exact, what is emitted may
 * hold for more lanes, and the reason is said then, too.
 */
int gtdbg_condition_emit(struct compiler *compiler, const char *condition,
			 bool is_exact);

#endif
