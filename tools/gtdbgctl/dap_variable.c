// SPDX-License-Identifier: MIT
/*
 * Variables as an editor opens them. What can be opened is kept as an expression,
 * so that looking at it and changing it are the prompt's own way of doing that.
 */
#include "dap.h"

#include "expression.h"
#include "field.h"
#include "prompt.h"
#include "value.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLES_MAX	128
#define SETS_MAX	32
#define SET_BYTES_MAX	8192
#define TEXT_MAX	4096

/* Of a request: which part of a list is wanted, and how to print. */
struct page {
	struct dap *dap;
	struct json_object *list;
	int64_t start;
	int64_t count;		/* 0: all */
	struct format format;
};

static bool page_has(const struct page *page, int64_t at)
{
	return at >= page->start &&
	       (page->count <= 0 || at - page->start < page->count);
}

static struct format format_read(struct json_object *arguments)
{
	struct json_object *format = field_object(arguments, "format");

	return (struct format){
		.letter = field_bool(format, "hex", false) ? 'x' : 0,
	};
}

static char *value_text(const struct value *value, const struct format *format)
{
	struct capture capture;
	char *text;

	capture_begin(&capture, &stdout);
	value_print_up_to(value, format, TEXT_MAX);
	text = capture_end(&capture);
	if (text && strlen(text) > TEXT_MAX + strlen("..."))
		strcpy(text + TEXT_MAX, "...");
	return text;
}

/* Whether there is something in it to be opened. */
static bool has_parts(const struct value *value)
{
	const struct gtdbg_type *type = value->type;

	if (value->unavailable)
		return false;
	switch (type->kind) {
	case GTDBG_TYPE_STRUCT:
	case GTDBG_TYPE_UNION:
	case GTDBG_TYPE_ARRAY:
	case GTDBG_TYPE_VECTOR:
		return true;
	case GTDBG_TYPE_POINTER:
		return type->target && type->target->size_bytes &&
		       value_to_integer(value);
	default:
		return false;
	}
}

/* Value, type, and how to get at what is in it. */
static void value_add(struct dap *dap, struct json_object *to,
		      const char *field, const struct value *value,
		      const char *expression, const struct format *format)
{
	const struct gtdbg_type *type = value->type;
	char *text = value_text(value, format);
	bool opens = expression && has_parts(value);

	field_add_text(to, field, text ? text : "");
	free(text);
	field_add_text(to, "type", type->name ? type->name : "");
	field_add_number(to, "variablesReference", opens ?
			 handle_add(dap, HANDLE_VALUE, expression) : 0);
	if (opens && (type->kind == GTDBG_TYPE_ARRAY ||
		      type->kind == GTDBG_TYPE_VECTOR))
		field_add_number(to, "indexedVariables", type->count);
	if (type->kind == GTDBG_TYPE_POINTER && !value->unavailable)
		field_add_address(to, "memoryReference",
				  value_to_integer(value));
	else if (value->place == VALUE_MEMORY)
		field_add_address(to, "memoryReference", value->address);
}

static void variable_add(struct page *page, const char *name,
			 const struct value *value, const char *expression)
{
	struct json_object *item = array_add_object(page->list), *hint, *list;

	field_add_text(item, "name", name);
	if (value)
		value_add(page->dap, item, "value", value, expression,
			  &page->format);
	else
		field_add_text(item, "value", "<unreadable>");
	if (!value)
		field_add_number(item, "variablesReference", 0);
	if (expression)
		field_add_text(item, "evaluateName", expression);
	if (value && expression && value->place != VALUE_NOWHERE)
		return;
	hint = field_add_object(item, "presentationHint");
	list = field_add_array(hint, "attributes");
	json_object_array_add(list, json_object_new_string("readOnly"));
}

static void row_add(struct page *page, const char *name, const char *value,
		    int64_t reference)
{
	struct json_object *item = array_add_object(page->list);

	field_add_text(item, "name", name);
	field_add_text(item, "value", value);
	field_add_number(item, "variablesReference", reference);
}

/* An inner one hides it, so its name means the other one. */
static bool is_hidden(const struct gtdbg_variable *variables, int at)
{
	int i;

	for (i = 0; i < at; i++) {
		if (strcmp(variables[i].name, variables[at].name) == 0)
			return true;
	}
	return false;
}

static void locals_list(struct page *page, bool parameters, bool others)
{
	struct debugger *debugger = &page->dap->debugger;
	struct gtdbg_variable variables[VARIABLES_MAX];
	struct kernel *kernel = thread_kernel(debugger, &debugger->thread);
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	struct value *value;
	int64_t at = 0;
	int count, i;

	count = symbols ? gtdbg_variable_list(symbols, frame_current(debugger),
					      variables, VARIABLES_MAX) : 0;
	for (i = 0; i < count; i++) {
		if (variables[i].is_parameter ? !parameters : !others)
			continue;
		if (!page_has(page, at++))
			continue;
		value = value_of_variable(debugger, &variables[i]);
		variable_add(page, variables[i].name, value,
			     is_hidden(variables, i) ? NULL :
			     variables[i].name);
		free(value);
	}
}

static int lanes_list(struct page *page)
{
	struct debugger *debugger = &page->dap->debugger;
	uint32_t lanes = thread_lanes(debugger), saved = debugger->lane, lane;
	uint32_t active = frame_current(debugger)->lanes;
	char name[32];

	for (lane = 0; lane < lanes; lane++) {
		if (!page_has(page, lane))
			continue;
		debugger->lane = lane;
		snprintf(name, sizeof(name), "lane %u", lane);
		row_add(page, name, active >> lane & 1 ? "active" : "inactive",
			handle_add(page->dap, HANDLE_LANE, NULL));
	}
	debugger->lane = saved;
	return 0;
}

static int sets_get(struct debugger *debugger, struct gtdbg_register_set *sets)
{
	int count = gtdbg_register_list(debugger->session,
					debugger->thread.device,
					debugger->thread.context, sets,
					SETS_MAX);

	if (count < 0)
		return dap_fail("Cannot list registers: %s.", strerror(-count));
	return count;
}

static int sets_list(struct page *page)
{
	struct debugger *debugger = &page->dap->debugger;
	struct gtdbg_register_set sets[SETS_MAX];
	int count = sets_get(debugger, sets), i;
	const char *name;
	char text[32];
	int64_t number;

	for (i = 0; i < count; i++) {
		name = gtdbg_register_set_name(sets[i].set);
		if (!name)
			continue;
		number = handle_add(page->dap, HANDLE_SET, NULL);
		if (number)
			page->dap->handles[number - 1].set = sets[i].set;
		snprintf(text, sizeof(text), "%u of %u bytes", sets[i].count,
			 sets[i].bytes);
		row_add(page, name, text, number);
		field_add_number(json_object_array_get_idx(page->list,
				json_object_array_length(page->list) - 1),
				 "indexedVariables", sets[i].count);
	}
	return count < 0 ? -1 : 0;
}

static const struct gtdbg_register_set *
set_find(struct debugger *debugger, uint32_t set,
	 struct gtdbg_register_set *sets)
{
	int count = sets_get(debugger, sets), i;

	for (i = 0; i < count; i++) {
		if (sets[i].set == set)
			return &sets[i];
	}
	return NULL;
}

static void register_text(const uint8_t *bytes, size_t size, char *text)
{
	uint32_t dword;
	size_t i;

	*text = 0;
	for (i = 0; i + 4 <= size; i += 4) {
		memcpy(&dword, bytes + i, 4);
		text += sprintf(text, "%s%08x", i ? " " : "", dword);
	}
}

/* r0 ...; those of which there is one have no number, unless that is its name. */
static void register_name(const struct gtdbg_register_set *set, int number,
			  char *name, size_t size)
{
	const char *group = gtdbg_register_set_name(set->set);

	if (set->count > 1 || strlen(group) <= 2)
		snprintf(name, size, "%s%d", group, number);
	else
		snprintf(name, size, "%s", group);
}

static int registers_list(struct page *page, const struct handle *handle)
{
	struct debugger *debugger = &page->dap->debugger;
	struct gtdbg_register_set sets[SETS_MAX];
	const struct gtdbg_register_set *set = set_find(debugger, handle->set,
							sets);
	uint8_t bytes[SET_BYTES_MAX];
	char name[32], expression[40], text[3 * SET_BYTES_MAX];
	int i, ret;

	if (!set || (size_t)set->count * set->bytes > sizeof(bytes))
		return dap_fail("There are no such registers.");
	ret = gtdbg_register_read(debugger->session, &debugger->thread,
				  set->set, 0, set->count, bytes,
				  (size_t)set->count * set->bytes);
	if (ret < 0)
		return dap_fail("Cannot read registers: %s.", strerror(-ret));
	for (i = 0; i < set->count; i++) {
		if (!page_has(page, i))
			continue;
		register_name(set, i, name, sizeof(name));
		register_text(bytes + i * set->bytes, set->bytes, text);
		snprintf(expression, sizeof(expression), "$%s", name);
		row_add(page, name, text, set->set == GTDBG_REGISTER_GRF ?
			handle_add(page->dap, HANDLE_VALUE, expression) : 0);
	}
	return 0;
}

/* With parentheses where something behind it would mean less than all of it. */
static const char *brackets(const char *expression, bool opening)
{
	size_t len = strspn(expression, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.[]");

	if (!expression[len])
		return "";
	return opening ? "(" : ")";
}

static void part_add(struct page *page, struct value *part,
		     const char *name, const char *expression)
{
	if (part)
		variable_add(page, name, part, expression);
	free(part);
}

static void elements_list(struct page *page, const struct value *value,
			  const char *expression)
{
	const struct gtdbg_type *type = value->type;
	int64_t i = page->start > 0 ? page->start : 0;
	char name[32], *text;

	for (; i < (int64_t)type->count && page_has(page, i); i++) {
		snprintf(name, sizeof(name), "[%lld]", (long long)i);
		if (asprintf(&text, "%s%s%s%s", brackets(expression, true),
			     expression, brackets(expression, false), name) < 0)
			return;
		part_add(page, value_part(value, type->target,
					  i * type->target->size_bytes),
			 name, text);
		free(text);
	}
}

static void members_list(struct page *page, const struct value *value,
			 const char *expression)
{
	const struct gtdbg_type *type = value->type;
	char *text;
	size_t i;

	for (i = 0; i < type->member_count; i++) {
		const struct gtdbg_member *member = &type->members[i];

		if (!page_has(page, i))
			continue;
		/* Its members are the struct's own by name. */
		if (!member->name) {
			part_add(page, value_member(value, member),
				 "<anonymous>", NULL);
			continue;
		}
		if (asprintf(&text, "%s%s%s.%s", brackets(expression, true),
			     expression, brackets(expression, false),
			     member->name) < 0)
			return;
		part_add(page, value_member(value, member), member->name, text);
		free(text);
	}
}

/* What a pointer points to. */
static void target_list(struct page *page, const char *expression)
{
	struct value *value;
	char *text;

	if (asprintf(&text, "*%s%s%s", brackets(expression, true), expression,
		     brackets(expression, false)) < 0)
		return;
	value = expression_evaluate(&page->dap->debugger, text);
	variable_add(page, text, value, value ? text : NULL);
	free(value);
	free(text);
}

static int parts_list(struct page *page, const char *expression)
{
	struct value *value = expression_evaluate(&page->dap->debugger,
						  expression);

	if (!value)
		return -1;
	if (!has_parts(value)) {
		free(value);
		return 0;
	}
	switch (value->type->kind) {
	case GTDBG_TYPE_ARRAY:
	case GTDBG_TYPE_VECTOR:
		elements_list(page, value, expression);
		break;
	case GTDBG_TYPE_POINTER:
		target_list(page, expression);
		break;
	default:
		members_list(page, value, expression);
	}
	free(value);
	return 0;
}

/* Adding handles moves them: so this is a copy. */
static int handle_list(struct page *page, struct handle handle)
{
	switch (handle.kind) {
	case HANDLE_ARGUMENTS:
	case HANDLE_LOCALS:
		locals_list(page, handle.kind == HANDLE_ARGUMENTS,
			    handle.kind == HANDLE_LOCALS);
		return 0;
	case HANDLE_LANE:
		locals_list(page, true, true);
		return 0;
	case HANDLE_LANES:
		return lanes_list(page);
	case HANDLE_REGISTERS:
		return sets_list(page);
	case HANDLE_SET:
		return registers_list(page, &handle);
	case HANDLE_VALUE:
		return parts_list(page, handle.expression);
	default:
		return dap_fail("variables: this is a frame");
	}
}

int dap_variables(struct dap *dap, struct json_object *arguments,
		  struct json_object *body)
{
	struct page page = {
		.dap = dap,
		.start = field_number(arguments, "start", 0),
		.count = field_number(arguments, "count", 0),
		.format = format_read(arguments),
	};
	const struct handle *handle;

	handle = handle_use(dap, field_number(arguments, "variablesReference",
					      0));
	if (!handle)
		return -1;
	if (page.start < 0)
		return dap_fail("variables: start counts from 0");
	page.list = field_add_array(body, "variables");
	return handle_list(&page, *handle);
}

/* A command of the prompt; it may let threads run. */
static int command_evaluate(struct dap *dap, const char *text,
			    struct json_object *body)
{
	struct gtdbg_thread_info was = dap->debugger.thread;
	unsigned int resumes = dap->debugger.resumes;
	struct capture capture;
	char *output;
	int ret;

	capture_begin(&capture, &stdout);
	dap->debugger.is_served = false;
	dap->is_at_work = true;
	ret = prompt_line(&dap->debugger, text);
	dap->is_at_work = false;
	dap->debugger.is_served = true;
	output = capture_end(&capture);
	field_add_text(body, "result", output ? output : "");
	field_add_number(body, "variablesReference", 0);
	free(output);
	dap_settle_command(dap, &was, dap->debugger.resumes != resumes);
	return ret;
}

/* Where the frame is not named: where the user looks. */
static int frame_use(struct dap *dap, struct json_object *arguments)
{
	int64_t frame = field_number(arguments, "frameId", 0);

	if (frame)
		return handle_use(dap, frame) ? 0 : -1;
	if (!dap->debugger.has_thread)
		return dap_fail("No GPU thread is stopped.");
	if (dap->focus.generation != dap->debugger.thread.generation &&
	    thread_select(&dap->debugger, &dap->focus, -1))
		return -1;
	return 0;
}

static int expression_add(struct dap *dap, const char *text, const char *field,
			  struct json_object *arguments,
			  struct json_object *body)
{
	const struct format format = format_read(arguments);
	struct value *value = expression_evaluate(&dap->debugger, text);

	if (!value)
		return -1;
	value_add(dap, body, field, value, text, &format);
	free(value);
	return 0;
}

int dap_evaluate(struct dap *dap, struct json_object *arguments,
		 struct json_object *body)
{
	const char *text = field_text(arguments, "expression");
	const char *context = field_text(arguments, "context");
	bool is_command = text && (*text == '`' ||
				   strncmp(text, "-exec ", 6) == 0);

	if (!text || !*text)
		return dap_fail("evaluate: \"expression\" is missing");
	if (dap->is_at_work)
		return dap_fail("notStopped");
	if (is_command && (!context || strcmp(context, "repl") == 0)) {
		if (dap->debugger.has_thread)
			frame_use(dap, arguments);
		return command_evaluate(dap, text + (*text == '`' ? 1 : 6),
					body);
	}
	if (frame_use(dap, arguments))
		return -1;
	return expression_add(dap, text, "result", arguments, body);
}

/* "EXPRESSION = VALUE", and what it has become. */
static int assign(struct dap *dap, const char *expression,
		  struct json_object *arguments, struct json_object *body)
{
	const char *text = field_text(arguments, "value");
	struct value *value;
	char *assignment;

	if (!text || !*text)
		return dap_fail("\"value\" is missing");
	if (asprintf(&assignment, "%s = (%s)", expression, text) < 0)
		return dap_fail("Out of memory.");
	value = expression_evaluate(&dap->debugger, assignment);
	free(assignment);
	if (!value)
		return -1;
	free(value);
	return expression_add(dap, expression, "value", arguments, body);
}

/* The dwords of a register, as they are shown. */
static int register_set(struct dap *dap, const struct handle *handle,
			const char *name, struct json_object *arguments,
			struct json_object *body)
{
	const char *text = field_text(arguments, "value");
	struct debugger *debugger = &dap->debugger;
	struct gtdbg_register_set sets[SETS_MAX];
	const struct gtdbg_register_set *set = set_find(debugger, handle->set,
							sets);
	struct gtdbg_register_name found;
	uint8_t bytes[256] = { 0 };
	size_t len = 0;
	char *end;
	int ret;

	if (!set || gtdbg_register_find_name(name, &found) ||
	    found.set != set->set || found.index >= set->count)
		return dap_fail("There is no register \"%s\" here.", name);
	for (; text && len + 4 <= sizeof(bytes); len += 4) {
		uint32_t dword = strtoul(text, &end, 16);

		if (end == text)
			break;
		memcpy(bytes + len, &dword, 4);
		text = end;
	}
	if (!text || text[strspn(text, " ")] || len != set->bytes)
		return dap_fail("%u dwords in hexadecimal are a value of %s.",
				set->bytes / 4, name);
	ret = gtdbg_register_write(debugger->session, &debugger->thread,
				   set->set, found.index, 1, bytes, len);
	if (ret < 0)
		return dap_fail("Cannot write: %s.", strerror(-ret));
	/* What was read of it before is stale. */
	thread_deselect(debugger);
	field_add_text(body, "value", field_text(arguments, "value"));
	return 0;
}

static char *child_expression(const struct handle *handle, const char *name)
{
	const char *parent = handle->expression;
	char *text;

	if (!parent)
		return strdup(name);
	/* What a pointer points to has its expression for a name. */
	if (*name == '*')
		return strdup(name);
	if (asprintf(&text, "%s%s%s%s%s", brackets(parent, true), parent,
		     brackets(parent, false), *name == '[' ? "" : ".",
		     name) < 0)
		return NULL;
	return text;
}

char *dap_variable_expression(struct dap *dap, struct json_object *arguments)
{
	int64_t reference = field_number(arguments, "variablesReference", 0);
	const char *name = field_text(arguments, "name");
	const struct handle *handle;

	if (!name || !*name) {
		dap_fail("\"name\" is missing");
		return NULL;
	}
	if (!reference)
		return frame_use(dap, arguments) ? NULL : strdup(name);
	handle = handle_use(dap, reference);
	return handle ? child_expression(handle, name) : NULL;
}

int dap_set_variable(struct dap *dap, struct json_object *arguments,
		     struct json_object *body)
{
	const char *name = field_text(arguments, "name");
	const struct handle *handle;
	char *expression;
	int ret;

	handle = handle_use(dap, field_number(arguments, "variablesReference",
					      0));
	if (!handle)
		return -1;
	if (!name || !*name)
		return dap_fail("setVariable: \"name\" is missing");
	if (handle->kind == HANDLE_SET)
		return register_set(dap, handle, name, arguments, body);
	if (handle->kind == HANDLE_LANES || handle->kind == HANDLE_REGISTERS ||
	    handle->kind == HANDLE_FRAME)
		return dap_fail("setVariable: \"%s\" has no value to be set",
				name);
	expression = child_expression(handle, name);
	ret = expression ? assign(dap, expression, arguments, body) : -1;
	free(expression);
	return ret;
}

int dap_set_expression(struct dap *dap, struct json_object *arguments,
		       struct json_object *body)
{
	const char *expression = field_text(arguments, "expression");

	if (!expression || !*expression)
		return dap_fail("setExpression: \"expression\" is missing");
	if (frame_use(dap, arguments))
		return -1;
	return assign(dap, expression, arguments, body);
}
