// SPDX-License-Identifier: MIT
#include "dap.h"

#include "cmd.h"
#include "field.h"
#include "prompt.h"
#include "settings.h"

#include <json-c/json.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum when {
	WHEN_FIRST,		/* before all others */
	WHEN_ANY,
	WHEN_STOPPED,
};

static dap_handler initialize;

static const struct {
	const char *name;
	enum when when;
	dap_handler *run;
} commands[] = {
	{ "attach", WHEN_ANY, dap_attach },
	{ "configurationDone", WHEN_ANY, dap_configuration_done },
	{ "continue", WHEN_STOPPED, dap_continue },
	{ "dataBreakpointInfo", WHEN_STOPPED, dap_data_breakpoint_info },
	{ "disassemble", WHEN_ANY, dap_disassemble },
	{ "disconnect", WHEN_ANY, dap_disconnect },
	{ "evaluate", WHEN_ANY, dap_evaluate },
	{ "exceptionInfo", WHEN_STOPPED, dap_exception_info },
	{ "initialize", WHEN_FIRST, initialize },
	{ "launch", WHEN_ANY, dap_launch },
	{ "loadedSources", WHEN_ANY, dap_loaded_sources },
	{ "modules", WHEN_ANY, dap_modules },
	{ "next", WHEN_STOPPED, dap_next },
	{ "pause", WHEN_ANY, dap_pause },
	{ "readMemory", WHEN_STOPPED, dap_read_memory },
	{ "scopes", WHEN_STOPPED, dap_scopes },
	{ "setBreakpoints", WHEN_ANY, dap_set_breakpoints },
	{ "setDataBreakpoints", WHEN_ANY, dap_set_data_breakpoints },
	{ "setExceptionBreakpoints", WHEN_ANY, dap_set_exception_breakpoints },
	{ "setExpression", WHEN_STOPPED, dap_set_expression },
	{ "setFunctionBreakpoints", WHEN_ANY, dap_set_function_breakpoints },
	{ "setInstructionBreakpoints", WHEN_ANY,
	  dap_set_instruction_breakpoints },
	{ "setVariable", WHEN_STOPPED, dap_set_variable },
	{ "source", WHEN_ANY, dap_source },
	{ "stackTrace", WHEN_STOPPED, dap_stack_trace },
	{ "stepIn", WHEN_STOPPED, dap_step_in },
	{ "stepOut", WHEN_STOPPED, dap_step_out },
	{ "terminate", WHEN_ANY, dap_terminate },
	{ "threads", WHEN_ANY, dap_threads },
	{ "variables", WHEN_STOPPED, dap_variables },
	{ "writeMemory", WHEN_STOPPED, dap_write_memory },
};

#define HAND_ON_MS 200
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

/* Whom to serve while the tool waits: there is one session in a process. */
static struct dap *served;

int dap_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return -1;
}

static void filter_add(struct json_object *filters, const char *name,
		       const char *label, const char *description)
{
	struct json_object *filter = array_add_object(filters);

	field_add_text(filter, "filter", name);
	field_add_text(filter, "label", label);
	field_add_text(filter, "description", description);
	field_add_bool(filter, "default", true);
}

static void capabilities_add(struct json_object *body)
{
	static const char *const names[] = {
		"supportsConfigurationDoneRequest",
		"supportsFunctionBreakpoints", "supportsConditionalBreakpoints",
		"supportsHitConditionalBreakpoints", "supportsLogPoints",
		"supportsInstructionBreakpoints", "supportsDataBreakpoints",
		"supportsEvaluateForHovers",
		"supportsSetVariable", "supportsSetExpression",
		"supportsSteppingGranularity", "supportsDisassembleRequest",
		"supportsReadMemoryRequest", "supportsWriteMemoryRequest",
		"supportsModulesRequest", "supportsLoadedSourcesRequest",
		"supportsDelayedStackTraceLoading",
		"supportsValueFormattingOptions",
		"supportsExceptionInfoRequest", "supportsTerminateRequest",
		"supportTerminateDebuggee",
	};
	struct json_object *filters;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		field_add_bool(body, names[i], true);
	filters = field_add_array(body, "exceptionBreakpointFilters");
	filter_add(filters, "fault", "GPU page faults",
		   "Stops what runs when a thread uses memory that is not there");
	filter_add(filters, "exception", "GPU exceptions",
		   "Stops at illegal instructions, software exceptions and overflows of the mask stack");
}

static int initialize(struct dap *dap, struct json_object *arguments,
		      struct json_object *body)
{
	const char *format = field_text(arguments, "pathFormat");

	if (format && strcmp(format, "path") != 0)
		return dap_fail("pathFormat \"%s\" is not supported: only \"path\" is",
				format);
	dap->first_line = field_bool(arguments, "linesStartAt1", true);
	dap->first_column = field_bool(arguments, "columnsStartAt1", true);
	dap->knows_types = field_bool(arguments, "supportsVariableType", false);
	dap->knows_memory = field_bool(arguments, "supportsMemoryReferences",
				       false);
	dap->knows_invalidated = field_bool(arguments,
					    "supportsInvalidatedEvent", false);
	dap->is_initialized = true;
	dap->after = "initialized";
	capabilities_add(body);
	return 0;
}

static int command_run(struct dap *dap, const char *name,
		       struct json_object *arguments, struct json_object *body)
{
	size_t i;

	for (i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i].name, name) != 0)
			continue;
		if (dap->is_initialized == (commands[i].when == WHEN_FIRST))
			return dap_fail(dap->is_initialized ?
					"\"initialize\" comes only once" :
					"\"initialize\" comes first");
		if (commands[i].when == WHEN_STOPPED && dap->is_at_work)
			return dap_fail("notStopped");
		if (commands[i].when == WHEN_STOPPED &&
		    (!dap->debugger.session || !dap->debugger.stopped_count))
			return dap_fail(dap->has_ended ? "The program has ended." :
					"No GPU thread is stopped.");
		return commands[i].run(dap, arguments, body);
	}
	return dap_fail("unknown request \"%s\"", name);
}

/* An error's text without the line's end. */
static void message_add(struct json_object *answer, struct json_object *body,
			char *text)
{
	struct json_object *error;

	text[strcspn(text, "\n")] = 0;
	field_add_text(answer, "message", text);
	error = field_add_object(body, "error");
	field_add_number(error, "id", 1);
	field_add_text(error, "format", text);
	field_add_bool(error, "showUser", true);
}

static void answer_send(struct dap *dap, struct json_object *answer,
			const char *command, int64_t seq)
{
	field_add_text(answer, "type", "response");
	field_add_number(answer, "request_seq", seq);
	field_add_text(answer, "command", command);
	channel_send(&dap->channel, answer);
	if (dap->after)
		channel_event(&dap->channel, dap->after, NULL);
}

static void request_serve(struct dap *dap, struct json_object *request)
{
	struct json_object *answer = json_object_new_object();
	struct json_object *body = json_object_new_object();
	const char *command = field_text(request, "command");
	struct capture errors;
	char *text;
	int ret;

	dap->after = NULL;
	capture_begin(&errors, &stderr);
	ret = command_run(dap, command, field_object(request, "arguments"),
			  body);
	text = capture_end(&errors);
	field_add_bool(answer, "success", !ret);
	if (ret && text)
		message_add(answer, body, text);
	else if (text)
		fputs(text, stderr);
	json_object_object_add(answer, "body", body);
	answer_send(dap, answer, command, field_number(request, "seq", 0));
	free(text);
}

/* What has no number cannot be answered. Some editors count from 0. */
static bool is_request(struct json_object *message)
{
	const char *type = field_text(message, "type");

	if (field_text(message, "command") &&
	    (!type || strcmp(type, "request") == 0) &&
	    field_number(message, "seq", -1) >= 0)
		return true;
	dap_fail("gtdbgctl: dap: a message is no request");
	return false;
}

void dap_news(struct dap *dap)
{
	struct debugger *debugger = &dap->debugger;
	struct json_object *body;

	if (debugger->session && !dap->was_announced) {
		dap->was_announced = true;
		body = json_object_new_object();
		field_add_text(body, "name", debugger->comm);
		field_add_number(body, "systemProcessId", debugger->pid);
		field_add_bool(body, "isLocalProcess", true);
		field_add_text(body, "startMethod", debugger->launch ?
			       "launch" : "attach");
		channel_event(&dap->channel, "process", body);
	}
	dap_modules_news(dap);
	dap_breakpoints_news(dap);
}

static void requests_serve(struct dap *dap)
{
	struct json_object *request;

	/* Those behind one that lets threads run find them running. */
	while (!dap->is_over && !dap->work &&
	       (request = channel_next(&dap->channel))) {
		if (is_request(request))
			request_serve(dap, request);
		json_object_put(request);
	}
	/* Who goes without a word leaves the program alone. */
	if (dap->channel.is_closed && !dap->work) {
		if (!dap->is_over)
			dap->kills = false;
		dap->is_over = true;
	}
}

static bool serve(int fd, int timeout_ms)
{
	bool is_busy;

	/* Nothing comes any more from a client that has gone. */
	if (timeout_ms < 0 && served->channel.is_closed)
		timeout_ms = 0;
	is_busy = channel_poll(&served->channel, fd, timeout_ms);
	if (!served->is_over)
		requests_serve(served);
	dap_news(served);
	if (served->is_over && (served->debugger.session || served->kills)) {
		served->debugger.is_quitting = true;
		wait_is_interrupted = 1;
	}
	return is_busy;
}

/* Requests wait meanwhile. A signal may have come just before this began. */
static bool hand_on(int fd)
{
	channel_poll(&served->channel, fd, HAND_ON_MS);
	channel_drain(&served->channel);
	return !served->channel.is_closed && !wait_is_ended;
}

static void loop(struct dap *dap)
{
	while (!dap->is_over && !wait_is_ended) {
		dap_work *work = dap->work;

		dap->work = NULL;
		if (work) {
			dap->is_at_work = true;
			wait_is_interrupted = 0;
			work(dap);
			dap->is_at_work = false;
		} else {
			/* What has come already, and then what comes. */
			requests_serve(dap);
			if (!dap->is_over && !dap->work)
				serve(-1, -1);
		}
	}
}

/* A client that is gone is no reason to end. */
static void on_pipe(int signal)
{
	(void)signal;
}

int dap_run(int in, int out)
{
	struct sigaction action = { .sa_handler = on_pipe };
	struct dap dap = {
		.client_fd = -1, .first_line = 1, .first_column = 1,
	};
	int ret = channel_init(&dap.channel, in, out);

	if (ret)
		return cmd_fail(ret, "dap");
	interrupt_catch();
	sigaction(SIGPIPE, &action, NULL);
	settings_init(false);
	dap.debugger.is_served = true;
	served = &dap;
	wait_serve = serve;
	wait_hand_on = hand_on;
	loop(&dap);
	dap.is_over = true;
	dap_end(&dap);
	wait_serve = NULL;
	wait_hand_on = NULL;
	channel_fini(&dap.channel);
	return dap.channel.is_broken ? CMD_FAILED : CMD_OK;
}
