// SPDX-License-Identifier: MIT
/*
 * A stopped thread as the symbol reader sees it. The register file is read
 * once: it does not change while the thread stands.
 */
#include "session.h"

#include "gtdbg_symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define GRF_COUNT	128
#define FILE_BYTES	(GRF_COUNT * GTDBG_GRF_BYTES)

/* Tags in the top byte of an address, and what follows them. */
#define TAG_SHIFT	56
#define TAG_SCRATCH	0x09
#define TAG_LOCAL	0x0a
#define TAG_OFFSET_MASK	0xffffffffull
#define GENERIC_SHIFT	61
#define GENERIC_LOCAL	2
#define LOCAL_OFFSET_MASK	0xfffffffull	/* bit 28 keeps it from being NULL */
#define SCRATCH_DWORD	5	/* r0.5: offset of the thread's scratch */
#define SCRATCH_MASK	0xfffffc00u

struct gtdbg_stop {
	struct gtdbg_session *session;
	struct gtdbg_thread_info thread;
	struct gtdbg_machine machine;
	uint64_t general_base;
	uint8_t file[FILE_BYTES];
};

static int stop_register_read(void *context, uint32_t offset_bytes, void *buf,
			      size_t len_bytes)
{
	struct gtdbg_stop *stop = context;

	if (offset_bytes > FILE_BYTES || len_bytes > FILE_BYTES - offset_bytes)
		return -ERANGE;
	memcpy(buf, stop->file + offset_bytes, len_bytes);
	return 0;
}

/* Where an address of the thread leads, by its tag. */
struct place {
	bool is_local;
	uint64_t address;	/* or the offset in local memory */
};

/* A pointer that can point anywhere has its tag in the three highest bits. */
static bool is_local(uint64_t address)
{
	return address >> TAG_SHIFT == TAG_LOCAL ||
	       address >> GENERIC_SHIFT == GENERIC_LOCAL;
}

/* Scratch is addressed from the general state base. */
static int place_find(const struct gtdbg_stop *stop, uint64_t address,
		      struct place *out)
{
	uint32_t scratch;

	out->is_local = is_local(address);
	out->address = address;
	if (out->is_local)
		out->address &= LOCAL_OFFSET_MASK;
	if (address >> TAG_SHIFT != TAG_SCRATCH)
		return 0;
	if (!stop->general_base)
		return -EFAULT;
	memcpy(&scratch, stop->file + 4 * SCRATCH_DWORD, sizeof(scratch));
	out->address = stop->general_base + (scratch & SCRATCH_MASK) +
		       (address & TAG_OFFSET_MASK);
	return 0;
}

/* The number of bytes copied was @ret, or it is an error. */
static int whole(int ret, size_t len_bytes)
{
	if (ret < 0)
		return ret;
	return (size_t)ret == len_bytes ? 0 : -EFAULT;
}

static int stop_memory_read(void *context, uint64_t address, void *buf,
			    size_t len_bytes)
{
	struct gtdbg_stop *stop = context;
	struct place place;
	int ret = place_find(stop, address, &place);

	if (ret)
		return ret;
	if (place.is_local)
		ret = gtdbg_slm_read(stop->session, &stop->thread,
				     place.address, buf, len_bytes);
	else
		ret = gtdbg_memory_read(stop->session, stop->thread.device,
					stop->thread.context, place.address,
					buf, len_bytes);
	return whole(ret, len_bytes);
}

int gtdbg_stop_create(struct gtdbg_session *session,
		      const struct gtdbg_thread_info *thread,
		      struct gtdbg_stop **out)
{
	struct gtdbg_stop *stop = calloc(1, sizeof(*stop));
	int ret;

	if (!stop)
		return -ENOMEM;
	stop->session = session;
	stop->thread = *thread;
	stop->general_base = gtdbg_session_general_base(session,
							thread->device,
							thread->context);
	stop->machine.context = stop;
	stop->machine.register_read = stop_register_read;
	stop->machine.memory_read = stop_memory_read;
	ret = gtdbg_register_read(session, thread, GTDBG_REGISTER_GRF, 0,
				  GRF_COUNT, stop->file, sizeof(stop->file));
	if (ret < 0) {
		free(stop);
		return ret;
	}
	*out = stop;
	return 0;
}

void gtdbg_stop_destroy(struct gtdbg_stop *stop)
{
	free(stop);
}

const struct gtdbg_machine *gtdbg_stop_machine(struct gtdbg_stop *stop)
{
	return &stop->machine;
}

int gtdbg_stop_register_write(struct gtdbg_stop *stop, uint32_t offset_bytes,
			      const void *buf, size_t len_bytes)
{
	uint32_t first = offset_bytes / GTDBG_GRF_BYTES;
	uint8_t registers[FILE_BYTES];
	uint32_t count;
	int ret;

	if (!len_bytes || offset_bytes > FILE_BYTES ||
	    len_bytes > FILE_BYTES - offset_bytes)
		return -ERANGE;
	count = (offset_bytes + len_bytes - 1) / GTDBG_GRF_BYTES - first + 1;
	memcpy(registers, stop->file + first * GTDBG_GRF_BYTES,
	       count * GTDBG_GRF_BYTES);
	memcpy(registers + offset_bytes % GTDBG_GRF_BYTES, buf, len_bytes);
	ret = gtdbg_register_write(stop->session, &stop->thread,
				   GTDBG_REGISTER_GRF, first, count, registers,
				   count * GTDBG_GRF_BYTES);
	if (ret < 0)
		return ret;
	memcpy(stop->file + offset_bytes, buf, len_bytes);
	return 0;
}

int gtdbg_stop_memory_write(struct gtdbg_stop *stop, uint64_t address,
			    const void *buf, size_t len_bytes)
{
	struct place place;
	int ret = place_find(stop, address, &place);

	if (ret)
		return ret;
	if (place.is_local)
		ret = gtdbg_slm_write(stop->session, &stop->thread,
				      place.address, buf, len_bytes);
	else
		ret = gtdbg_memory_write(stop->session, stop->thread.device,
					 stop->thread.context, place.address,
					 buf, len_bytes);
	return whole(ret, len_bytes);
}
