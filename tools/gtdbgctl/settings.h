/* SPDX-License-Identifier: MIT */
/* What the user can change about the prompt, with gdb's names and words. */
#ifndef GTDBGCTL_SETTINGS_H
#define GTDBGCTL_SETTINGS_H

#include <stdbool.h>

/* Of numbers, 0 means unlimited. */
struct settings {
	bool confirms;
	bool pages;
	bool is_styled;
	bool saves_history;
	bool is_pretty;
	bool has_size;		/* the user has set height or width */
	unsigned int list_size;
	unsigned int height;
	unsigned int width;
	unsigned int history_size;
	unsigned int elements;
	unsigned int repeats;
	char *history_file;	/* NULL: the one in the user's home */
};

/* One terminal, so one for the whole tool. */
extern struct settings settings;

/* For a user at a terminal, or for a script. */
void settings_init(bool is_terminal);
/* Follows the terminal's size unless the user has set one. */
void settings_follow_terminal(void);

#endif
