// SPDX-License-Identifier: MIT
/*
 * Names of kernels: the code of each stands behind its name in the program's binary,
 * which is in the compiler's own format, or an ELF around it.
 */
#include "layer.h"

#include "drm/wire.h"
#include "node.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x494e5443U /* "CTNI" in memory */
#define DEVICE_BINARY 0xff000005U /* type of the section */

struct program_head {
	uint32_t magic, version, device, pointer_bytes, kernels, stepping;
	uint32_t patch_bytes;
};

/* The name follows, then the code, other heaps, and patches. */
struct kernel_head {
	uint32_t checksum, hash[2], name_bytes, patch_bytes, code_bytes;
	uint32_t general_bytes, dynamic_bytes, surface_bytes, unpadded_bytes;
};

static const cl_icd_dispatch *next;

/* @name and @code: parts of one binary, of which the first ends with a 0. */
static void kernel_send(const char *name, uint32_t name_bytes,
			const uint8_t *code, uint32_t code_bytes)
{
	struct vgt_drm_note note = { .what = VGT_DRM_NOTE_KERNEL };
	uint32_t len = strnlen(name, name_bytes);
	uint8_t *extra = malloc(len + 1 + (size_t)code_bytes);
	struct vgt_node_call call = {
		.number = VGT_DRM_NOTE,
		.argument = &note,
		.argument_bytes = sizeof(note),
		.extra = extra,
		.extra_bytes = len + 1 + code_bytes,
	};

	if (!extra)
		return;
	memcpy(extra, name, len);
	extra[len] = 0;
	memcpy(extra + len + 1, code, code_bytes);
	if (call.extra_bytes <= VGT_DRM_EXTRA_MAX)
		vgt_node_call(&call);
	free(extra);
}

/* Kernels from @at on, as far as they make sense. */
static void kernels_send(const uint8_t *at, size_t left, uint32_t count)
{
	struct kernel_head head;
	uint64_t bytes;

	for (; count && left >= sizeof(head); count--) {
		memcpy(&head, at, sizeof(head));
		bytes = sizeof(head) + (uint64_t)head.name_bytes +
			head.code_bytes + head.general_bytes +
			head.dynamic_bytes + head.surface_bytes +
			head.patch_bytes;
		if (bytes > left || head.unpadded_bytes > head.code_bytes)
			return;
		kernel_send((const char *)at + sizeof(head), head.name_bytes,
			    at + sizeof(head) + head.name_bytes,
			    head.unpadded_bytes);
		at += bytes;
		left -= bytes;
	}
}

/* The compiler's part of an ELF; 0 bytes: there is none. Debug information is another. */
static const uint8_t *part_find(const uint8_t *binary, size_t bytes,
				size_t *bytes_out)
{
	Elf64_Shdr section;
	Elf64_Ehdr elf;

	*bytes_out = 0;
	if (bytes < sizeof(elf))
		return binary;
	memcpy(&elf, binary, sizeof(elf));
	if (memcmp(elf.e_ident, ELFMAG, SELFMAG)) {
		*bytes_out = bytes;
		return binary;
	}
	for (uint32_t i = 0; i < elf.e_shnum; i++) {
		uint64_t at = i * sizeof(section);

		if (elf.e_shoff > bytes || at > bytes - elf.e_shoff ||
		    bytes - elf.e_shoff - at < sizeof(section))
			break;
		memcpy(&section, binary + elf.e_shoff + at, sizeof(section));
		if (section.sh_type != DEVICE_BINARY ||
		    section.sh_offset > bytes ||
		    section.sh_size > bytes - section.sh_offset)
			continue;
		*bytes_out = section.sh_size;
		return binary + section.sh_offset;
	}
	return binary;
}

static void binary_look(const uint8_t *binary, size_t bytes)
{
	struct program_head head;
	const uint8_t *at;
	size_t left;

	at = part_find(binary, bytes, &left);
	if (left < sizeof(head))
		return;
	memcpy(&head, at, sizeof(head));
	left -= sizeof(head);
	if (head.magic != MAGIC || head.patch_bytes > left)
		return;
	kernels_send(at + sizeof(head) + head.patch_bytes,
		     left - head.patch_bytes, head.kernels);
}

/* Programs for several devices have several binaries; there is one here. */
static void program_look(cl_program program)
{
	uint8_t *binary;
	size_t bytes, len;

	if (next->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES,
				   sizeof(bytes), &bytes, &len) ||
	    len != sizeof(bytes) || !bytes)
		return;
	binary = malloc(bytes);
	if (binary && !next->clGetProgramInfo(program, CL_PROGRAM_BINARIES,
					      sizeof(binary), &binary, NULL))
		binary_look(binary, bytes);
	free(binary);
}

static cl_kernel CL_API_CALL kernel_create(cl_program program, const char *name,
					   cl_int *status)
{
	cl_kernel kernel = next->clCreateKernel(program, name, status);

	if (kernel)
		program_look(program);
	return kernel;
}

static cl_int CL_API_CALL kernels_create(cl_program program, cl_uint count,
					 cl_kernel *kernels, cl_uint *count_ret)
{
	cl_int ret = next->clCreateKernelsInProgram(program, count, kernels,
						    count_ret);

	if (!ret)
		program_look(program);
	return ret;
}

void vgt_layer_kernels(const cl_icd_dispatch *target, cl_icd_dispatch *layer)
{
	next = target;
	layer->clCreateKernel = kernel_create;
	layer->clCreateKernelsInProgram = kernels_create;
}
