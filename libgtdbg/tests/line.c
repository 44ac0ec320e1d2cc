// SPDX-License-Identifier: MIT
/* Rows of line tables that the compiler for GPUs seldom writes. */
#include "../gtdbg_symbols.h"
#include "support/cuda_file.h"
#include "support/tap.h"

#include <stdlib.h>
#include <string.h>

#define TEXT 0x1000
#define LINES_MAX 16

/* Line 5 of one file, then of another one, as no statement; then line 6. */
#define COMMAND \
	"d=$(mktemp -d) && cd $d && { printf '%s\\n' 'int a, b;' " \
	"'void f(void) {' '#line 5 \"one.c\"' 'a++;' '#line 5 \"two.c\"' " \
	"'b++;' '#line 6 \"one.c\"' 'a++;' '}'; } >f.c && gcc -g -S f.c && " \
	"sed -i -e '/loc [0-9]* 5 /{x;s/^/x/;/^xx$/{x;s/$/ is_stmt 0/;b};x}' " \
	"-e '/loc [0-9]* 6 /s/$/ is_stmt 1/' f.s && as -o f.o f.s && " \
	"ld -e 0 -Ttext 0x1000 -o f f.o && cat f; rm -r $d"

static struct gtdbg_line lines[LINES_MAX];

static bool is_line(int i, const char *file, uint32_t line)
{
	const char *name = lines[i].file ? strrchr(lines[i].file, '/') : NULL;

	return name && !strcmp(name + 1, file) && lines[i].line == line;
}

int main(void)
{
	struct gtdbg_symbols *symbols = NULL;
	uint64_t pc = TEXT;
	int count = 0;
	size_t len;
	char *bytes = cuda_file_run(COMMAND, &len);

	puts("TAP version 13");
	tap_check(bytes && !gtdbg_symbols_create(bytes, len, &symbols),
		  "a function of lines of two files");
	while (symbols && count < LINES_MAX &&
	       !gtdbg_line_find(symbols, pc, &lines[count]))
		pc = lines[count++].end;
	tap_check(count >= 4 && is_line(1, "one.c", 5) &&
		  lines[1].is_statement && is_line(2, "two.c", 5) &&
		  !lines[2].is_statement && is_line(3, "one.c", 6),
		  "one number in two files is two lines");
	gtdbg_symbols_destroy(symbols);
	free(bytes);
	return tap_end();
}
