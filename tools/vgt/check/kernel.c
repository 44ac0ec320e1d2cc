// SPDX-License-Identifier: MIT
#include "check/kernel.h"

#include "check/table.h"
#include "eu/eu.h"
#include "eu/handler.h"
#include "gt/device.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a program may say. */
#define KERNELS_BYTES_MAX (256ULL << 20)
/* What kernels have in common at their beginnings. */
#define CODE_ALIKE 64
#define CODE_COMPACTED (1U << 29)

void vgt_check_name_copy(char *to, const char *name)
{
	for (; *name; name++)
		*to++ = isalnum((unsigned char)*name) || *name == '_' ||
			*name == '$' || *name == '.' ? *name : '?';
	*to = 0;
}

static void names_copy(char *to, const char *names, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		unsigned char c = names[i];

		to[i] = !c || (c > ' ' && c < 0x7f && c != '"' && c != '\\') ?
			c : '?';
	}
}

static struct vgt_check_kernel *
kernel_create(const struct vgt_check_source *source)
{
	size_t line_bytes = source->lines * sizeof(struct vgt_check_line);
	size_t local_bytes = source->locals * sizeof(struct vgt_check_local);
	size_t name_bytes = strlen(source->name) + 1;
	size_t table_bytes = line_bytes + local_bytes;
	size_t bytes = table_bytes + source->code_bytes + name_bytes +
		       source->names_bytes;
	struct vgt_check_kernel *kernel = malloc(sizeof(*kernel) + bytes);
	uint8_t *at;

	if (!kernel)
		return NULL;
	at = kernel->data;
	*kernel = (struct vgt_check_kernel){
		.bytes = bytes, .line = (struct vgt_check_line *)at,
		.local = (struct vgt_check_local *)(at + line_bytes),
		.code = at + table_bytes,
		.name = (char *)at + table_bytes + source->code_bytes,
		.names = (char *)at + bytes - source->names_bytes,
		.lines = source->lines, .locals = source->locals,
		.code_bytes = source->code_bytes,
		.names_bytes = source->names_bytes,
		.own_bytes = source->own_bytes,
	};
	memcpy(at, source->line, line_bytes);
	memcpy(at + line_bytes, source->local, local_bytes);
	memcpy(at + table_bytes, source->code, source->code_bytes);
	vgt_check_name_copy((char *)at + table_bytes + source->code_bytes,
			    source->name);
	names_copy((char *)at + bytes - source->names_bytes, source->names,
		   source->names_bytes);
	return kernel;
}

/* Programs say a kernel each time that they make it. */
static bool is_known_locked(const struct vgt_check *check,
			    const struct vgt_check_kernel *kernel)
{
	const struct vgt_check_kernel *other = check->kernels;

	while (other && (other->bytes != kernel->bytes ||
			 other->lines != kernel->lines ||
			 other->locals != kernel->locals ||
			 other->own_bytes != kernel->own_bytes ||
			 other->code_bytes != kernel->code_bytes ||
			 memcmp(other->data, kernel->data, kernel->bytes)))
		other = other->next;
	return other;
}

int vgt_check_kernel_add(struct vgt_check *check,
			 const struct vgt_check_source *source)
{
	struct vgt_check_kernel *kernel;
	int ret = 0;

	if (!check)
		return 0;
	if (source->names_bytes && source->names[source->names_bytes - 1])
		return -EINVAL;
	kernel = kernel_create(source);
	if (!kernel)
		return -ENOMEM;
	pthread_mutex_lock(&check->lock);
	if (check->kernels_bytes + kernel->bytes > KERNELS_BYTES_MAX)
		ret = -ENOSPC;
	if (ret || is_known_locked(check, kernel)) {
		free(kernel);
	} else {
		check->kernels_bytes += kernel->bytes;
		kernel->next = check->kernels;
		check->kernels = kernel;
	}
	pthread_mutex_unlock(&check->lock);
	return ret;
}

/* Of an instruction's first dword, what a debugger sets for a breakpoint. */
static uint32_t break_bit(uint32_t dword0)
{
	return dword0 & CODE_COMPACTED ? 1U << 7 : 1U << 30;
}

/* How many bytes at @va are those of @kernel, from its first one on. */
static size_t alike(struct vgt_worker *worker, uint64_t va,
		    const struct vgt_check_kernel *kernel)
{
	size_t at, instruction = 0;
	const uint8_t *host = NULL;
	uint32_t code, differs;

	for (at = 0; at + 4 <= kernel->code_bytes && !(va % 4); at += 4) {
		if (!at || !((va + at) % VGT_PAGE_BYTES))
			host = vgt_tlb_host(&worker->tlb, va + at,
					    VGT_ACCESS_READ);
		else
			host += 4;
		if (!host)
			break;
		code = vgt_load32(kernel->code + at);
		differs = code ^ vgt_load32(host);
		if (at == instruction) {
			instruction += code & CODE_COMPACTED ? 8 : 16;
			differs &= ~break_bit(code);
		}
		if (differs)
			break;
	}
	return at;
}

const struct vgt_check_kernel *vgt_check_kernel_find(struct vgt_worker *worker,
						     uint64_t va)
{
	struct vgt_check *check = worker->device->check;
	const struct vgt_check_kernel *kernel, *best = NULL;
	size_t most = CODE_ALIKE, n;

	pthread_mutex_lock(&check->lock);
	for (kernel = check->kernels; kernel; kernel = kernel->next) {
		n = alike(worker, va, kernel);
		if (n <= most && n < kernel->code_bytes)
			continue;
		if (n > most || !best)
			best = kernel;
		most = n > most ? n : most;
	}
	pthread_mutex_unlock(&check->lock);
	return best;
}

uint32_t vgt_check_kernel_line(const struct vgt_check_kernel *kernel,
			       uint32_t offset, const char **file_out)
{
	const struct vgt_check_line *line, *best = NULL;

	*file_out = "";
	for (uint32_t i = 0; kernel && i < kernel->lines; i++) {
		line = &kernel->line[i];
		if (line->offset <= offset &&
		    (!best || line->offset >= best->offset))
			best = line;
	}
	if (best && best->file < kernel->names_bytes)
		*file_out = kernel->names + best->file;
	return best ? best->line : 0;
}

const char *vgt_check_kernel_local(const struct vgt_check_kernel *kernel,
				   uint64_t offset)
{
	const struct vgt_check_local *local;

	for (uint32_t i = 0; kernel && i < kernel->locals; i++) {
		local = &kernel->local[i];
		if (offset >= local->offset &&
		    offset - local->offset < local->bytes &&
		    local->name < kernel->names_bytes)
			return kernel->names + local->name;
	}
	return NULL;
}
