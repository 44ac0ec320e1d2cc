// SPDX-License-Identifier: MIT
/*
 * Prints the source lines of a kernel's ELF file, with their code.
 * usage: lines FILE
 */
#include <gtdbg_symbols.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_lines(struct gtdbg_symbols *symbols)
{
	struct gtdbg_line line;
	uint64_t pc, base;
	size_t len;

	gtdbg_symbols_text(symbols, &base, &len);
	for (pc = base; pc < base + len; pc = line.end) {
		if (gtdbg_line_find(symbols, pc, &line))
			return;
		printf("0x%06" PRIx64 " to 0x%06" PRIx64 "  %s:%u%s\n",
		       line.start, line.end, line.file, line.line,
		       line.is_statement ? "" : ", goes on");
	}
}

int main(int argc, char **argv)
{
	static char bytes[1 << 24];
	struct gtdbg_symbols *symbols;
	FILE *file;
	size_t len;
	int ret;

	if (argc != 2) {
		fputs("usage: lines FILE\n", stderr);
		return 2;
	}
	file = fopen(argv[1], "r");
	if (!file) {
		perror(argv[1]);
		return 1;
	}
	len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	ret = gtdbg_symbols_create(bytes, len, &symbols);
	if (ret) {
		fprintf(stderr, "%s: %s\n", argv[1], strerror(-ret));
		return 1;
	}
	print_lines(symbols);
	gtdbg_symbols_destroy(symbols);
	return 0;
}
