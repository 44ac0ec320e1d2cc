// SPDX-License-Identifier: MIT
/* What the debug information says of code: functions, lines and files. */
#include "prompt.h"

#include "debugger.h"
#include "expression.h"
#include "style.h"
#include "value.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void prompt_print_symbol(struct debugger *debugger, uint64_t address)
{
	struct kernel *kernel = kernel_find_address(debugger, address);

	if (!kernel)
		return;
	fputs(" <", stdout);
	style_print(STYLE_FUNCTION, kernel->name);
	printf("+%llu>", (unsigned long long)(address - kernel->address));
}

/* In gdb's words but for where it is. */
int prompt_info_symbol(struct debugger *debugger, const char *args)
{
	struct gtdbg_function function;
	uint64_t address, base, start;
	struct kernel *kernel;
	size_t len;

	if (!*args)
		return fail(debugger, "Argument required (address).");
	if (prompt_address(debugger, args, &address))
		return -1;
	kernel = kernel_find_address(debugger, address);
	if (!kernel)
		return fail(debugger, "No symbol matches %s.", args);
	start = kernel->address;
	function.name = NULL;
	if (kernel_symbols(debugger, kernel)) {
		gtdbg_symbols_text(kernel->symbols, &base, &len);
		if (!gtdbg_function_find(kernel->symbols,
					 base + address - start, &function))
			start += function.start - base;
	}
	style_print(STYLE_FUNCTION, function.name ? function.name :
				    kernel->name);
	if (address > start)
		printf(" + %llu", (unsigned long long)(address - start));
	printf(" in kernel %s of module %u\n", kernel->name, kernel->module);
	return 0;
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
	pc = base;
	while (function_next(kernel->symbols, &pc, base + len, &function)) {
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

static int wanted_compile(struct debugger *debugger, const char *args,
			  regex_t *wanted)
{
	int ret = regcomp(wanted, args, REG_NOSUB);
	char why[128];

	if (!ret)
		return 0;
	regerror(ret, wanted, why, sizeof(why));
	return fail(debugger, "%s: %s", why, args);
}

int prompt_info_functions(struct debugger *debugger, const char *args)
{
	const char *file = NULL;
	struct kernel *kernel;
	regex_t wanted;

	if (*args && wanted_compile(debugger, args, &wanted))
		return -1;
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
	struct gtdbg_function functions[PLACES_MAX];
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
		} else if (symbols && place->function) {
			count = functions_find(symbols, place->function,
					       functions);
			for (i = 0; i < count; i++)
				pcs[i] = functions[i].start;
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

/* The line of the code at @pc, or the next one; false: there is none. */
static bool line_next(struct kernel *kernel, uint64_t pc,
		      struct gtdbg_line *line)
{
	uint64_t base = 0;
	size_t len;

	gtdbg_symbols_text(kernel->symbols, &base, &len);
	for (; pc < base + len; pc += 8) {
		if (!gtdbg_line_find(kernel->symbols, pc, line))
			return true;
	}
	return false;
}

/* All lines of a kernel's code, in the order of the code. */
static void kernel_lines(struct kernel *kernel)
{
	struct gtdbg_line line;
	uint64_t pc = 0;
	size_t len;

	for (gtdbg_symbols_text(kernel->symbols, &pc, &len);
	     line_next(kernel, pc, &line); pc = line.end) {
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

/* Names of files; they belong to symbols and modules. */
struct files {
	const regex_t *wanted;	/* NULL: all */
	const char **name;
	size_t count;
};

static void files_add(struct files *files, const char *name)
{
	const char **grown;
	size_t i;

	if (!name || !*name || (files->wanted && regexec(files->wanted, name, 0,
							 NULL, 0)))
		return;
	for (i = 0; i < files->count; i++) {
		if (strcmp(files->name[i], name) == 0)
			return;
	}
	grown = realloc(files->name, (i + 1) * sizeof(*grown));
	if (!grown)
		return;
	files->name = grown;
	files->name[files->count++] = name;
}

static void files_of_kernel(struct files *files, struct kernel *kernel)
{
	struct gtdbg_line line;
	uint64_t pc = 0;
	size_t len;

	files_add(files, gtdbg_symbols_source(kernel->symbols));
	for (gtdbg_symbols_text(kernel->symbols, &pc, &len);
	     line_next(kernel, pc, &line); pc = line.end)
		files_add(files, line.file);
}

/* Is it that name, or does it end with it? */
static bool is_named(const char *file, const char *name)
{
	size_t len = strlen(name), whole = strlen(file);

	return whole >= len && strcmp(file + whole - len, name) == 0 &&
	       (whole == len || file[whole - len - 1] == '/');
}

const char *source_named(struct debugger *debugger, const char *name)
{
	const char *found = NULL;
	struct kernel *kernel;

	for (kernel = debugger->kernels; kernel && !found;
	     kernel = kernel->next) {
		struct files files = { 0 };

		if (kernel_symbols(debugger, kernel))
			files_of_kernel(&files, kernel);
		for (size_t i = 0; i < files.count && !found; i++)
			found = is_named(files.name[i], name) ? files.name[i] :
								NULL;
		free(files.name);
	}
	return found;
}

/* Without debug information a module still has a name. */
static void module_sources(struct debugger *debugger,
			   const struct module *module, const regex_t *wanted)
{
	struct files files = { .wanted = wanted };
	struct kernel *kernel;
	bool has_symbols = false;
	size_t i;

	for (kernel = debugger->kernels; kernel; kernel = kernel->next) {
		if (kernel->module != module->id ||
		    !kernel_symbols(debugger, kernel))
			continue;
		has_symbols = true;
		files_of_kernel(&files, kernel);
	}
	if (!has_symbols)
		files_add(&files, module->name);
	if (files.count)
		printf("\nModule %u:\n", module->id);
	for (i = 0; i < files.count; i++) {
		style_print(STYLE_FILE, files.name[i]);
		putchar('\n');
	}
	free(files.name);
}

int prompt_info_sources(struct debugger *debugger, const char *args)
{
	const struct module *module;
	regex_t wanted;

	if (*args && wanted_compile(debugger, args, &wanted))
		return -1;
	if (!debugger->modules)
		puts("No modules.");
	else if (*args)
		printf("All source files matching regular expression \"%s\":\n",
		       args);
	for (module = debugger->modules; module; module = module->next)
		module_sources(debugger, module, *args ? &wanted : NULL);
	if (*args)
		regfree(&wanted);
	return 0;
}
