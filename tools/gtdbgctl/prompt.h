/* SPDX-License-Identifier: MIT */
/* The prompt's commands; each gets the text behind its name, trimmed. */
#ifndef GTDBGCTL_PROMPT_H
#define GTDBGCTL_PROMPT_H

#include "debugger.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct breakpoint;
struct debugger;
struct format;

struct prompt_command {
	const char *name;
	const char *alias;	/* short form, NULL: the unique beginning */
	int (*run)(struct debugger *debugger, const char *args);
	const char *synopsis;
	const char *summary;
};

extern const struct prompt_command prompt_commands[];

/* prompt_break.c */
const char *prompt_skip_space(const char *text);
/* "3" or "1-3": what follows; NULL: it is neither. */
const char *prompt_range(const char *args, long *first, long *last);
/* Splits "WHERE if COND" in two, in place: what is behind the "if", or NULL. */
char *prompt_split_condition(char *text);

/* What is to be executed first: a command, or a file of them. */
struct prompt_first {
	const char *text;
	bool is_file;
};

struct prompt_options {
	struct prompt_first *first;
	int count;
	bool is_batch;
	bool has_no_init;	/* does not read ~/.gtdbginit */
	const char *core_on_fault;	/* NULL: no core file */
	const char *core_on_assert;
	enum assert_mode assert_mode;
	uint64_t assert_lines_max;	/* 0: as many as usual */
	bool has_no_prompt;	/* runs the program, and says what it must */
	const char *given;	/* one of the options that were, NULL: none */
};

/* Takes what it knows off the front of the arguments. */
int prompt_parse(int argc, char **argv, int *at,
		 struct prompt_options *options);
/* Runs commands until the end; returns the tool's exit status. */
int prompt_run(struct debugger *debugger,
	       const struct prompt_options *options);
/* Executes one command; an empty line is none. */
int prompt_line(struct debugger *debugger, const char *text);
bool prompt_must_end(const struct debugger *debugger);
bool prompt_has_command(const char *name);
/* Trims a line in place. */
char *prompt_trim(char *line);

/* settings.c */
int prompt_set(struct debugger *debugger, const char *args);
int prompt_show(struct debugger *debugger, const char *args);

/* prompt_script.c */
int prompt_define(struct debugger *debugger, const char *args);
int prompt_document(struct debugger *debugger, const char *args);
int prompt_source(struct debugger *debugger, const char *args);
int prompt_commands_of(struct debugger *debugger, const char *args);
int prompt_silent(struct debugger *debugger, const char *args);
int prompt_echo(struct debugger *debugger, const char *args);
int prompt_show_user(struct debugger *debugger, const char *args);
/* Executes what is to be done at the breakpoint that was hit. */
void prompt_act(struct debugger *debugger);
/* False: the user has defined no such command. */
bool macro_run(struct debugger *debugger, const char *name, size_t len,
	       const char *args, int *ret_out);
bool macro_help(struct debugger *debugger, const char *name);
void macros_fini(struct debugger *debugger);

/* prompt_core.c */
int prompt_generate_core(struct debugger *debugger, const char *args);

/* prompt_display.c */
int prompt_display(struct debugger *debugger, const char *args);
int prompt_undisplay(struct debugger *debugger, const char *args);
int prompt_display_enable(struct debugger *debugger, const char *args,
			  bool is_enabled);
int prompt_info_display(struct debugger *debugger, const char *args);
void displays_show(struct debugger *debugger);
void displays_fini(struct debugger *debugger);

/* prompt_break.c */
int prompt_break(struct debugger *debugger, const char *args);
/* Before the session ends: breakpoints whose place no kernel had. */
void prompt_break_report(struct debugger *debugger);
int prompt_tbreak(struct debugger *debugger, const char *args);
int prompt_delete(struct debugger *debugger, const char *args);
int prompt_enable(struct debugger *debugger, const char *args);
int prompt_disable(struct debugger *debugger, const char *args);
int prompt_condition(struct debugger *debugger, const char *args);
int prompt_dprintf(struct debugger *debugger, const char *args);
/* Prints @message, which is given away, at a place instead of stopping. */
struct message;
int prompt_message(struct debugger *debugger, const char *where,
		   struct message *message);
int prompt_ignore(struct debugger *debugger, const char *args);
int prompt_info_breakpoints(struct debugger *debugger, const char *args);
int prompt_info_watchpoints(struct debugger *debugger, const char *args);
/* Reads WHERE into a breakpoint; plants it in all kernels. */
int prompt_where(struct debugger *debugger, struct breakpoint *breakpoint,
		 const char *text);
/* How many are new, -1 after saying why not. -ESRCH, of the tool's own: the program is gone. */
int prompt_place(struct debugger *debugger, struct breakpoint *breakpoint);

/* prompt_watch.c */
int prompt_watch(struct debugger *debugger, const char *args);
int prompt_watch_reads(struct debugger *debugger, const char *args);
int prompt_watch_accesses(struct debugger *debugger, const char *args);
/* In the current thread, lane and frame; a location: in all threads if they share it. */
struct breakpoint *prompt_watch_value(struct debugger *debugger,
				      const char *expression,
				      const char *condition, bool is_location);

/* prompt_clear.c */
int prompt_clear(struct debugger *debugger, const char *args);

/* prompt_run.c */
int prompt_run_program(struct debugger *debugger, const char *args);
int prompt_continue(struct debugger *debugger, const char *args);
/* "[N]": how often, once without; -1 after saying that it is no such number. */
int prompt_count(struct debugger *debugger, const char *args, int *out);
int prompt_interrupt(struct debugger *debugger, const char *args);
int prompt_kill(struct debugger *debugger, const char *args);
int prompt_detach(struct debugger *debugger, const char *args);
/* Says where the program has stopped after a wait. */
int prompt_report(struct debugger *debugger, int result);

/* prompt_step.c */
int prompt_step(struct debugger *debugger, const char *args);
int prompt_next(struct debugger *debugger, const char *args);
int prompt_stepi(struct debugger *debugger, const char *args);
int prompt_finish(struct debugger *debugger, const char *args);
int prompt_until(struct debugger *debugger, const char *args);
int prompt_advance(struct debugger *debugger, const char *args);

/* prompt_data.c */
struct format;
struct value;
/* "$1 = " and the value, which the history has from then on. */
void prompt_print_value(struct debugger *debugger, struct value *value,
			const struct format *format);
int prompt_print(struct debugger *debugger, const char *args);
int prompt_output(struct debugger *debugger, const char *args);
int prompt_printf(struct debugger *debugger, const char *args);
int prompt_lane(struct debugger *debugger, const char *args);
int prompt_lanes(struct debugger *debugger, const char *args);
int prompt_assign(struct debugger *debugger, const char *args);
int prompt_disassemble(struct debugger *debugger, const char *args);
int prompt_examine(struct debugger *debugger, const char *args);
/* How long "/4xw" is, if @text begins so. As in gdb no blank has to follow: "x/i$pc". */
size_t prompt_format_length(const char *text);
/* Reads "/NFU" off the front of @args. */
int prompt_format_parse(struct debugger *debugger, const char **args,
			struct format *format);
int prompt_examine_at(struct debugger *debugger, struct format *format,
		      const char *args);
/* What is not a number stands for where it lies. */
int prompt_address(struct debugger *debugger, const char *text, uint64_t *out);
int prompt_ptype(struct debugger *debugger, const char *args);
int prompt_whatis(struct debugger *debugger, const char *args);

/* prompt_stack.c */
int prompt_backtrace(struct debugger *debugger, const char *args);
int prompt_frame(struct debugger *debugger, const char *args);
int prompt_up(struct debugger *debugger, const char *args);
int prompt_down(struct debugger *debugger, const char *args);
int prompt_thread(struct debugger *debugger, const char *args);
int prompt_list(struct debugger *debugger, const char *args);

/* prompt_apply.c: "thread apply" */
int prompt_apply(struct debugger *debugger, const char *args);

/* prompt_threads.c */
int prompt_info_threads(struct debugger *debugger, const char *args);
/* Threads that were stopped; their kernels' symbols have been read. */
void prompt_threads_print(struct debugger *debugger,
			  const struct gtdbg_thread_info *threads, int count);
/* "[0-2 5]": which lanes are in the mask; at most LANES_TEXT_MAX bytes. */
#define LANES_TEXT_MAX 128
void prompt_lanes_text(uint32_t lanes, char *text);

/* prompt_symbols.c */
/* A source of a kernel whose path ends with @name; it is the symbols'. NULL: none. */
const char *source_named(struct debugger *debugger, const char *name);
int prompt_info_functions(struct debugger *debugger, const char *args);
int prompt_info_line(struct debugger *debugger, const char *args);
int prompt_info_lines(struct debugger *debugger, const char *args);
int prompt_info_sources(struct debugger *debugger, const char *args);
int prompt_info_symbol(struct debugger *debugger, const char *args);
/* " <kernel+8>" behind an address of code; of others nothing is said. */
void prompt_print_symbol(struct debugger *debugger, uint64_t address);

/* prompt_info.c */
int prompt_info(struct debugger *debugger, const char *args);
/* Of the current frame, each in its line; how many, negative if that failed. */
int prompt_variables(struct debugger *debugger, bool parameters,
		     const char *indent);
/* Names for completion; NULL behind the last. */
const char *prompt_info_topic(size_t at);

#endif
