// SPDX-License-Identifier: MIT
/* What the debug information says of code: functions, and lines. */
#include "prompt.h"

#include "debugger.h"
#include "style.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX 64

/* Where a pc is on the GPU, or in its code if that is not known yet. */
static uint64_t pc_address(struct kernel *kernel, uint64_t pc)
{
	uint64_t base = 0;
	size_t len;

	gtdbg_symbols_text(kernel->symbols, &base, &len);
	return kernel->address + pc - base;
}

static void print_place(struct kernel *kernel, uint64_t pc)
{
	uint64_t base = 0;
	size_t len;

	gtdbg_symbols_text(kernel->symbols, &base, &len);
	style_print_address(pc_address(kernel, pc));
	fputs(" <", stdout);
	style_print(STYLE_FUNCTION, kernel->name);
	printf("+%llu>", (unsigned long long)(pc - base));
}

/* Kernels of one program have their functions in common. */
static bool is_listed(struct debugger *debugger, const struct kernel *until,
		      const struct gtdbg_function *function)
{
	struct gtdbg_function other;
	struct kernel *kernel;

	for (kernel = debugger->kernels; kernel != until;
	     kernel = kernel->next) {
		if (kernel_symbols(debugger, kernel) &&
		    !gtdbg_function_find_name(kernel->symbols, function->name,
					      &other) &&
		    other.line == function->line && other.file &&
		    function->file && strcmp(other.file, function->file) == 0)
			return true;
	}
	return false;
}

static void kernel_functions(struct debugger *debugger, struct kernel *kernel,
			     const regex_t *wanted, const char **file)
{
	struct gtdbg_function function;
	uint64_t pc, base = 0;
	size_t len;

	gtdbg_symbols_text(kernel->symbols, &base, &len);
	for (pc = base; pc < base + len; pc = function.end) {
		if (gtdbg_function_find(kernel->symbols, pc, &function) ||
		    function.end <= pc)
			return;
		if (!function.name || is_listed(debugger, kernel, &function) ||
		    (wanted && regexec(wanted, function.name, 0, NULL, 0)))
			continue;
		if (function.file && (!*file ||
				      strcmp(*file, function.file) != 0)) {
			fputs("\nFile ", stdout);
			style_print(STYLE_FILE, path_base(function.file));
			puts(":");
			*file = function.file;
		}
		printf("%u:\t", function.line);
		style_print(STYLE_FUNCTION, function.name);
		putchar('\n');
	}
}

static void kernels_without(struct debugger *debugger, const regex_t *wanted)
{
	bool has_some = false;
	struct kernel *kernel;

	for (kernel = debugger->kernels; kernel; kernel = kernel->next) {
		if (kernel_symbols(debugger, kernel) ||
		    (wanted && regexec(wanted, kernel->name, 0, NULL, 0)))
			continue;
		if (!has_some)
			puts("\nNon-debugging symbols:");
		has_some = true;
		style_print_address(kernel->address);
		printf("  %s\n", kernel->name);
	}
}

int prompt_info_functions(struct debugger *debugger, const char *args)
{
	const char *file = NULL;
	struct kernel *kernel;
	regex_t wanted;
	char why[128];
	int ret = 0;

	if (*args) {
		ret = regcomp(&wanted, args, REG_NOSUB);
		regerror(ret, &wanted, why, sizeof(why));
	}
	if (ret)
		return fail(debugger, "%s: %s", why, args);
	if (*args)
		printf("All functions matching regular expression \"%s\":\n",
		       args);
	else
		puts("All defined functions:");
	for (kernel = debugger->kernels; kernel; kernel = kernel->next) {
		if (kernel_symbols(debugger, kernel))
			kernel_functions(debugger, kernel,
					 *args ? &wanted : NULL, &file);
	}
	kernels_without(debugger, *args ? &wanted : NULL);
	if (*args)
		regfree(&wanted);
	return 0;
}

/* In gdb's words. */
static void print_range(struct kernel *kernel, const struct gtdbg_line *line)
{
	printf("Line %u of \"", line->line);
	style_print(STYLE_FILE, path_base(line->file));
	fputs("\" starts at address ", stdout);
	print_place(kernel, line->start);
	fputs(" and ends at ", stdout);
	print_place(kernel, line->end);
	puts(".");
}

static int line_of_place(struct debugger *debugger, struct breakpoint *place)
{
	struct gtdbg_function function;
	uint64_t pcs[PLACES_MAX];
	struct gtdbg_line line;
	struct kernel *kernel;
	int count, i, found = 0;

	for (kernel = debugger->kernels; kernel; kernel = kernel->next) {
		struct gtdbg_symbols *symbols = kernel_symbols(debugger,
							       kernel);

		count = 0;
		if (symbols && place->line) {
			count = gtdbg_line_addresses(symbols, place->file,
						     place->line, NULL, pcs,
						     PLACES_MAX);
		} else if (symbols && place->function &&
			   !gtdbg_function_find_name(symbols, place->function,
						     &function)) {
			pcs[0] = function.start;
			count = 1;
		}
		for (i = 0; i < count; i++) {
			if (gtdbg_line_find(symbols, pcs[i], &line))
				continue;
			if (place->line && line.line != place->line)
				printf("Line %u is without code; what follows it is this.\n",
				       place->line);
			print_range(kernel, &line);
			found++;
		}
	}
	return found;
}

static int line_of_address(struct debugger *debugger, uint64_t address)
{
	struct kernel *kernel = kernel_find_address(debugger, address);
	struct gtdbg_line line;
	uint64_t base = 0;
	size_t len;

	if (!kernel_symbols(debugger, kernel))
		return 0;
	gtdbg_symbols_text(kernel->symbols, &base, &len);
	if (gtdbg_line_find(kernel->symbols, base + address - kernel->address,
			    &line))
		return 0;
	print_range(kernel, &line);
	return 1;
}

int prompt_info_line(struct debugger *debugger, const char *args)
{
	struct breakpoint place = { 0 };
	int found;

	if (prompt_where(debugger, &place, args))
		return -1;
	found = place.line || place.function ?
		line_of_place(debugger, &place) :
		line_of_address(debugger, place.address);
	free(place.file);
	free(place.function);
	return found ? 0 : fail(debugger, "No line number information available for \"%s\".",
				args);
}

/* All lines of a kernel's code, in the order of the code. */
static void kernel_lines(struct kernel *kernel)
{
	struct gtdbg_line line;
	uint64_t pc, base = 0;
	size_t len;

	gtdbg_symbols_text(kernel->symbols, &base, &len);
	for (pc = base; pc < base + len; pc = line.end) {
		while (pc < base + len &&
		       gtdbg_line_find(kernel->symbols, pc, &line))
			pc += 8;
		if (pc >= base + len)
			return;
		style_print(STYLE_FILE, path_base(line.file));
		printf(":%u\t", line.line);
		print_place(kernel, line.start);
		printf("%s\n", line.is_statement ? "" : " (no statement)");
	}
}

int prompt_info_lines(struct debugger *debugger, const char *args)
{
	struct kernel *kernel;
	bool has_some = false;

	for (kernel = debugger->kernels; kernel; kernel = kernel->next) {
		if ((*args && strcmp(args, kernel->name) != 0) ||
		    !kernel_symbols(debugger, kernel))
			continue;
		has_some = true;
		kernel_lines(kernel);
	}
	if (has_some)
		return 0;
	return fail(debugger, *args ?
		    "No kernel \"%s\" with line number information." :
		    "No line number information is known yet.%s", args);
}
