/* SPDX-License-Identifier: MIT */
/* Values of expressions: bytes with a type, and where they came from. */
#ifndef GTDBGCTL_VALUE_H
#define GTDBGCTL_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct convenience;
struct debugger;
struct gtdbg_member;
struct gtdbg_type;
struct gtdbg_variable;

enum value_place {
	VALUE_NOWHERE = 0,
	VALUE_MEMORY = 1,
	VALUE_REGISTER_FILE = 2,	/* byte @address of the register file */
	VALUE_CONVENIENCE = 3,		/* @convenience */
};

/**
 * struct value - a value
 * @type: its type
 * @place: where it can be assigned to
 * @address: the place's address
 * @convenience: the user's variable that it is
 * @unavailable: why there are no bytes, as shown to the user; else NULL
 * @bytes: the value, of @type's size
 */
struct value {
	const struct gtdbg_type *type;
	enum value_place place;
	uint64_t address;
	struct convenience *convenience;
	const char *unavailable;
	uint8_t bytes[];
};

/* How to print: the letter of gdb's formats, 0 for that of the type. */
struct format {
	char letter;
	char size;
	int count;
};

struct value *value_create(const struct gtdbg_type *type);
struct value *value_copy(const struct value *value);
/* A part of a value, with the part's own place. */
struct value *value_part(const struct value *value,
			 const struct gtdbg_type *type, uint64_t offset);
/* A bit-field has none: what lies beside it would be changed as well. */
struct value *value_member(const struct value *value,
			   const struct gtdbg_member *member);
struct value *value_number(const struct gtdbg_type *type, int64_t number);
struct value *value_integer(const char *type, int64_t number);
struct value *value_float(const char *type, double number);
struct value *value_unavailable(const struct gtdbg_type *type,
				const char *reason);
/* Says why memory cannot be accessed. Returns -1. */
int value_fail_memory(struct debugger *debugger, int ret, uint64_t address);
/* Reads a value, unavailable if nothing could; NULL after saying why not. */
struct value *value_read(struct debugger *debugger,
			 const struct gtdbg_type *type, enum value_place place,
			 uint64_t address);
struct value *value_of_variable(struct debugger *debugger,
				const struct gtdbg_variable *variable);
/* One of the current thread's by its name, "r10"; NULL after saying why not. */
struct value *value_of_register(struct debugger *debugger, const char *name);
/* Can its bytes be taken as they are? Of an array a pointer would get its elements. */
bool value_fits(const struct value *to, const struct value *from);
int value_assign(struct debugger *debugger, struct value *to,
		 const struct value *from);

/* A struct or a union. */
bool type_is_compound(const struct gtdbg_type *type);
bool value_is_number(const struct value *value);
bool value_is_float(const struct value *value);
bool value_is_signed(const struct value *value);
int64_t value_to_integer(const struct value *value);
double value_to_float(const struct value *value);
/* The number that a half's bits are. */
double value_half(uint16_t half);
/* Writes a number into a value of its own type. */
void value_set_number(struct value *value, const struct value *number);

void value_print(const struct value *value, const struct format *format);
/* Stops where it has shown @most parts, each of which is a character at least. */
void value_print_up_to(const struct value *value, const struct format *format,
		       size_t most);
void value_print_variable(struct debugger *debugger,
			  const struct gtdbg_variable *variable);
/* Bytes as one element of an "x" command's output. */
void value_print_unit(uint64_t bits, size_t size, char letter);

/* The history: "$1", "$2" ... */
int value_remember(struct debugger *debugger, struct value *value);
void values_fini(struct debugger *debugger);

#endif
