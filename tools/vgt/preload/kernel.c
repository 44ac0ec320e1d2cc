// SPDX-License-Identifier: MIT
/*
 * Names of kernels: the code of each stands behind its name in the program's binary,
 * which is in the compiler's own format, or an ELF around it. In that there is debug
 * information, too, if the program was built with it.
 */
#include "layer.h"

#include "drm/wire.h"
#include "lines.h"
#include "node.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x494e5443U /* "CTNI" in memory */
#define PATCH_LOCAL 15 /* a patch that says how much local memory there is */
/* Types of sections. */
#define DEVICE_BINARY 0xff000005U
#define DEVICE_DEBUG 0xff000008U

struct program_head {
	uint32_t magic, version, device, pointer_bytes, kernels, stepping;
	uint32_t patch_bytes;
};

/* The name follows, then the code, other heaps, and patches. */
struct kernel_head {
	uint32_t checksum, hash[2], name_bytes, patch_bytes, code_bytes;
	uint32_t general_bytes, dynamic_bytes, surface_bytes, unpadded_bytes;
};

struct patch_head {
	uint32_t token, bytes; /* with this */
};

struct patch_local {
	uint32_t offset, bytes;
};

static const cl_icd_dispatch *next;

struct part {
	const uint8_t *at;
	size_t bytes;
};

/* What is known of one kernel. */
struct about {
	struct part code;
	uint32_t own_bytes; /* of local memory, for its own variables */
	struct vgt_lines lines;
};

static void *append(void *to, const void *from, size_t bytes)
{
	if (bytes)
		memcpy(to, from, bytes);
	return (uint8_t *)to + bytes;
}

static void kernel_send(const char *name, uint32_t name_bytes,
			const struct about *about)
{
	const struct vgt_lines *lines = &about->lines;
	size_t line_bytes = lines->count * sizeof(*lines->line);
	size_t local_bytes = lines->locals * sizeof(*lines->local);
	uint32_t len = strnlen(name, name_bytes);
	struct vgt_drm_note note = {
		.what = VGT_DRM_NOTE_KERNEL, .number = lines->count,
		.bytes = about->code.bytes, .locals = lines->locals,
		.offset = about->own_bytes,
	};
	size_t bytes = len + 1 + about->code.bytes + line_bytes + local_bytes +
		       lines->names_bytes;
	struct vgt_node_call call = {
		.number = VGT_DRM_NOTE,
		.argument = &note,
		.argument_bytes = sizeof(note),
		.extra_bytes = bytes,
	};
	uint8_t *extra, *at;

	if (bytes > VGT_DRM_EXTRA_MAX)
		return;
	call.extra = extra = malloc(bytes);
	if (!extra)
		return;
	at = append(extra, name, len);
	*at++ = 0;
	at = append(at, about->code.at, about->code.bytes);
	at = append(at, lines->line, line_bytes);
	at = append(at, lines->local, local_bytes);
	append(at, lines->names, lines->names_bytes);
	vgt_node_call(&call);
	free(extra);
}

static void kernel_look(const char *name, uint32_t name_bytes,
			struct about *about, const struct part *debug)
{
	struct vgt_lines lines;

	vgt_lines_init(&lines, debug->at, debug->bytes, name, name_bytes);
	/* Too many lines are better not known than the name. */
	if (lines.count <= VGT_DRM_EXTRA_MAX / 2 / sizeof(*lines.line))
		about->lines = lines;
	kernel_send(name, name_bytes, about);
	vgt_lines_fini(&lines);
}

static uint32_t own_bytes_find(struct part patches)
{
	struct patch_local local;
	struct patch_head head;

	while (patches.bytes >= sizeof(head)) {
		memcpy(&head, patches.at, sizeof(head));
		if (head.bytes < sizeof(head) || head.bytes > patches.bytes)
			break;
		if (head.token == PATCH_LOCAL &&
		    head.bytes >= sizeof(head) + sizeof(local)) {
			memcpy(&local, patches.at + sizeof(head),
			       sizeof(local));
			return local.bytes;
		}
		patches.at += head.bytes;
		patches.bytes -= head.bytes;
	}
	return 0;
}

/* Is it the kernel @wanted? NULL: all are. */
static bool is_wanted(const char *wanted, const char *name, uint32_t name_bytes)
{
	uint32_t len = strnlen(name, name_bytes);

	return !wanted || (strlen(wanted) == len && !memcmp(wanted, name, len));
}

/* Kernels of @part, as far as they make sense. */
static void kernels_look(struct part part, const struct part *debug,
			 uint32_t count, const char *wanted)
{
	struct kernel_head head;
	struct part patches;
	const char *name;
	uint64_t bytes;

	for (; count && part.bytes >= sizeof(head); count--) {
		struct about about = { 0 };

		memcpy(&head, part.at, sizeof(head));
		bytes = sizeof(head) + (uint64_t)head.name_bytes +
			head.code_bytes + head.general_bytes +
			head.dynamic_bytes + head.surface_bytes +
			head.patch_bytes;
		if (bytes > part.bytes || head.unpadded_bytes > head.code_bytes)
			return;
		name = (const char *)part.at + sizeof(head);
		about.code.at = part.at + sizeof(head) + head.name_bytes;
		about.code.bytes = head.unpadded_bytes;
		patches.at = part.at + bytes - head.patch_bytes;
		patches.bytes = head.patch_bytes;
		about.own_bytes = own_bytes_find(patches);
		if (is_wanted(wanted, name, head.name_bytes))
			kernel_look(name, head.name_bytes, &about, debug);
		part.at += bytes;
		part.bytes -= bytes;
	}
}

/* That of the type @type of an ELF; 0 bytes: there is none. */
static struct part section_find(const uint8_t *binary, size_t bytes,
				uint32_t type)
{
	struct part none = { binary, 0 };
	Elf64_Shdr section;
	Elf64_Ehdr elf;

	if (bytes < sizeof(elf))
		return none;
	memcpy(&elf, binary, sizeof(elf));
	for (uint32_t i = 0; i < elf.e_shnum; i++) {
		uint64_t at = i * sizeof(section);

		if (elf.e_shoff > bytes || at > bytes - elf.e_shoff ||
		    bytes - elf.e_shoff - at < sizeof(section))
			break;
		memcpy(&section, binary + elf.e_shoff + at, sizeof(section));
		if (section.sh_type == type && section.sh_offset <= bytes &&
		    section.sh_size <= bytes - section.sh_offset)
			return (struct part){ binary + section.sh_offset,
					      section.sh_size };
	}
	return none;
}

static void binary_look(const uint8_t *binary, size_t bytes, const char *wanted)
{
	struct part code = { binary, bytes }, debug = { binary, 0 };
	struct program_head head;

	if (bytes >= SELFMAG && !memcmp(binary, ELFMAG, SELFMAG)) {
		code = section_find(binary, bytes, DEVICE_BINARY);
		debug = section_find(binary, bytes, DEVICE_DEBUG);
	}
	if (code.bytes < sizeof(head))
		return;
	memcpy(&head, code.at, sizeof(head));
	code.at += sizeof(head);
	code.bytes -= sizeof(head);
	if (head.magic != MAGIC || head.patch_bytes > code.bytes)
		return;
	code.at += head.patch_bytes;
	code.bytes -= head.patch_bytes;
	kernels_look(code, &debug, head.kernels, wanted);
}

/* Programs for several devices have several binaries; there is one here. */
static void program_look(cl_program program, const char *wanted)
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
		binary_look(binary, bytes, wanted);
	free(binary);
}

static cl_kernel CL_API_CALL kernel_create(cl_program program, const char *name,
					   cl_int *status)
{
	cl_kernel kernel = next->clCreateKernel(program, name, status);

	if (kernel)
		program_look(program, name);
	return kernel;
}

static cl_int CL_API_CALL kernels_create(cl_program program, cl_uint count,
					 cl_kernel *kernels, cl_uint *count_ret)
{
	cl_int ret = next->clCreateKernelsInProgram(program, count, kernels,
						    count_ret);

	if (!ret)
		program_look(program, NULL);
	return ret;
}

void vgt_layer_kernels(const cl_icd_dispatch *target, cl_icd_dispatch *layer)
{
	next = target;
	layer->clCreateKernel = kernel_create;
	layer->clCreateKernelsInProgram = kernels_create;
}
