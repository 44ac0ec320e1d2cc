// SPDX-License-Identifier: MIT
/*
 * An editor sends all breakpoints of a file, or of a kind, at once. Those that are
 * there already stay, with their hits; the rest of the group goes.
 */
#include "dap.h"

#include "expression.h"
#include "field.h"
#include "message.h"
#include "prompt.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

/* One that the editor wants. */
struct wanted {
	const char *group;
	const char *file;	/* NULL: none */
	uint32_t line;
	const char *function;
	uint64_t address;
	const char *condition;
	const char *hits;
	const char *log;
	const char *data;	/* what dataBreakpointInfo has said; NULL: a place */
};

const char *dap_breakpoint_group(struct dap *dap, int number)
{
	struct dap_breakpoint *known;

	for (known = dap->breakpoints; known && number > 0;
	     known = known->next) {
		if (known->number == number)
			return known->group;
	}
	return NULL;
}

static void entry_free(struct dap *dap, struct dap_breakpoint *entry)
{
	struct breakpoint *breakpoint =
		entry->number > 0 ? breakpoint_find(&dap->debugger,
						    entry->number) : NULL;

	if (breakpoint)
		breakpoint_delete(&dap->debugger, breakpoint);
	free(entry->group);
	free(entry->key);
	free(entry->message);
	free(entry);
}

static void group_begin(struct dap *dap, const char *group)
{
	struct dap_breakpoint *entry;

	for (entry = dap->breakpoints; entry; entry = entry->next) {
		if (strcmp(entry->group, group) == 0)
			entry->is_wanted = false;
	}
}

static void group_end(struct dap *dap)
{
	struct dap_breakpoint **at = &dap->breakpoints;

	while (*at) {
		struct dap_breakpoint *entry = *at;

		if (entry->is_wanted) {
			at = &entry->next;
			continue;
		}
		*at = entry->next;
		entry_free(dap, entry);
	}
}

/* "5" and ">= 5": the fifth time and later; "> 5": the sixth. */
static int hits_parse(const char *text, unsigned int *ignore)
{
	unsigned long count, least = 1;
	char *end;

	*ignore = 0;
	if (!text || !*text)
		return 0;
	text += strspn(text, " ");
	if (strncmp(text, ">=", 2) == 0) {
		text += 2;
	} else if (*text == '>') {
		text++;
		least = 0;
	}
	count = strtoul(text, &end, 10);
	end += strspn(end, " ");
	if (end == text || *end || count > INT32_MAX || count < least)
		return dap_fail("a hit condition is a number N, \">= N\" or \"> N\"");
	*ignore = count - least;
	return 0;
}

static char *text_copy(const char *text)
{
	return text && *text ? strdup(text) : NULL;
}

/* At an address: in its kernel, wherever that will lie. */
static int place_address(struct dap *dap, struct breakpoint *breakpoint)
{
	struct debugger *debugger = &dap->debugger;
	struct kernel *kernel = kernel_find_address(debugger,
						    breakpoint->address);
	int ret;

	if (!kernel)
		return dap_fail("No kernel at address 0x%llx.",
				(unsigned long long)breakpoint->address);
	ret = breakpoint_plant_at(debugger, breakpoint, kernel->id,
				  breakpoint->address - kernel->address);
	if (ret <= 0)
		return dap_fail("Cannot insert breakpoint at address 0x%llx: %s.",
				(unsigned long long)breakpoint->address,
				strerror(-ret));
	return ret;
}

static int breakpoint_fill(struct dap *dap, struct breakpoint *breakpoint,
			   const struct wanted *wanted)
{
	struct debugger *debugger = &dap->debugger;
	int count, checked;

	if (hits_parse(wanted->hits, &breakpoint->ignore))
		return -1;
	breakpoint->file = text_copy(wanted->file);
	breakpoint->function = text_copy(wanted->function);
	breakpoint->line = wanted->line;
	breakpoint->address = wanted->address;
	breakpoint_set_condition(breakpoint, wanted->condition &&
				 *wanted->condition ? wanted->condition : NULL);
	breakpoint->log = text_copy(wanted->log);
	/* A print has no count. */
	if (breakpoint->log && !breakpoint->ignore)
		breakpoint->message = message_create_log(breakpoint->log);
	count = wanted->address ? place_address(dap, breakpoint) :
		prompt_place(debugger, breakpoint);
	if (count < 0)
		return -1;
	if (!count || !breakpoint->condition)
		return 0;
	checked = breakpoint_check(debugger, breakpoint, breakpoint->condition);
	breakpoint->is_checked = checked;
	return checked < 0 ? -1 : 0;
}

/* NULL after saying why not. */
static struct breakpoint *breakpoint_make(struct dap *dap,
					  const struct wanted *wanted)
{
	struct breakpoint *breakpoint;
	unsigned int ignore;

	if (wanted->data) {
		if (hits_parse(wanted->hits, &ignore))
			return NULL;
		breakpoint = dap_watch_create(dap, wanted->data,
					      wanted->condition);
		if (breakpoint)
			breakpoint_ignore(&dap->debugger, breakpoint, ignore);
		return breakpoint;
	}
	breakpoint = breakpoint_create(&dap->debugger, false);
	if (breakpoint && breakpoint_fill(dap, breakpoint, wanted)) {
		breakpoint_delete(&dap->debugger, breakpoint);
		return NULL;
	}
	return breakpoint;
}

/* Sets it; what is wrong with it is its message. */
static void entry_plant(struct dap *dap, struct dap_breakpoint *entry,
			const struct wanted *wanted)
{
	struct breakpoint *breakpoint;
	struct capture errors;

	capture_begin(&errors, &stderr);
	breakpoint = breakpoint_make(dap, wanted);
	entry->number = breakpoint ? breakpoint->number : 0;
	entry->message = capture_end(&errors);
	if (entry->message)
		entry->message[strcspn(entry->message, "\n")] = 0;
}

static struct dap_breakpoint *entry_find(struct dap *dap, const char *group,
					 const char *key)
{
	struct dap_breakpoint *entry;

	for (entry = dap->breakpoints; entry; entry = entry->next) {
		if (strcmp(entry->group, group) == 0 && !entry->is_wanted &&
		    entry->number && strcmp(entry->key, key) == 0)
			return entry;
	}
	return NULL;
}

static struct dap_breakpoint *entry_set(struct dap *dap,
					const struct wanted *wanted)
{
	struct dap_breakpoint *entry;
	char *key;

	if (asprintf(&key, "%u\n%s\n%llx\n%s\n%s\n%s\n%s", wanted->line,
		     wanted->function ? wanted->function : "",
		     (unsigned long long)wanted->address,
		     wanted->condition ? wanted->condition : "",
		     wanted->hits ? wanted->hits : "",
		     wanted->log ? wanted->log : "",
		     wanted->data ? wanted->data : "") < 0)
		return NULL;
	entry = entry_find(dap, wanted->group, key);
	if (entry) {
		free(key);
		entry->is_wanted = true;
		return entry;
	}
	entry = calloc(1, sizeof(*entry));
	if (!entry) {
		free(key);
		return NULL;
	}
	entry->group = strdup(wanted->group);
	entry->key = key;
	entry->is_wanted = true;
	entry_plant(dap, entry, wanted);
	entry->next = dap->breakpoints;
	dap->breakpoints = entry;
	return entry;
}

/* Where it is, once it is somewhere. */
static void place_add(struct dap *dap, struct json_object *to,
		      const struct location *location)
{
	struct debugger *debugger = &dap->debugger;
	struct kernel *kernel = kernel_find(debugger, location->kernel);
	struct gtdbg_line line;

	if (kernel && kernel->address)
		field_add_address(to, "instructionReference",
				  kernel->address + location->offset);
	if (kernel_line(debugger, kernel, location->offset, &line))
		dap_place_add(dap, to, "source", line.file, line.line);
}

static bool is_verified(const struct breakpoint *breakpoint)
{
	return breakpoint && (breakpoint->locations || breakpoint->watch);
}

static void breakpoint_add(struct dap *dap, struct json_object *to,
			   struct dap_breakpoint *entry)
{
	struct breakpoint *breakpoint = entry->number ?
		breakpoint_find(&dap->debugger, entry->number) : NULL;

	entry->was_verified = is_verified(breakpoint);
	field_add_bool(to, "verified", entry->was_verified);
	if (breakpoint)
		field_add_number(to, "id", entry->number);
	if (entry->was_verified && breakpoint->watch)
		return;
	if (entry->was_verified) {
		place_add(dap, to, breakpoint->locations);
		return;
	}
	if (breakpoint && breakpoint->line)
		field_add_number(to, "line", breakpoint->line - 1 +
				 dap->first_line);
	field_add_text(to, "reason", breakpoint ? "pending" : "failed");
	field_add_text(to, "message", breakpoint && dap->debugger.is_core ?
		       "A core file does not run: no thread comes there." :
		       breakpoint ? "No kernel that is known has this place yet." :
		       entry->message ? entry->message : "Out of memory.");
}

/* Fields that all kinds have. */
static void wanted_read(struct wanted *wanted, struct json_object *item,
			const char *group)
{
	wanted->group = group;
	wanted->condition = field_text(item, "condition");
	wanted->hits = field_text(item, "hitCondition");
	wanted->log = field_text(item, "logMessage");
}

static int source_read(struct dap *dap, struct json_object *item,
		       struct wanted *wanted)
{
	int64_t line = field_number(item, "line", -1);

	if (line < dap->first_line || line > INT32_MAX)
		return dap_fail("a line that is none");
	wanted->line = line - dap->first_line + 1;
	return 0;
}

static int function_read(struct dap *dap, struct json_object *item,
			 struct wanted *wanted)
{
	(void)dap;
	wanted->function = field_text(item, "name");
	if (!wanted->function || !*wanted->function)
		return dap_fail("a function without a name");
	return 0;
}

static int instruction_read(struct dap *dap, struct json_object *item,
			    struct wanted *wanted)
{
	const char *text = field_text(item, "instructionReference");
	char *end;

	(void)dap;
	wanted->address = text ? strtoull(text, &end, 0) : 0;
	if (!text || end == text || *end || !wanted->address)
		return dap_fail("an instructionReference that is no address");
	wanted->address += field_number(item, "offset", 0);
	return wanted->address ? 0 : dap_fail("an offset that leads nowhere");
}

static void refused_add(struct json_object *to, char *why)
{
	if (why)
		why[strcspn(why, "\n")] = 0;
	field_add_bool(to, "verified", false);
	field_add_text(to, "reason", "failed");
	field_add_text(to, "message", why ? why : "Out of memory.");
}

/* One that is wrong is answered by itself: the others stand. */
static int group_set(struct dap *dap, const char *group, const char *file,
		     struct json_object *items, struct json_object *body,
		     int (*read)(struct dap *dap, struct json_object *item,
				 struct wanted *wanted))
{
	size_t count = items ? json_object_array_length(items) : 0, i;
	struct json_object *list = json_object_new_array();
	struct dap_breakpoint *entry;
	struct capture errors;

	group_begin(dap, group);
	for (i = 0; i < count; i++) {
		struct json_object *item = json_object_array_get_idx(items, i);
		struct json_object *to = array_add_object(list);
		struct wanted wanted = { .file = file };
		char *why;

		wanted_read(&wanted, item, group);
		capture_begin(&errors, &stderr);
		entry = read(dap, item, &wanted) ? NULL :
			entry_set(dap, &wanted);
		why = capture_end(&errors);
		if (entry)
			breakpoint_add(dap, to, entry);
		else
			refused_add(to, why);
		free(why);
	}
	json_object_object_add(body, "breakpoints", list);
	group_end(dap);
	return 0;
}

int dap_set_breakpoints(struct dap *dap, struct json_object *arguments,
			struct json_object *body)
{
	const char *file = dap_source_name(dap, field_object(arguments,
							     "source"));
	char *group;
	int ret;

	if (!file)
		return -1;
	if (*file == '/')
		dap_file_note(dap, file);
	if (asprintf(&group, "source %s", file) < 0)
		return dap_fail("Out of memory.");
	ret = group_set(dap, group, file, field_array(arguments, "breakpoints"),
			body, source_read);
	free(group);
	return ret;
}

int dap_set_function_breakpoints(struct dap *dap, struct json_object *arguments,
				 struct json_object *body)
{
	return group_set(dap, "function", NULL,
			 field_array(arguments, "breakpoints"), body,
			 function_read);
}

int dap_set_instruction_breakpoints(struct dap *dap,
				    struct json_object *arguments,
				    struct json_object *body)
{
	return group_set(dap, "instruction", NULL,
			 field_array(arguments, "breakpoints"), body,
			 instruction_read);
}

static int data_read(struct dap *dap, struct json_object *item,
		     struct wanted *wanted)
{
	const char *access = field_text(item, "accessType");

	(void)dap;
	wanted->data = field_text(item, "dataId");
	if (access && strcmp(access, "write") != 0)
		return dap_fail("accessType \"%s\" is not supported: only \"write\" is",
				access);
	return wanted->data ? 0 : dap_fail("a data breakpoint without a dataId");
}

int dap_set_data_breakpoints(struct dap *dap, struct json_object *arguments,
			     struct json_object *body)
{
	return group_set(dap, "data", NULL,
			 field_array(arguments, "breakpoints"), body,
			 data_read);
}

int dap_set_exception_breakpoints(struct dap *dap,
				  struct json_object *arguments,
				  struct json_object *body)
{
	struct json_object *filters = field_array(arguments, "filters");
	size_t count = filters ? json_object_array_length(filters) : 0, i;
	const char *name;

	(void)body;
	dap->debugger.passes_faults = true;
	dap->debugger.passes_exceptions = true;
	for (i = 0; i < count; i++) {
		name = json_object_get_string(
				json_object_array_get_idx(filters, i));
		if (name && strcmp(name, "fault") == 0)
			dap->debugger.passes_faults = false;
		else if (name && strcmp(name, "exception") == 0)
			dap->debugger.passes_exceptions = false;
	}
	return 0;
}

/* By a command of the prompt, or as what it watched is no more. */
static void gone_add(struct json_object *to, struct dap_breakpoint *entry)
{
	field_add_number(to, "id", entry->number);
	field_add_bool(to, "verified", false);
	entry->number = 0;
}

void dap_breakpoints_news(struct dap *dap)
{
	struct dap_breakpoint *entry;
	struct breakpoint *breakpoint;
	struct json_object *body, *to;

	for (entry = dap->breakpoints; entry; entry = entry->next) {
		breakpoint = entry->number ?
			breakpoint_find(&dap->debugger, entry->number) : NULL;
		if (!entry->number || (breakpoint &&
		    entry->was_verified == is_verified(breakpoint)))
			continue;
		body = json_object_new_object();
		field_add_text(body, "reason", breakpoint ? "changed" :
			       "removed");
		to = field_add_object(body, "breakpoint");
		if (breakpoint)
			breakpoint_add(dap, to, entry);
		else
			gone_add(to, entry);
		channel_event(&dap->channel, "breakpoint", body);
	}
}

void dap_breakpoints_fini(struct dap *dap)
{
	while (dap->breakpoints) {
		struct dap_breakpoint *entry = dap->breakpoints;

		dap->breakpoints = entry->next;
		entry_free(dap, entry);
	}
}
