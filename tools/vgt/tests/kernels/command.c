// SPDX-License-Identifier: MIT
/* Commands of the queue: copies, fills, maps, events, printf. */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 1000

static int check_ints(struct kt_run *run, cl_mem mem, const int32_t *want,
		      size_t count)
{
	int32_t got[2 * N];
	size_t i;

	KT_TRY(run, clEnqueueReadBuffer(run->queue, mem, CL_TRUE, 0, 4 * count,
					got, 0, NULL, NULL));
	for (i = 0; i < count; i++)
		if (got[i] != want[i])
			return kt_fail(run, "element %zu: got %d, want %d", i,
				       got[i], want[i]);
	return 0;
}

static cl_mem int_buffer(struct kt_run *run, size_t count)
{
	static const int32_t zeros[2 * N];

	return clCreateBuffer(run->context, CL_MEM_COPY_HOST_PTR, 4 * count,
			      (void *)zeros, NULL);
}

static int enqueue_add(struct kt_run *run, cl_mem mem, cl_event *event)
{
	const size_t items = N;

	KT_TRY(run, clSetKernelArg(run->kernel, 0, sizeof(mem), &mem));
	KT_TRY(run, clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL,
					   &items, NULL, 0, NULL, event));
	return 0;
}

static int run_fill(struct kt_run *run)
{
	const int16_t pattern[2] = { 1234, -5 };
	const uint8_t byte = 0x5a;
	int32_t want[N] = {}, word;
	cl_mem mem = int_buffer(run, N);
	size_t i;

	memcpy(&word, pattern, 4);
	for (i = 10; i < 510; i++)
		want[i] = word;
	memset((uint8_t *)want + 2403, byte, 777);
	KT_TRY(run, clEnqueueFillBuffer(run->queue, mem, pattern, 4, 40, 2000,
					0, NULL, NULL));
	KT_TRY(run, clEnqueueFillBuffer(run->queue, mem, &byte, 1, 2403, 777,
					0, NULL, NULL));
	if (enqueue_add(run, mem, NULL))
		return -1;
	for (i = 0; i < N; i++)
		want[i]++;
	if (check_ints(run, mem, want, N))
		return -1;
	clReleaseMemObject(mem);
	return 0;
}

static int run_copy(struct kt_run *run)
{
	cl_mem from = int_buffer(run, N), to = int_buffer(run, N);
	int32_t data[N], want[N] = {};
	size_t i;

	for (i = 0; i < N; i++)
		data[i] = i * 17;
	memcpy((uint8_t *)want + 333, (uint8_t *)data + 6, 2001);
	KT_TRY(run, clEnqueueWriteBuffer(run->queue, from, CL_FALSE, 0,
					 sizeof(data), data, 0, NULL, NULL));
	KT_TRY(run, clEnqueueCopyBuffer(run->queue, from, to, 6, 333, 2001, 0,
					NULL, NULL));
	if (check_ints(run, to, want, N))
		return -1;
	clReleaseMemObject(from);
	clReleaseMemObject(to);
	return 0;
}

/* A 6 x 5 x 2 box of bytes out of a 20 x 10 x 4 one. */
static int run_copy_rect(struct kt_run *run)
{
	const size_t from_at[3] = { 3, 2, 1 }, to_at[3] = { 8, 4, 2 };
	const size_t region[3] = { 6, 5, 2 };
	cl_mem from = int_buffer(run, 200), to = int_buffer(run, 200);
	uint8_t data[800], want[800] = {};
	size_t i, y, z;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i * 7 + i / 256;
	for (z = 0; z < 2; z++)
		for (y = 0; y < 5; y++)
			memcpy(want + ((z + 2) * 10 + y + 4) * 20 + 8,
			       data + ((z + 1) * 10 + y + 2) * 20 + 3, 6);
	KT_TRY(run, clEnqueueWriteBuffer(run->queue, from, CL_TRUE, 0,
					 sizeof(data), data, 0, NULL, NULL));
	KT_TRY(run, clEnqueueCopyBufferRect(run->queue, from, to, from_at,
					    to_at, region, 20, 200, 20, 200, 0,
					    NULL, NULL));
	if (check_ints(run, to, (const int32_t *)want, 200))
		return -1;
	clReleaseMemObject(from);
	clReleaseMemObject(to);
	return 0;
}

static int run_map(struct kt_run *run)
{
	cl_mem mem = int_buffer(run, N);
	int32_t want[N], *view;
	cl_int error;
	size_t i;

	for (i = 0; i < N; i++)
		want[i] = i * i + 1;
	view = clEnqueueMapBuffer(run->queue, mem, CL_TRUE, CL_MAP_WRITE, 0,
				  sizeof(want), 0, NULL, NULL, &error);
	KT_TRY(run, error);
	for (i = 0; i < N; i++)
		view[i] = want[i] - 1;
	KT_TRY(run, clEnqueueUnmapMemObject(run->queue, mem, view, 0, NULL,
					    NULL));
	if (enqueue_add(run, mem, NULL))
		return -1;
	view = clEnqueueMapBuffer(run->queue, mem, CL_TRUE, CL_MAP_READ, 0,
				  sizeof(want), 0, NULL, NULL, &error);
	KT_TRY(run, error);
	if (memcmp(view, want, sizeof(want)))
		return kt_fail(run, "mapped contents differ");
	KT_TRY(run, clEnqueueUnmapMemObject(run->queue, mem, view, 0, NULL,
					    NULL));
	KT_TRY(run, clFinish(run->queue));
	clReleaseMemObject(mem);
	return 0;
}

static int run_sub_buffer(struct kt_run *run)
{
	const cl_buffer_region region = { 2048, 4 * N };
	cl_mem mem = int_buffer(run, 2 * N), part;
	int32_t want[2 * N] = {};
	cl_int error;
	size_t i;

	part = clCreateSubBuffer(mem, CL_MEM_READ_WRITE,
				 CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
	KT_TRY(run, error);
	if (enqueue_add(run, part, NULL))
		return -1;
	for (i = 0; i < N; i++)
		want[512 + i] = 1;
	clReleaseMemObject(part);
	if (check_ints(run, mem, want, 2 * N))
		return -1;
	clReleaseMemObject(mem);
	return 0;
}

static int run_profile(struct kt_run *run)
{
	cl_mem mem = int_buffer(run, N);
	cl_ulong start = 0, end = 0;
	cl_int status = -1;
	cl_event event;

	if (enqueue_add(run, mem, &event))
		return -1;
	KT_TRY(run, clWaitForEvents(1, &event));
	KT_TRY(run, clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
				   sizeof(status), &status, NULL));
	KT_TRY(run, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
					    sizeof(start), &start, NULL));
	KT_TRY(run, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END,
					    sizeof(end), &end, NULL));
	clReleaseEvent(event);
	clReleaseMemObject(mem);
	if (status != CL_COMPLETE)
		return kt_fail(run, "status %d", status);
	if (end <= start || end - start > 60000000000)
		return kt_fail(run, "took %lld ns", (long long)(end - start));
	return 0;
}

static int run_chain(struct kt_run *run)
{
	cl_mem mem = int_buffer(run, N);
	int32_t want[N];
	size_t i;

	for (i = 0; i < 50; i++)
		if (enqueue_add(run, mem, NULL))
			return -1;
	for (i = 0; i < N; i++)
		want[i] = 50;
	if (check_ints(run, mem, want, N))
		return -1;
	clReleaseMemObject(mem);
	return 0;
}

/* Two queues: out = 3 * 1 + 1, ordered by events alone. */
static int run_combine(struct kt_run *run)
{
	cl_mem list[3] = { int_buffer(run, N), int_buffer(run, N),
			   int_buffer(run, N) };
	const size_t items = N;
	cl_event events[2];
	int32_t want[N];
	cl_kernel add;
	cl_int error;
	size_t i;

	add = clCreateKernel(run->program, "add_one", &error);
	KT_TRY(run, error);
	for (i = 0; i < 2; i++) {
		KT_TRY(run, clSetKernelArg(add, 0, sizeof(cl_mem), &list[i]));
		KT_TRY(run, clEnqueueNDRangeKernel(run->queue, add, 1, NULL,
						   &items, NULL, 0, NULL,
						   &events[i]));
	}
	for (i = 0; i < 3; i++)
		KT_TRY(run, clSetKernelArg(run->kernel, i, sizeof(cl_mem),
					   &list[i]));
	KT_TRY(run, clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL,
					   &items, NULL, 2, events, NULL));
	for (i = 0; i < N; i++)
		want[i] = 4;
	if (check_ints(run, list[2], want, N))
		return -1;
	for (i = 0; i < 3; i++)
		clReleaseMemObject(list[i]);
	clReleaseEvent(events[0]);
	clReleaseEvent(events[1]);
	clReleaseKernel(add);
	return 0;
}

/* Standard output of the process goes to a file while the kernel prints. */
static int print_to_file(struct kt_run *run, FILE *file, size_t items)
{
	int saved = dup(1);
	cl_int error;

	dup2(fileno(file), 1);
	error = clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL,
				       &items, NULL, 0, NULL, NULL);
	if (!error)
		error = clFinish(run->queue);
	fflush(stdout);
	dup2(saved, 1);
	close(saved);
	KT_TRY(run, error);
	return 0;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int check_lines(struct kt_run *run, FILE *file)
{
	/* They sort as text: 13, 23, 33, then 3 with its colon. */
	static const int order[] = { 3, 0, 1, 2 };
	char lines[5][100], want[100];
	int i, n = 0;

	rewind(file);
	while (n < 5 && fgets(lines[n], sizeof(lines[n]), file))
		n++;
	if (n != 4)
		return kt_fail(run, "%d lines printed, want 4", n);
	qsort(lines, n, sizeof(lines[0]), compare_lines);
	for (i = 0; i < 4; i++) {
		int item = 10 * i + 3, value = item * 5 - 40;

		snprintf(want, sizeof(want), "item %d: %d %x %c %s %.3f %lld\n",
			 item, value, value & 0xfff, 'a' + i, "text",
			 item * 0.25, (long long)item << 33);
		if (strcmp(lines[order[i]], want))
			return kt_fail(run, "line of item %d is wrong", item);
	}
	return 0;
}

static int run_print(struct kt_run *run)
{
	cl_mem mem = int_buffer(run, 40);
	FILE *file = tmpfile();
	int32_t data[40];
	int i, ret;

	if (!file)
		return kt_fail(run, "no temporary file");
	for (i = 0; i < 40; i++)
		data[i] = i * 5 - 40;
	KT_TRY(run, clEnqueueWriteBuffer(run->queue, mem, CL_TRUE, 0,
					 sizeof(data), data, 0, NULL, NULL));
	KT_TRY(run, clSetKernelArg(run->kernel, 0, sizeof(mem), &mem));
	ret = print_to_file(run, file, 40);
	clReleaseMemObject(mem);
	if (!ret)
		ret = check_lines(run, file);
	fclose(file);
	return ret;
}

const struct kt_case kt_command[] = {
	{ .kernel = "add_one", .label = "fill", .run = run_fill },
	{ .kernel = "add_one", .label = "copy", .run = run_copy },
	{ .kernel = "add_one", .label = "copy rect", .run = run_copy_rect },
	{ .kernel = "add_one", .label = "map", .run = run_map },
	{ .kernel = "add_one", .label = "sub-buffer", .run = run_sub_buffer },
	{ .kernel = "add_one", .label = "profile", .run = run_profile },
	{ .kernel = "add_one", .label = "chain", .run = run_chain },
	{ .kernel = "combine", .run = run_combine },
	{ .kernel = "print", .run = run_print },
	{},
};
