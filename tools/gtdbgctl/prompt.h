/* SPDX-License-Identifier: MIT */
/* The prompt's commands; each gets the text behind its name, trimmed. */
#ifndef GTDBGCTL_PROMPT_H
#define GTDBGCTL_PROMPT_H

#include <stdbool.h>

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

struct prompt_options {
	const char **commands;	/* of -ex */
	int command_count;
	bool is_batch;
};

/* Takes "--batch" and "-ex CMD" off the front of the arguments. */
int prompt_parse(int argc, char **argv, int *at,
		 struct prompt_options *options);
/* Runs commands until the end; returns the tool's exit status. */
int prompt_run(struct debugger *debugger,
	       const struct prompt_options *options);

/* prompt_break.c */
int prompt_break(struct debugger *debugger, const char *args);
int prompt_tbreak(struct debugger *debugger, const char *args);
int prompt_delete(struct debugger *debugger, const char *args);
int prompt_enable(struct debugger *debugger, const char *args);
int prompt_disable(struct debugger *debugger, const char *args);
int prompt_condition(struct debugger *debugger, const char *args);
int prompt_ignore(struct debugger *debugger, const char *args);
int prompt_info_breakpoints(struct debugger *debugger, const char *args);

/* prompt_run.c */
int prompt_run_program(struct debugger *debugger, const char *args);
int prompt_continue(struct debugger *debugger, const char *args);
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

/* prompt_data.c */
int prompt_print(struct debugger *debugger, const char *args);
int prompt_lanes(struct debugger *debugger, const char *args);
int prompt_set(struct debugger *debugger, const char *args);
int prompt_examine(struct debugger *debugger, const char *args);
int prompt_ptype(struct debugger *debugger, const char *args);

/* prompt_stack.c */
int prompt_backtrace(struct debugger *debugger, const char *args);
int prompt_frame(struct debugger *debugger, const char *args);
int prompt_up(struct debugger *debugger, const char *args);
int prompt_down(struct debugger *debugger, const char *args);
int prompt_thread(struct debugger *debugger, const char *args);
int prompt_list(struct debugger *debugger, const char *args);

/* prompt_info.c */
int prompt_info(struct debugger *debugger, const char *args);

#endif
