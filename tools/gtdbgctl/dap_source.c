// SPDX-License-Identifier: MIT
/*
 * Sources and modules. A kernel's text is what the program gave to the compiler;
 * it is no file, so an editor asks for it by the module's number, unless a file of
 * the user's has the same text.
 */
#include "dap.h"

#include "field.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than an editor has open; each is looked at for each frame. */
#define FILES_MAX 64

void dap_file_note(struct dap *dap, const char *file)
{
	size_t i;

	for (i = 0; i < dap->files.count; i++) {
		if (strcmp(dap->files.line[i], file) == 0)
			return;
	}
	if (dap->files.count < FILES_MAX)
		lines_add(&dap->files, file);
}

/* The user's own file with a module's text, and the line there; NULL: none. */
static const char *file_find(struct dap *dap, struct module *module,
			     uint32_t *line)
{
	int64_t delta;
	size_t i;

	for (i = 0; i < dap->files.count; i++) {
		if (!source_match(&dap->debugger, module, dap->files.line[i],
				  &delta) || *line + delta < 1)
			continue;
		*line += delta;
		return dap->files.line[i];
	}
	return NULL;
}

static void source_add(struct dap *dap, struct json_object *to,
		       const char *file, uint32_t *line)
{
	struct module *module = source_module(&dap->debugger, file);
	const char *own = module ? file_find(dap, module, line) : NULL;

	field_add_text(to, "name", path_base(own ? own : file));
	/* A file that is there can be edited as well. */
	if (own || (*file == '/' && access(file, R_OK) == 0)) {
		field_add_text(to, "path", own ? own : file);
		return;
	}
	if (!module)
		return;
	field_add_number(to, "sourceReference", module->id);
	field_add_text(to, "origin", "text that the program has compiled");
}

void dap_place_add(struct dap *dap, struct json_object *to, const char *field,
		   const char *file, uint32_t line)
{
	source_add(dap, field_add_object(to, field), file, &line);
	field_add_number(to, "line", (int64_t)line - 1 + dap->first_line);
}

/* The module of a sourceReference; NULL: there is none. */
static struct module *referenced(struct dap *dap, int64_t reference)
{
	return reference > 0 && reference <= UINT32_MAX ?
	       module_find(&dap->debugger, reference) : NULL;
}

const char *dap_source_name(struct dap *dap, struct json_object *source)
{
	int64_t reference = field_number(source, "sourceReference", 0);
	const char *path = field_text(source, "path");
	struct module *module = referenced(dap, reference);

	if (module && module->name)
		return module->name;
	if (!path || !*path)
		path = field_text(source, "name");
	if (path && *path)
		return path;
	dap_fail("the source has neither a path nor a reference that is known");
	return NULL;
}

int dap_source(struct dap *dap, struct json_object *arguments,
	       struct json_object *body)
{
	struct json_object *source = field_object(arguments, "source");
	int64_t reference = field_number(arguments, "sourceReference", 0);
	struct module *module;
	const char *text;

	if (!reference)
		reference = field_number(source, "sourceReference", 0);
	module = referenced(dap, reference);
	if (!module && field_text(source, "path"))
		module = source_module(&dap->debugger, field_text(source, "path"));
	text = module ? module_source(&dap->debugger, module) : NULL;
	if (!text)
		return dap_fail("source: there is no text of reference %lld",
				(long long)reference);
	field_add_bytes(body, "content", text,
			strnlen(text, module->source_len));
	field_add_text(body, "mimeType", "text/x-opencl-src");
	return 0;
}

int dap_loaded_sources(struct dap *dap, struct json_object *arguments,
		       struct json_object *body)
{
	struct json_object *sources = field_add_array(body, "sources");
	struct module *module;
	uint32_t line;

	(void)arguments;
	for (module = dap->debugger.modules; module; module = module->next) {
		line = 1;
		if (module->name && module->source_size)
			source_add(dap, array_add_object(sources), module->name,
				   &line);
	}
	return 0;
}

static const char *name_of(const char *name)
{
	return name && *name ? path_base(name) : "(built from a binary)";
}

static void module_add(struct json_object *to, uint32_t id, const char *name,
		       bool has_source)
{
	field_add_number(to, "id", id);
	field_add_text(to, "name", name_of(name));
	field_add_text(to, "symbolStatus", has_source ? "source and symbols" :
		       "symbols");
}

int dap_modules(struct dap *dap, struct json_object *arguments,
		struct json_object *body)
{
	int64_t first = field_number(arguments, "startModule", 0);
	int64_t count = field_number(arguments, "moduleCount", 0), at = 0;
	struct json_object *modules = field_add_array(body, "modules");
	struct module *module;

	for (module = dap->debugger.modules; module; module = module->next) {
		if (at >= first && (count <= 0 || at - count < first))
			module_add(array_add_object(modules), module->id,
				   module->name, module->source_size);
		at++;
	}
	field_add_number(body, "totalModules", at);
	return 0;
}

static void module_event(struct dap *dap, const struct dap_module *module,
			 bool has_source, const char *reason)
{
	struct json_object *body = json_object_new_object();

	field_add_text(body, "reason", reason);
	module_add(field_add_object(body, "module"), module->id, module->name,
		   has_source);
	channel_event(&dap->channel, "module", body);
}

static void source_event(struct dap *dap, const struct module *module)
{
	struct json_object *body = json_object_new_object();
	uint32_t line = 1;

	field_add_text(body, "reason", "new");
	source_add(dap, field_add_object(body, "source"), module->name, &line);
	channel_event(&dap->channel, "loadedSource", body);
}

static void module_note(struct dap *dap, const struct module *module)
{
	struct dap_module *known;

	for (known = dap->modules; known; known = known->next) {
		if (known->id == module->id) {
			known->is_there = true;
			return;
		}
	}
	known = calloc(1, sizeof(*known));
	if (!known)
		return;
	known->id = module->id;
	known->name = module->name ? strdup(module->name) : NULL;
	known->is_there = true;
	known->next = dap->modules;
	dap->modules = known;
	module_event(dap, known, module->source_size, "new");
	if (module->name && module->source_size)
		source_event(dap, module);
}

static void modules_forget(struct dap *dap)
{
	struct dap_module **at = &dap->modules;

	while (*at) {
		struct dap_module *known = *at;

		if (known->is_there) {
			at = &known->next;
			continue;
		}
		*at = known->next;
		module_event(dap, known, false, "removed");
		free(known->name);
		free(known);
	}
}

void dap_modules_news(struct dap *dap)
{
	const struct module *module;
	struct dap_module *known;

	for (known = dap->modules; known; known = known->next)
		known->is_there = false;
	for (module = dap->debugger.modules; module; module = module->next)
		module_note(dap, module);
	modules_forget(dap);
}

void dap_modules_fini(struct dap *dap)
{
	lines_fini(&dap->files);
	while (dap->modules) {
		struct dap_module *known = dap->modules;

		dap->modules = known->next;
		free(known->name);
		free(known);
	}
}
