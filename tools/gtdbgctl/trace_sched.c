// SPDX-License-Identifier: MIT
/*
 * Host threads of the processes that call, as the scheduler has them: a row below that
 * of the thread, with a slice for each time that it had a CPU. A thread that ran before
 * its process was known shows by its first call.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_TASK (9ull << 60)

/* TASK_* of the kernel, which programs may rely on as tools print them. */
#define STATE_SLEEPS 1
#define STATE_WAITS 2
#define STATE_STOPPED 4
#define STATE_TRACED 8
#define STATE_ENDS 0xb0

struct trace_task {
	struct trace_task *next;
	uint32_t tid;
	uint32_t cpu;
	char cpu_name[16];	/* of that, empty: none so far */
	bool is_running;
	bool has_slept;
	uint64_t woken_ns;	/* 0: not since it slept */
	uint32_t waker;
	char waker_name[17];
};

const char *trace_sched_state(uint32_t state)
{
	if (!state)
		return "preempted";
	if (state & STATE_SLEEPS)
		return "sleeps";
	if (state & STATE_WAITS)
		return "waits uninterruptibly";
	if (state & (STATE_STOPPED | STATE_TRACED))
		return "stopped";
	return state & STATE_ENDS ? "ends" : "unknown";
}

static struct trace_task *task_find(const struct trace *trace, uint32_t tid)
{
	struct trace_task *task = trace->tasks;

	while (task && task->tid != tid)
		task = task->next;
	return task;
}

static struct trace_task *task_add(struct trace *trace,
				   const struct trace_head *head,
				   const char *comm)
{
	struct trace_task *task = calloc(1, sizeof(*task));
	char name[17];

	if (!task)
		return NULL;
	task->tid = head->tid;
	task->next = trace->tasks;
	trace->tasks = task;
	snprintf(name, sizeof(name), "%.16s", comm);
	perfetto_row(&trace->to, ROW_TASK | task->tid,
		     trace_thread_row(trace, head->pid, task->tid, name),
		     "on a CPU");
	return task;
}

static void task_run(struct trace *trace, struct trace_task *task,
		     uint64_t time_ns, uint32_t cpu)
{
	if (!task->cpu_name[0] || task->cpu != cpu)
		snprintf(task->cpu_name, sizeof(task->cpu_name), "CPU %u", cpu);
	task->cpu = cpu;
	task->is_running = true;
	perfetto_event(&trace->to, PERFETTO_BEGIN, ROW_TASK | task->tid,
		       time_ns, task->cpu_name);
	if (task->has_slept && task->woken_ns) {
		perfetto_text(&trace->to, "woken_by", task->waker_name);
		perfetto_number(&trace->to, "waker", task->waker);
		perfetto_number(&trace->to, "woken_before_ns",
				time_ns - task->woken_ns);
	}
	task->has_slept = false;
	task->woken_ns = 0;
	perfetto_event_end(&trace->to);
}

/* @why: NULL if that was lost, or is still to come. */
static void task_leave(struct trace *trace, struct trace_task *task,
		       uint64_t time_ns, const char *why)
{
	task->is_running = false;
	perfetto_event(&trace->to, PERFETTO_END, ROW_TASK | task->tid, time_ns,
		       NULL);
	if (why)
		perfetto_text(&trace->to, "then", why);
	perfetto_event_end(&trace->to);
}

/* It may come before the thread has left its CPU. */
static void task_wake(struct trace_task *task, const struct trace_sched *record)
{
	task->woken_ns = record->head.time_ns;
	task->waker = record->waker;
	snprintf(task->waker_name, sizeof(task->waker_name), "%.16s",
		 record->comm);
}

void trace_sched(struct trace *trace, const struct trace_sched *record)
{
	struct trace_task *task = task_find(trace, record->head.tid);
	uint64_t time_ns = record->head.time_ns;

	/* Its name is the waker's. */
	if (!task && record->head.kind != TRACE_SCHED_WAKE)
		task = task_add(trace, &record->head, record->comm);
	if (!task)
		return;
	if (record->head.kind == TRACE_SCHED_WAKE) {
		task_wake(task, record);
	} else if (record->head.kind == TRACE_SCHED_RUN) {
		if (task->is_running)
			task_leave(trace, task, time_ns, NULL);
		task_run(trace, task, time_ns, record->cpu);
	} else if (task->is_running) {
		task->has_slept = record->state != 0;
		task_leave(trace, task, time_ns,
			   trace_sched_state(record->state));
	}
	if (trace->ctf)
		trace_ctf_sched(trace->ctf, record);
}

void trace_sched_call(struct trace *trace, const struct trace_call *call)
{
	struct trace_task *task;

	if (task_find(trace, call->head.tid))
		return;
	task = task_add(trace, &call->head, call->comm);
	if (task)
		task_run(trace, task, call->head.time_ns, call->cpu);
}

void trace_sched_finish(struct trace *trace)
{
	struct trace_task *task = trace->tasks;

	for (; task; task = task->next)
		if (task->is_running)
			task_leave(trace, task, trace->last_ns, NULL);
}

void trace_sched_fini(struct trace *trace)
{
	struct trace_task *next;

	for (; trace->tasks; trace->tasks = next) {
		next = trace->tasks->next;
		free(trace->tasks);
	}
}
