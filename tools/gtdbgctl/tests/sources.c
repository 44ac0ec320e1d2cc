// SPDX-License-Identifier: MIT
/*
 * Runs kernels of several texts, which differ in their comments, and prints out[1] of
 * each.
 * usage: sources save FILE	builds beta and saves its binary
 *	sources load FILE	builds alpha, and beta of that binary; runs both
 *	sources link		compiles both, and runs them of one program
 *	sources variants N	builds vary N times, each time with other options, and
 *				runs the first
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 8
#define BINARY_MAX (1 << 20)

static const char alpha[] =
	"/* first line of alpha's */\n"
	"kernel void alpha(global int *out)\n"
	"{\n"
	"	int a = get_global_id(0);\n"
	"	out[a] = a + 1; /* alpha's */\n"
	"}\n";
static const char beta[] =
	"/* first line of beta's */\n"
	"kernel void beta(global int *out)\n"
	"{\n"
	"	int b = get_global_id(0);\n"
	"	out[b] = b * 3; /* beta's */\n"
	"}\n";
static const char vary[] =
	"kernel void vary(global int *out)\n"
	"{\n"
	"	out[get_global_id(0)] = K;\n"
	"}\n";
static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "sources: %s: OpenCL error %d\n", what, status);
	exit(1);
}

static void context_create(void)
{
	cl_platform_id platform;
	cl_int status;

	check(clGetPlatformIDs(1, &platform, NULL), "platform");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL),
	      "device");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status, "context");
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
						   &status);
	check(status, "queue");
}

static cl_program source_create(const char *text)
{
	cl_program program;
	cl_int status;

	program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
	check(status, "source");
	return program;
}

static cl_program build(cl_program program, const char *options)
{
	check(clBuildProgram(program, 1, &device, options, NULL, NULL),
	      "build");
	return program;
}

static void save(cl_program program, const char *path)
{
	FILE *file = fopen(path, "w");
	unsigned char *binary;
	size_t len;

	check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(len),
			       &len, NULL), "size");
	binary = malloc(len);
	check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary),
			       &binary, NULL), "binary");
	if (!file || fwrite(binary, 1, len, file) != len || fclose(file)) {
		perror(path);
		exit(1);
	}
	free(binary);
}

static cl_program load(const char *path)
{
	static unsigned char binary[BINARY_MAX];
	const unsigned char *bytes = binary;
	FILE *file = fopen(path, "r");
	cl_int status, of_binary;
	cl_program program;
	size_t len;

	if (!file) {
		perror(path);
		exit(1);
	}
	len = fread(binary, 1, sizeof(binary), file);
	fclose(file);
	program = clCreateProgramWithBinary(context, 1, &device, &len, &bytes,
					    &of_binary, &status);
	check(status, "from binary");
	return build(program, NULL);
}

static cl_program linked(void)
{
	cl_program parts[2] = { source_create(alpha), source_create(beta) };
	cl_program program;
	cl_int status;
	int i;

	for (i = 0; i < 2; i++)
		check(clCompileProgram(parts[i], 1, &device, NULL, 0, NULL,
				       NULL, NULL, NULL), "compile");
	program = clLinkProgram(context, 1, &device, NULL, 2, parts, NULL,
				NULL, &status);
	check(status, "link");
	return program;
}

static cl_program variants(int count)
{
	cl_program first = NULL, program;
	char options[32];
	int i;

	for (i = 0; i < count; i++) {
		snprintf(options, sizeof(options), "-DK=%d", i + 100);
		program = build(source_create(vary), options);
		if (!i)
			first = program;
	}
	return first;
}

static void run(cl_program program, const char *name)
{
	const size_t items = ITEMS;
	cl_int out[ITEMS], status;
	cl_kernel kernel;
	cl_mem buffer;

	kernel = clCreateKernel(program, name, &status);
	check(status, name);
	buffer = clCreateBuffer(context, 0, sizeof(out), NULL, &status);
	check(status, "buffer");
	check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "argument");
	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0,
				     NULL, NULL), "launch");
	check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(out), out,
				  0, NULL, NULL), "result");
	printf("%s: %d\n", name, out[1]);
	fflush(stdout);
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
}

static void run_both(cl_program of_alpha, cl_program of_beta)
{
	run(of_alpha, "alpha");
	run(of_beta, "beta");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	cl_program program;

	context_create();
	if (argc == 3 && strcmp(what, "save") == 0) {
		save(build(source_create(beta), NULL), argv[2]);
	} else if (argc == 3 && strcmp(what, "load") == 0) {
		program = build(source_create(alpha), NULL);
		run_both(program, load(argv[2]));
	} else if (strcmp(what, "link") == 0) {
		program = linked();
		run_both(program, program);
	} else if (argc == 3 && strcmp(what, "variants") == 0) {
		run(variants(atoi(argv[2])), "vary");
	} else {
		fputs("usage: sources save|load FILE, link, variants N\n",
		      stderr);
		return 2;
	}
	return 0;
}
