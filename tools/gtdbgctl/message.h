/* SPDX-License-Identifier: MIT */
/*
 * Messages: a format as printf has it, and the expressions whose values it shows.
 * The conversions d i u x X o c f F e E g G a A and p are known; how wide a number is
 * says its type.
 */
#ifndef GTDBGCTL_MESSAGE_H
#define GTDBGCTL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debugger;
struct gtdbg_type;
struct place;

#define MESSAGE_ARGS_MAX 16

struct message {
	char *source;		/* as the user wrote it */
	char *format;		/* with its escapes carried out */
	char *args[MESSAGE_ARGS_MAX];
	size_t count;
	bool is_natural;	/* "%v" is a value as its type has it */
	bool has_name;		/* the thread's name stands before it */
};

/* A number to be shown. */
struct operand {
	const char *unavailable;	/* why there is none; else NULL */
	bool is_float;
	bool is_signed;
	bool is_address;
	uint64_t bits;		/* of an integer */
	uint32_t size;		/* of its type, in bytes */
	double number;		/* if it is a float */
};

/* "FORMAT"[,EXPR...]; NULL after saying what is wrong with it. */
struct message *message_create(struct debugger *debugger, const char *text);
/* EXPR... as "WHERE EXPR = VALUE" with the thread's name. */
struct message *message_create_values(struct debugger *debugger,
				      const char *where, const char *expressions);
/* A log point's text, with expressions in braces. */
struct message *message_create_log(const char *text);
void message_destroy(struct message *message);

/* Do types and conversions go together there? Else -1 after saying what does not. */
int message_check(struct debugger *debugger, const struct message *message,
		  const struct place *place);

/* With the values of the current thread and lane. */
void message_print(struct debugger *debugger, const struct message *message);

/* The same, or nothing of it and -1 after saying what cannot be printed. */
int message_print_whole(struct debugger *debugger, const struct message *message);

/* With these values. */
void message_print_operands(const struct message *message,
			    const struct operand *operands);

#endif
