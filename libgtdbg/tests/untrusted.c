// SPDX-License-Identifier: MIT
/*
 * Files that were made to harm their reader. Damage that is random finds
 * other things: tests/fuzz/mutation.c.
 */
#include "../gtdbg_symbols.h"
#include "support/cuda_file.h"
#include "support/kernel_file.h"
#include "support/tap.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLES_MAX 8

static struct gtdbg_symbols *file_make(const char *command)
{
	struct gtdbg_symbols *symbols = NULL;
	size_t len;
	char *bytes = cuda_file_run(command, &len);

	if (bytes)
		gtdbg_symbols_create(bytes, len, &symbols);
	free(bytes);
	return symbols;
}

static void test_deep(void)
{
	struct kernel_file_state state = { 0, 0 };
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_variable variables[VARIABLES_MAX];
	struct gtdbg_symbols *symbols;
	struct gtdbg_frame frame;
	int count, i, sized = 0;

	/* A linker puts the addresses in. */
	symbols = file_make("d=$(mktemp -d) && as -o $d/o tests/deep.s && "
			    "ld -o $d/f -e 0 -Ttext 0x1000 $d/o && cat $d/f; "
			    "rm -r $d");
	if (!tap_check(symbols, "a file of 100,000 blocks in each other"))
		return;
	tap_check(gtdbg_frame_unwind(symbols, &machine, 0x1010, 1, 0, &frame,
				     1) == 1 && frame.function &&
		  !strcmp(frame.function, "deep"), "its function is found");
	count = gtdbg_variable_list(symbols, &frame, variables, VARIABLES_MAX);
	tap_check(count == 3, "as are the variables of its outer blocks");
	for (i = 0; i < count; i++)
		sized += variables[i].type->kind == GTDBG_TYPE_ARRAY ||
			 variables[i].type->member_count;
	tap_check(sized == 0, "types that contain themselves are no types");
	gtdbg_symbols_destroy(symbols);
}

#define COMPILE(options) \
	"d=$(mktemp -d) && cd $d && printf '#include <stdio.h>\\nint f(void) " \
	"{ return 1; }\\n' >f.c && gcc " options " -o f.o f.c && cat f.o; " \
	"rm -r $d"

static void test_elsewhere(void)
{
	struct gtdbg_symbols *symbols = file_make(COMPILE("-g -c"));

	tap_check(symbols && gtdbg_symbols_source(symbols),
		  "debug information in the file is read");
	gtdbg_symbols_destroy(symbols);
	symbols = file_make(COMPILE("-g -gz=zlib -c"));
	tap_check(symbols && !gtdbg_symbols_source(symbols),
		  "compressed, it is not");
	gtdbg_symbols_destroy(symbols);
	symbols = file_make(COMPILE("-g -gsplit-dwarf -c"));
	tap_check(symbols && !gtdbg_symbols_source(symbols),
		  "no other file is opened for it");
	gtdbg_symbols_destroy(symbols);
}

static void test_byte_order(void)
{
	struct gtdbg_symbols *symbols = NULL;
	size_t len;
	char *bytes = cuda_file_run(COMPILE("-g -c"), &len);

	if (bytes)
		bytes[EI_DATA] = ELFDATA2MSB;
	tap_check(bytes &&
		  gtdbg_symbols_create(bytes, len, &symbols) == -EINVAL,
		  "bytes in the other order are refused");
	free(bytes);
}

int main(void)
{
	puts("TAP version 13");
	test_deep();
	test_elsewhere();
	test_byte_order();
	return tap_end();
}
