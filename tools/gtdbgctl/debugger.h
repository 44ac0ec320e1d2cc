/* SPDX-License-Identifier: MIT */
/*
 * A debug session: what is known of the debuggee, and where the user looks.
 *
 * Words. A thread is named D.T: D is 2 for the session's first device, 3 for the
 * next and so on (1 is the host program, as gdb counts), T is 1 more than the
 * thread's slot. D.T:L is one lane of it. The *current* thread, lane and frame
 * are what commands work on when they name none.
 */
/*
 * The tool's files, bottom up:
 *
 * printer.c		a line of output: words, or JSON
 * gpu.c		what is known of a GPU
 * gpu_user.c		who has it open
 * event.c		what events carry
 * interrupt.c		signals
 * settings.c		what "set" changes, and "show" shows
 * style.c		colours
 * screen.c		what a terminal is not to get from a debuggee
 * pager.c		a screen at a time
 * input.c		what the user types
 * script.c		scripts of commands, above what the user types
 * trial.c		sessions that find out what a GPU does
 * setting.c		settings of the kernel, in files
 * leftover.c		what a program that is gone has left on an engine
 * hang.c		keeping the driver from ending what is stopped
 * reset.c		why it has ended that nevertheless
 * worker.h		threads beside the one that waits for events
 * savearea.c		making threads stop of programs that run already
 * launch.c		programs that the tool starts
 * source_file.c	files of source
 * source.c		source text
 * target.c		devices, contexts, modules and kernels of the debuggee
 * message.c		formats, and values in them
 * record.c		messages that no thread stops for
 * filter.c		work-items and groups that breakpoints are for
 * breakpoint.c		breakpoints, and where they are planted
 * logpoint.c		what is said instead of stopping
 * thread.c		the current thread, lane and frame
 * buffer.c		the program's buffers
 * access.c		what a thread has just done to memory
 * fault.c		page faults
 * illegal.c		illegal instructions
 * assert_call.c	assertions that call a function
 * assert_text.c	what was asserted, by the source
 * assert.c		failed assertions
 * watch_code.c		which instructions may write memory
 * watch_print.c	what is said of watchpoints
 * watch.c		watchpoints: what is watched, and whether it has changed
 * watch_step.c		letting threads go that are watched
 * missed.c		hits that are not said yet
 * wait.c		letting threads run, and waiting for them
 * debugger.c		the session
 *
 * core_zstd.c		compressed ones
 * core_output.c	the file that a core file becomes
 * core_note.c		its notes
 * core_source.c	files of source, as notes
 * core_target.c	what is known of the target, as notes
 * core_thread.c	threads, as notes
 * core_memory.c	memory
 * core.c		a core file from end to end, and opening one
 *
 * value.c		a value: bytes with a type
 * format.c		printing one
 * convenience.c	the user's own variables
 * vector.c		vectors: elements, literals, and operators on them
 * operator.c		operators on values
 * literal.c		numbers and characters
 * expression.c		expressions as in C
 *
 * prompt.c		the table of commands, and executing one
 * prompt_apply.c	thread apply
 * prompt_break.c	break, condition, delete, dprintf, ...
 * prompt_clear.c	clear
 * prompt_core.c	generate-core-file
 * prompt_data.c	print, output, x, set, ...
 * prompt_display.c	display, undisplay
 * prompt_info.c	info
 * prompt_run.c		continue, detach, kill, quit
 * prompt_script.c	define, commands, source, echo
 * prompt_stack.c	frames, lanes and source
 * prompt_step.c	step, next, until, finish, stepi
 * prompt_symbols.c	info functions, line, lines, sources and symbol
 * prompt_threads.c	info threads
 * prompt_watch.c	watch, and what is said of a hit
 *
 * field.c		fields of JSON objects
 * channel.c		an editor's connection, and its messages
 * dap.c		the table of an editor's requests, and serving one
 * dap_breakpoint.c	breakpoints by file, function and instruction
 * dap_memory.c		memory and disassembly
 * dap_run.c		programs, and letting threads run
 * dap_source.c		sources and modules
 * dap_thread.c		threads, frames and scopes
 * dap_variable.c	variables and expressions
 * dap_watch.c		breakpoints at data
 *
 * perfetto.c		the format of a trace's file
 * ctf.c		the other one, a folder
 * trace_bpf.c		what is recorded, in the kernel
 * trace_record.h	what it reports
 * trace_probe.c	where it looks: OpenCL calls, tracepoints of the module
 * trace_call.c		calls, as slices of the threads that make them
 * trace_sched.c	when host threads were on a CPU
 * trace_request.c	requests to i915, and waits for them
 * trace_power.c	frequency and power
 * trace_span.c		spans of time, and where they overlap
 * trace_wait.c		waits for one queue while another one has no work
 * trace_launch.c	launches and stops, as slices of the devices
 * trace_ctf.c		all of these, as events of CTF
 * trace_output.c	what it is written to
 * trace_summary.c	what a trace comes to
 * trace.c		the trace, record by record
 * top.c		what GPUs do now, from the same records
 * top_driver.c		and from what drivers say
 *
 * gdb_server.c		Intel's server for gdb
 *
 * cmd.h		the sub-commands: each cmd_NAME.c is one
 * cmd_attach.c		attach to a process
 * cmd_core.c		look at a core file
 * cmd_dap.c		serve an editor
 * cmd_doctor.c		what this machine lacks
 * cmd_events.c		print events
 * cmd_gcore.c		write a core file
 * cmd_gdb.c		start a program under Intel's gdb
 * cmd_list.c		GPUs and debuggees
 * cmd_print_trace.c	print values while a program runs
 * cmd_run.c		start a program
 * cmd_top.c		show what GPUs do
 * cmd_trace.c		record programs and GPUs
 * cmd_version.c	versions of tool and module
 * main.c		which sub-command is meant
 */
#ifndef GTDBGCTL_DEBUGGER_H
#define GTDBGCTL_DEBUGGER_H

#include "script.h"
#include "wait.h"

#include <gtdbg.h>
#include <gtdbg_symbols.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define FRAMES_MAX 64
#define THREADS_MAX 4096	/* of a device */

struct device {
	struct device *next;
	struct gtdbg_event_device_add info;
	unsigned int number;	/* as the user sees it */
	uint64_t launched;	/* threads of the last launch, 0 if not known */
	uint32_t launched_kernel;	/* 0: none yet */
	int log;		/* of reset_log_open() */
	bool is_lost;
	bool is_stale;		/* not reported again yet */
	bool is_announced;	/* that others wait for it */
};

struct context {
	struct context *next;
	struct gtdbg_event_context_add info;
	bool is_stale;
};

struct module {
	struct module *next;
	uint32_t id;
	char *name;
	char *source;		/* read at first use */
	size_t source_len;
	size_t source_size;	/* as announced */
	bool is_stale;
};

struct kernel {
	struct kernel *next;
	uint32_t id;
	uint32_t module;
	uint32_t cookie;
	char *name;
	size_t elf_size;
	size_t isa_size;
	uint64_t address;	/* where it was last seen, 0: nowhere yet */
	uint32_t device;	/* whose address that is */
	uint32_t context;
	bool has_tried_symbols;
	bool has_tried_code;
	bool has_values;	/* in the history */
	bool is_stepped;	/* its symbols are in use */
	bool is_stale;
	struct gtdbg_symbols *symbols;
	struct gtdbg_code *code;
};

/* A place where a breakpoint is planted. */
struct location {
	struct location *next;
	uint32_t kernel;	/* 0: by GPU address */
	uint64_t offset;	/* in the kernel, or the address */
	uint32_t id;		/* the module's number for it */
};

struct breakpoint {
	struct breakpoint *next;
	int number;		/* negative: the tool's own, for stepping */
	bool is_temporary;
	bool is_enabled;
	bool is_further;	/* another one is what the last stop is for */
	uint32_t device;	/* the tool's own stop only this thread; @address is there */
	uint32_t slot;
	char *file;		/* NULL: any */
	uint32_t line;		/* 0: by function or address */
	char *function;
	uint64_t address;
	uint32_t context;	/* whose address that is, */
	bool has_context;	/* once it is known */
	char *filter;		/* "item 5,0": for whom it is; NULL: for all */
	char *wanted;		/* the user's condition, NULL: none */
	char *condition;	/* both; NULL: none */
	bool is_checked;	/* the condition was, in some kernel */
	bool is_unanswered;	/* it could not be evaluated last, as was said */
	char *log;		/* said instead of a stop; NULL: it stops */
	char why_host[96];	/* the GPU cannot decide it; empty: it may */
	struct lines commands;	/* executed after a stop */
	/* Printed instead of a stop; of a log point what the GPU does; NULL: none. */
	struct message *message;
	struct layout *layouts;	/* of what the GPU writes for it */
	bool was_recorded;	/* the GPU has written some */
	bool was_placed;	/* some kernel of the program had the place */
	unsigned int ignore;	/* so many are left */
	unsigned int hits;
	uint32_t counter;	/* the module's number for the place whose threads count; 0: none */
	uint64_t counted;	/* what it has said last that was ignored there */
	struct location *locations;
	struct watch *watch;	/* it looks at a value instead; NULL: it has a place */
};

struct convenience;
struct layout;
struct message;
struct missed;
struct watch;
struct watched;
struct value;
struct macro;
struct display;

/* Where an expression is looked at without a thread: names and types only. */
struct place {
	struct gtdbg_symbols *symbols;
	const struct gtdbg_machine *machine;	/* says ENODATA */
	struct gtdbg_frame frame;
};

/* What happens where an assertion of a kernel fails. */
enum assert_mode {
	ASSERT_STOP,		/* the thread stops, at the prompt */
	ASSERT_ABORT,		/* the program ends by SIGABRT */
	ASSERT_CONTINUE,	/* it is said, and counted */
	ASSERT_IGNORE,
};

struct asserts {
	enum assert_mode mode;
	uint64_t failed;	/* work-items */
	uint64_t lines_max;	/* of them that have a line; 0: as many as usual */
	bool is_aborting;
	bool is_rehearsing;	/* what the program builds; its launches wait */
	struct breakpoint *calls; /* where others' are; NULL: none may come */
	const char *core;	/* written with the first one; NULL: none is wanted */
};

struct debugger {
	struct gtdbg *gtdbg;
	struct gtdbg_session *session;
	struct launch *launch;	/* NULL if attached */
	struct hang *hang;	/* of a program that was attached to, or NULL */
	pid_t pid;
	int pidfd;		/* of the session's process; 0 or less: none */
	char comm[17];
	bool is_observer;
	bool is_core;		/* the session is a file: nothing runs */
	bool holds_launches;	/* until they are acknowledged */
	bool seeks_saveareas;	/* they may say that threads do not stop */
	uint64_t saveareas_looked_ms;

	struct device *devices;
	struct context *contexts;
	struct module *modules;
	struct kernel *kernels;
	struct breakpoint *breakpoints;
	int next_breakpoint;
	uint32_t next_tag;	/* of records; the last one */
	uint64_t records_left;	/* whose pass is not whole; not said yet */

	/* Stops that were taken from the event stream and not resumed. */
	struct gtdbg_thread_info *stopped;
	size_t stopped_count;

	/* Threads that watchpoints concern, once they were let go. */
	struct watched *watched;
	size_t watched_count;
	uint32_t unwatching_context; /* its system routine looks at no addresses */

	uint64_t resync_seqno;	/* after it what is stale is gone; 0: none */

	bool passes_faults;	/* they stop nothing; nor do exceptions */
	bool passes_exceptions;

	struct asserts asserts;
	const char *core_on_fault; /* a core file's name, NULL: none is wanted */
	bool has_fault;		/* threads were stopped for one in the last wait */
	struct gtdbg_event_page_fault fault; /* the last one */
	unsigned int fault_looks; /* of a core file, for what is mapped there */
	unsigned int illegal_lines; /* said since @illegal_resumes */
	unsigned int illegal_resumes;
	int last_hit;		/* number of the breakpoint, 0: another reason */
	int *further_hits;	/* numbers of those that the stop is for as well */
	size_t further_hit_count;
	bool has_thread;	/* the fields below hold a stopped thread */
	struct gtdbg_thread_info thread;
	struct gtdbg_stop *stop;
	uint32_t lane;
	struct {		/* the user's, whatever is looked at meanwhile */
		uint32_t device, slot, lane;
	} kept;
	struct gtdbg_frame frames[FRAMES_MAX];
	int frame_count;
	int frame;

	struct kernel *retired;	/* gone, but for the types of such values */
	struct value **history;
	size_t history_count;
	struct convenience *conveniences;

	char *absent_file;	/* of source that was not there, not looked for meanwhile */
	int64_t absent_until;	/* second */
	char *list_file;	/* where "list" goes on */
	uint32_t list_line;
	uint32_t list_first;	/* of those that were shown last */
	uint64_t examine_address;	/* where "x" goes on, and how */
	char examine_letter;
	char examine_size;
	struct script *script;	/* the innermost that is being executed */
	struct macro *macros;	/* the user's own commands */
	struct lines actions;	/* of the breakpoint that was hit */
	bool is_acting;		/* they are being executed */
	bool is_silent;		/* the stop is not to be shown */
	bool is_served;		/* an editor shows where a thread stands */
	unsigned int resumes;	/* how often threads were let run, or another stop was shown */
	bool is_halting;	/* whatever stands was interrupted */
	bool is_stepping;	/* @stepping is waited for */
	struct gtdbg_thread_info stepping;
	struct missed *missed;	/* hits that were not said yet, one of each breakpoint */
	size_t missed_count;
	struct display *displays;
	int next_display;
	const struct place *checked;	/* NULL: expressions are evaluated */
	unsigned int skips; /* > 0: but for the part whose value nobody needs */
	unsigned int guesses; /* how many lengths were taken for 1 there */

	bool is_quiet;		/* no prompt: only the program speaks, and what fails */
	bool is_interactive;	/* a user at a terminal gives the commands */
	bool holds_errors;	/* they go to @held */
	char held[256];
	bool has_failed;	/* some command did */
	bool is_quitting;
	bool is_detached;	/* what the tool has started goes on alone */
	int exit_status;
};

/* Says why a command failed, in one line on stderr. Returns -1. */
int fail(struct debugger *debugger, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* debugger.c */
int debugger_attach(struct debugger *debugger, int client_fd, pid_t pid,
		    uint32_t flags);
/* Takes what a session replays up to the point where events are news. */
int debugger_replay(struct debugger *debugger);
void debugger_detach(struct debugger *debugger);
/* To the session's process, even if its number is another one's by now. */
void debugger_signal(struct debugger *debugger, int signal);
void debugger_fini(struct debugger *debugger);
/* What the user sees when the program has ended; sets the exit status. */
void debugger_report_exit(struct debugger *debugger);
/* Waits for the end of a program that was left alone, for its status. */
void debugger_wait_exit(struct debugger *debugger);
/* The value at hand is needed by nobody: nothing is read, changed or refused for it. */
static inline bool debugger_skips(const struct debugger *debugger)
{
	return debugger->checked || debugger->skips;
}

/* 0 if a command may talk to the target, else says why not and gives -1. */
int debugger_need_session(struct debugger *debugger);
int debugger_need_thread(struct debugger *debugger);

/* target.c: devices, contexts, modules and kernels */
struct device *device_find(struct debugger *debugger, uint32_t id);
struct device *device_find_number(struct debugger *debugger,
				  unsigned int number);
struct context *context_find(struct debugger *debugger, uint32_t device,
			     uint32_t id);
struct module *module_find(struct debugger *debugger, uint32_t id);
const char *module_source(struct debugger *debugger, struct module *module);
struct kernel *kernel_find(struct debugger *debugger, uint32_t id);
struct kernel *kernel_find_address(struct debugger *debugger,
				   uint64_t address);
struct gtdbg_symbols *kernel_symbols(struct debugger *debugger,
				     struct kernel *kernel);
/* The line of the source at @offset of its code; false: none is known. */
bool kernel_line(struct debugger *debugger, struct kernel *kernel,
		 uint64_t offset, struct gtdbg_line *line_out);
struct gtdbg_code *kernel_code(struct debugger *debugger,
			       struct kernel *kernel);
/* Events were lost: have all reported again. What is gone goes with the last one. */
int target_resync(struct debugger *debugger);
/* Handles an event that describes the target; false if it is another one. */
bool target_event(struct debugger *debugger, const struct gtdbg_event *event);
void target_fini(struct debugger *debugger);
/* After the last value is gone. */
void kernels_fini(struct debugger *debugger);

/* buffer.c: numbers are those of GTDBG_CORE_BUFFER_* */
enum buffer_kind {
	BUFFER_CL = 1,
	BUFFER_SVM = 2,
	BUFFER_USM = 3,
};

struct buffer {
	enum buffer_kind kind;
	unsigned int number;	/* of its kind, as the program has made them */
	uint64_t address;
	uint64_t len_bytes;
	bool is_gone;		/* the program has released it */
	uint64_t distance;	/* of the address that was asked for; 0: in it */
};

/* The nearest to the address of those in a mapping; NULL: of all. */
bool buffer_near(struct debugger *debugger, uint64_t address,
		 const struct gtdbg_memory_mapping *mapping,
		 struct buffer *out);
bool buffer_has(const struct buffer *buffer, uint64_t address);
/* All that are known, to be freed; how many. */
size_t buffer_list(struct debugger *debugger, struct buffer **out);

/* fault.c: stops what runs; false if there is nothing to wait for. */
bool fault_stop(struct debugger *debugger, const struct gtdbg_event *event);
/* In the page of the last one, for which threads were stopped? */
bool fault_is_at(const struct debugger *debugger, uint64_t address);
/* That of a core file, and what is known of it. */
void fault_recall(struct debugger *debugger, const struct gtdbg_event *event);
/* @lane: -1, and no thread: none is found */
void fault_tell(struct debugger *debugger, struct gtdbg_thread_info *thread,
		int *lane);
/*
 * Of the threads that have stopped, says which ones have just missed what, and
 * returns the first of them and its lane; false if none is found.
 */
bool fault_explain(struct debugger *debugger, struct gtdbg_thread_info *thread,
		   int *lane);

/* illegal.c: where it stands, in a line. Deselects the current thread. */
void illegal_tell(struct debugger *debugger, const struct gtdbg_thread_info *thread);

/*
 * assert_text.c: what has failed in the line of a frame, as gtdbg_assert.h has it. False,
 * and nothing printed: the source does not tell.
 */
bool assert_text_print(struct debugger *debugger,
		       const struct gtdbg_frame *frame, FILE *to);

/* assert_call.c */
struct assert_call {
	uint64_t expression, file, function;	/* texts; 0: not known */
	uint64_t line;
	uint64_t item[3];
	uint64_t place[3];
	bool has_line;
	bool has_items;
};

bool assert_call_is(const char *function);
void assert_calls_module_added(struct debugger *debugger,
			       struct module *module);
void assert_calls_kernel_added(struct debugger *debugger,
			       struct kernel *kernel);
/* Has the thread stopped where another runtime's assertion has failed? */
bool assert_call_is_at(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread);
/* The current thread's first frame that is the kernel's own. */
int assert_call_frame(struct debugger *debugger);
/* What has failed for a lane of the current thread; false: that is not known. */
bool assert_call_read(struct debugger *debugger, uint32_t lane,
		      struct assert_call *out);

/* assert.c */
enum assert_fate {
	ASSERT_FATE_STOP,	/* the user looks at it */
	ASSERT_FATE_STAY,	/* it stays where it is, and no one looks */
	ASSERT_FATE_RUN,
};

int assert_mode_parse(const char *name, enum assert_mode *out);
/* @core: name of a core file, or NULL */
/* @lines_max: how many work-items have a line; 0: as many as usual. */
void asserts_init(struct asserts *asserts, enum assert_mode mode,
		  uint64_t lines_max, const char *core);
/* Of a kernel that was added: what a failure in it needs is then at hand. */
void assert_rehearse(struct debugger *debugger, struct kernel *kernel);
/* Of a module that was added, and of a launch that was held and is let go. */
void assert_module_added(struct debugger *debugger);
void assert_launched(struct debugger *debugger);
/* Says which work-items of a stopped thread it was, and acts as the mode says. */
enum assert_fate assert_failed(struct debugger *debugger,
			       const struct gtdbg_thread_info *thread);
void asserts_summarize(const struct asserts *asserts);

/* Which work-item a lane has, as far as its registers still tell. */
struct item {
	bool is_known;		/* one of its global numbers, at least */
	bool has_global[3], has_local[3];
	uint32_t global[3], local[3];
};

/* thread.c: the current thread, lane and frame */
/* Of the current thread, in the kernel itself; false: nothing is known. */
bool thread_item(struct debugger *debugger, uint32_t lane, struct item *out);
/* "global id: [5,0,?]" */
void item_print_global(FILE *to, const struct item *item);
void item_print_local(FILE *to, const struct item *item);
int thread_select(struct debugger *debugger,
		  const struct gtdbg_thread_info *thread, int lane);
/* The current lane is the user's: it is current again in its thread where it is active. */
void thread_lane_keep(struct debugger *debugger);
bool thread_lane_is_kept(const struct debugger *debugger,
		      const struct gtdbg_thread_info *thread);
void thread_deselect(struct debugger *debugger);
int thread_list(struct debugger *debugger, struct gtdbg_thread_info **out);
/* "2.5:1", "5:1", "5" ... ; lane is -1 if none is given. */
int thread_parse(struct debugger *debugger, const char *text,
		 struct gtdbg_thread_info *out, int *lane_out);
/* For no cause of its own, but because it was asked to. */
bool thread_is_only_interrupted(const struct debugger *debugger);
/* Why it has stopped, if it is for an exception or was made to; else NULL. */
const char *thread_reason(const struct debugger *debugger);
void thread_print_stop(struct debugger *debugger);
void thread_print_name(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread, int lane);
void thread_print_frame(struct debugger *debugger, int frame, bool short_form);
void thread_print_source(struct debugger *debugger);
struct kernel *thread_kernel(struct debugger *debugger,
			     const struct gtdbg_thread_info *thread);
uint64_t thread_pc(struct debugger *debugger, struct kernel *kernel,
		   const struct gtdbg_thread_info *thread);
uint32_t thread_lanes(struct debugger *debugger);
const struct gtdbg_frame *frame_current(struct debugger *debugger);
/* The instruction that the current frame executes next, on the GPU. */
uint64_t frame_address(struct debugger *debugger);

/* breakpoint.c */
/*
 * As long as there is a breakpoint, a launch waits until all that is known of its
 * kernel was heard, so that no thread gets past a place where it is not planted
 * yet. Without one launches take their usual time, once the program goes on.
 */
void breakpoint_events(struct debugger *debugger);
struct breakpoint *breakpoint_create(struct debugger *debugger, bool own);
void breakpoint_delete(struct debugger *debugger, struct breakpoint *gone);
/* "Temporary breakpoint" or "Breakpoint" */
const char *breakpoint_kind(const struct breakpoint *breakpoint);
struct breakpoint *breakpoint_find(struct debugger *debugger, int number);
/* Finds and plants its places in a kernel; how many are new, -ESRCH: the program is gone. */
int breakpoint_plant(struct debugger *debugger, struct breakpoint *breakpoint,
		     struct kernel *kernel);
/* Where it is or would be in a kernel, as program counters: how many. */
#define PLACES_MAX 64
int breakpoint_places(struct debugger *debugger,
		      const struct breakpoint *breakpoint,
		      struct kernel *kernel, uint64_t *pcs);
/*
 * The function at *@pc or next behind it, below @end; *@pc is its end then. Between
 * functions with lines may be some without, of the compiler's own.
 */
bool function_next(struct gtdbg_symbols *symbols, uint64_t *pc, uint64_t end,
		   struct gtdbg_function *out);
/*
 * Where a function stops that is named: at its first line, as its parameters
 * have no values in the line of its declaration.
 */
uint64_t function_entry(struct gtdbg_symbols *symbols,
			const struct gtdbg_function *function);
/* All of that name in a kernel, also those that were merged into others: how many. */
int functions_find(struct gtdbg_symbols *symbols, const char *name,
		   struct gtdbg_function functions[PLACES_MAX]);
/* Where breakpoints stop in each of these. */
int function_entries(struct gtdbg_symbols *symbols, const char *name,
		     uint64_t pcs[PLACES_MAX]);
int breakpoint_plant_at(struct debugger *debugger,
			struct breakpoint *breakpoint, uint32_t kernel,
			uint64_t offset);
/* All in one call to the module; how many are new, or the first error if none is. */
int breakpoint_plant_many(struct debugger *debugger,
			  struct breakpoint *breakpoint, uint32_t kernel,
			  const uint64_t *offsets, int count);
/* Give the breakpoint's condition to the GPU, or take it back. */
void breakpoint_program(struct debugger *debugger, struct breakpoint *breakpoint);
/* Its next @count hits are ignored, or INT32_MAX of them. */
void breakpoint_ignore(struct debugger *debugger, struct breakpoint *breakpoint, uint64_t count);
/* In the current lane; one that cannot be evaluated stops, as in gdb, and says why. */
bool breakpoint_condition_holds(struct debugger *debugger, struct breakpoint *breakpoint);
/* Counts a hit: is it one of those? */
bool breakpoint_is_ignored(struct debugger *debugger, struct breakpoint *breakpoint);
/* Brings its hits up to date with what threads have counted themselves. */
void breakpoint_count(struct debugger *debugger, struct breakpoint *breakpoint);
/* Is its condition decided on the GPU, everywhere? */
bool breakpoint_decided(struct debugger *debugger,
			const struct breakpoint *breakpoint);
/* The user's other one at an instruction of its, so that the host decides for both; or NULL. */
const struct breakpoint *breakpoint_beside(const struct debugger *debugger,
					   const struct breakpoint *breakpoint);
/*
 * Looks at a condition where the breakpoint is: 1 if it can be evaluated there,
 * 0 if no kernel is known that has the place, -1 after saying what is wrong.
 */
int breakpoint_check(struct debugger *debugger,
		     const struct breakpoint *breakpoint,
		     const char *condition);
void breakpoint_lift(struct debugger *debugger, struct breakpoint *breakpoint);
/* Drops its places, which the module has lifted already. */
void breakpoint_forget(struct breakpoint *breakpoint);
void breakpoints_kernel_added(struct debugger *debugger,
			      struct kernel *kernel);
void breakpoints_kernel_gone(struct debugger *debugger, uint32_t kernel);
/*
 * The breakpoint that a thread stands at and that wants it to stop; selects
 * the thread to evaluate conditions. @is_known_out: it stands at one of ours.
 */
struct breakpoint *breakpoint_hit(struct debugger *debugger,
				  const struct gtdbg_thread_info *thread,
				  bool *is_known_out, int *lane_out);

/* filter.c: takes "item X,Y,Z" and "group X,Y,Z" off the end of a place */
int filter_take(struct debugger *debugger, struct breakpoint *breakpoint,
		char *text);
/* The user's condition, NULL: none; whom the breakpoint is for stays. */
void breakpoint_set_condition(struct breakpoint *breakpoint,
			      const char *wanted);

/* logpoint.c: of the current thread, lane and frame */
void logpoint_print(struct debugger *debugger, const char *text);

/* source.c */
int source_print(struct debugger *debugger, const char *file, uint32_t first,
		 uint32_t last);
/* A line of it, to be freed; NULL: there is none. */
char *source_line(struct debugger *debugger, const char *file, uint32_t line);
/* The module that has brought the text of that file, or NULL. */
struct module *source_module(struct debugger *debugger, const char *file);
/* Has a module brought the text of that file? */
bool source_is_module(struct debugger *debugger, const char *file);
/* How many lines the source has, or -1 if there is none. */
int source_lines(struct debugger *debugger, const char *file);
const char *path_base(const char *path);
/*
 * Does a file have the text that a module was compiled from? It may be a part of
 * the file, as where a program's source has it, or the other way round. The file's
 * line is @delta more than the module's.
 */
bool source_match(struct debugger *debugger, struct module *module,
		  const char *file, int64_t *delta);

/*
 * savearea.c: a program that is debugged late on the machine's GPU may have contexts,
 * and makes others: their threads stop from now on. To be called now and then.
 */
void saveareas_look(struct debugger *debugger);
/* Launches are held from now on: threads stop at entries that they have passed. */
void saveareas_hold(struct debugger *debugger);
/* The session ends: what looks still changes nothing. */
void saveareas_leave(void);

/* launch.c: programs that the tool has started */
enum launch_sip {
	LAUNCH_SIP_OWN,
	LAUNCH_SIP_STOCK,	/* what the runtime installs by itself */
	LAUNCH_SIP_BINDLESS,	/* the other one that it has */
};

/* How the program reaches its GPU. */
enum launch_door {
	LAUNCH_DOOR_ANY,	/* the machine's, if it has one, else a node */
	LAUNCH_DOOR_DRM,	/* a virtual one, as a render node */
	LAUNCH_DOOR_SOCKET,	/* by its runtime's simulator connection */
	LAUNCH_DOOR_GPU,	/* the machine's own */
};

struct launch_options {
	enum launch_sip sip;
	enum launch_door door;
	bool is_free;		/* no session: only ready to be attached */
	bool keeps_stdin;	/* the program reads what we do not */
	const char *memcheck;	/* where buffers are guarded, NULL: they are not */
	const char *check;	/* the virtual GPU's checkers, NULL: none */
	char **argv;
};

struct launch;

/* A product's place: in the build tree, or where it is installed. */
int launch_product_find(char *out, const char *built, const char *installed);
/* Is there a virtual GPU that a launch would start? */
bool launch_has_vgtd(void);
int launch_create(const struct launch_options *options, struct launch **out);
/* Starts the program and waits until it uses the GPU or has ended. */
int launch_start(struct launch *launch, int *client_fd_out, pid_t *pid_out);
/* Runs the program to its end without a session; a status of waitpid(). */
int launch_run_free(struct launch *launch);
/*
 * For a program that another debugger starts: its GPU, its environment, and a
 * folder that is removed at the end.
 */
int launch_prepare(struct launch *launch);
void launch_environment_set(const struct launch *launch);
/* Are the program's buffers guarded? */
bool launch_checks_memory(const struct launch *launch);
/* What they find is a software exception. NULL: not. */
bool launch_has_checkers(const struct launch *launch);
const char *launch_folder(const struct launch *launch);
/* The same, without waiting for its end; and has it ended? */
int launch_start_free(struct launch *launch);
bool launch_has_ended(struct launch *launch);
bool launch_is_started(const struct launch *launch);
pid_t launch_pid(const struct launch *launch);
void launch_kill(struct launch *launch);
/* Waits for the end; returns the status of waitpid(). */
int launch_wait(struct launch *launch);
void launch_destroy(struct launch *launch);

#endif
bool breakpoint_is_at(const struct breakpoint *breakpoint, uint32_t kernel,
		      uint64_t offset, uint64_t address);
