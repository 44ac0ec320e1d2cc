// SPDX-License-Identifier: MIT
/*
 * Stepping by source lines. A line may take thousands of instructions, and the
 * thread can leave it in many ways, but it can only arrive at the start of a
 * statement. Where the GPU steps over the line by itself, most lines end so. Else,
 * and behind calls and loops, breakpoints of the tool's own wait at these places for
 * this one thread. Other threads stay where they are, unless this one waits for them.
 * A step is the current lane's: where it is not active others have gone a way of theirs, and
 * the thread goes on until it is.
 */
#include "prompt.h"

#include "debugger.h"
#include "missed.h"
#include "value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A thread that takes longer has ended, or waits for others at a barrier. */
#define STEP_MS 3000
/*
 * What is stepped of a line, before breakpoints are planted behind it: it may be a
 * loop, which is faster without steps.
 */
#define LINE_STEPS 300
/*
 * Pieces of code that are stepped out of, one after the other, before that: to plant
 * and to lift breakpoints takes longer than a stop.
 */
#define LINE_PIECES 4

/* Where breakpoints are to be planted, all in one call: calls are what a step costs. */
struct plan {
	struct kernel *kernel; /* the program may remove it; see step_line() */
	uint64_t bias; /* what instruction pointers have more than its addresses */
	uint64_t *offsets;
	int count;
	int room;
	bool is_short; /* of memory */
};

static void plan_add(struct debugger *debugger, struct plan *plan, uint64_t pc)
{
	uint64_t base = 0, *more;
	size_t len;

	if (pc == debugger->frames[0].pc)
		return;
	if (plan->count == plan->room) {
		more = realloc(plan->offsets,
			       sizeof(*more) * (size_t)(plan->room + 64));
		if (!more) {
			plan->is_short = true;
			return;
		}
		plan->offsets = more;
		plan->room += 64;
	}
	gtdbg_symbols_text(plan->kernel->symbols, &base, &len);
	plan->offsets[plan->count++] = pc - base;
}

/* Where the thread is, as if all code were the kernel's: it may be in other code. */
static uint64_t plan_pc(const struct debugger *debugger,
			const struct plan *plan)
{
	return debugger->thread.ip - plan->bias;
}

static bool plan_has(const struct plan *plan, uint64_t pc)
{
	uint64_t base = 0;
	size_t len;

	gtdbg_symbols_text(plan->kernel->symbols, &base, &len);
	for (int i = 0; i < plan->count; i++)
		if (plan->offsets[i] == pc - base)
			return true;
	return false;
}

/* The end of the program is what there is to wait for, where that is why. */
static int step_failed(struct debugger *debugger, const char *what, int ret)
{
	if (ret != -ESRCH)
		return fail(debugger, "Cannot %s: %s.", what, strerror(-ret));
	thread_deselect(debugger);
	return wait_stop(debugger, NULL, GONE_MS);
}

/* 0; or what has become of the step, which would not end. */
static int plan_plant(struct debugger *debugger, struct plan *plan,
		      struct breakpoint *own)
{
	int ret = -ENOMEM;

	if (!plan->is_short)
		ret = breakpoint_plant_many(debugger, own, plan->kernel->id,
					    plan->offsets, plan->count);
	free(plan->offsets);
	return ret < 0 ? step_failed(debugger, "step", ret) : 0;
}

enum how {
	HOW_INTO,	/* calls */
	HOW_OVER,
	HOW_UNTIL,	/* over calls, and not back to an earlier line */
};

static void plan_lines(struct debugger *debugger, struct plan *plan,
		       const struct gtdbg_function *function, uint32_t line,
		       enum how how)
{
	struct gtdbg_symbols *symbols = plan->kernel->symbols;
	uint64_t pc = function->start;
	struct gtdbg_line row;

	while (pc < function->end && !gtdbg_line_find(symbols, pc, &row)) {
		if (row.is_statement &&
		    (how == HOW_UNTIL ? row.line > line : row.line != line))
			plan_add(debugger, plan, row.start);
		pc = row.end;
	}
}

/* Where other functions begin, for a step into them. */
static void plan_functions(struct debugger *debugger, struct plan *plan,
			   const struct gtdbg_function *except)
{
	struct gtdbg_symbols *symbols = plan->kernel->symbols;
	struct gtdbg_function function;
	uint64_t pc, base;
	size_t len;

	gtdbg_symbols_text(symbols, &base, &len);
	pc = base;
	while (function_next(symbols, &pc, base + len, &function))
		if (function.start != except->start && function.start != base)
			plan_add(debugger, plan,
				 function_entry(symbols, &function));
}

static void plan_callers(struct debugger *debugger, struct plan *plan)
{
	int i;

	for (i = 1; i < debugger->frame_count; i++)
		plan_add(debugger, plan, debugger->frames[i].pc);
}

/*
 * Waits for the current thread. If it does not come back it may wait for another one: one
 * that has come to a breakpoint is shown instead, or all are let go.
 */
static int go_wait(struct debugger *debugger)
{
	struct gtdbg_thread_info thread = debugger->thread;
	bool is_stepping = debugger->is_stepping;
	int ret, result;

	thread_deselect(debugger);
	result = wait_stop(debugger, &thread, STEP_MS);
	if (result != WAIT_TIMED_OUT)
		return result;
	if (wait_missed(debugger))
		return WAIT_STOPPED;
	printf("[Thread ");
	thread_print_name(debugger, &thread, -1);
	puts(" has ended or waits; letting all threads run]");
	fflush(stdout);
	ret = resume_all(debugger);
	if (ret)
		return step_failed(debugger, "resume", ret);
	debugger->is_stepping = is_stepping;
	return wait_stop(debugger, NULL, -1);
}

static int go(struct debugger *debugger, uint32_t command)
{
	int ret = resume_thread(debugger, &debugger->thread, command);

	return ret ? step_failed(debugger, "resume", ret) : go_wait(debugger);
}

/* The lane that steps, which was kept when it began; 0: it is none of the thread's. */
static uint32_t stepped_lanes(const struct debugger *debugger,
			      const struct gtdbg_thread_info *thread)
{
	uint32_t lane = debugger->kept.lane;

	return thread_lane_is_kept(debugger, thread) && lane < 32 ?
		       thread->dispatch_mask & 1u << lane : 0;
}

/* Others are at it, where the thread stands. */
static bool is_away(const struct debugger *debugger)
{
	uint32_t lanes = stepped_lanes(debugger, &debugger->thread);

	return lanes && !(debugger->thread.exec_mask & lanes);
}

/* Has the thread come to where it was sent, and nothing else happened? */
static bool is_underway(const struct debugger *debugger, int result)
{
	const uint32_t sent = GTDBG_STOP_BREAKPOINT | GTDBG_STOP_STEP;

	return result == WAIT_STOPPED && debugger->last_hit <= 0 &&
	       !debugger->has_fault && !(debugger->thread.reasons & ~sent);
}

static struct breakpoint *own_create(struct debugger *debugger)
{
	struct breakpoint *own = breakpoint_create(debugger, true);

	if (own) {
		own->device = debugger->thread.device;
		own->slot = debugger->thread.slot;
	}
	return own;
}

/*
 * Only the line where the function is the same, else the frame. A thread comes to
 * lines that its lane @lane passes over: variables are then another lane's.
 */
static int report(struct debugger *debugger, int result, const char *function,
		  uint32_t lane)
{
	const char *now;

	if (result < 0)
		return -1;
	if (!is_underway(debugger, result))
		return prompt_report(debugger, result);
	now = debugger->frames[0].function;
	if (!function || !now || strcmp(function, now) != 0 ||
	    !debugger->frames[0].line)
		return prompt_report(debugger, result);
	if (debugger->is_silent || debugger->is_served)
		return 0;
	if (debugger->lane != lane) {
		printf("[Switching to thread ");
		thread_print_name(debugger, &debugger->thread, debugger->lane);
		puts("]");
	}
	thread_print_source(debugger);
	displays_show(debugger);
	return 0;
}

/* A thread that fails an assertion may be let run on, and then has no range any more. */
static bool keeps_ranges(const struct debugger *debugger)
{
	return debugger->asserts.mode == ASSERT_STOP ||
	       debugger->asserts.mode == ASSERT_ABORT;
}

/* The code of a line around @pc, as far as it lies together. */
static void line_range(struct gtdbg_symbols *symbols,
		       const struct gtdbg_function *function, uint64_t pc,
		       uint64_t *start_out, uint64_t *end_out)
{
	uint64_t start = pc, end = pc;
	struct gtdbg_line here = { 0 }, row;

	gtdbg_line_find(symbols, pc, &here);
	while (start > function->start &&
	       !gtdbg_line_find(symbols, start - 1, &row) &&
	       row.line == here.line && row.start < start)
		start = row.start;
	while (end < function->end && !gtdbg_line_find(symbols, end, &row) &&
	       row.line == here.line && row.end > end)
		end = row.end;
	*start_out = start;
	*end_out = end;
}

static bool is_in(const struct gtdbg_function *function, uint64_t pc)
{
	return pc >= function->start && pc < function->end;
}

/* An older system routine stops with any lane, or in calls. */
static int range_begin(struct debugger *debugger, struct step_range *range)
{
	const struct gtdbg_thread_info thread = debugger->thread;
	int ret = resume_range(debugger, &thread, range);

	if (ret && range->lanes && !is_away(debugger)) {
		range->lanes = 0;
		ret = resume_range(debugger, &thread, range);
	}
	if (ret && range->frame_register) {
		range->frame_register = 0;
		ret = resume_range(debugger, &thread, range);
	}
	return ret;
}

/*
 * Steps out of code at @start to @end of a function, and over what that calls: an older
 * system routine stops there. -1: the GPU cannot; 1: the thread stands elsewhere, and
 * nothing else has happened; 0 is the end of the step.
 */
static int step_range(struct debugger *debugger, const struct plan *plan,
		      const struct gtdbg_function *function, uint64_t start,
		      uint64_t end, bool is_over, int *result)
{
	const struct gtdbg_thread_info thread = debugger->thread;
	struct step_range range = {
		.first = start + plan->bias, .end = end + plan->bias,
		.steps = is_away(debugger) ? 0 : LINE_STEPS,
		.lanes = stepped_lanes(debugger, &thread),
	};

	if (is_over) {
		range.function_first = function->start + plan->bias;
		range.function_end = function->end + plan->bias;
		range.frame_register =
			gtdbg_frame_register(plan->kernel->symbols);
	}
	if (range_begin(debugger, &range))
		return -1;
	*result = go_wait(debugger);
	return is_underway(debugger, *result) &&
	       debugger->thread.device == thread.device &&
	       debugger->thread.slot == thread.slot &&
	       (is_away(debugger) ||
		!plan_has(plan, plan_pc(debugger, plan)));
}

/* Behind the prologue of a function that was stepped into, if its lines are known. */
static int step_prologue(struct debugger *debugger, const struct plan *plan,
			 bool *is_known, int *result)
{
	struct gtdbg_symbols *symbols = plan->kernel->symbols;
	uint64_t pc = plan_pc(debugger, plan);
	struct gtdbg_function callee;

	*is_known = !gtdbg_function_find(symbols, pc, &callee) &&
		    pc < function_entry(symbols, &callee);
	if (!*is_known)
		return -1;
	return step_range(debugger, plan, &callee, callee.start,
			  function_entry(symbols, &callee), false, result);
}

/* Back from a function that was just called, and has no lines: as barrier() is one. */
static int step_back(struct debugger *debugger, const struct plan *plan,
		     const struct gtdbg_function *function, int *result)
{
	const struct gtdbg_machine *machine = gtdbg_stop_machine(debugger->stop);
	uint32_t frame = gtdbg_frame_register(plan->kernel->symbols);
	uint32_t ip;
	uint64_t back;

	if (machine->register_read(machine->context, frame * GTDBG_GRF_BYTES,
				   &ip, sizeof(ip)))
		return -1;
	back = ip - plan->bias;
	if (!is_in(function, back - 1))
		return -1;
	return step_range(debugger, plan, function, back - 1, back, true,
			  result);
}

/* From the first instruction of a function that the line has called. */
static int step_call(struct debugger *debugger, const struct plan *plan,
		     const struct gtdbg_function *function, enum how how,
		     int *result)
{
	bool is_known;
	int ret;

	if (how != HOW_INTO)
		return -1;
	ret = step_prologue(debugger, plan, &is_known, result);
	if (is_known)
		return ret ? -1 : 0;
	return step_back(debugger, plan, function, result);
}

/*
 * Steps out of the code around, and of where that leads to, until a place that is
 * planned: false, if the GPU cannot, or the thread has to go on from where it is now.
 */
static bool step_ranges(struct debugger *debugger, const struct plan *plan,
			const struct gtdbg_function *function, enum how how,
			int *result)
{
	uint64_t pc = plan_pc(debugger, plan), start, end;
	int ret;

	if (!keeps_ranges(debugger))
		return false;
	for (int pieces = 0; pieces < LINE_PIECES; pieces++) {
		line_range(plan->kernel->symbols, function, pc, &start, &end);
		if (is_away(debugger)) {
			start = pc;
			end = pc + COMPACT_BYTES;
		}
		ret = step_range(debugger, plan, function, start, end,
				 how != HOW_INTO && !is_away(debugger), result);
		if (ret <= 0)
			return !ret;
		pc = plan_pc(debugger, plan);
		if (is_away(debugger))
			continue;
		/* A loop within the piece. */
		if (pc >= start && pc < end)
			return false;
		if (is_in(function, pc))
			continue;
		ret = step_call(debugger, plan, function, how, result);
		pc = plan_pc(debugger, plan);
		if (ret <= 0 || !is_in(function, pc))
			return !ret;
	}
	return false;
}

static int step_function(struct debugger *debugger, struct plan *plan,
			 const struct gtdbg_function *function, enum how how)
{
	struct breakpoint *own;
	int result;

	plan_lines(debugger, plan, function, debugger->frames[0].line, how);
	if (how == HOW_INTO)
		plan_functions(debugger, plan, function);
	plan_callers(debugger, plan);
	if (step_ranges(debugger, plan, function, how, &result)) {
		free(plan->offsets);
		return result;
	}
	own = own_create(debugger);
	if (!own) {
		free(plan->offsets);
		return fail(debugger, "Out of memory.");
	}
	result = plan_plant(debugger, plan, own);
	if (!result)
		result = go(debugger, GTDBG_RESUME_RUN);
	while (is_underway(debugger, result) && is_away(debugger))
		result = go(debugger, GTDBG_RESUME_RUN);
	breakpoint_delete(debugger, own);
	return result;
}

static int step_line(struct debugger *debugger, enum how how)
{
	struct kernel *kernel = thread_kernel(debugger, &debugger->thread);
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	const struct gtdbg_frame *frame = &debugger->frames[0];
	struct gtdbg_function function;
	struct plan plan = {
		.kernel = kernel, .bias = debugger->thread.ip - frame->pc,
	};
	bool is_stepped;
	int result;

	if (!symbols || !frame->line ||
	    gtdbg_function_find(symbols, frame->pc, &function))
		return go(debugger, GTDBG_RESUME_STEP);
	/* Each wait may say that it is gone: its symbols stay. */
	is_stepped = kernel->is_stepped;
	kernel->is_stepped = true;
	result = step_function(debugger, &plan, &function, how);
	kernel->is_stepped = is_stepped;
	return result;
}

/*
 * Goes on, over calls, while deeper in the stack than @depth: functions that
 * were merged into this one are passed over too. At that depth, to another
 * line than @line, 0: to any.
 */
static int walk(struct debugger *debugger, enum how how, int depth,
		uint32_t line)
{
	int result;

	do {
		result = step_line(debugger, how);
	} while (is_underway(debugger, result) &&
		 (debugger->frame_count > depth ||
		  (debugger->frame_count == depth && line &&
		   debugger->frames[0].line == line)));
	return result;
}

static int step_once(struct debugger *debugger, enum how how)
{
	if (how == HOW_INTO)
		return step_line(debugger, how);
	return walk(debugger, how, debugger->frame_count,
		    debugger->frames[0].line);
}

static int step_lines(struct debugger *debugger, const char *args, enum how how)
{
	int count, result, ret;
	uint32_t lane;
	char *function;

	if (debugger_need_thread(debugger) ||
	    prompt_count(debugger, args, &count))
		return -1;
	lane = debugger->lane;
	thread_lane_keep(debugger);
	function = debugger->frames[0].function ?
		   strdup(debugger->frames[0].function) : NULL;
	do {
		result = step_once(debugger, how);
	} while (--count > 0 && is_underway(debugger, result));
	missed_tell(debugger);
	ret = report(debugger, result, function, lane);
	free(function);
	return ret;
}

int prompt_step(struct debugger *debugger, const char *args)
{
	return step_lines(debugger, args, HOW_INTO);
}

int prompt_next(struct debugger *debugger, const char *args)
{
	return step_lines(debugger, args, HOW_OVER);
}

/*
 * Each step is a stop, where the GPU cannot make some in one go, or a breakpoint could
 * end that one: nobody would know how many steps were made.
 */
static int step_instructions(struct debugger *debugger, int count)
{
	bool in_one_go = keeps_ranges(debugger) && !debugger->breakpoints;
	struct step_range range = { .end = UINT32_MAX };
	int result, some;

	do {
		some = count < LINE_STEPS ? count : LINE_STEPS;
		range.steps = (uint32_t)some;
		if (some > 1 && in_one_go &&
		    !resume_range(debugger, &debugger->thread, &range)) {
			result = go_wait(debugger);
		} else {
			some = 1;
			result = go(debugger, GTDBG_RESUME_STEP);
		}
		count -= some;
	} while (count > 0 && is_underway(debugger, result));
	return result;
}

int prompt_stepi(struct debugger *debugger, const char *args)
{
	const struct gtdbg_frame *frame;
	struct gtdbg_line line;
	struct kernel *kernel;
	int count, result;

	if (debugger_need_thread(debugger) ||
	    prompt_count(debugger, args, &count))
		return -1;
	result = step_instructions(debugger, count);
	missed_tell(debugger);
	if (result < 0)
		return -1;
	if (!is_underway(debugger, result) || debugger->is_served)
		return prompt_report(debugger, result);
	frame = &debugger->frames[0];
	kernel = thread_kernel(debugger, &debugger->thread);
	if (!kernel_symbols(debugger, kernel) ||
	    gtdbg_line_find(kernel->symbols, frame->pc, &line) ||
	    line.start != frame->pc)
		printf("0x%llx\t", (unsigned long long)
		       debugger->thread.address);
	thread_print_source(debugger);
	displays_show(debugger);
	return 0;
}

/* Not in a call of its own, and with the lane that was sent. */
static bool has_arrived(const struct debugger *debugger, int depth)
{
	return debugger->frame_count <= depth &&
	       !(is_underway(debugger, WAIT_STOPPED) && is_away(debugger));
}

/*
 * Runs to one of a breakpoint's places, or to where the function returns to (@back),
 * at most @depth deep in the stack: a recursive call comes by there too, and other lanes.
 */
static int run_to(struct debugger *debugger, struct breakpoint *own, int depth,
		  uint64_t back)
{
	struct kernel *kernel = thread_kernel(debugger, &debugger->thread);
	struct plan plan = { .kernel = kernel };
	int result = 0;

	if (back && kernel_symbols(debugger, kernel)) {
		plan_add(debugger, &plan, back);
		result = plan_plant(debugger, &plan, own);
	}
	while (!result || (result == WAIT_STOPPED && debugger->last_hit < 0 &&
			   !has_arrived(debugger, depth)))
		result = go(debugger, GTDBG_RESUME_RUN);
	breakpoint_delete(debugger, own);
	missed_tell(debugger);
	return result;
}

/* Out of a function that is short, by steps: false: go on from where the thread is. */
static bool finish_ranges(struct debugger *debugger, int *result)
{
	struct kernel *kernel = thread_kernel(debugger, &debugger->thread);
	struct gtdbg_symbols *symbols = kernel_symbols(debugger, kernel);
	struct plan plan = {
		.kernel = kernel,
		.bias = debugger->thread.ip - debugger->frames[0].pc,
	};
	struct gtdbg_function function;
	bool is_stepped;
	int ret = -1;

	if (!symbols || !keeps_ranges(debugger) ||
	    gtdbg_function_find(symbols, debugger->frames[0].pc, &function) ||
	    is_in(&function, debugger->frames[1].pc))
		return false;
	plan_add(debugger, &plan, debugger->frames[1].pc);
	is_stepped = kernel->is_stepped;
	kernel->is_stepped = true;
	if (!plan.is_short)
		ret = step_range(debugger, &plan, &function, function.start,
				 function.end, true, result);
	kernel->is_stepped = is_stepped;
	free(plan.offsets);
	return !ret;
}

static int finish_call(struct debugger *debugger, int depth, uint64_t back)
{
	struct breakpoint *own;
	int result;

	if (!debugger->frame && finish_ranges(debugger, &result))
		return result;
	own = own_create(debugger);
	if (!own)
		return fail(debugger, "Out of memory.");
	return run_to(debugger, own, depth, back);
}

/* Until another place, at most @depth deep in the stack. */
static int go_to(struct debugger *debugger, const char *where, int depth)
{
	struct breakpoint *own;
	int result;

	if (debugger_need_thread(debugger))
		return -1;
	thread_lane_keep(debugger);
	own = own_create(debugger);
	if (!own)
		return fail(debugger, "Out of memory.");
	result = prompt_where(debugger, own, where);
	if (!result)
		result = prompt_place(debugger, own);
	if (result >= 0 && !own->locations)
		result = fail(debugger, "No code at \"%s\" in a kernel that is known.",
			      where);
	if (result < 0)
		breakpoint_delete(debugger, own);
	if (result == -ESRCH)
		result = step_failed(debugger, "run", result);
	else if (result >= 0)
		result = run_to(debugger, own, depth,
				debugger->frame_count > 1 ?
					debugger->frames[1].pc : 0);
	return result < 0 ? -1 : prompt_report(debugger, result);
}

int prompt_until(struct debugger *debugger, const char *args)
{
	if (!*args)
		return step_lines(debugger, args, HOW_UNTIL);
	return go_to(debugger, args, debugger->frame_count);
}

int prompt_advance(struct debugger *debugger, const char *args)
{
	if (!*args)
		return fail(debugger, "Argument required (a location).");
	return go_to(debugger, args, FRAMES_MAX);
}

/* What the function at @pc has returned to the current lane, if it is back at @back. */
static void print_result(struct debugger *debugger, uint64_t pc, uint64_t back,
			 int depth)
{
	struct gtdbg_symbols *symbols =
		kernel_symbols(debugger, thread_kernel(debugger, &debugger->thread));
	const struct format format = { 0 };
	const struct gtdbg_type *type;
	struct value *value;
	uint32_t offset;

	if (!symbols || debugger->is_served || debugger->frame_count != depth ||
	    debugger->frames[0].pc != back ||
	    !(debugger->thread.exec_mask >> debugger->lane & 1) ||
	    gtdbg_frame_result(symbols, pc, debugger->lane, &type, &offset))
		return;
	value = value_read(debugger, type, VALUE_REGISTER_FILE, offset);
	if (!value)
		return;
	printf("Value returned is ");
	prompt_print_value(debugger, value, &format);
}

int prompt_finish(struct debugger *debugger, const char *args)
{
	struct gtdbg_frame frames[2];
	int depth, result;

	(void)args;
	if (debugger_need_thread(debugger))
		return -1;
	depth = debugger->frame_count - 1 - debugger->frame;
	if (depth < 1)
		return fail(debugger, "\"finish\" not meaningful in the outermost frame.");
	thread_lane_keep(debugger);
	memcpy(frames, debugger->frames + debugger->frame, sizeof(frames));
	printf("Run till exit from ");
	thread_print_frame(debugger, debugger->frame, false);
	/* A merged function returns nowhere: its caller's next line ends it. */
	result = frames[0].is_inlined ?
		 walk(debugger, HOW_OVER, depth, 0) :
		 finish_call(debugger, depth, frames[1].pc);
	missed_tell(debugger);
	if (result < 0 || prompt_report(debugger, result))
		return -1;
	if (result == WAIT_STOPPED && !frames[0].is_inlined)
		print_result(debugger, frames[0].pc, frames[1].pc, depth);
	return 0;
}
