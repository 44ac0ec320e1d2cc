// SPDX-License-Identifier: GPL-2.0-only
/*
 * One table for all commands. The caller's struct may be older (shorter) or
 * newer (longer) than the module's: copy_struct_from_user() fills up with
 * zeroes, or refuses what the module does not know.
 */
#include "ioctl.h"

#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>

#include "attach.h"
#include "client.h"
#include "clock.h"
#include "event.h"
#include "file.h"
#include "gtdbg.h"
#include "interrupt.h"
#include "kernel.h"
#include "memory.h"
#include "module.h"
#include "place.h"
#include "program.h"
#include "register.h"
#include "session.h"
#include "slm.h"
#include "snapshot.h"
#include "thread.h"

#define IOCTL_SIZE_MAX 320

/* Exactly one or two of the handlers are there: by kind of descriptor. */
struct ioctl_entry {
	unsigned int cmd;
	unsigned int smallest; /* size in the first release of the command */
	bool explains; /* has fields that are written on failure as well */
	int (*control)(struct gtdbg_file *file, void *arg);
	int (*session)(struct gtdbg_session *session, void *arg);
};

#define IOCTL(name, first_size, ...)                                   \
	[_IOC_NR(name)] = { .cmd = name, .smallest = first_size, __VA_ARGS__ }

static const struct ioctl_entry ioctl_table[] = {
	IOCTL(GTDBG_IOC_INFO, 72, .control = gtdbg_ioctl_info,
	      .session = gtdbg_ioctl_session_info),
	IOCTL(GTDBG_IOC_CLIENT_REGISTER, 16,
	      .control = gtdbg_ioctl_client_register),
	IOCTL(GTDBG_IOC_MODULE_ADD, 64, .control = gtdbg_ioctl_module_add),
	IOCTL(GTDBG_IOC_MODULE_REMOVE, 8, .control = gtdbg_ioctl_module_remove),
	IOCTL(GTDBG_IOC_KERNEL_ADD, 64, .control = gtdbg_ioctl_kernel_add),
	IOCTL(GTDBG_IOC_KERNEL_REMOVE, 8, .control = gtdbg_ioctl_kernel_remove),
	IOCTL(GTDBG_IOC_CLIENT_WAIT, 16, .control = gtdbg_ioctl_client_wait),
	IOCTL(GTDBG_IOC_SESSION_ATTACH, 40, .explains = true,
	      .control = gtdbg_ioctl_session_attach),
	IOCTL(GTDBG_IOC_SESSION_STATS, 264,
	      .session = gtdbg_ioctl_session_stats),
	IOCTL(GTDBG_IOC_EVENT_MASK, 16, .session = gtdbg_ioctl_event_mask),
	IOCTL(GTDBG_IOC_EVENT_ACK, 16, .session = gtdbg_ioctl_event_ack),
	IOCTL(GTDBG_IOC_EVENT_SNAPSHOT, 24,
	      .session = gtdbg_ioctl_event_snapshot),
	IOCTL(GTDBG_IOC_DEVICE_CLOCK, 40, .session = gtdbg_ioctl_device_clock),
	IOCTL(GTDBG_IOC_BLOB_OPEN, 16, .session = gtdbg_ioctl_blob_open),
	IOCTL(GTDBG_IOC_THREAD_LIST, 24, .session = gtdbg_ioctl_thread_list),
	IOCTL(GTDBG_IOC_THREAD_INTERRUPT, 32, .explains = true,
	      .session = gtdbg_ioctl_thread_interrupt),
	IOCTL(GTDBG_IOC_THREAD_RESUME, 64,
	      .session = gtdbg_ioctl_thread_resume),
	IOCTL(GTDBG_IOC_REGISTER_LIST, 24,
	      .session = gtdbg_ioctl_register_list),
	IOCTL(GTDBG_IOC_REGISTER_READ, 48,
	      .session = gtdbg_ioctl_register_read),
	IOCTL(GTDBG_IOC_REGISTER_WRITE, 48,
	      .session = gtdbg_ioctl_register_write),
	IOCTL(GTDBG_IOC_MEMORY_OPEN, 16, .session = gtdbg_ioctl_memory_open),
	IOCTL(GTDBG_IOC_MEMORY_READ, 24, .session = gtdbg_ioctl_memory_read),
	IOCTL(GTDBG_IOC_MEMORY_WRITE, 24, .session = gtdbg_ioctl_memory_write),
	IOCTL(GTDBG_IOC_MEMORY_LIST, 32, .session = gtdbg_ioctl_memory_list),
	IOCTL(GTDBG_IOC_SLM_READ, 40, .session = gtdbg_ioctl_slm_read),
	IOCTL(GTDBG_IOC_SLM_WRITE, 40, .session = gtdbg_ioctl_slm_write),
	IOCTL(GTDBG_IOC_BREAKPOINT_SET, 32,
	      .session = gtdbg_ioctl_breakpoint_set),
	IOCTL(GTDBG_IOC_BREAKPOINT_SET_MANY, 16,
	      .session = gtdbg_ioctl_breakpoint_set_many),
	IOCTL(GTDBG_IOC_BREAKPOINT_CLEAR, 8,
	      .session = gtdbg_ioctl_breakpoint_clear),
	IOCTL(GTDBG_IOC_BREAKPOINT_CLEAR_MANY, 16,
	      .session = gtdbg_ioctl_breakpoint_clear_many),
	IOCTL(GTDBG_IOC_BREAKPOINT_PROGRAM, 48,
	      .session = gtdbg_ioctl_breakpoint_program),
};

static_assert(sizeof(struct gtdbg_info) == 72);
static_assert(sizeof(struct gtdbg_thread_record) == 128);
static_assert(offsetof(struct gtdbg_thread_record, value) == 32);
static_assert(sizeof(struct gtdbg_event_thread_record) == 24);
static_assert(sizeof(struct gtdbg_client_register) == 16);
static_assert(sizeof(struct gtdbg_module_add) == 64);
static_assert(offsetof(struct gtdbg_module_add, handle) == 8);
static_assert(sizeof(struct gtdbg_module_remove) == 8);
static_assert(sizeof(struct gtdbg_kernel_add) == 64);
static_assert(offsetof(struct gtdbg_kernel_add, name) == 16);
static_assert(sizeof(struct gtdbg_kernel_remove) == 8);
static_assert(sizeof(struct gtdbg_client_wait) == 16);
static_assert(sizeof(struct gtdbg_session_attach) == 40);
static_assert(offsetof(struct gtdbg_session_attach, event_mask) == 16);
static_assert(sizeof(struct gtdbg_session_stats) == 264);
static_assert(sizeof(struct gtdbg_event) == 32);
static_assert(sizeof(struct gtdbg_event_client_add) == 32);
static_assert(sizeof(struct gtdbg_event_device_add) == 72);
static_assert(offsetof(struct gtdbg_event_device_add, slice_mask) == 48);
static_assert(sizeof(struct gtdbg_event_device_lost) == 8);
static_assert(sizeof(struct gtdbg_event_context_add) == 40);
static_assert(offsetof(struct gtdbg_event_context_add, general_base) == 32);
static_assert(sizeof(struct gtdbg_event_context_remove) == 8);
static_assert(sizeof(struct gtdbg_event_module_add) == 32);
static_assert(sizeof(struct gtdbg_event_module_remove) == 8);
static_assert(sizeof(struct gtdbg_event_kernel_add) == 32);
static_assert(sizeof(struct gtdbg_event_kernel_remove) == 8);
static_assert(sizeof(struct gtdbg_event_kernel_load) == 24);
static_assert(sizeof(struct gtdbg_event_kernel_submit) == 64);
static_assert(offsetof(struct gtdbg_event_kernel_submit, address) == 24);
static_assert(sizeof(struct gtdbg_thread_info) == 72);
static_assert(offsetof(struct gtdbg_thread_info, generation) == 32);
static_assert(sizeof(struct gtdbg_event_thread_stop) == 72);
static_assert(sizeof(struct gtdbg_event_thread_unavailable) == 72);
static_assert(sizeof(struct gtdbg_stop_verdict) == 4248);
static_assert(offsetof(struct gtdbg_stop_verdict, grf) == 152);
static_assert(sizeof(struct gtdbg_watch_stamp) == 40);
static_assert(sizeof(struct gtdbg_watch_launch) == 160);
static_assert(offsetof(struct gtdbg_watch_launch, name) == 96);
static_assert(sizeof(struct gtdbg_watch_switch) == 56);
static_assert(sizeof(struct gtdbg_event_page_fault) == 24);
static_assert(sizeof(struct gtdbg_event_overflow) == 8);
static_assert(sizeof(struct gtdbg_event_exit) == 8);
static_assert(sizeof(struct gtdbg_event_mask) == 16);
static_assert(sizeof(struct gtdbg_event_ack) == 16);
static_assert(sizeof(struct gtdbg_event_snapshot) == 24);
static_assert(sizeof(struct gtdbg_device_clock) == 40);
static_assert(sizeof(struct gtdbg_blob_open) == 16);
static_assert(sizeof(struct gtdbg_thread_list) == 24);
static_assert(sizeof(struct gtdbg_thread_interrupt) == 32);
static_assert(sizeof(struct gtdbg_thread_resume) == 104);
static_assert(sizeof(struct gtdbg_register_set) == 16);
static_assert(sizeof(struct gtdbg_register_list) == 24);
static_assert(sizeof(struct gtdbg_register_access) == 48);
static_assert(sizeof(struct gtdbg_memory_open) == 16);
static_assert(sizeof(struct gtdbg_memory_range) == 32);
static_assert(sizeof(struct gtdbg_memory_access) == 24);
static_assert(sizeof(struct gtdbg_memory_mapping) == 24);
static_assert(sizeof(struct gtdbg_memory_list) == 32);
static_assert(sizeof(struct gtdbg_slm_access) == 40);
static_assert(sizeof(struct gtdbg_breakpoint_set) == 32);
static_assert(sizeof(struct gtdbg_breakpoint_place) == 32);
static_assert(sizeof(struct gtdbg_breakpoint_set_many) == 16);
static_assert(sizeof(struct gtdbg_breakpoint_clear) == 8);
static_assert(sizeof(struct gtdbg_breakpoint_clear_many) == 16);
static_assert(sizeof(struct gtdbg_breakpoint_program) == 48);
static_assert(offsetof(struct gtdbg_breakpoint_program, ignored) == 40);

/* Whose descriptor it is; one of them is not NULL. */
struct ioctl_owner {
	struct gtdbg_file *file;
	struct gtdbg_session *session;
};

static const struct ioctl_entry *ioctl_find(unsigned int cmd)
{
	unsigned int nr = _IOC_NR(cmd);
	const struct ioctl_entry *entry;

	if (_IOC_TYPE(cmd) != GTDBG_IOC_TYPE || nr >= ARRAY_SIZE(ioctl_table))
		return NULL;
	entry = &ioctl_table[array_index_nospec(nr, ARRAY_SIZE(ioctl_table))];
	if (!entry->cmd || _IOC_DIR(entry->cmd) != _IOC_DIR(cmd))
		return NULL;
	return entry;
}

static bool ioctl_applies(const struct ioctl_entry *entry,
			  const struct ioctl_owner *owner)
{
	return (owner->file && entry->control) ||
	       (owner->session && entry->session);
}

static int ioctl_call(const struct ioctl_entry *entry,
		      const struct ioctl_owner *owner, void *arg)
{
	if (owner->file)
		return entry->control(owner->file, arg);
	return entry->session(owner->session, arg);
}

static int ioctl_copy_in(const struct ioctl_entry *entry, void *arg,
			 unsigned int size, void __user *user)
{
	if (size < entry->smallest)
		return -EINVAL;
	return copy_struct_from_user(arg, _IOC_SIZE(entry->cmd), user, size);
}

static int ioctl_copy_out(const struct ioctl_entry *entry, const void *arg,
			  unsigned int size, void __user *user)
{
	if (!(_IOC_DIR(entry->cmd) & _IOC_READ))
		return 0;
	size = min(size, _IOC_SIZE(entry->cmd));
	return copy_to_user(user, arg, size) ? -EFAULT : 0;
}

static long ioctl_run(const struct ioctl_owner *owner, unsigned int cmd,
		      void __user *user)
{
	const struct ioctl_entry *entry = ioctl_find(cmd);
	u64 arg[IOCTL_SIZE_MAX / sizeof(u64)];
	int ret, err;

	if (!entry || !ioctl_applies(entry, owner))
		return -ENOTTY;
	if (WARN_ON_ONCE(_IOC_SIZE(entry->cmd) > sizeof(arg)))
		return -ENOTTY;
	ret = ioctl_copy_in(entry, arg, _IOC_SIZE(cmd), user);
	if (ret)
		return ret;
	ret = ioctl_call(entry, owner, arg);
	if (ret < 0 && !entry->explains)
		return ret;
	/* What was created is returned, so that it is never lost here. */
	err = ioctl_copy_out(entry, arg, _IOC_SIZE(cmd), user);
	return ret ?: err;
}

long gtdbg_ioctl_control(struct gtdbg_file *file, unsigned int cmd,
			 void __user *arg)
{
	struct ioctl_owner owner = { .file = file };

	return ioctl_run(&owner, cmd, arg);
}

long gtdbg_ioctl_session(struct gtdbg_session *session, unsigned int cmd,
			 void __user *arg)
{
	struct ioctl_owner owner = { .session = session };

	return ioctl_run(&owner, cmd, arg);
}
