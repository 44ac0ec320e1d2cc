// SPDX-License-Identifier: MIT
/*
 * What a core file of a process would take of a file: writes it, or fails. For corefile.sh.
 * usage: source_file PID FILE
 */
#include "../source_file.h"

#include <stdio.h>
#include <stdlib.h>

#define LEN_MAX 65536

int main(int argc, char **argv)
{
	struct source_reader reader;
	char *text;

	if (argc != 3 || source_reader_find(atoi(argv[1]), &reader))
		return 2;
	text = source_file_take(argv[2], &reader, LEN_MAX);
	if (!text)
		return 1;
	fputs(text, stdout);
	free(text);
	return 0;
}
