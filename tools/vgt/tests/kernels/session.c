// SPDX-License-Identifier: MIT
#include "suite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAMS 64

struct cached_program {
	const struct kt_group *group;
	char options[128];
	cl_program program;
};

struct kt_session {
	char directory[256];
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	char extensions[8192];
	struct cached_program programs[PROGRAMS];
	size_t count;
};

int kt_fail(struct kt_run *run, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(run->message, sizeof(run->message), format, args);
	va_end(args);
	return -1;
}

static void session_die(const char *what, cl_int error)
{
	fprintf(stderr, "kernels: %s: %d\n", what, error);
	exit(1);
}

/* Optional features of OpenCL C 3.0 count as extensions here. */
static void add_features(struct kt_session *session)
{
	cl_name_version features[64];
	size_t i, bytes, used = strlen(session->extensions);

	if (clGetDeviceInfo(session->device, CL_DEVICE_OPENCL_C_FEATURES,
			    sizeof(features), features, &bytes))
		return;
	for (i = 0; i < bytes / sizeof(features[0]); i++)
		used += snprintf(session->extensions + used,
				 sizeof(session->extensions) - used, " %s",
				 features[i].name);
}

struct kt_session *kt_session_create(const char *directory)
{
	const cl_queue_properties properties[] = {
		CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0
	};
	struct kt_session *session = calloc(1, sizeof(*session));
	cl_platform_id platform;
	cl_int error;

	if (!session)
		abort();
	snprintf(session->directory, sizeof(session->directory), "%s",
		 directory);
	error = clGetPlatformIDs(1, &platform, NULL);
	if (error)
		session_die("no OpenCL platform", error);
	error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
			       &session->device, NULL);
	if (error)
		session_die("no OpenCL device", error);
	session->context = clCreateContext(NULL, 1, &session->device, NULL,
					   NULL, &error);
	if (error)
		session_die("clCreateContext", error);
	session->queue = clCreateCommandQueueWithProperties(
		session->context, session->device, properties, &error);
	if (error)
		session_die("clCreateCommandQueueWithProperties", error);
	clGetDeviceInfo(session->device, CL_DEVICE_EXTENSIONS,
			sizeof(session->extensions), session->extensions, NULL);
	add_features(session);
	return session;
}

void kt_session_destroy(struct kt_session *session)
{
	size_t i;

	if (!session)
		return;
	for (i = 0; i < session->count; i++)
		clReleaseProgram(session->programs[i].program);
	clReleaseCommandQueue(session->queue);
	clReleaseContext(session->context);
	free(session);
}

bool kt_session_has(struct kt_session *session, const char *extension)
{
	return strstr(session->extensions, extension);
}

static char *read_source(const char *directory, const char *name)
{
	char path[400];
	FILE *file;
	char *text;
	size_t len;

	snprintf(path, sizeof(path), "%s/%s.cl", directory, name);
	file = fopen(path, "r");
	text = calloc(1, 65536);
	if (!file || !text)
		session_die(path, 0);
	len = fread(text, 1, 65535, file);
	fclose(file);
	text[len] = 0;
	return text;
}

static int build(struct kt_session *session, struct cached_program *entry,
		 char *message, size_t bytes)
{
	const char *text;
	char options[256];
	char *source;
	cl_int error;
	int used;

	source = read_source(session->directory, entry->group->name);
	text = source;
	entry->program = clCreateProgramWithSource(session->context, 1, &text,
						   NULL, &error);
	free(source);
	if (error)
		session_die("clCreateProgramWithSource", error);
	snprintf(options, sizeof(options), "%s %s",
		 entry->group->options ? entry->group->options : "",
		 entry->options);
	error = clBuildProgram(entry->program, 1, &session->device, options,
			       NULL, NULL);
	if (!error)
		return 0;
	used = snprintf(message, bytes, "build: %d: ", error);
	clGetProgramBuildInfo(entry->program, session->device,
			      CL_PROGRAM_BUILD_LOG, bytes - used,
			      message + used, NULL);
	clReleaseProgram(entry->program);
	return -1;
}

static cl_program find_program(struct kt_session *session,
			       const struct kt_group *group,
			       const char *options, char *message, size_t bytes)
{
	struct cached_program *entry;
	size_t i;

	for (i = 0; i < session->count; i++) {
		entry = &session->programs[i];
		if (entry->group == group && !strcmp(entry->options, options))
			return entry->program;
	}
	if (session->count == PROGRAMS)
		abort();
	entry = &session->programs[session->count];
	entry->group = group;
	snprintf(entry->options, sizeof(entry->options), "%s", options);
	if (build(session, entry, message, bytes))
		return NULL;
	session->count++;
	return entry->program;
}

static int set_argument(struct kt_run *run, cl_uint n)
{
	const struct kt_arg *arg = &run->test->arg[n];
	struct kt_buffer *buffer = &run->arg[n];
	size_t bytes = arg->count * kt_type_bytes(arg->type);
	cl_int error;

	if (arg->dir == KT_VALUE) {
		KT_TRY(run, clSetKernelArg(run->kernel, n, arg->value_bytes,
					   arg->value));
		return 0;
	}
	if (arg->dir == KT_LOCAL) {
		KT_TRY(run, clSetKernelArg(run->kernel, n, bytes, NULL));
		return 0;
	}
	kt_buffer_init(buffer, arg, n * 7919 + 1);
	buffer->mem = clCreateBuffer(run->context,
				     CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
				     bytes, buffer->data, &error);
	if (error)
		return kt_fail(run, "clCreateBuffer: %d", error);
	KT_TRY(run, clSetKernelArg(run->kernel, n, sizeof(cl_mem),
				   &buffer->mem));
	return 0;
}

static int check_argument(struct kt_run *run, cl_uint n)
{
	const struct kt_arg *arg = &run->test->arg[n];
	size_t bytes = arg->count * kt_type_bytes(arg->type);
	char why[300];
	void *got;
	int ret;

	if (!run->arg[n].mem)
		return 0;
	got = malloc(bytes);
	if (!got)
		abort();
	ret = clEnqueueReadBuffer(run->queue, run->arg[n].mem, CL_TRUE, 0,
				  bytes, got, 0, NULL, NULL);
	if (ret)
		ret = kt_fail(run, "clEnqueueReadBuffer: %d", ret);
	else if (kt_buffer_compare(&run->arg[n], arg, got, why, sizeof(why)))
		ret = kt_fail(run, "argument %u: %s", n, why);
	free(got);
	return ret;
}

static int launch(struct kt_run *run)
{
	const struct kt_case *test = run->test;
	cl_uint dims = test->global[2] ? 3 : test->global[1] ? 2 : 1;
	cl_uint n;

	for (n = 0; n < KT_ARGS && test->arg[n].dir; n++)
		if (set_argument(run, n))
			return -1;
	KT_TRY(run, clEnqueueNDRangeKernel(run->queue, run->kernel, dims,
					   test->offset, test->global,
					   test->local[0] ? test->local : NULL,
					   0, NULL, NULL));
	KT_TRY(run, clFinish(run->queue));
	test->reference(run);
	for (n = 0; n < KT_ARGS && test->arg[n].dir; n++)
		if (check_argument(run, n))
			return -1;
	return 0;
}

int kt_session_run(struct kt_session *session, const struct kt_group *group,
		   const struct kt_case *test, const char *options,
		   char *message, size_t message_bytes)
{
	struct kt_run run = {
		.test = test,
		.context = session->context,
		.device = session->device,
		.queue = session->queue,
	};
	cl_int error;
	cl_uint n;
	int ret;

	run.program = find_program(session, group, options, message,
				   message_bytes);
	if (!run.program)
		return -1;
	run.kernel = clCreateKernel(run.program, test->kernel, &error);
	if (error) {
		snprintf(message, message_bytes, "clCreateKernel: %d", error);
		return -1;
	}
	ret = test->run ? test->run(&run) : launch(&run);
	snprintf(message, message_bytes, "%s", run.message);
	for (n = 0; n < KT_ARGS; n++) {
		if (run.arg[n].mem)
			clReleaseMemObject(run.arg[n].mem);
		kt_buffer_fini(&run.arg[n]);
	}
	clReleaseKernel(run.kernel);
	return ret;
}
