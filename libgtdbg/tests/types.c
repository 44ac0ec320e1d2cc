// SPDX-License-Identifier: MIT
/* Functions and types of tests/call.cl, shapes.cl and others, as their text says. */
#include "support/cuda_file.h"
#include "support/kernel_file.h"
#include "support/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct gtdbg_symbols *symbols;
static struct gtdbg_variable variables[16];
static int count;

static void read_variables(const char *function_name)
{
	struct kernel_file_state state = { 0, 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_function function;
	struct gtdbg_frame frames[2];

	gtdbg_function_find_name(symbols, function_name, &function);
	gtdbg_frame_unwind(symbols, &machine, function.body, 0xff, 0, frames,
			   2);
	count = gtdbg_variable_list(symbols, &frames[0], variables, 16);
}

static const struct gtdbg_type *type_of(const char *name)
{
	static const struct gtdbg_type none;
	int i;

	for (i = 0; i < count; i++) {
		if (strcmp(variables[i].name, name) == 0)
			return variables[i].type;
	}
	return &none;
}

static void test_kernel(void)
{
	const struct gtdbg_type *type;

	read_variables("call");
	type = type_of("s");
	tap_check(type->kind == GTDBG_TYPE_STRUCT && type->size_bytes == 8 &&
		  type->member_count == 2, "a struct of two members");
	tap_check(type->members && !strcmp(type->members[1].name, "ratio") &&
		  type->members[1].offset_bytes == 4 &&
		  type->members[1].type->kind == GTDBG_TYPE_FLOAT,
		  "its second member is a float");
	type = type_of("v");
	tap_check(type->kind == GTDBG_TYPE_VECTOR && type->count == 4 &&
		  type->size_bytes == 16 &&
		  type->target->kind == GTDBG_TYPE_FLOAT,
		  "a vector of four floats");
	type = type_of("where");
	tap_check(type->kind == GTDBG_TYPE_ENUM && type->member_count == 2 &&
		  type->members[1].value == 5, "an enum with its values");
	tap_check(type_of("i")->kind == 0 && type_of("a")->kind == 0,
		  "variables of another function are not seen");
}

static void test_function(void)
{
	const struct gtdbg_type *type;
	struct gtdbg_function kernel, function;

	read_variables("twice");
	type = type_of("a");
	tap_check(type->kind == GTDBG_TYPE_ARRAY && type->count == 4 &&
		  type->size_bytes == 16, "a private array of four");
	tap_check(type_of("p")->kind == GTDBG_TYPE_STRUCT &&
		  type_of("by")->kind == GTDBG_TYPE_INTEGER, "its parameters");
	gtdbg_function_find_name(symbols, "twice", &function);
	gtdbg_function_find_name(symbols, "call", &kernel);
	tap_check(function.start >= kernel.end && function.line == 8,
		  "a function that is not inlined has code of its own");
}

/*
 * By the register its caller is the kernel, by what is stored where that points nobody
 * that is known. The last two instructions put the register back, and return.
 */
static void test_return(void)
{
	struct kernel_file_state state = { 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_function kernel, function;
	struct gtdbg_frame frames[3];

	gtdbg_function_find_name(symbols, "twice", &function);
	gtdbg_function_find_name(symbols, "call", &kernel);
	state.base = kernel.body;
	tap_check(gtdbg_frame_unwind(symbols, &machine, function.end - 32, 1,
				     0, frames, 3) == 2 &&
		  !frames[1].function,
		  "a function's caller is stored until it goes back");
	tap_check(gtdbg_frame_unwind(symbols, &machine, function.end - 16, 1,
				     0, frames, 3) == 2 &&
		  frames[1].pc == kernel.body && frames[1].function &&
		  !strcmp(frames[1].function, "call"),
		  "where it returns it is in the register again");
}

static const struct gtdbg_member *member_of(const struct gtdbg_type *type,
					    const char *name)
{
	static const struct gtdbg_type none_type = { .name = "" };
	static const struct gtdbg_member none = { .type = &none_type };
	size_t i;

	for (i = 0; i < type->member_count; i++) {
		if (strcmp(type->members[i].name, name) == 0)
			return &type->members[i];
	}
	return &none;
}

/* tests/shapes.cl: what contains what, and what points to what. */
static void test_recursion(void)
{
	const struct gtdbg_type *node = type_of("list")->target;
	const struct gtdbg_member *next;

	tap_check(node->kind == GTDBG_TYPE_STRUCT && node->size_bytes == 16 &&
		  node->member_count == 3 && !strcmp(node->name, "node_t"),
		  "a struct by its other name has all members");
	next = member_of(node, "next");
	tap_check(next->type->kind == GTDBG_TYPE_POINTER &&
		  next->type->target->member_count == 3 &&
		  !strcmp(next->type->target->name, "const node"),
		  "so has it when it points to itself as a constant");
	tap_check(member_of(node, "tag")->type->count == 3 &&
		  member_of(node, "tag")->offset_bytes == 12,
		  "an array is a member");
}

static void test_nesting(void)
{
	const struct gtdbg_type *outer = type_of("o"), *number, *pair;

	pair = member_of(outer, "pair")->type;
	tap_check(pair->kind == GTDBG_TYPE_STRUCT && pair->member_count == 2 &&
		  member_of(pair, "high")->offset_bytes == 2,
		  "a struct without a name in a struct");
	number = member_of(outer, "number")->type;
	tap_check(number->kind == GTDBG_TYPE_UNION &&
		  number->size_bytes == 4 && number->member_count == 4 &&
		  member_of(number, "bytes")->offset_bytes == 0 &&
		  member_of(number, "bytes")->type->count == 4, "a union");
	tap_check(member_of(outer, "nodes")->type->count == 2 &&
		  member_of(outer, "nodes")->type->size_bytes == 32,
		  "an array of structs");
	tap_check(member_of(outer, "flag")->type->kind == GTDBG_TYPE_BOOLEAN,
		  "a truth value");
}

static void test_others(void)
{
	const struct gtdbg_type *type = type_of("grid");

	tap_check(type->count == 2 && type->target->count == 3 &&
		  type->target->size_bytes == 12 && type->size_bytes == 24 &&
		  type->target->target->kind == GTDBG_TYPE_INTEGER,
		  "an array of arrays");
	type = type_of("where");
	tap_check(type->kind == GTDBG_TYPE_POINTER &&
		  type->target->kind == GTDBG_TYPE_POINTER &&
		  type->target->target->kind == GTDBG_TYPE_VECTOR &&
		  !strcmp(type->name, "float4 **"), "a pointer to a pointer");
	type = type_of("c");
	tap_check(type->member_count == 3 &&
		  member_of(type, "RED")->value == -1 &&
		  member_of(type, "BLUE")->value == 7 &&
		  type->target->kind == GTDBG_TYPE_INTEGER,
		  "an enum with a negative value");
	tap_check(type_of("h")->kind == GTDBG_TYPE_FLOAT &&
		  type_of("h")->size_bytes == 2, "a half");
	tap_check(type_of("letter")->kind == GTDBG_TYPE_CHARACTER,
		  "a character");
	type = type_of("counter")->target;
	tap_check(type->kind == GTDBG_TYPE_INTEGER && type->size_bytes == 4 &&
		  !strcmp(type->name, "atomic_int"), "an atomic number");
}

static void test_names(void)
{
	const struct gtdbg_type *type, *pointer, *again;

	tap_check(!gtdbg_type_find_name(symbols, "pair", &type) &&
		  type->kind == GTDBG_TYPE_STRUCT, "a struct by its name");
	tap_check(!gtdbg_type_find_name(symbols, "unsigned long", &type) &&
		  type->size_bytes == 8, "a basic type by its name");
	tap_check(gtdbg_type_find_name(symbols, "nonsense", &type) == -ENOENT,
		  "an unknown type");
	tap_check(!gtdbg_type_find_name(symbols, "int", &type) &&
		  !gtdbg_type_pointer(symbols, type, &pointer) &&
		  !strcmp(pointer->name, "int *"), "a pointer to a type");
	tap_check(!gtdbg_type_pointer(symbols, type, &again) &&
		  again == pointer, "is made once");
}

static void test_enumerators(void)
{
	const struct gtdbg_type *type = NULL;
	int64_t value = 0;

	tap_check(!gtdbg_enumerator_find(symbols, "RIGHT", &type, &value) &&
		  value == 5 && !strcmp(type->name, "side"),
		  "a name of an enum");
	tap_check(!gtdbg_enumerator_find(symbols, "LEFT", &type, &value) &&
		  value == 0, "and another one");
	tap_check(type->target->kind == GTDBG_TYPE_INTEGER, "which is an int");
	tap_check(!gtdbg_type_find_name(symbols, "side", &type) &&
		  type->target->kind == GTDBG_TYPE_UNSIGNED,
		  "the enum is unsigned, as nothing in it is negative");
	tap_check(gtdbg_enumerator_find(symbols, "side", &type, &value) ==
		  -ENOENT, "an enum's own name is none of its");
}

/* "0123" for the elements, as the standard has them (OpenCL C 3.0, 6.3.7); "": refused. */
static bool picks(uint64_t count, const char *name, const char *expected)
{
	static const char digits[] = "0123456789abcdef";
	struct gtdbg_type type = { .kind = GTDBG_TYPE_VECTOR, .count = count };
	uint8_t picked[GTDBG_VECTOR_MAX];
	int ret = gtdbg_vector_components(&type, name, picked);

	if (!*expected)
		return ret == -ENOENT;
	if (ret != (int)strlen(expected))
		return false;
	for (int i = 0; i < ret; i++)
		if (digits[picked[i]] != expected[i])
			return false;
	return true;
}

static void test_vectors(void)
{
	tap_check(picks(4, "x", "0") && picks(4, "w", "3") &&
		  picks(2, "z", "") && picks(4, "wzyx", "3210") &&
		  picks(4, "xx", "00") && picks(4, "xyzwx", ""),
		  "letters of a vector's elements");
	tap_check(picks(4, "rgba", "0123") && picks(3, "bgr", "210") &&
		  picks(4, "xg", "") && picks(3, "a", ""),
		  "those of colours");
	tap_check(picks(16, "sf", "f") && picks(16, "S0aB", "0ab") &&
		  picks(8, "s01234567", "01234567") && picks(8, "s8", "") &&
		  picks(4, "s", "") && picks(4, "s0g", "") &&
		  picks(16, "s0123456789abcdef0", ""),
		  "numbers of elements");
	tap_check(picks(4, "lo", "01") && picks(4, "hi", "23") &&
		  picks(4, "even", "02") && picks(4, "odd", "13") &&
		  picks(2, "hi", "1") && picks(8, "odd", "1357") &&
		  picks(3, "hi", "23") && picks(16, "lo", "01234567"),
		  "halves of a vector");
	tap_check(picks(4, "", "") && picks(4, "s1s2", "") &&
		  picks(17, "x", "") && picks(4, "number", ""),
		  "what is no name of an element");
}

static void test_bad_files(void)
{
	struct gtdbg_symbols *bad = NULL;
	uint64_t base;
	size_t len, cut;
	const void *text = gtdbg_symbols_text(symbols, &base, &len);

	tap_check(gtdbg_symbols_create("no ELF", 6, &bad) == -EINVAL && !bad,
		  "bytes that are no ELF are refused");
	tap_check(gtdbg_symbols_create(text, 0, &bad) == -EINVAL && !bad,
		  "an empty file is refused");
	for (cut = 1; cut < len; cut += 97) {
		if (!gtdbg_symbols_create(text, cut, &bad)) {
			gtdbg_symbols_destroy(bad);
			break;
		}
	}
	tap_check(cut >= len, "code alone is refused");
}

#define BITS \
	"d=$(mktemp -d) && cd $d && printf 'struct bits { int first; " \
	"int b : 3; unsigned c : 5; int d : 24; union { int u; float f; }; } " \
	"bits;\\n' >f.c && gcc -g %s -shared -nostdlib -o f.o f.c && cat f.o; rm -r $d"

static bool is_bits(const struct gtdbg_member *member, uint64_t first,
		    uint32_t count)
{
	return 8 * member->offset_bytes + member->bit_offset == first &&
	       member->bit_count == count;
}

/* Linked, as that puts the names in. Before DWARF 4 they are counted from the other end. */
static void test_bits(const char *option, const char *text)
{
	struct gtdbg_symbols *bits = NULL;
	const struct gtdbg_type *type = NULL;
	char command[512], *bytes;
	size_t len;

	snprintf(command, sizeof(command), BITS, option);
	bytes = cuda_file_run(command, &len);
	tap_check(bytes && !gtdbg_symbols_create(bytes, len, &bits) &&
		  !gtdbg_type_find_name(bits, "bits", &type) &&
		  type->member_count == 5 && is_bits(&type->members[0], 0, 0) &&
		  is_bits(&type->members[1], 32, 3) &&
		  is_bits(&type->members[2], 35, 5) &&
		  is_bits(&type->members[3], 40, 24) &&
		  is_bits(&type->members[4], 64, 0) && !type->members[4].name,
		  text);
	gtdbg_symbols_destroy(bits);
	free(bytes);
}

#define PACKED \
	"d=$(mktemp -d) && cd $d && printf 'struct __attribute__((packed)) bits { " \
	"unsigned a : 20; unsigned b : 20; unsigned c; unsigned long d : 3; " \
	"unsigned long e : 62; char f; } bits;\n' >f.c && " \
	"gcc -gdwarf-5 -shared -nostdlib -o f.o f.c && cat f.o; rm -r $d"

/* No eight bytes that begin with one of them have all of e. */
static void test_packed_bits(void)
{
	struct gtdbg_symbols *bits = NULL;
	const struct gtdbg_type *type = NULL;
	size_t len;
	char *bytes = cuda_file_run(PACKED, &len);

	tap_check(bytes && !gtdbg_symbols_create(bytes, len, &bits) &&
		  !gtdbg_type_find_name(bits, "bits", &type) &&
		  type->kind == GTDBG_TYPE_STRUCT && type->member_count == 5 &&
		  is_bits(&type->members[1], 20, 20) &&
		  type->members[1].bit_offset + 20 <= 32 &&
		  is_bits(&type->members[2], 40, 0) &&
		  is_bits(&type->members[3], 72, 3) &&
		  !strcmp(type->members[4].name, "f"),
		  "packed ones lie across others' places");
	gtdbg_symbols_destroy(bits);
	free(bytes);
}

#define SELVES \
	"d=$(mktemp -d) && cd $d && printf 'struct node { int v; " \
	"struct node *next; struct node *sides[2]; };\n" \
	"typedef struct chain *chain; struct chain { int v; chain next; };\n" \
	"struct fixed { int v; const struct fixed *next; };\n" \
	"struct row { int v; struct row *next[2]; } *rows[2];\n" \
	"int f(struct node *list, chain c, const struct fixed *fixed)\n" \
	"{ return list->v + c->v + fixed->v + rows[1]->v; }\n' >f.c && " \
	"gcc -gdwarf-4 -c f.c && ld -e 0 -Ttext 0x1000 -o f f.o && cat f; rm -r $d"

/* A struct that nothing has been asked of but by what leads to it. */
static const struct gtdbg_type *self_find(struct gtdbg_symbols *selves,
					  const char *name)
{
	static const struct gtdbg_type none = { .name = "" };
	struct kernel_file_state state = { 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_variable variable;
	struct gtdbg_frame frame;

	if (gtdbg_frame_unwind(selves, &machine, 0x1004, 1, 0, &frame, 1) != 1 ||
	    gtdbg_variable_find(selves, &frame, name, &variable) ||
	    !variable.type->target)
		return &none;
	if (variable.type->kind == GTDBG_TYPE_ARRAY)
		return variable.type->target->target;
	return variable.type->target;
}

static bool is_self(const struct gtdbg_type *type, const char *next)
{
	const struct gtdbg_type *pointer = member_of(type, "next")->type;

	if (strcmp(pointer->name, next) != 0)
		return false;
	if (pointer->kind == GTDBG_TYPE_ARRAY)
		pointer = pointer->target;
	return type->kind == GTDBG_TYPE_STRUCT && type->member_count >= 2 &&
	       !strcmp(type->members[0].name, "v") &&
	       pointer->kind == GTDBG_TYPE_POINTER &&
	       pointer->target->member_count == type->member_count;
}

/* In another order than test_recursion() has them. */
static void test_selves(void)
{
	struct gtdbg_symbols *selves = NULL;
	const struct gtdbg_type *type;
	size_t len;
	char *bytes = cuda_file_run(SELVES, &len);

	if (!tap_check(bytes && !gtdbg_symbols_create(bytes, len, &selves),
		       "a file of structs that point to themselves"))
		return;
	type = self_find(selves, "list");
	tap_check(is_self(type, "node *"), "one that is met by a pointer first");
	tap_check(!strcmp(member_of(type, "sides")->type->name, "node * [2]") &&
		  member_of(type, "sides")->type->size_bytes == 16,
		  "which is in an array in it, too");
	tap_check(is_self(self_find(selves, "c"), "chain"),
		  "by a pointer's other name");
	tap_check(is_self(self_find(selves, "fixed"), "const fixed *"),
		  "by a pointer to a constant");
	tap_check(is_self(self_find(selves, "rows"), "row * [2]"),
		  "and by an array of pointers");
	gtdbg_symbols_destroy(selves);
	free(bytes);
}

#define NAMESPACES \
	"d=$(mktemp -d) && as -o $d/o '" GTDBG_TESTS "/namespace.s' && " \
	"ld -o $d/f -e 0 -Ttext 0x1000 $d/o && cat $d/f; rm -r $d"

static void test_namespaces(void)
{
	struct kernel_file_state state = { 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_symbols *spaces = NULL;
	const struct gtdbg_type *type = NULL;
	struct gtdbg_function function;
	struct gtdbg_variable variable;
	struct gtdbg_frame frame;
	int64_t value = 0;
	size_t len;
	char *bytes = cuda_file_run(NAMESPACES, &len);

	if (!tap_check(bytes && !gtdbg_symbols_create(bytes, len, &spaces),
		       "a file of namespaces"))
		return;
	tap_check(!gtdbg_function_find_name(spaces, "get", &function) &&
		  !gtdbg_function_find(spaces, 0x1010, &function) &&
		  !strcmp(function.name, "get"),
		  "functions in namespaces are found");
	tap_check(!gtdbg_type_find_name(spaces, "number", &type) &&
		  type->size_bytes == 4, "so are types");
	tap_check(!gtdbg_enumerator_find(spaces, "THREE", &type, &value) &&
		  value == 3, "enumerators");
	gtdbg_frame_unwind(spaces, &machine, 0x1010, 1, 0, &frame, 1);
	tap_check(!gtdbg_variable_find(spaces, &frame, "known", &variable),
		  "and variables");
	gtdbg_symbols_destroy(spaces);
	free(bytes);
}

int main(void)
{
	puts("TAP version 13");
	symbols = kernel_file_symbols("call.cl", 0, "call");
	test_kernel();
	test_function();
	test_return();
	test_names();
	test_enumerators();
	test_vectors();
	test_bad_files();
	gtdbg_symbols_destroy(symbols);
	symbols = kernel_file_symbols("shapes.cl", 0, "shapes");
	read_variables("shapes");
	test_recursion();
	test_nesting();
	test_others();
	gtdbg_symbols_destroy(symbols);
	test_bits("-gdwarf-5", "bit-fields lie among others");
	test_bits("-gdwarf-2 -gstrict-dwarf", "as they do in DWARF 2");
	test_packed_bits();
	test_selves();
	test_namespaces();
	return tap_end();
}
