// SPDX-License-Identifier: MIT
/*
 * DWARF 2, as compilers of other GPUs write it: strings inline or not, offsets
 * of members as expressions, no column of prologue ends. The host's compiler
 * can write it as well.
 */
#include "../gtdbg_symbols.h"
#include "support/tap.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_MAX (1 << 20)

static const char source[] =
	"struct pair { char first; long second; };\n"
	"struct pair shared;\n"
	"long add(struct pair *p, long by)\n"
	"{\n"
	"  long sum = p->second + by;\n"
	"  return sum;\n"
	"}\n";

static struct gtdbg_symbols *compile(void)
{
	struct gtdbg_symbols *symbols = NULL;
	static char bytes[BYTES_MAX];
	FILE *output;
	size_t len;

	setenv("GTDBG_TEST_SOURCE", source, 1);
	output = popen("f=$(mktemp) && printf '%s' \"$GTDBG_TEST_SOURCE\" | "
		       "gcc -x c -gdwarf-2 -gstrict-dwarf -O0 -shared -fPIC "
		       "-nostdlib -o $f - && cat $f; rm -f $f", "r");
	len = output ? fread(bytes, 1, sizeof(bytes), output) : 0;
	if (output)
		pclose(output);
	if (len)
		gtdbg_symbols_create(bytes, len, &symbols);
	return symbols;
}

int main(void)
{
	struct gtdbg_symbols *symbols = compile();
	const struct gtdbg_type *type;
	struct gtdbg_function function;
	struct gtdbg_line line;
	uint64_t pc = 0;

	puts("TAP version 13");
	if (!tap_check(symbols, "a file of DWARF 2 is accepted"))
		return tap_end();
	tap_check(!gtdbg_function_find_name(symbols, "add", &function) &&
		  function.line == 3, "a function");
	tap_check(gtdbg_line_addresses(symbols, NULL, 6, NULL, &pc, 1) == 1 &&
		  !gtdbg_line_find(symbols, pc, &line) && line.line == 6,
		  "a line");
	tap_check(!gtdbg_type_find_name(symbols, "pair", &type) &&
		  type->member_count == 2 &&
		  type->members[1].offset_bytes == 8 &&
		  !strcmp(type->members[1].type->name, "long int"),
		  "a member whose offset is an expression");
	gtdbg_symbols_destroy(symbols);
	return tap_end();
}
