/* SPDX-License-Identifier: MIT */
/*
 * A session of the Debug Adapter Protocol: the editor's way to the debugger that
 * the prompt has. What is asked is answered at once; what takes its time, as
 * running and stepping, is the session's *work*, while which requests are served
 * too. Lists that an editor looks at belong to one stop: the ids of frames and of
 * what can be opened are *handles*, and are gone when threads run again.
 */
#ifndef GTDBGCTL_DAP_H
#define GTDBGCTL_DAP_H

#include "channel.h"
#include "debugger.h"

struct json_object;
struct value;
struct format;
struct dap;

typedef int dap_handler(struct dap *dap, struct json_object *arguments,
			struct json_object *body);
typedef void dap_work(struct dap *dap);

enum handle_kind {
	HANDLE_FRAME = 1,
	HANDLE_ARGUMENTS = 2,
	HANDLE_LOCALS = 3,
	HANDLE_LANES = 4,
	HANDLE_LANE = 5,	/* both of the above, in one lane */
	HANDLE_REGISTERS = 6,
	HANDLE_SET = 7,		/* registers of one kind */
	HANDLE_VALUE = 8,	/* what is in it */
};

struct handle {
	enum handle_kind kind;
	uint32_t set;
	int frame;
	int lane;
	struct gtdbg_thread_info thread;
	char *expression;
};

/* What the editor has asked for, by what it has asked. */
struct dap_breakpoint {
	struct dap_breakpoint *next;
	char *group;		/* all of which are set by one request */
	char *key;
	int number;
	bool is_wanted;
	bool was_verified;
	char *message;		/* why there is none; NULL */
};

/* A module that the editor knows. */
struct dap_module {
	struct dap_module *next;
	uint32_t id;
	char *name;
	bool is_there;
};

struct dap {
	struct debugger debugger;
	struct channel channel;
	dap_work *work;		/* what is to be done next; NULL: serve */
	int client_fd;		/* of a process to attach to, else -1 */

	/* What the client can do, and how it counts. */
	int first_line;
	int first_column;
	bool knows_types;
	bool knows_memory;
	bool knows_invalidated;

	bool is_initialized;
	bool is_configured;
	bool has_target;
	bool has_started;
	bool was_announced;	/* the process */
	bool has_ended;		/* so the client was told */
	bool is_over;		/* the client has left */
	bool kills;		/* the program ends then */
	bool is_at_work;
	const char *after;	/* event behind this answer */

	bool has_lanes_as_threads;
	int64_t threads_max;	/* 0: all of them are listed */
	char **argv;

	/* The thread that the user looks at. */
	struct gtdbg_thread_info focus;
	bool is_chosen;		/* by a command, and nothing has run */
	const char *reason;	/* why it stops, unless it is for another one */

	struct handle *handles;
	size_t handle_count;
	struct dap_breakpoint *breakpoints;
	struct dap_module *modules;
	struct lines files;	/* that the user has, kernels among them perhaps */
};

/* dap.c */
/* Serves a client to the end; returns the tool's exit status. */
int dap_run(int in, int out);
/* Tells the client what has changed. */
void dap_news(struct dap *dap);
/* What went wrong, as the answer's text; returns -1. */
int dap_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* dap_run.c: programs, and letting threads run */
dap_handler dap_launch, dap_attach, dap_configuration_done, dap_continue,
	    dap_next, dap_step_in, dap_step_out, dap_pause, dap_terminate,
	    dap_disconnect, dap_exception_info;
void dap_end(struct dap *dap);
/* After a command of the prompt: @has_run: it has let threads run. */
void dap_settle_command(struct dap *dap, const struct gtdbg_thread_info *was,
			bool has_run);

/* dap_breakpoint.c */
dap_handler dap_set_breakpoints, dap_set_function_breakpoints,
	    dap_set_instruction_breakpoints, dap_set_exception_breakpoints,
	    dap_set_data_breakpoints;
void dap_breakpoints_news(struct dap *dap);
void dap_breakpoints_fini(struct dap *dap);
/* Which of the editor's was hit: a group's beginning; NULL: none. */
const char *dap_breakpoint_group(struct dap *dap, int number);

/* dap_thread.c: threads, frames and scopes */
dap_handler dap_threads, dap_stack_trace, dap_scopes;
int64_t dap_thread_id(struct dap *dap, const struct gtdbg_thread_info *thread,
		      int lane);
/* Makes a thread the current one. */
int dap_thread_select(struct dap *dap, int64_t id);
/* The handle's number; 0 after saying why there is none. */
int64_t handle_add(struct dap *dap, enum handle_kind kind, const char *expression);
/* Makes its thread, lane and frame the current ones; NULL after saying why not. */
struct handle *handle_use(struct dap *dap, int64_t number);
void handles_fini(struct dap *dap);

/* dap_variable.c */
dap_handler dap_variables, dap_evaluate, dap_set_variable, dap_set_expression;

/* The expression of what a request names: a variable, or an expression in a frame. */
char *dap_variable_expression(struct dap *dap, struct json_object *arguments);

/* dap_watch.c */
dap_handler dap_data_breakpoint_info;
/* NULL after saying why there is none. */
struct breakpoint *dap_watch_create(struct dap *dap, const char *id,
				    const char *condition);

/* dap_source.c */
dap_handler dap_source, dap_loaded_sources, dap_modules;
/* The source, as @field, and the line there. */
void dap_place_add(struct dap *dap, struct json_object *to, const char *field,
		   const char *file, uint32_t line);
/* A file that the user has. */
void dap_file_note(struct dap *dap, const char *file);
/* The file's name as symbols have it; NULL after saying what is wrong. */
const char *dap_source_name(struct dap *dap, struct json_object *source);
void dap_modules_news(struct dap *dap);
void dap_modules_fini(struct dap *dap);

/* dap_memory.c */
dap_handler dap_read_memory, dap_write_memory, dap_disassemble;

#endif
