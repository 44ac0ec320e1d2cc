/* SPDX-License-Identifier: MIT */
/*
 * The host's half of gtdbg_assert.h, for OpenCL programs that report failed
 * assertions themselves: their kernels are built with -DGTDBG_ASSERT_RECORDS.
 *
 *	clFinish(queue);
 *	if (gtdbg_assert_check(queue, program) > 0)
 *		abort();
 *
 * It is all in this header, so that such a program needs no library of gtdbg's.
 */
#ifndef GTDBG_ASSERT_HOST_H
#define GTDBG_ASSERT_HOST_H

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define GTDBG_ASSERT_LINES_MAX 64

struct gtdbg_assert_line {
	cl_ulong item[3];
	cl_ulong place[3];
	char where[208];
	char text[256];
};

/* What the kernel gtdbg_assert_report of gtdbg_assert.h writes. */
struct gtdbg_assert_report {
	cl_ulong failed;
	cl_ulong reserved[63];
	struct gtdbg_assert_line lines[GTDBG_ASSERT_LINES_MAX];
};

static inline void gtdbg_assert_print(const struct gtdbg_assert_report *report)
{
	const struct gtdbg_assert_line *line = report->lines;
	cl_ulong i;

	for (i = 0; i < report->failed && i < GTDBG_ASSERT_LINES_MAX; i++, line++)
		fprintf(stderr,
			"%.207s(...): global id: [%llu,%llu,%llu], local id: [%llu,%llu,%llu] Assertion %.255s\n",
			line->where, (unsigned long long)line->item[0],
			(unsigned long long)line->item[1],
			(unsigned long long)line->item[2],
			(unsigned long long)line->place[0],
			(unsigned long long)line->place[1],
			(unsigned long long)line->place[2], line->text);
	if (report->failed > i)
		fprintf(stderr, "gtdbg: %llu more assertions have failed\n",
			(unsigned long long)(report->failed - i));
}

static inline cl_int gtdbg_assert_run(cl_command_queue queue, cl_kernel kernel,
				      cl_mem out,
				      struct gtdbg_assert_report *report)
{
	const size_t one = 1;
	cl_int status;

	/* What has failed is there, in a queue without order as well. */
	status = clFinish(queue);
	if (!status)
		status = clSetKernelArg(kernel, 0, sizeof(out), &out);
	if (!status)
		status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one,
						&one, 0, NULL, NULL);
	if (!status)
		status = clFinish(queue);
	if (!status)
		status = clEnqueueReadBuffer(queue, out, CL_TRUE, 0,
					     sizeof(report->failed), report, 0,
					     NULL, NULL);
	if (!status && report->failed)
		status = clEnqueueReadBuffer(queue, out, CL_TRUE, 0,
					     sizeof(*report), report, 0, NULL,
					     NULL);
	return status;
}

static inline cl_int gtdbg_assert_fetch(cl_command_queue queue,
					cl_kernel kernel,
					struct gtdbg_assert_report *report)
{
	cl_context context;
	cl_int status;
	cl_mem out;

	status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context),
				       &context, NULL);
	if (status)
		return status;
	out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(*report), NULL,
			     &status);
	if (status)
		return status;
	status = gtdbg_assert_run(queue, kernel, out, report);
	clReleaseMemObject(out);
	return status;
}

/*
 * Waits for the queue and prints what has failed in kernels of the program since the
 * last call, on stderr. No kernel of it may run in another queue meanwhile. Returns for
 * how many work-items assertions have failed, or an OpenCL error, which is
 * negative: CL_INVALID_KERNEL_NAME where the program was built without
 * -DGTDBG_ASSERT_RECORDS, or runs under gtdbgctl, which reports itself.
 */
static inline cl_long gtdbg_assert_check(cl_command_queue queue,
					 cl_program program)
{
	struct gtdbg_assert_report *report;
	cl_kernel kernel;
	cl_long failed;
	cl_int status;

	kernel = clCreateKernel(program, "gtdbg_assert_report", &status);
	if (status)
		return status;
	report = (struct gtdbg_assert_report *)calloc(1, sizeof(*report));
	status = report ? gtdbg_assert_fetch(queue, kernel, report) :
			  CL_OUT_OF_HOST_MEMORY;
	clReleaseKernel(kernel);
	if (!status)
		gtdbg_assert_print(report);
	failed = status ? status : (cl_long)report->failed;
	free(report);
	return failed;
}

#endif
