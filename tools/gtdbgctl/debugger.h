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
 * event.c		what events carry
 * interrupt.c		signals
 * settings.c		what "set" changes, and "show" shows
 * style.c		colours
 * pager.c		a screen at a time
 * input.c		what the user types
 * script.c		scripts of commands, above what the user types
 * launch.c		programs that the tool starts
 * source.c		source text
 * target.c		devices, contexts, modules and kernels of the debuggee
 * breakpoint.c		breakpoints, and where they are planted
 * thread.c		the current thread, lane and frame
 * wait.c		letting threads run, and waiting for them
 * debugger.c		the session
 *
 * value.c		a value: bytes with a type
 * format.c		printing one
 * operator.c		operators on values
 * expression.c		expressions as in C
 *
 * prompt.c		the table of commands, and executing one
 * prompt_break.c	break, condition, delete, ...
 * prompt_data.c	print, x, set, ...
 * prompt_display.c	display, undisplay
 * prompt_info.c	info
 * prompt_run.c		continue, detach, kill, quit
 * prompt_script.c	define, commands, source
 * prompt_stack.c	frames, lanes and source
 * prompt_step.c	step, next, until, finish, stepi
 * prompt_symbols.c	info functions, line and lines
 * prompt_threads.c	info threads
 *
 * cmd.h		the sub-commands: each cmd_NAME.c is one
 * cmd_attach.c		attach to a process
 * cmd_doctor.c		what this machine lacks
 * cmd_events.c		print events
 * cmd_list.c		GPUs and debuggees
 * cmd_run.c		start a program
 * cmd_version.c	versions of tool and module
 * main.c		which sub-command is meant
 */
#ifndef GTDBGCTL_DEBUGGER_H
#define GTDBGCTL_DEBUGGER_H

#include "script.h"

#include <gtdbg.h>
#include <gtdbg_symbols.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FRAMES_MAX 64
#define THREADS_MAX 4096

struct device {
	struct device *next;
	struct gtdbg_event_device_add info;
	unsigned int number;	/* as the user sees it */
	bool is_lost;
	bool is_stale;		/* not told again yet */
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
	bool has_tried_symbols;
	bool has_tried_code;
	bool has_values;	/* in the history */
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
	uint32_t device;	/* the tool's own stop only this thread */
	uint32_t slot;
	char *file;		/* NULL: any */
	uint32_t line;		/* 0: by function or address */
	char *function;
	uint64_t address;
	char *condition;	/* NULL: none */
	bool is_checked;	/* the condition was, in some kernel */
	struct lines commands;	/* executed after a stop */
	unsigned int ignore;
	unsigned int hits;
	struct location *locations;
};

struct value;
struct macro;
struct display;

/* Where an expression is looked at without a thread: names and types only. */
struct place {
	struct gtdbg_symbols *symbols;
	struct gtdbg_frame frame;
};

struct debugger {
	struct gtdbg *gtdbg;
	struct gtdbg_session *session;
	struct launch *launch;	/* NULL if attached */
	pid_t pid;
	char comm[17];
	bool is_observer;

	struct device *devices;
	struct context *contexts;
	struct module *modules;
	struct kernel *kernels;
	struct breakpoint *breakpoints;
	int next_breakpoint;

	/* Stops that were taken from the event stream and not resumed. */
	struct gtdbg_thread_info *stopped;
	size_t stopped_count;

	uint64_t resync_seqno;	/* after it what is stale is gone; 0: none */

	int last_hit;		/* number of the breakpoint, 0: another reason */
	bool has_thread;	/* the fields below hold a stopped thread */
	struct gtdbg_thread_info thread;
	struct gtdbg_stop *stop;
	uint32_t lane;
	struct gtdbg_frame frames[FRAMES_MAX];
	int frame_count;
	int frame;

	struct kernel *retired;	/* gone, but for the types of such values */
	struct value **history;
	size_t history_count;

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
	unsigned int resumes;	/* how often threads were let run */
	struct display *displays;
	int next_display;
	const struct place *checked;	/* NULL: expressions are evaluated */

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
void debugger_detach(struct debugger *debugger);
void debugger_fini(struct debugger *debugger);
/* What the user sees when the program has ended; sets the exit status. */
void debugger_report_exit(struct debugger *debugger);
/* Waits for the end of a program that was left alone, for its status. */
void debugger_wait_exit(struct debugger *debugger);
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
struct gtdbg_code *kernel_code(struct debugger *debugger,
			       struct kernel *kernel);
/* Handles an event that describes the target; false if it is another one. */
/* Events were lost: have all told again. What is gone goes with the last one. */
int target_resync(struct debugger *debugger);
bool target_event(struct debugger *debugger, const struct gtdbg_event *event);
void target_fini(struct debugger *debugger);
/* After the last value is gone. */
void kernels_fini(struct debugger *debugger);

/* wait.c: letting threads run and waiting for them */
enum wait_result {
	WAIT_STOPPED = 1,	/* a thread is current now */
	WAIT_EXITED = 2,
	WAIT_INTERRUPTED = 3,	/* by Ctrl-C, and nothing has stopped */
	WAIT_TIMED_OUT = 4,
};

enum wait_result wait_stop(struct debugger *debugger, int timeout_ms);
int resume_all(struct debugger *debugger);
int resume_thread(struct debugger *debugger,
		  const struct gtdbg_thread_info *thread, uint32_t command);

/* interrupt.c: signals end every wait */
void interrupt_catch(void);
/* Ctrl-C, or a signal to end the tool. */
extern volatile sig_atomic_t wait_is_interrupted;
/* The signal that is to end the tool, 0: none. */
extern volatile sig_atomic_t wait_is_ended;

/* thread.c: the current thread, lane and frame */
int thread_select(struct debugger *debugger,
		  const struct gtdbg_thread_info *thread, int lane);
void thread_deselect(struct debugger *debugger);
int thread_list(struct debugger *debugger, struct gtdbg_thread_info **out);
/* "2.5:1", "5:1", "5" ... ; lane is -1 if none is given. */
int thread_parse(struct debugger *debugger, const char *text,
		 struct gtdbg_thread_info *out, int *lane_out);
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

/* breakpoint.c */
struct breakpoint *breakpoint_create(struct debugger *debugger, bool own);
void breakpoint_delete(struct debugger *debugger, struct breakpoint *gone);
struct breakpoint *breakpoint_find(struct debugger *debugger, int number);
/* Finds and plants its places in a kernel; returns how many are new. */
int breakpoint_plant(struct debugger *debugger, struct breakpoint *breakpoint,
		     struct kernel *kernel);
/*
 * Where a function stops that is named: at its first line, as its parameters
 * have no values in the line of its declaration.
 */
uint64_t function_entry(struct gtdbg_symbols *symbols,
			const struct gtdbg_function *function);
int breakpoint_plant_at(struct debugger *debugger,
			struct breakpoint *breakpoint, uint32_t kernel,
			uint64_t offset);
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

/* source.c */
int source_print(struct debugger *debugger, const char *file, uint32_t first,
		 uint32_t last);
/* How many lines the source has, or -1 if there is none. */
int source_lines(struct debugger *debugger, const char *file);
const char *path_base(const char *path);

/* launch.c: programs that the tool has started */
enum launch_sip {
	LAUNCH_SIP_OWN,
	LAUNCH_SIP_STOCK,	/* what the runtime installs by itself */
	LAUNCH_SIP_BINDLESS,	/* the other one that it has */
};

/* How the program reaches the virtual GPU. */
enum launch_door {
	LAUNCH_DOOR_DRM,	/* a render node */
	LAUNCH_DOOR_SOCKET,	/* its runtime's simulator connection */
};

struct launch_options {
	enum launch_sip sip;
	enum launch_door door;
	bool is_free;		/* no session: only ready to be attached */
	bool keeps_stdin;	/* the program reads what we do not */
	char **argv;
};

struct launch;

/* Is there a virtual GPU that a launch would start? */
bool launch_has_vgtd(void);
int launch_create(const struct launch_options *options, struct launch **out);
/* Starts the program and waits until it uses the GPU or has ended. */
int launch_start(struct launch *launch, int *client_fd_out, pid_t *pid_out);
/* Runs the program to its end without a session; a status of waitpid(). */
int launch_run_free(struct launch *launch);
bool launch_is_started(const struct launch *launch);
pid_t launch_pid(const struct launch *launch);
void launch_kill(struct launch *launch);
/* Waits for the end; returns the status of waitpid(). */
int launch_wait(struct launch *launch);
void launch_destroy(struct launch *launch);

#endif
