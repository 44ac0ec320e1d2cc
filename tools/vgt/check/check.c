// SPDX-License-Identifier: MIT
#include "check/check.h"

#include "check/access.h"
#include "check/bounds.h"
#include "check/races.h"
#include "check/report.h"
#include "check/uninit.h"
#include "check/writes.h"
#include "eu/eu.h"
#include "gt/device.h"

#include <string.h>

uint32_t vgt_check_mode;

static const struct {
	const char *name;
	uint32_t mode;
} names[] = {
	{ "bounds", VGT_CHECK_BOUNDS },
	{ "races", VGT_CHECK_RACES },
	{ "uninit", VGT_CHECK_UNINIT },
	{ "writes", VGT_CHECK_WRITES },
};

static bool name_find(const char *name, size_t len, uint32_t *mode)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) != len ||
		    strncmp(names[i].name, name, len))
			continue;
		*mode |= names[i].mode;
		return true;
	}
	return false;
}

bool vgt_check_parse(const char *list, uint32_t *mode_out)
{
	uint32_t mode = 0;
	size_t len;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		if (!name_find(list, len, &mode))
			return false;
		if (!list[len])
			break;
	}
	*mode_out = mode;
	return true;
}

int vgt_check_start(uint32_t mode, const char *path)
{
	int ret = mode && path ? vgt_check_report_open(path) : 0;

	vgt_check_mode = ret ? 0 : mode;
	return ret;
}

void vgt_check_message(struct vgt_eu_thread *thread,
		       const struct vgt_inst *inst,
		       const struct vgt_message *message)
{
	struct vgt_check_access access;

	/* What the system routine does is the debugger's matter. */
	if (thread->in_sip || !thread->worker->device->check)
		return;
	if (vgt_check_mode & VGT_CHECK_RACES &&
	    vgt_check_is_fence(message))
		vgt_check_races_fence(thread);
	if (!vgt_check_access_get(thread, message, &access))
		return;
	if (vgt_check_mode & VGT_CHECK_BOUNDS)
		vgt_check_bounds(thread, inst, message, &access);
	if (vgt_check_mode & VGT_CHECK_RACES)
		vgt_check_races(thread, inst, message, &access);
	if (vgt_check_mode & VGT_CHECK_UNINIT)
		vgt_check_uninit(thread, inst, message, &access);
	if (vgt_check_mode & VGT_CHECK_WRITES)
		vgt_check_writes(thread, inst, &access);
}

void vgt_check_message_done(struct vgt_eu_thread *thread,
			    const struct vgt_message *message)
{
	if (vgt_check_mode & VGT_CHECK_RACES && !thread->in_sip &&
	    thread->worker->device->check && vgt_check_is_atomic(message))
		vgt_check_races_atomic(thread);
}
