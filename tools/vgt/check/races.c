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
#define NO_PAGE UINT64_MAX

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
	uint64_t live; /* components, or dwords of a block, that count */

	/* The dword at hand. */
	uint32_t lane;
	uint64_t offset; /* in the buffer, or in local memory */
	const struct vgt_check_piece *piece;

	/* The page at hand, locked if there is shadow for it. */
	uint64_t page_va, phys;
	struct vgt_check_page *page;
};

static void page_leave(struct look *look)
{
	if (look->page)
		pthread_mutex_unlock(&look->page->lock);
	look->page = NULL;
	look->page_va = NO_PAGE;
}

static void page_enter(struct look *look, uint64_t va)
{
	struct vgt_check *check = look->thread->worker->device->check;

	page_leave(look);
	look->page_va = va;
	if (!vgt_check_phys_find(look->thread, va, &look->phys))
		return;
	look->page = vgt_check_shadow_page(check->shadow,
					   look->phys / VGT_PAGE_BYTES);
	if (look->page)
		pthread_mutex_lock(&look->page->lock);
}

static bool is_inside(const struct vgt_check_piece *piece, uint64_t phys)
{
	return piece && phys - piece->phys < piece->bytes;
}

/* Only buffers that the program has told of: others hold the compiler's own. */
static struct vgt_check_cell *global_cell(struct look *look, uint64_t va)
{
	uint64_t in_page = va % VGT_PAGE_BYTES, phys;

	if (look->page_va != va - in_page)
		page_enter(look, va - in_page);
	if (!look->page)
		return NULL;
	phys = look->phys + in_page;
	if (!is_inside(look->piece, phys) &&
	    vgt_check_table_find(look->table, phys, &look->piece) !=
	    VGT_CHECK_INSIDE) {
		look->piece = NULL;
		return NULL;
	}
	look->offset = look->piece->offset + (phys - look->piece->phys);
	return &look->page->cell[in_page / 4];
}

/* Shadow of the dword at @offset of the message's space, or NULL. */
static struct vgt_check_cell *cell_find(struct look *look, uint64_t offset)
{
	const struct vgt_space *space = &look->access->space;
	struct vgt_check_cell *cell;

	offset &= space->mask;
	if (space->local) {
		look->offset = offset;
		cell = vgt_check_group_cell(look->group, offset);
	} else {
		if (offset >= space->size_bytes)
			return NULL;
		cell = global_cell(look, (space->base + offset) & VGT_VA_MASK);
	}
	if (cell)
		vgt_check_cell_renew(cell, space->local ? look->group->run :
				     look->group->launch);
	return cell;
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

/* Of a cell whose dword @self is about to write. */
static bool is_writers_race(const struct look *look,
			    const struct vgt_check_cell *cell,
			    const struct vgt_check_party *other,
			    const struct vgt_check_party *self, uint32_t value)
{
	uint8_t bytes = other->bytes & self->bytes;

	if (!bytes || !((cell->value ^ value) & bits_of(bytes)))
		return false;
	/* Lanes of one message. */
	if (cell->message == look->group->messages &&
	    other->group == self->group && other->thread == self->thread)
		return !look->uniform;
	return !vgt_check_is_ordered(look->group, other, self);
}

static bool is_race(const struct look *look,
		    const struct vgt_check_party *reader,
		    const struct vgt_check_party *writer,
		    const struct vgt_check_party *other,
		    const struct vgt_check_party *self)
{
	/* A load that the compiler has widened, maybe. */
	if (reader->bytes == DWORD && writer->bytes != DWORD)
		return false;
	return reader->bytes & writer->bytes &&
	       !vgt_check_is_ordered(look->group, other, self);
}

/* The place of one that tells nothing more, or else the last one. */
static struct vgt_check_party *slot_find(const struct look *look,
					 struct vgt_check_party *slot,
					 const struct vgt_check_party *self)
{
	uint32_t i = 0;

	while (i + 1 < VGT_CHECK_PARTIES && slot[i].bytes &&
	       !vgt_check_is_ordered(look->group, &slot[i], self))
		i++;
	return &slot[i];
}

/* Lanes of one instruction may have bytes of the dword each. */
static void party_note(const struct look *look, struct vgt_check_party *slots,
		       const struct vgt_check_party *self)
{
	struct vgt_check_party *slot, old;

	if (!slots[0].bytes) {
		slots[0] = *self;
		return;
	}
	slot = slot_find(look, slots, self);
	old = *slot;
	*slot = *self;
	if (!old.bytes || old.bytes & self->bytes || old.ip != self->ip ||
	    old.group != self->group || old.thread != self->thread ||
	    old.barriers != self->barriers)
		return;
	slot->bytes |= old.bytes;
	slot->time = old.time;
	slot->all |= old.all || old.lane != self->lane;
}

static void dword_read(struct look *look, struct vgt_check_cell *cell,
		       const struct vgt_check_party *self)
{
	struct vgt_check_party *writer = cell->writer;

	for (uint32_t i = 0; i < VGT_CHECK_PARTIES && look->wanted; i++)
		if (is_race(look, self, &writer[i], &writer[i], self))
			report(look, &writer[i], "write");
	party_note(look, cell->reader, self);
}

static void dword_write(struct look *look, struct vgt_check_cell *cell,
			const struct vgt_check_party *self, uint32_t value)
{
	struct vgt_check_party *writer = cell->writer, *reader = cell->reader;

	for (uint32_t i = 0; i < VGT_CHECK_PARTIES && look->wanted; i++)
		if (is_writers_race(look, cell, &writer[i], self, value))
			report(look, &writer[i], "write");
	for (uint32_t i = 0; i < VGT_CHECK_PARTIES && look->wanted; i++)
		if (is_race(look, &reader[i], self, &reader[i], self))
			report(look, &reader[i], "read");
	party_note(look, writer, self);
	cell->value = (cell->value & ~bits_of(self->bytes)) | value;
	cell->message = look->group->messages;
}

/* Most elements are one, and whole. @data: what is written. */
static void dword(struct look *look, uint64_t offset, const uint8_t *data)
{
	struct vgt_check_cell *cell = cell_find(look, offset);

	look->self.bytes = DWORD;
	if (!cell)
		return;
	if (data)
		dword_write(look, cell, &look->self, vgt_load32(data));
	else
		dword_read(look, cell, &look->self);
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
		struct vgt_check_cell *cell;
		uint32_t in = va % 4, value = 0;

		n = bytes - done < 4 - in ? bytes - done : 4 - in;
		if (!is_live(look, done, n))
			continue;
		look->self.bytes = ((1U << n) - 1) << in;
		cell = cell_find(look, offset + done);
		if (cell && !look->access->write) {
			dword_read(look, cell, &look->self);
		} else if (cell) {
			memcpy((uint8_t *)&value + in, data + done, n);
			dword_write(look, cell, &look->self, value);
		}
	}
}

static void lanes(struct look *look, const struct vgt_message *message)
{
	const struct vgt_layout *layout = &look->access->layout;
	uint32_t address = vgt_layout_address_grfs(layout);
	uint32_t plane = vgt_layout_plane_grfs(layout);
	uint64_t base = look->access->space.base, offset;

	for (uint32_t left = look->access->lanes; left; left &= left - 1) {
		look->lane = __builtin_ctz(left);
		offset = look->access->offset[look->lane];
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
	struct vgt_check *check = look->thread->worker->device->check;
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
	look->self.time = atomic_load(&check->clock);
}

void vgt_check_races(struct vgt_eu_thread *thread, const struct vgt_inst *inst,
		     const struct vgt_message *message,
		     const struct vgt_check_access *access)
{
	struct look look = {
		.thread = thread, .inst = inst, .access = access,
		.group = vgt_check_group_get(thread),
		.table = vgt_check_table_get(thread->worker),
		.wanted = vgt_check_report_wanted(VGT_CHECK_RACES, thread,
						  inst->ip),
		.page_va = NO_PAGE,
	};

	if (!look.group || !look.table)
		return;
	look.group->messages++;
	self_init(&look);
	if (access->atomic)
		return;
	look.live = vgt_check_answer_wanted(thread, inst, message, access);
	if (access->block)
		block(&look, message);
	else
		lanes(&look, message);
	page_leave(&look);
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
