// SPDX-License-Identifier: MIT
/*
 * For each dword stand in shadow memory two of those who have written it, and two who
 * have read it: of two that nothing orders one is not who comes next. Lanes of one
 * thread are ordered by its instructions, but for those of one message. Who writes
 * what is there already does no harm: many programs set flags like that.
 */
#include "check/races.h"

#include "check/access.h"
#include "check/answer.h"
#include "check/check.h"
#include "check/order.h"
#include "check/report.h"
#include "check/shadow.h"
#include "check/table.h"
#include "eu/eu.h"
#include "eu/handler.h"
#include "eu/inst.h"
#include "gt/device.h"
#include "gt/walker.h"

#include <string.h>

#define DWORD 0xf
#define PART_BYTES (VGT_PAGE_BYTES / VGT_CHECK_PARTS)
#define NO_PART UINT64_MAX
#define MESSAGES (1U << 26) /* that a cell tells apart */

/* A message that is looked at. */
struct look {
	struct vgt_eu_thread *thread;
	const struct vgt_inst *inst;
	const struct vgt_check_access *access;
	struct vgt_check_group *group;
	struct vgt_check_table *table;
	struct vgt_check_party self; /* at the dword at hand */
	bool uniform; /* lanes are those of no work-items */
	bool wanted; /* nothing was said of this place */
	const uint64_t *local_known; /* if it reads local memory, or NULL */
	uint64_t live; /* components, or dwords of a block, that count */

	/* The dword at hand. */
	uint32_t lane;
	uint64_t offset; /* in the buffer, or in local memory */
	const struct vgt_check_piece *piece;
	struct vgt_check_cells at;

	/* The part of a page at hand, locked if there is shadow for it. */
	uint64_t part_va, phys;
	struct vgt_check_page *page;
	pthread_mutex_t *lock;
};

static void part_leave(struct look *look)
{
	if (look->page)
		pthread_mutex_unlock(look->lock);
	look->page = NULL;
	look->part_va = NO_PART;
}

static void part_enter(struct look *look, uint64_t va)
{
	struct vgt_check *check = look->thread->worker->device->check;

	part_leave(look);
	look->part_va = va;
	if (!vgt_check_phys_find(look->thread, va, &look->phys))
		return;
	look->page = vgt_check_shadow_page(check->shadow,
					   look->phys / VGT_PAGE_BYTES);
	if (!look->page)
		return;
	look->lock = &look->page->lock[va % VGT_PAGE_BYTES / PART_BYTES];
	pthread_mutex_lock(look->lock);
}

static bool is_inside(const struct vgt_check_piece *piece, uint64_t phys)
{
	return piece && phys - piece->phys < piece->bytes;
}

/* Only buffers that the program has told of: others hold the compiler's own. */
static bool global_find(struct look *look, uint64_t va)
{
	uint64_t in_page = va % VGT_PAGE_BYTES, in_part = va % PART_BYTES, phys;

	if (look->part_va != va - in_part)
		part_enter(look, va - in_part);
	if (!look->page)
		return false;
	phys = look->phys + in_part;
	if (!is_inside(look->piece, phys) &&
	    vgt_check_table_find(look->table, phys, &look->piece) !=
	    VGT_CHECK_INSIDE) {
		look->piece = NULL;
		return false;
	}
	look->offset = look->piece->offset + (phys - look->piece->phys);
	look->at = vgt_check_cells_from(&look->page->cells, in_page / 4);
	return true;
}

static bool local_find(struct look *look, uint64_t offset)
{
	uint32_t number = offset / 4 % VGT_CHECK_LOCAL_CELLS;

	if (!vgt_check_group_local(look->group))
		return false;
	look->offset = offset;
	look->at = vgt_check_cells_from(&look->group->local, number);
	return true;
}

/* Shadow of the dword at @offset of the message's space; false: it has none. */
static bool cell_find(struct look *look, uint64_t offset)
{
	const struct vgt_space *space = &look->access->space;
	uint64_t launch;

	offset &= space->mask;
	if (space->local ? !local_find(look, offset) :
	    offset >= space->size_bytes ||
	    !global_find(look, (space->base + offset) & VGT_VA_MASK))
		return false;
	launch = space->local ? look->group->run : look->group->launch;
	/* The other launch may still be there, and looks at that alone. */
	if (look->at.cell->launch != launch && look->at.cell->two_readers)
		*look->at.known = 0;
	vgt_check_cell_renew(look->at.cell, launch);
	return true;
}

static void report(struct look *look, const struct vgt_check_party *other,
		   const char *access)
{
	const struct vgt_walker *walker = look->thread->group->walker;
	struct vgt_check_report report;

	vgt_check_report_init(&report, VGT_CHECK_RACES, look->thread,
			      look->inst, look->access, look->lane);
	report.memory = VGT_CHECK_LOCAL;
	report.whole_bytes = walker->slm_bytes;
	report.offset = look->offset;
	if (!look->access->space.local) {
		report.memory = look->piece->svm ? VGT_CHECK_SVM :
						   VGT_CHECK_BUFFER;
		report.number = look->piece->number;
		report.whole_bytes = look->piece->whole_bytes;
	}
	report.other_access = access;
	report.other_ip = other->ip;
	report.other = (struct vgt_check_item){
		.thread = other->thread, .lane = other->lane,
		.all = other->all,
	};
	vgt_check_group_id(walker, other->group, report.other.group);
	vgt_check_report_print(&report, look->thread);
	look->wanted = false;
}

static uint32_t bits_of(uint8_t bytes)
{
	uint32_t bits = 0;

	if (bytes == DWORD)
		return UINT32_MAX;
	for (uint32_t i = 0; i < 4; i++)
		if (bytes >> i & 1)
			bits |= 0xffU << 8 * i;
	return bits;
}

/* Of one thread, with no barrier between them. */
static bool is_together(const struct vgt_check_party *one,
			const struct vgt_check_party *other)
{
	return one->group == other->group && one->thread == other->thread &&
	       one->barriers == other->barriers;
}

/* Of a dword that is about to be written. */
static void writers_look(struct look *look, const struct vgt_check_party *other,
			 uint32_t value)
{
	const struct vgt_check_party *self = &look->self;
	const struct vgt_check_cell *cell = look->at.cell;
	uint8_t bytes = other->bytes & self->bytes;
	bool same = cell->message == look->group->messages &&
		    other->ip == self->ip && is_together(other, self);

	/* Lanes of one message. Others may have written more before. */
	if (same)
		bytes &= cell->message_bytes;
	if (!bytes || !look->wanted ||
	    !((cell->value ^ value) & bits_of(bytes)) ||
	    (same ? look->uniform :
		    vgt_check_is_ordered(look->group, other, self)))
		return;
	report(look, other, "write");
}

/* @reader and @writer are @other and who is looked at. */
static void pair_look(struct look *look, const struct vgt_check_party *reader,
		      const struct vgt_check_party *writer,
		      const struct vgt_check_party *other, const char *access)
{
	/* A load that the compiler has widened, maybe. */
	if (reader->bytes == DWORD && writer->bytes != DWORD)
		return;
	if (look->wanted && reader->bytes & writer->bytes &&
	    !vgt_check_is_ordered(look->group, other, &look->self))
		report(look, other, access);
}

/* Does @slot tell nothing more, or belong to the same instruction? */
static bool is_free(const struct look *look, const struct vgt_check_party *slot)
{
	const struct vgt_check_party *self = &look->self;

	if (slot->ip == self->ip && is_together(slot, self))
		return true;
	return !(slot->bytes & ~self->bytes) &&
	       vgt_check_is_ordered(look->group, slot, self);
}

/*
 * Lanes of one instruction may have bytes of the dword each, and so may instructions of
 * one thread: the last one stands for those that have no place of their own. True: there
 * are two.
 */
static bool party_note(const struct look *look, struct vgt_check_party *first,
		       struct vgt_check_party *second, bool two)
{
	const struct vgt_check_party *self = &look->self;
	struct vgt_check_party *slot = first, old;

	if (!first->bytes) {
		*first = *self;
		return false;
	}
	if (!is_free(look, first)) {
		slot = second;
		if (!two) {
			*second = *self;
			return true;
		}
	}
	old = *slot;
	*slot = *self;
	if (old.bytes & ~self->bytes && is_together(&old, self)) {
		slot->bytes |= old.bytes;
		slot->time = old.time;
		slot->all |= old.all || old.lane != self->lane;
	}
	return two;
}

/* One that any reader of the group's epoch may be mistaken for. */
static bool is_reader_now(const struct look *look,
			  const struct vgt_check_party *reader)
{
	return reader->bytes == DWORD && reader->group == look->self.group &&
	       reader->barriers == look->self.barriers &&
	       reader->time == look->self.time;
}

/*
 * Of two threads that have read all of the dword whoever writes to it races with one,
 * if with any reader of the epoch; and none of these races with who has written to it.
 */
static bool is_settled(const struct look *look)
{
	const struct vgt_check_cell *cell = look->at.cell;
	const struct vgt_check_rest *rest = look->at.rest;

	return is_reader_now(look, &cell->reader) &&
	       is_reader_now(look, &rest->reader) &&
	       cell->reader.thread != rest->reader.thread &&
	       (!cell->writer.bytes ||
		vgt_check_is_past(look->group, &cell->writer)) &&
	       (!cell->two_writers ||
		vgt_check_is_past(look->group, &rest->writer));
}

static void dword_read(struct look *look)
{
	struct vgt_check_cell *cell = look->at.cell;
	struct vgt_check_rest *rest = look->at.rest;
	struct vgt_check_party *self = &look->self;

	if (*look->at.known == look->group->epoch.number && self->bytes == DWORD)
		return;
	pair_look(look, self, &cell->writer, &cell->writer, "write");
	if (cell->two_writers)
		pair_look(look, self, &rest->writer, &rest->writer, "write");
	cell->two_readers = party_note(look, &cell->reader, &rest->reader,
				       cell->two_readers);
	if (cell->two_readers)
		*look->at.known = is_settled(look) ? look->group->epoch.number : 0;
}

static void dword_write(struct look *look, uint32_t value)
{
	struct vgt_check_cell *cell = look->at.cell;
	struct vgt_check_rest *rest = look->at.rest;
	struct vgt_check_party *self = &look->self;

	writers_look(look, &cell->writer, value);
	if (cell->two_writers)
		writers_look(look, &rest->writer, value);
	pair_look(look, &cell->reader, self, &cell->reader, "read");
	if (cell->two_readers) {
		pair_look(look, &rest->reader, self, &rest->reader, "read");
		*look->at.known = 0;
	}
	cell->two_writers = party_note(look, &cell->writer, &rest->writer,
				       cell->two_writers);
	cell->value = (cell->value & ~bits_of(self->bytes)) | value;
	if (cell->message != look->group->messages)
		cell->message_bytes = 0;
	cell->message = look->group->messages;
	cell->message_bytes |= self->bytes;
}

/* The same of a dword of local memory, before its cell is looked for. */
static bool is_known(const struct look *look, uint64_t offset)
{
	offset &= look->access->space.mask;
	return look->local_known &&
	       look->local_known[offset / 4 % VGT_CHECK_LOCAL_CELLS] ==
		       look->group->epoch.number;
}

/* Most elements are one, and whole. @data: what is written. */
static void dword(struct look *look, uint64_t offset, const uint8_t *data)
{
	look->self.bytes = DWORD;
	if (is_known(look, offset) || !cell_find(look, offset))
		return;
	if (data)
		dword_write(look, vgt_load32(data));
	else
		dword_read(look);
}

/* Of a block one is what is asked for, or more. */
static bool is_live(const struct look *look, uint32_t done, uint32_t bytes)
{
	return !look->access->block || look->live >> done / 4 & 1 ||
	       look->live >> (done + bytes - 1) / 4 & 1;
}

/* Any other one. */
static void element(struct look *look, uint64_t offset, uint32_t bytes,
		    const uint8_t *data)
{
	for (uint32_t done = 0, n; done < bytes; done += n) {
		uint64_t va = look->access->space.base + offset + done;
		uint32_t in = va % 4, value = 0;

		n = bytes - done < 4 - in ? bytes - done : 4 - in;
		if (!is_live(look, done, n))
			continue;
		look->self.bytes = ((1U << n) - 1) << in;
		if (!cell_find(look, offset + done))
			continue;
		if (!look->access->write) {
			dword_read(look);
		} else {
			memcpy((uint8_t *)&value + in, data + done, n);
			dword_write(look, value);
		}
	}
}

static void lanes(struct look *look, const struct vgt_message *message)
{
	const struct vgt_layout *layout = &look->access->layout;
	uint32_t address = vgt_layout_address_grfs(layout);
	uint32_t plane = vgt_layout_plane_grfs(layout);
	uint64_t base = look->access->space.base, before = UINT64_MAX, offset;

	for (uint32_t left = look->access->lanes; left; left &= left - 1) {
		look->lane = __builtin_ctz(left);
		offset = look->access->offset[look->lane];
		if (!look->access->write && offset == before)
			continue;
		before = offset;
		if (!look->uniform)
			look->self.lane = look->inst->chan + look->lane;
		for (uint32_t c = 0; c < layout->count; c++) {
			const uint8_t *data = NULL;

			if (!(look->live >> c & 1))
				continue;
			if (look->access->write)
				data = vgt_message_grf(message, address +
						       c * plane) +
				       look->lane * layout->lane_bytes;
			if (layout->element_bytes == 4 &&
			    !((base + offset + layout->at[c]) % 4))
				dword(look, offset + layout->at[c], data);
			else
				element(look, offset + layout->at[c],
					layout->element_bytes, data);
		}
	}
}

static void block(struct look *look, const struct vgt_message *message)
{
	uint32_t bytes = look->access->layout.element_bytes;
	uint32_t in_grf = (message->desc >> 8 & 7) == 1 ? 16 : 0;
	uint32_t grfs = message->mlen + message->exlen - 1;
	uint8_t data[9 * VGT_GRF_BYTES] = { 0 };

	if (look->access->write && bytes > grfs * VGT_GRF_BYTES)
		bytes = grfs * VGT_GRF_BYTES;
	for (uint32_t i = 0; look->access->write && i < grfs && i < 8; i++)
		memcpy(data + i * VGT_GRF_BYTES,
		       vgt_message_grf(message, 1 + i), VGT_GRF_BYTES);
	look->lane = 0;
	if (!look->uniform)
		look->self.lane = look->inst->chan;
	element(look, look->access->offset[0], bytes, data + in_grf);
}

static void self_init(struct look *look)
{
	struct vgt_check_item item;

	vgt_check_item_init(&item, look->thread, look->inst, look->access, 0);
	look->uniform = vgt_check_is_uniform(look->inst, look->access);
	look->self = (struct vgt_check_party){
		.group = look->group->number,
		.barriers = look->group->barriers,
		.ip = look->inst->ip,
		.thread = item.thread, .lane = item.lane, .all = item.all,
	};
	if (look->group->fences >> item.thread & 1)
		vgt_check_group_sync(look->group, look->thread, item.thread);
	vgt_check_group_epoch(look->group, look->thread);
	look->self.time = look->group->epoch.clock;
}

void vgt_check_races(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		     const struct vgt_message *message,
		     const struct vgt_check_access *access)
{
	struct look look; /* to set all of it to zero takes a while */

	look.thread = thread;
	look.inst = inst;
	look.access = access;
	look.group = vgt_check_group_get(thread);
	look.table = vgt_check_table_get(thread->worker);
	if (!look.group || !look.table)
		return;
	look.group->messages = (look.group->messages + 1) % MESSAGES;
	self_init(&look);
	if (access->atomic)
		return;
	look.wanted = vgt_check_report_wanted(VGT_CHECK_RACES, thread, inst->ip);
	look.piece = NULL;
	look.page = NULL;
	look.part_va = NO_PART;
	look.local_known = access->space.local && !access->write ?
				   look.group->local.known : NULL;
	look.live = vgt_check_answer_wanted(thread, inst, message, access);
	if (access->block)
		block(&look, message);
	else
		lanes(&look, message);
	part_leave(&look);
}

void vgt_check_races_fence(struct vgt_eu_thread *thread)
{
	struct vgt_check_group *group = vgt_check_group_get(thread);

	if (group)
		vgt_check_group_fence(group, vgt_check_thread_index(thread));
}

void vgt_check_races_atomic(struct vgt_eu_thread *thread)
{
	struct vgt_check_group *group = vgt_check_group_get(thread);

	if (group)
		vgt_check_group_sync(group, thread,
				     vgt_check_thread_index(thread));
}
