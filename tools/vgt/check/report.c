// SPDX-License-Identifier: MIT
/*
 * A place is an instruction of a kernel, and what was wrong there. Places that were
 * printed stand in a table of the device, which only grows: looking into it takes no lock,
 * so that a kernel that does wrong in each of its work-items is not held up. Kernels that
 * are gone leave their addresses to others. Which one is there is asked only where something was
 * found at the address before, which is in the table as well.
 */
#include "check/report.h"

#include "check/access.h"
#include "check/check.h"
#include "check/kernel.h"
#include "check/table.h"
#include "eu/eu.h"
#include "eu/inst.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SLOTS VGT_CHECK_SLOTS
#define PLACES (SLOTS / 4) /* each takes up to two */
#define NAME_BYTES 128
/* Of a file's name as much as is printed; and with offset and line. */
#define FILE_BYTES 200
#define PLACE_BYTES (FILE_BYTES + 60)
/* Of names, with what is between them. */
#define VARIABLES_BYTES (VGT_CHECK_ARGUMENTS * (VGT_CHECK_ARGUMENT_BYTES + 5))

static int output = -1;
static atomic_flag failed = ATOMIC_FLAG_INIT;

/* What is wrong, as a word. */
static const char *check_name(uint32_t check)
{
	switch (check) {
	case VGT_CHECK_RACES:
		return "races";
	case VGT_CHECK_UNINIT:
		return "uninit";
	default:
		return "bounds";
	}
}

int vgt_check_report_open(const char *path)
{
	output = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	return output < 0 ? -errno : 0;
}

void vgt_check_report_lines(const char *lines, size_t len)
{
	ssize_t n;

	if (output < 0 || !len)
		return;
	do {
		n = write(output, lines, len);
	} while (n < 0 && errno == EINTR);
	if (n == (ssize_t)len || atomic_flag_test_and_set(&failed))
		return;
	fprintf(stderr, "vgt: what is found is lost in parts: %s\n",
		n < 0 ? strerror(errno) : "a write was short");
}

/* Never 0. */
static uint64_t place_key(uint32_t check, const struct vgt_eu_thread *thread,
			  uint32_t ip)
{
	uint64_t va = thread->group->walker->state.instruction_base + ip;

	return va << 16 | check;
}

/* The slot that has @key, or would have it; NULL: there is no room. */
static _Atomic uint64_t *slot_find(const struct vgt_eu_thread *thread,
				   uint64_t key)
{
	struct vgt_check *check = thread->worker->device->check;
	uint64_t at = key * 0x9e3779b97f4a7c15ULL >> 40;

	for (uint32_t i = 0; i < SLOTS; i++) {
		_Atomic uint64_t *slot = &check->place[(at + i) % SLOTS];
		uint64_t value = atomic_load_explicit(slot,
						      memory_order_relaxed);

		if (!value || value == key)
			return slot;
	}
	return NULL;
}

static bool is_taken(const struct vgt_eu_thread *thread, uint64_t key)
{
	_Atomic uint64_t *slot = slot_find(thread, key);

	/* It may be another one's by now. */
	return !slot || atomic_load(slot) == key;
}

/* False: another thread was faster, or there is no room. */
static bool key_take(const struct vgt_eu_thread *thread, uint64_t key)
{
	_Atomic uint64_t *slot;
	uint64_t none;

	do {
		slot = slot_find(thread, key);
		if (!slot || atomic_load(slot) == key)
			return false;
		none = 0;
	} while (!atomic_compare_exchange_strong(slot, &none, key));
	return true;
}

/* Of the address @key, as one of the kernel that @thread runs. */
static uint64_t kernel_key(const struct vgt_eu_thread *thread, uint64_t key)
{
	static _Thread_local const struct vgt_check_kernel *kernel;
	static _Thread_local uint64_t launch;
	const struct vgt_walker *walker = thread->group->walker;

	if (launch != walker->serial)
		kernel = vgt_check_kernel_find(thread->worker,
					       walker->state.instruction_base +
					       walker->kernel);
	launch = walker->serial;
	return key ^ ((uintptr_t)kernel + 1) * 0x9e3779b97f4a7c15ULL;
}

bool vgt_check_report_wanted(uint32_t check,
			     const struct vgt_eu_thread *thread, uint32_t ip)
{
	uint64_t key = place_key(check, thread, ip);

	return !is_taken(thread, key) ||
	       !is_taken(thread, kernel_key(thread, key));
}

/* False: another thread was faster, or there are too many. */
static bool place_take(const struct vgt_eu_thread *thread, uint64_t key)
{
	struct vgt_check *check = thread->worker->device->check;

	if (atomic_load(&check->places) >= PLACES) {
		if (!atomic_exchange(&check->places_full, true))
			fprintf(stderr, "vgtd: device %u: of more than %u places nothing is said\n",
				thread->worker->device->number, PLACES);
		return false;
	}
	if (!key_take(thread, kernel_key(thread, key)))
		return false;
	key_take(thread, key);
	atomic_fetch_add(&check->places, 1);
	return true;
}

void vgt_check_report_init(struct vgt_check_report *report, uint32_t check,
			   struct vgt_eu_thread *thread,
			   const struct vgt_inst *inst,
			   const struct vgt_check_access *access, uint32_t lane)
{
	*report = (struct vgt_check_report){
		.check = check, .ip = inst->ip,
		.access = access->atomic ? "atomic operation" :
			  access->write ? "write" : "read",
		.bytes = access->layout.element_bytes,
	};
	vgt_check_item_init(&report->item, thread, inst, access, lane);
}

/* Nothing, or names with a space before them. */
static void variables_text(const struct vgt_check_report *report,
			   char *out, size_t room)
{
	int n = 0;

	*out = 0;
	for (uint32_t i = 0; i < report->variables; i++)
		n += snprintf(out + n, room - n, "%s%s", i ? " or " : " (",
			      report->variable[i]);
	if (n)
		snprintf(out + n, room - n, ")");
}

static int memory_text(const struct vgt_check_report *report, char *out,
		       size_t room)
{
	static const char *const names[] = {
		[VGT_CHECK_BUFFER] = "buffer", [VGT_CHECK_SVM] = "SVM allocation",
		[VGT_CHECK_SURFACE] = "surface",
	};
	char variables[VARIABLES_BYTES];

	variables_text(report, variables, sizeof(variables));
	switch (report->memory) {
	case VGT_CHECK_NOWHERE:
		return snprintf(out, room, "0x%" PRIx64 ", where nothing is",
				(uint64_t)report->offset);
	case VGT_CHECK_NULL:
		return snprintf(out, room, "offset %" PRId64
				" of an argument that is NULL", report->offset);
	case VGT_CHECK_LOCAL:
		return snprintf(out, room, "offset %" PRId64
				" of local memory%s, of which the group has %"
				PRIu64 " bytes", report->offset, variables,
				report->whole_bytes);
	default:
		return snprintf(out, room, "offset %" PRId64
				" of %s %u%s, which has %" PRIu64 " bytes",
				report->offset, names[report->memory],
				report->number, variables,
				report->whole_bytes);
	}
}

static int item_text(const struct vgt_check_item *item, char *out, size_t room)
{
	int n = 0;

	if (item->known) {
		n = snprintf(out, room, "work-item ");
		if (item->global_known)
			n += snprintf(out + n, room - n, "(%u,%u,%u), ",
				      item->global[0], item->global[1],
				      item->global[2]);
		return n + snprintf(out + n, room - n,
				    "(%u,%u,%u) in group (%u,%u,%u)",
				    item->local[0], item->local[1],
				    item->local[2], item->group[0],
				    item->group[1], item->group[2]);
	}
	if (!item->all)
		n = snprintf(out, room, "lane %u of ", item->lane);
	return n + snprintf(out + n, room - n, "thread %u of group (%u,%u,%u)",
			    item->thread, item->group[0], item->group[1],
			    item->group[2]);
}

/* An instruction as its offset in the kernel, with its line if that is known. */
static int place_text(const struct vgt_check_report *report,
		      const struct vgt_walker *walker, uint32_t ip, char *out,
		      size_t room)
{
	uint32_t offset = ip - (uint32_t)walker->kernel;
	const char *file;
	uint32_t line = vgt_check_kernel_line(report->kernel, offset, &file);

	if (!line)
		return snprintf(out, room, "+0x%x", offset);
	if (!*file)
		return snprintf(out, room, "+0x%x (line %u)", offset, line);
	return snprintf(out, room, "+0x%x (%.*s:%u)", offset, FILE_BYTES, file,
			line);
}

/* With the other party, if there is one. */
static void items_text(const struct vgt_check_report *report,
		       const struct vgt_walker *walker, char *out, size_t room)
{
	int n = item_text(&report->item, out, room);

	if (!report->other_access)
		return;
	n += snprintf(out + n, room - n, "; races with the %s at ",
		      report->other_access);
	n += place_text(report, walker, report->other_ip, out + n, room - n);
	n += snprintf(out + n, room - n, " of ");
	item_text(&report->other, out + n, room - n);
}

static void text_print(const struct vgt_check_report *report,
		       const struct vgt_walker *walker, const char *kernel)
{
	char where[PLACE_BYTES], memory[160 + VARIABLES_BYTES];
	char items[400 + PLACE_BYTES];
	char line[800 + 2 * PLACE_BYTES + VARIABLES_BYTES];
	int n;

	place_text(report, walker, report->ip, where, sizeof(where));
	memory_text(report, memory, sizeof(memory));
	items_text(report, walker, items, sizeof(items));
	n = snprintf(line, sizeof(line), "vgt: %s: kernel %s%s: %s of %u bytes at %s; %s\n",
		     check_name(report->check), kernel, where, report->access,
		     report->bytes, memory, items);
	/* One write, so that lines of several threads do not mix. */
	if (n > 0 && write(STDERR_FILENO, line, n) < 0)
		return;
}

static int item_json(const struct vgt_check_item *item, char *out, size_t room)
{
	int n = snprintf(out, room, "\"group\":[%u,%u,%u],\"thread\":%u",
			 item->group[0], item->group[1], item->group[2],
			 item->thread);

	if (!item->all)
		n += snprintf(out + n, room - n, ",\"lane\":%u", item->lane);
	if (item->known)
		n += snprintf(out + n, room - n, ",\"local\":[%u,%u,%u]",
			      item->local[0], item->local[1], item->local[2]);
	if (item->known && item->global_known)
		n += snprintf(out + n, room - n, ",\"global\":[%u,%u,%u]",
			      item->global[0], item->global[1],
			      item->global[2]);
	return n;
}

/* Nothing, or a member with a comma before it. */
static int variables_json(const struct vgt_check_report *report, char *out,
			  size_t room)
{
	int n = 0;

	for (uint32_t i = 0; i < report->variables; i++)
		n += snprintf(out + n, room - n, "%s\"%s\"",
			      i ? "," : ",\"variables\":[", report->variable[i]);
	if (n)
		n += snprintf(out + n, room - n, "]");
	return n;
}

static int memory_json(const struct vgt_check_report *report, char *out,
		       size_t room)
{
	static const char *const names[] = {
		[VGT_CHECK_NOWHERE] = "none", [VGT_CHECK_NULL] = "null",
		[VGT_CHECK_BUFFER] = "buffer", [VGT_CHECK_SVM] = "svm",
		[VGT_CHECK_SURFACE] = "surface", [VGT_CHECK_LOCAL] = "local",
	};
	int n = snprintf(out, room, "{\"kind\":\"%s\"", names[report->memory]);

	if (report->number)
		n += snprintf(out + n, room - n, ",\"number\":%u",
			      report->number);
	n += variables_json(report, out + n, room - n);
	if (report->memory == VGT_CHECK_NOWHERE)
		return n + snprintf(out + n, room - n,
				    ",\"address\":\"0x%" PRIx64 "\"}",
				    (uint64_t)report->offset);
	return n + snprintf(out + n, room - n,
			    ",\"bytes\":%" PRIu64 ",\"offset\":%" PRId64 "}",
			    report->whole_bytes, report->offset);
}

/* Members with a comma behind each. */
static int place_json(const struct vgt_check_report *report,
		      const struct vgt_walker *walker, uint32_t ip, char *out,
		      size_t room)
{
	uint32_t offset = ip - (uint32_t)walker->kernel;
	const char *file;
	uint32_t line = vgt_check_kernel_line(report->kernel, offset, &file);
	int n = snprintf(out, room, "\"offset\":%u,", offset);

	if (line)
		n += snprintf(out + n, room - n, "\"line\":%u,", line);
	if (*file)
		n += snprintf(out + n, room - n, "\"file\":\"%.*s\",",
			      FILE_BYTES, file);
	return n;
}

/* Nothing, or a member with a comma before it. */
static void other_json(const struct vgt_check_report *report,
		       const struct vgt_walker *walker, char *out, size_t room)
{
	int n;

	*out = 0;
	if (!report->other_access)
		return;
	n = snprintf(out, room, ",\"other\":{\"access\":\"%s\",",
		     report->other_access);
	n += place_json(report, walker, report->other_ip, out + n, room - n);
	n += item_json(&report->other, out + n, room - n);
	snprintf(out + n, room - n, "}");
}

/* A line of its own, whole: several vgtds may write to one file. */
static void json_print(const struct vgt_check_report *report,
		       const struct vgt_walker *walker, const char *kernel)
{
	char where[PLACE_BYTES], memory[200 + VARIABLES_BYTES], item[300];
	char other[400 + PLACE_BYTES];
	char line[1400 + 2 * PLACE_BYTES + VARIABLES_BYTES];
	int n;

	if (output < 0)
		return;
	place_json(report, walker, report->ip, where, sizeof(where));
	memory_json(report, memory, sizeof(memory));
	item_json(&report->item, item, sizeof(item));
	other_json(report, walker, other, sizeof(other));
	n = snprintf(line, sizeof(line),
		     "{\"check\":\"%s\",\"kernel\":\"%s\",%s\"address\":\"0x%" PRIx64
		     "\",\"access\":\"%s\",\"bytes\":%u,\"memory\":%s,%s%s}\n",
		     check_name(report->check), kernel, where,
		     walker->state.instruction_base + report->ip,
		     report->access, report->bytes, memory, item, other);
	if (n > 0)
		vgt_check_report_lines(line, n);
}

/* Its own variables come first, and then its arguments. */
static void locals_find(struct vgt_check_report *report,
			struct vgt_check *check)
{
	const struct vgt_check_kernel *kernel = report->kernel;
	uint64_t offset = report->offset;
	const char *name;

	if (report->offset < 0 || offset >= report->whole_bytes)
		return;
	if (offset >= kernel->own_bytes) {
		report->variables = vgt_check_argument_find(check, kernel->name,
							    false, 0,
							    report->variable);
		return;
	}
	name = vgt_check_kernel_local(kernel, offset);
	if (!name)
		return;
	snprintf(report->variable[0], sizeof(report->variable[0]), "%s", name);
	report->variables = 1;
}

/* What the kernel calls the memory. */
static void variables_find(struct vgt_check_report *report,
			   struct vgt_check *check)
{
	switch (report->memory) {
	case VGT_CHECK_LOCAL:
		locals_find(report, check);
		break;
	case VGT_CHECK_BUFFER:
	case VGT_CHECK_SVM:
		report->variables = vgt_check_argument_find(
			check, report->kernel->name,
			report->memory == VGT_CHECK_SVM, report->number,
			report->variable);
		break;
	default:
		break;
	}
}

void vgt_check_report_print(struct vgt_check_report *report,
			    struct vgt_eu_thread *thread)
{
	const struct vgt_walker *walker = thread->group->walker;
	uint64_t va = walker->state.instruction_base + walker->kernel;
	char kernel[NAME_BYTES] = "";

	if (!place_take(thread, place_key(report->check, thread, report->ip)))
		return;
	vgt_check_item_complete(thread, &report->item);
	if (report->other_access)
		vgt_check_item_complete(thread, &report->other);
	report->kernel = vgt_check_kernel_find(thread->worker, va);
	/* The runtime's own kernels copy what was not written as well. */
	if (!report->kernel && report->check == VGT_CHECK_UNINIT &&
	    report->memory == VGT_CHECK_BUFFER)
		return;
	if (report->kernel) {
		snprintf(kernel, sizeof(kernel), "%s", report->kernel->name);
		variables_find(report, walker->device->check);
	}
	json_print(report, walker, kernel);
	if (!*kernel)
		snprintf(kernel, sizeof(kernel), "at 0x%" PRIx64, va);
	text_print(report, walker, kernel);
	atomic_fetch_or(&thread->pending, VGT_EU_PENDING_FOUND);
}
