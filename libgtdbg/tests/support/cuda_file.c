// SPDX-License-Identifier: MIT
#include "cuda_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES_MAX (1 << 22)

char *cuda_file_run(const char *command, size_t *len_bytes_out)
{
	char *bytes = malloc(BYTES_MAX);
	FILE *output = popen(command, "r");
	size_t len = 0;

	if (bytes && output)
		len = fread(bytes, 1, BYTES_MAX, output);
	if (output)
		pclose(output);
	*len_bytes_out = len;
	if (len)
		return bytes;
	free(bytes);
	return NULL;
}

static int register_refuse(void *context, uint32_t offset, void *buf,
			   size_t len)
{
	(void)context;
	(void)offset;
	(void)buf;
	(void)len;
	return -EIO;
}

static int memory_refuse(void *context, uint64_t address, void *buf,
			 size_t len)
{
	(void)context;
	(void)address;
	(void)buf;
	(void)len;
	return -EIO;
}

int cuda_file_locate(struct gtdbg_symbols *symbols, uint64_t pc,
		     const char *name, struct gtdbg_variable *variable,
		     struct gtdbg_location *out)
{
	const struct gtdbg_machine machine = {
		.register_read = register_refuse,
		.memory_read = memory_refuse,
	};
	struct gtdbg_frame frame;
	int ret = gtdbg_frame_unwind(symbols, &machine, pc, 1, 0, &frame, 1);

	if (ret != 1)
		return -EPROTO;
	frame.frame_base = 0x1000;
	ret = gtdbg_variable_find(symbols, &frame, name, variable);
	if (ret)
		return ret;
	return gtdbg_variable_locate(symbols, &frame, variable, &machine, 0,
				     out);
}
