// SPDX-License-Identifier: MIT
/*
 * Values of types that hold others twice, level by level: what has a few bytes in a file
 * would be 2^30 members to look at. Without a GPU, for value.sh.
 */
#include "../value.h"

#include "../debugger.h"
#include "../operator.h"
#include "../settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEVELS 40
#define LEVELS_SHOWN 30
#define HANG_S 60
#define BYTES_MAX (1 << 20)
#define WIDE 1000
#define NAME_BYTES 100000

static struct {
	char text[80];
	size_t len_bytes;
} shown;
static char said[80];
static int number, failed;

/* What the rest of the tool has for it. */
volatile sig_atomic_t wait_is_interrupted;
struct settings settings;

int fail(struct debugger *debugger, const char *format, ...)
{
	va_list args;

	(void)debugger;
	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
	return -1;
}

int debugger_need_thread(struct debugger *debugger)
{
	return fail(debugger, "no thread");
}

const struct gtdbg_frame *frame_current(struct debugger *debugger)
{
	(void)debugger;
	return NULL;
}

struct kernel *thread_kernel(struct debugger *debugger,
			     const struct gtdbg_thread_info *thread)
{
	(void)debugger;
	(void)thread;
	return NULL;
}

struct gtdbg_symbols *kernel_symbols(struct debugger *debugger,
				     struct kernel *kernel)
{
	(void)debugger;
	(void)kernel;
	return NULL;
}

static void check(bool is_ok, const char *name)
{
	failed |= !is_ok;
	printf("%s %d - %s\n", is_ok ? "ok" : "not ok", ++number, name);
}

/* What goes on for ever is interrupted as by a user, and has been too much. */
static ssize_t shown_write(void *cookie, const char *bytes, size_t len_bytes)
{
	size_t len = strlen(shown.text), room = sizeof(shown.text) - 1 - len;

	(void)cookie;
	memcpy(shown.text + len, bytes, len_bytes < room ? len_bytes : room);
	shown.len_bytes += len_bytes;
	if (shown.len_bytes > 4 * BYTES_MAX)
		wait_is_interrupted = 1;
	return (ssize_t)len_bytes;
}

/* All of it, or what an editor shows. */
static void show(const struct value *value, size_t most)
{
	const cookie_io_functions_t functions = { .write = shown_write };
	const struct format format = { 0 };
	FILE *saved = stdout;

	memset(&shown, 0, sizeof(shown));
	wait_is_interrupted = 0;
	fflush(stdout);
	stdout = fopencookie(NULL, "w", functions);
	if (most)
		value_print_up_to(value, &format, most);
	else
		value_print(value, &format);
	fclose(stdout);
	stdout = saved;
}

struct level {
	struct gtdbg_type type;
	struct gtdbg_member members[2];
};

/* The outermost of so many; the inmost has nothing in it. */
static struct value *levels_make(struct level *levels, int count,
				 const char *name)
{
	for (int i = 0; i < count; i++) {
		struct level *level = &levels[i];

		*level = (struct level){
			.type = {
				.kind = GTDBG_TYPE_STRUCT, .name = "level",
				.members = level->members,
				.member_count = i ? 2 : 0,
			},
		};
		for (int j = 0; i && j < 2; j++) {
			level->members[j].name = name;
			level->members[j].type = &levels[i - 1].type;
		}
	}
	return value_create(&levels[count - 1].type);
}

static void test_prints(void)
{
	struct level levels[LEVELS_SHOWN];
	struct value *value = levels_make(levels, 3, "a");

	show(value, 0);
	check(strcmp(shown.text, "{a = {a = {}, a = {}}, a = {a = {}, a = {}}}") == 0,
	      "three levels are shown");
	free(value);
	value = levels_make(levels, LEVELS_SHOWN, "a");
	show(value, 0);
	check(shown.len_bytes > BYTES_MAX / 16 && shown.len_bytes < BYTES_MAX,
	      "of 30 levels a part is shown");
	settings.elements = 0;
	show(value, 4096);
	check(shown.len_bytes >= 4096 && shown.len_bytes < 16 * 4096,
	      "for an editor no more than it shows");
	settings.elements = 200;
	free(value);
}

static void test_names(void)
{
	static const struct gtdbg_type nothing = {
		.kind = GTDBG_TYPE_VOID, .name = "void",
	};
	static struct gtdbg_member members[WIDE];
	static char name[NAME_BYTES + 1];
	const struct gtdbg_type type = {
		.kind = GTDBG_TYPE_STRUCT, .name = "wide", .members = members,
		.member_count = WIDE,
	};
	struct value *value = value_create(&type);

	memset(name, 'a', NAME_BYTES);
	for (int i = 0; i < WIDE; i++)
		members[i] = (struct gtdbg_member){ .name = name, .type = &nothing };
	show(value, 0);
	check(shown.len_bytes > NAME_BYTES && shown.len_bytes < 2 * BYTES_MAX,
	      "long names count for more");
	free(value);
}

/* A union without a name, then what has nothing in it. */
static void test_members(void)
{
	static struct level levels[LEVELS];
	const struct gtdbg_type integer = {
		.kind = GTDBG_TYPE_INTEGER, .name = "int", .size_bytes = 4,
	};
	const struct gtdbg_member inner_member = { .name = "v", .type = &integer };
	const struct gtdbg_type inner = {
		.kind = GTDBG_TYPE_UNION, .name = "inner", .size_bytes = 4,
		.members = &inner_member, .member_count = 1,
	};
	const struct gtdbg_member members[] = {
		{ .name = "u", .type = &integer },
		{ .type = &inner, .offset_bytes = 4 },
		{ .type = &levels[LEVELS - 1].type },
	};
	const struct gtdbg_type outer = {
		.kind = GTDBG_TYPE_STRUCT, .name = "outer", .size_bytes = 8,
		.members = members, .member_count = 3,
	};
	struct value *value = value_create(&outer), *part;

	free(levels_make(levels, LEVELS, NULL));
	value->place = VALUE_MEMORY;
	value->address = 0x1000;
	value->bytes[4] = 7;
	part = operator_member(NULL, value_copy(value), "v");
	check(part && part->place == VALUE_MEMORY && part->address == 0x1004 &&
	      value_to_integer(part) == 7, "a member of what has no name");
	free(part);
	alarm(HANG_S);
	check(!operator_member(NULL, value, "w") &&
	      strcmp(said, "There is no member named w.") == 0,
	      "one that none of 40 levels has");
	alarm(0);
}

int main(void)
{
	puts("TAP version 13");
	settings.elements = 200;
	test_prints();
	test_names();
	test_members();
	printf("1..%d\n", number);
	return failed;
}
