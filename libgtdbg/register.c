// SPDX-License-Identifier: MIT
/*
 * Registers of stopped threads. The generation of the stop goes with each
 * access, so that registers of a later stop of the same thread are never taken
 * for those of this one.
 */
#include "session.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	uint32_t set;
	bool is_one;	/* register, which needs no number */
} set_names[] = {
	{ "r", GTDBG_REGISTER_GRF, false },
	{ "a", GTDBG_REGISTER_ADDR, false },
	{ "f", GTDBG_REGISTER_FLAG, false },
	{ "emask", GTDBG_REGISTER_EMASK, true },
	{ "sr", GTDBG_REGISTER_SR, false },
	{ "cr", GTDBG_REGISTER_CR, true },
	{ "n", GTDBG_REGISTER_N, false },
	{ "tdr", GTDBG_REGISTER_TDR, true },
	{ "acc", GTDBG_REGISTER_ACC, false },
	{ "mme", GTDBG_REGISTER_MME, false },
	{ "ce", GTDBG_REGISTER_CE, true },
	{ "sp", GTDBG_REGISTER_SP, true },
	{ "tm", GTDBG_REGISTER_TM, false },
	{ "fc", GTDBG_REGISTER_FC, false },
	{ "dbg", GTDBG_REGISTER_DBG, true },
	{ "identity", GTDBG_REGISTER_IDENTITY, true },
};

const char *gtdbg_register_set_name(uint32_t set)
{
	size_t i;

	for (i = 0; i < sizeof(set_names) / sizeof(set_names[0]); i++) {
		if (set_names[i].set == set)
			return set_names[i].name;
	}
	return NULL;
}

int gtdbg_register_find_name(const char *name,
			     struct gtdbg_register_name *out)
{
	size_t len = 0, i;
	unsigned long index = 0;
	char *end;

	while (isalpha((unsigned char)name[len]))
		len++;
	end = (char *)name + len;
	/* Blanks and signs are not of a number here. */
	if (isdigit((unsigned char)name[len]))
		index = strtoul(name + len, &end, 10);
	if (*end || index > UINT16_MAX)
		return -ENOENT;
	for (i = 0; i < sizeof(set_names) / sizeof(set_names[0]); i++) {
		if (strlen(set_names[i].name) != len ||
		    strncmp(set_names[i].name, name, len) != 0 ||
		    (end == name + len && !set_names[i].is_one))
			continue;
		out->set = set_names[i].set;
		out->index = index;
		return 0;
	}
	return -ENOENT;
}

int gtdbg_register_list(struct gtdbg_session *session, uint32_t device,
			uint32_t context, struct gtdbg_register_set *sets,
			size_t capacity)
{
	struct gtdbg_register_list list = {
		.device = device, .context = context,
		.sets = (uintptr_t)sets, .count = capacity,
	};

	return gtdbg_session_call(session, GTDBG_IOC_REGISTER_LIST, &list);
}

static void access_fill(struct gtdbg_register_access *access,
			const struct gtdbg_thread_info *thread, uint32_t set,
			uint32_t first, uint32_t count, const void *buf,
			size_t len_bytes)
{
	memset(access, 0, sizeof(*access));
	access->device = thread->device;
	access->slot = thread->slot;
	access->generation = thread->generation;
	access->set = set;
	access->first = first;
	access->count = count;
	access->buf = (uintptr_t)buf;
	access->len_bytes = len_bytes;
}

int gtdbg_register_read(struct gtdbg_session *session,
			const struct gtdbg_thread_info *thread, uint32_t set,
			uint32_t first, uint32_t count, void *buf,
			size_t len_bytes)
{
	struct gtdbg_register_access access;

	access_fill(&access, thread, set, first, count, buf, len_bytes);
	return gtdbg_session_call(session, GTDBG_IOC_REGISTER_READ, &access);
}

int gtdbg_register_write(struct gtdbg_session *session,
			 const struct gtdbg_thread_info *thread, uint32_t set,
			 uint32_t first, uint32_t count, const void *buf,
			 size_t len_bytes)
{
	struct gtdbg_register_access access;

	access_fill(&access, thread, set, first, count, buf, len_bytes);
	return gtdbg_session_call(session, GTDBG_IOC_REGISTER_WRITE, &access);
}
