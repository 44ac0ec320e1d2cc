// SPDX-License-Identifier: MIT
#include "top.h"

#include <ctype.h>
#include <errno.h>
#include <gtdbg.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static struct top_device *device_find(struct top *top, uint32_t id)
{
	struct top_device *device;
	size_t i;

	for (i = 0; i < top->device_count; i++)
		if (top->devices[i].id == id)
			return &top->devices[i];
	if (top->device_count == TOP_ROWS)
		return NULL;
	device = &top->devices[top->device_count++];
	*device = (struct top_device){ .id = id };
	return device;
}

/* Anybody's: on a screen of ncurses control characters move the cursor. */
static void name_clean(char *name)
{
	for (; *name; name++)
		if (iscntrl((unsigned char)*name))
			*name = '?';
}

static void name_read(struct top_process *process)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/comm", process->pid);
	file = fopen(path, "r");
	if (!file || !fgets(process->name, sizeof(process->name), file))
		strcpy(process->name, "(ended)");
	process->name[strcspn(process->name, "\n")] = 0;
	name_clean(process->name);
	if (file)
		fclose(file);
}

struct top_process *top_process_find(struct top *top, uint32_t pid)
{
	struct top_process *process;
	size_t i;

	for (i = 0; i < top->process_count; i++)
		if (top->processes[i].pid == pid)
			return &top->processes[i];
	if (top->process_count == TOP_ROWS)
		return NULL;
	process = &top->processes[top->process_count++];
	*process = (struct top_process){ .pid = pid };
	name_read(process);
	return process;
}

static struct top_kernel *kernel_find(struct top *top,
				      const struct gtdbg_watch_launch *launch)
{
	struct top_kernel *kernel;
	char name[sizeof(kernel->name)];
	size_t i;

	snprintf(name, sizeof(name), "%.63s",
		 *launch->name ? launch->name : "(not known)");
	name_clean(name);
	for (i = 0; i < top->kernel_count; i++) {
		kernel = &top->kernels[i];
		if (kernel->pid == (uint32_t)launch->pid &&
		    !strcmp(kernel->name, name))
			return kernel;
	}
	if (top->kernel_count == TOP_ROWS)
		return NULL;
	kernel = &top->kernels[top->kernel_count++];
	*kernel = (struct top_kernel){ .pid = launch->pid };
	strcpy(kernel->name, name);
	return kernel;
}

/* What runs on @device has done so up to @now_ns. */
static void launch_sum(struct top *top, struct top_device *device,
		       uint64_t now_ns)
{
	struct top_process *process;
	struct top_kernel *kernel;
	uint64_t ns;

	if (!device->is_running || now_ns <= device->since_ns)
		return;
	ns = now_ns - device->since_ns;
	device->since_ns = now_ns;
	device->busy_ns += ns;
	process = top_process_find(top, device->launch.pid);
	if (process)
		process->gpu_ns += ns;
	kernel = kernel_find(top, &device->launch);
	if (kernel)
		kernel->gpu_ns += ns;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void launch_put(struct top *top, const struct trace_launch *record)
{
	struct top_device *device = device_find(top, record->launch.device);
	struct top_kernel *kernel;

	if (!device)
		return;
	launch_sum(top, device, record->launch.stamp.time_ns);
	device->launch = record->launch;
	device->pid = record->launch.pid;
	device->is_running = record->head.kind == TRACE_LAUNCH_BEGIN;
	/* What was summed up already, or was before there was anything to sum up, is not. */
	device->since_ns = later(later(device->since_ns, top->begin_ns),
				 record->launch.stamp.time_ns);
	if (!device->is_running)
		return;
	kernel = kernel_find(top, &record->launch);
	if (kernel)
		kernel->launches++;
}

static void stop_put(struct top *top, const struct trace_event *record)
{
	struct top_device *device =
		device_find(top, (uint32_t)record->value[0]);
	/* A failed assertion has a breakpoint of its own. */
	const uint32_t hits = GTDBG_STOP_BREAKPOINT | GTDBG_STOP_ASSERT;
	uint32_t reasons = (uint32_t)record->value[3];

	if (!device)
		return;
	if (record->head.kind == TRACE_STOP) {
		if (!device->stopped++)
			device->stopped_ns = record->head.time_ns;
		device->hits += (reasons & hits) == GTDBG_STOP_BREAKPOINT;
	} else if (device->stopped && !--device->stopped) {
		device->stopped_ns = 0;
	}
}

void top_put(struct top *top, const struct trace_head *head)
{
	const void *record = head;
	struct top_device *device;

	switch (head->kind) {
	case TRACE_LAUNCH_BEGIN:
	case TRACE_LAUNCH_END:
		launch_put(top, record);
		break;
	case TRACE_SWITCH:
		device = device_find(top, ((const struct trace_switch *)
					   record)->change.device);
		if (device)
			device->pid = ((const struct trace_switch *)
				       record)->change.pid;
		break;
	case TRACE_STOP:
	case TRACE_RESUME:
		stop_put(top, record);
		break;
	case TRACE_EVENT_LOST:
		top->lost++;
		break;
	}
}

void top_sum(struct top *top, uint64_t now_ns)
{
	size_t i;

	for (i = 0; i < top->device_count; i++)
		launch_sum(top, &top->devices[i], now_ns);
	top_drivers_read(top);
	top->end_ns = now_ns;
}

static bool has_ended(uint32_t pid)
{
	return kill((pid_t)pid, 0) && errno == ESRCH;
}

/* Of a device that only stops have told of no process is known. */
static bool is_there(const struct top_device *device)
{
	return device->pid ? !has_ended(device->pid) : device->stopped;
}

/* They make room for those that come. */
static void ended_remove(struct top *top)
{
	size_t i, count = 0;

	for (i = 0; i < top->device_count; i++)
		if (is_there(&top->devices[i]))
			top->devices[count++] = top->devices[i];
	top->device_count = count;
	count = 0;
	for (i = 0; i < top->process_count; i++)
		if (!has_ended(top->processes[i].pid))
			top->processes[count++] = top->processes[i];
	top->process_count = count;
}

/* Of what has gone nothing is kept but for what still runs. */
void top_next(struct top *top)
{
	size_t i;

	ended_remove(top);
	for (i = 0; i < top->device_count; i++) {
		top->devices[i].busy_ns = 0;
		top->devices[i].hits = 0;
	}
	for (i = 0; i < top->process_count; i++) {
		top->processes[i].gpu_ns = 0;
		top->processes[i].driver_last_ns = top->processes[i].driver_ns;
	}
	top->kernel_count = 0;
	top->begin_ns = top->end_ns;
}
