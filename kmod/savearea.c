// SPDX-License-Identifier: GPL-2.0-only
#include "savearea.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "bindful.h"
#include "client.h"
#include "context.h"
#include "front.h"
#include "gt.h"
#include "gtdbg.h"
#include "platform.h"
#include "ppgtt.h"
#include "record.h"
#include "table.h"

#define SAVEAREA_MAGIC 0x0061657261737374ULL /* "tssarea" */
#define SAVEAREA_SLOT_BYTES_MAX 0x4000
#define SAVEAREA_COUNT_FROM_MAGIC 12

#define GRF_BYTES 32
#define FRAME_STACK 8 /* in a frame register */

/* The part of a slot that a stop is read from, in one piece. */
#define STOP_FIRST GTDBG_SIP_SLOT_EMASK
#define STOP_END (GTDBG_SIP_SLOT_CR + 16)

struct savearea_head {
	struct gtdbg_sip_header header;
	struct gtdbg_sip_control control;
};

static_assert(sizeof(struct gtdbg_sip_header) == GTDBG_SIP_HEADER_BYTES);

struct savearea_search {
	struct gtdbg_gt *gt;
	struct gtdbg_context *context;
};

static bool savearea_regsets_fit(const struct gtdbg_sip_header *header)
{
	u32 i;

	for (i = 0; i < GTDBG_SIP_REGSETS; i++) {
		const struct gtdbg_sip_regset *set = &header->regset[i];

		if (set->count > 256 || set->bytes > 256 ||
		    set->offset > header->slot_bytes ||
		    set->count * set->bytes > header->slot_bytes - set->offset)
			return false;
	}
	/* The rest is read at its usual place. */
	return header->regset[GTDBG_SIP_REGSET_EMASK].offset ==
		       GTDBG_SIP_SLOT_EMASK &&
	       header->regset[GTDBG_SIP_REGSET_SR].offset ==
		       GTDBG_SIP_SLOT_SR &&
	       header->regset[GTDBG_SIP_REGSET_CR].offset ==
		       GTDBG_SIP_SLOT_CR &&
	       header->regset[GTDBG_SIP_REGSET_COMMAND].offset ==
		       GTDBG_SIP_SLOT_COMMAND;
}

static bool savearea_header_valid(const struct gtdbg_gt *gt,
				  const struct gtdbg_sip_header *header)
{
	const struct gtdbg_topology *topology = &gt->topology;

	return header->version_major == 2 &&
	       header->size * 8 >= sizeof(*header) &&
	       header->slices == topology->slices &&
	       header->subslices_per_slice == topology->subslices &&
	       header->eus_per_subslice == topology->eus &&
	       header->threads_per_eu == topology->threads &&
	       header->slot_bytes >= GTDBG_SIP_SLOT_COMMAND +
			       sizeof(struct gtdbg_sip_command) &&
	       header->slot_bytes <= SAVEAREA_SLOT_BYTES_MAX &&
	       header->state_area_offset <= 1U << 20 &&
	       header->slot_magic_offset <= header->slot_bytes - 16 &&
	       savearea_regsets_fit(header);
}

static u32 savearea_sip(const struct gtdbg_gt *gt,
			const struct savearea_head *head)
{
	const struct gtdbg_sip_control *control = &head->control;

	if (control->magic != GTDBG_SIP_CONTROL_MAGIC)
		return GTDBG_SIP_TSSAREA;
	if (control->version >> 16 != GTDBG_SIP_VERSION >> 16 ||
	    control->generation != gt->platform->sip_generation)
		return GTDBG_SIP_UNKNOWN;
	return GTDBG_SIP_OWN;
}

static void savearea_take(struct gtdbg_savearea *area, u64 address, u32 sip,
			  const struct savearea_head *head)
{
	const struct gtdbg_sip_header *header = &head->header;

	area->address = address;
	area->sip = sip;
	area->sip_minor =
		sip == GTDBG_SIP_OWN ? head->control.version & 0xffff : 0;
	area->foreign = false;
	area->slots_offset = header->size * 8 + header->state_area_offset;
	area->slot_bytes = header->slot_bytes;
	area->count_offset =
		header->slot_magic_offset + SAVEAREA_COUNT_FROM_MAGIC;
	memcpy(area->regset, header->regset, sizeof(area->regset));
}

/* What an area of another SIP carries where that writes nothing; 0: none. */
static u64 savearea_owner(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  const struct gtdbg_savearea *area)
{
	struct gtdbg_sip_owner owner;

	if (area->slot_bytes < GTDBG_SIP_SLOT_OWNER + sizeof(owner) ||
	    gtdbg_ppgtt_read(gt, context, gtdbg_savearea_slot(area, 0) +
			     GTDBG_SIP_SLOT_OWNER, &owner, sizeof(owner)) ||
	    owner.magic != GTDBG_SIP_CONTROL_MAGIC)
		return 0;
	return owner.token;
}

/* Of the one that @head begins, the token that it carries. */
static u64 savearea_token(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  const struct gtdbg_savearea *area,
			  const struct savearea_head *head)
{
	return area->sip == GTDBG_SIP_OWN ? head->control.token :
					    savearea_owner(gt, context, area);
}

/*
 * A save area is the client's if it carries its token. One without a token
 * (another SIP has none by itself, and a program may have been started before there
 * was one) is taken for the client's where the GT runs that process's work alone.
 */
static bool savearea_is_client(const struct gtdbg_gt *gt, u64 token)
{
	if (!token)
		return !gt->ops->is_shared;
	return gt->client && token == gt->client->token;
}

static int savearea_visit(void *data, u64 address, u64 qword0)
{
	struct savearea_search *search = data;
	struct gtdbg_savearea found = { 0 };
	struct gtdbg_gt *gt = search->gt;
	struct savearea_head head;
	u32 sip;

	if (qword0 != SAVEAREA_MAGIC)
		return 0;
	if (gtdbg_ppgtt_read(gt, search->context, address, &head, sizeof(head)))
		return 0;
	if (!savearea_header_valid(gt, &head.header))
		return 0;
	sip = savearea_sip(gt, &head);
	if (sip == GTDBG_SIP_UNKNOWN)
		return 0;
	savearea_take(&found, address, sip, &head);
	if (!savearea_is_client(gt, savearea_token(gt, search->context, &found,
						   &head))) {
		search->context->search_foreign = true;
		return 0;
	}
	search->context->savearea = found;
	return 1;
}

/*
 * The runtime puts the area's surface at the start of the surface heap, whatever
 * the SIP. So it is found at once if it has a header, wherever it lies. On a shared
 * GPU that is the only way: any page of another process may be a buffer that it got
 * from the client, with the client's token in it, but what it gives the engine says
 * itself that it has a system routine and where that saves registers.
 */
static int savearea_find_surface(struct gtdbg_gt *gt,
				 struct gtdbg_context *context)
{
	struct savearea_search search = { .gt = gt, .context = context };
	u64 address, qword0;

	if (gtdbg_bindful_surface(gt, context, &address) ||
	    gtdbg_ppgtt_read(gt, context, address, &qword0, sizeof(qword0)))
		return -ENOENT;
	return savearea_visit(&search, address, qword0) ? 0 : -ENOENT;
}

/* Under Intel's default SIP it has no header. */
static int savearea_find_bindful(struct gtdbg_gt *gt,
				 struct gtdbg_context *context)
{
	struct gtdbg_savearea *area = &context->savearea;

	if (gtdbg_bindful_find(gt, context))
		return -ENOENT;
	if (savearea_is_client(gt, savearea_owner(gt, context, area)))
		return 0;
	memset(area, 0, sizeof(*area));
	return -ENOENT;
}

int gtdbg_savearea_find(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct savearea_search search = { .gt = gt, .context = context };
	struct gtdbg_savearea *area = &context->savearea;
	bool foreign = area->foreign;
	int ret;

	lockdep_assert_held(&gt->lock);
	memset(area, 0, sizeof(*area));
	context->area_lrca = context->lrca;
	if (!savearea_find_bindful(gt, context) ||
	    !savearea_find_surface(gt, context))
		return 0;
	context->area_lrca = 0;
	ret = gt->ops->is_shared ? -ENOENT :
	      gtdbg_ppgtt_pages(gt, context, &context->search_cursor,
				savearea_visit, &search);
	if (ret == 1)
		return 0;
	/* Only a whole search says what there is not. */
	area->foreign = ret == -EAGAIN ? foreign : context->search_foreign;
	if (ret != -EAGAIN)
		context->search_foreign = false;
	return ret ?: -ENOENT;
}

int gtdbg_savearea_named(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 struct gtdbg_savearea *out)
{
	struct gtdbg_savearea was = context->savearea;
	bool foreign = context->search_foreign, known;

	lockdep_assert_held(&gt->lock);
	known = !savearea_find_bindful(gt, context) ||
		!savearea_find_surface(gt, context);
	if (known)
		*out = context->savearea;
	context->savearea = was;
	context->search_foreign = foreign;
	return known ? 0 : -ENOENT;
}

/* On a shared GPU the address space may have become another one's. */
static bool savearea_present_shared(struct gtdbg_gt *gt,
				    struct gtdbg_context *context)
{
	const struct gtdbg_savearea *area = &context->savearea;
	struct savearea_head head;
	u64 magic;

	if (area->sip == GTDBG_SIP_BINDFUL)
		return savearea_is_client(gt, savearea_owner(gt, context, area));
	if (gtdbg_ppgtt_read(gt, context, area->address, &head, sizeof(head)))
		return false;
	memcpy(&magic, head.header.magic, sizeof(magic));
	return magic == SAVEAREA_MAGIC &&
	       savearea_sip(gt, &head) == area->sip &&
	       savearea_is_client(gt, savearea_token(gt, context, area, &head));
}

static bool savearea_present(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	u64 magic;

	if (gt->ops->is_shared)
		return savearea_present_shared(gt, context);
	if (context->savearea.sip == GTDBG_SIP_BINDFUL)
		return gtdbg_bindful_present(gt, context);
	return !gtdbg_ppgtt_read(gt, context, context->savearea.address, &magic,
				 sizeof(magic)) && magic == SAVEAREA_MAGIC;
}

bool gtdbg_savearea_is_there(struct gtdbg_gt *gt,
			     struct gtdbg_context *context)
{
	lockdep_assert_held(&gt->lock);
	gtdbg_ppgtt_forget(context);
	return context->savearea.address && savearea_present(gt, context);
}

/*
 * What is kept of it may still be used if it is not where it was, or was only taken for
 * another one: by threads that look there, and for records that they wrote.
 */
static void savearea_lose(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	if (context->front) {
		gtdbg_table_clear(gt, context);
		gtdbg_ring_end(gt, context);
		context->passing = false;
		gtdbg_savearea_set_active(gt, context, gt->active);
		gtdbg_front_destroy(gt, context);
	}
	memset(&context->savearea, 0, sizeof(context->savearea));
}

int gtdbg_savearea_check(struct gtdbg_gt *gt, struct gtdbg_context *context)
{
	struct gtdbg_savearea *area = &context->savearea;
	int ret = -ENOENT;

	lockdep_assert_held(&gt->lock);
	if (!area->address)
		return -ENOENT;
	gtdbg_context_refresh(gt, context);
	if (context->savearea_seen)
		return 0;
	if (!gtdbg_context_reachable(gt, context, false))
		return -EAGAIN;
	if (savearea_present(gt, context))
		ret = gtdbg_front_check(gt, context);
	/* What is not on the engine may be anyone's. */
	if (ret == -ENOENT && !gtdbg_context_on_engine(gt, context))
		ret = -EAGAIN;
	context->savearea_seen = !ret;
	if (ret == -ENOENT)
		savearea_lose(gt, context);
	return ret;
}

int gtdbg_savearea_set_active(struct gtdbg_gt *gt,
			      struct gtdbg_context *context, bool active)
{
	u32 flags, wanted;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (context->savearea.sip != GTDBG_SIP_OWN)
		return 0;
	/* What is there may be something else by now. */
	ret = context->front ? 0 : gtdbg_savearea_check(gt, context);
	if (ret)
		return ret;
	ret = gtdbg_front_read(gt, context, GTDBG_SIP_CONTROL_FLAGS, &flags,
			       sizeof(flags));
	if (ret)
		return ret;
	wanted = flags & ~(GTDBG_SIP_CONTROL_F_ACTIVE | GTDBG_SIP_CONTROL_F_PASS);
	if (active)
		wanted |= GTDBG_SIP_CONTROL_F_ACTIVE;
	if (active && context->passing)
		wanted |= GTDBG_SIP_CONTROL_F_PASS;
	if (wanted == flags)
		return 0;
	ret = gtdbg_front_write(gt, context, GTDBG_SIP_CONTROL_FLAGS, &wanted,
				sizeof(wanted));
	if (ret)
		return ret;
	return (wanted ^ flags) & GTDBG_SIP_CONTROL_F_ACTIVE ? 1 : 0;
}

u64 gtdbg_savearea_slot(const struct gtdbg_savearea *area, u32 slot)
{
	return area->address + area->slots_offset +
	       (u64)slot * area->slot_bytes;
}

/* How often the thread has entered and left the SIP; 1 if no one counts. */
static int savearea_count(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u32 slot, u32 *count_out)
{
	const struct gtdbg_savearea *area = &context->savearea;
	u8 count = 1;
	int ret;

	if (area->sip == GTDBG_SIP_BINDFUL) {
		*count_out = count;
		return 0;
	}
	ret = gtdbg_ppgtt_read(gt, context,
			       gtdbg_savearea_slot(area, slot) +
				      area->count_offset,
			       &count, sizeof(count));
	if (!ret)
		*count_out = count;
	return ret;
}

/* The count turns odd before the SIP asks for a command. */
static int savearea_ready(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u32 slot)
{
	u32 command;
	int ret;

	ret = gtdbg_ppgtt_read(gt, context,
			       gtdbg_savearea_slot(&context->savearea, slot) +
				      GTDBG_SIP_SLOT_COMMAND,
			       &command, sizeof(command));
	if (ret)
		return ret;
	return command == GTDBG_SIP_COMMAND_READY ? GTDBG_LOOK_STOPPED :
						    GTDBG_LOOK_UNREADY;
}

int gtdbg_savearea_look(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u32 slot, u32 released)
{
	u32 count;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (context->savearea.sip == GTDBG_SIP_BINDFUL)
		return gtdbg_bindful_look(gt, context, slot);
	ret = savearea_count(gt, context, slot, &count);
	if (ret)
		return ret;
	if (!(count & 1))
		return GTDBG_LOOK_RUNNING;
	if (count == released)
		return GTDBG_LOOK_COMMANDED;
	return savearea_ready(gt, context, slot);
}

static u32 savearea_dword(const u8 *part, u32 offset)
{
	u32 value;

	memcpy(&value, part + offset - STOP_FIRST, sizeof(value));
	return value;
}

int gtdbg_savearea_stop(struct gtdbg_gt *gt, struct gtdbg_context *context,
			u32 slot, struct gtdbg_savearea_stop *stop_out)
{
	u64 base = gtdbg_savearea_slot(&context->savearea, slot);
	u8 part[STOP_END - STOP_FIRST];
	u32 count;
	int ret;

	ret = savearea_count(gt, context, slot, &count);
	if (ret)
		return ret;
	ret = gtdbg_ppgtt_read(gt, context, base + STOP_FIRST, part,
			       sizeof(part));
	if (ret)
		return ret;
	stop_out->count = count;
	stop_out->exec_mask = savearea_dword(part, GTDBG_SIP_SLOT_EMASK);
	stop_out->dispatch_mask = savearea_dword(part, GTDBG_SIP_SLOT_SR + 8);
	stop_out->exceptions = savearea_dword(part, GTDBG_SIP_SLOT_CR + 4);
	stop_out->ip = savearea_dword(part, GTDBG_SIP_SLOT_CR + 8);
	return 0;
}

/*
 * gtdbg's SIP takes the step from the command. Others take it from the saved
 * cr0.1, whose cause bits they restore as they are.
 */
static int savearea_prepare_cr(struct gtdbg_gt *gt,
			       struct gtdbg_context *context, u64 base,
			       bool step)
{
	u64 at = base + GTDBG_SIP_SLOT_CR + 4;
	u32 cr;
	int ret;

	ret = gtdbg_ppgtt_read(gt, context, at, &cr, sizeof(cr));
	if (ret)
		return ret;
	cr &= ~GTDBG_CAUSES;
	if (step)
		cr |= GTDBG_CAUSE_BREAK;
	return gtdbg_ppgtt_write(gt, context, at, &cr, sizeof(cr));
}

int gtdbg_savearea_command(struct gtdbg_gt *gt, struct gtdbg_context *context,
			   u32 slot, bool step)
{
	const struct gtdbg_savearea *area = &context->savearea;
	u64 base = gtdbg_savearea_slot(area, slot);
	u32 command = GTDBG_SIP_COMMAND_RESUME;
	int ret;

	lockdep_assert_held(&gt->lock);
	if (area->sip == GTDBG_SIP_OWN) {
		if (step)
			command = GTDBG_SIP_COMMAND_STEP;
	} else {
		ret = savearea_prepare_cr(gt, context, base, step);
		if (ret)
			return ret;
	}
	if (area->sip == GTDBG_SIP_BINDFUL)
		return gtdbg_bindful_command(gt, context, slot, step);
	return gtdbg_ppgtt_write(gt, context, base + GTDBG_SIP_SLOT_COMMAND,
				 &command, sizeof(command));
}

s32 gtdbg_savearea_ticket(struct gtdbg_gt *gt, struct gtdbg_context *context,
			  u32 slot)
{
	const struct gtdbg_savearea *area = &context->savearea;
	s32 ticket;

	lockdep_assert_held(&gt->lock);
	if (area->sip != GTDBG_SIP_OWN ||
	    area->sip_minor < GTDBG_SIP_MINOR_PROGRAM ||
	    gtdbg_ppgtt_read(gt, context, gtdbg_savearea_slot(area, slot) +
			     GTDBG_SIP_SLOT_TICKET, &ticket, sizeof(ticket)))
		return GTDBG_SIP_TICKET_NONE;
	return ticket;
}

int gtdbg_savearea_admit(struct gtdbg_gt *gt, struct gtdbg_context *context,
			 u32 slot, u32 bucket, s32 count)
{
	u64 at = gtdbg_savearea_slot(&context->savearea, slot) +
		 GTDBG_SIP_SLOT_COMMAND;
	struct gtdbg_sip_command block = {
		.size_bytes = count, .offset = bucket,
	};
	u32 command = GTDBG_SIP_COMMAND_ADMIT;
	int ret;

	lockdep_assert_held(&gt->lock);
	/* The command is written last. */
	ret = gtdbg_ppgtt_write(gt, context, at + sizeof(command),
				&block.size_bytes,
				offsetof(struct gtdbg_sip_command, buffer) -
				sizeof(command));
	return ret ?: gtdbg_ppgtt_write(gt, context, at, &command,
					sizeof(command));
}

bool gtdbg_savearea_steps_range(const struct gtdbg_context *context)
{
	return context->savearea.sip == GTDBG_SIP_OWN &&
	       context->savearea.sip_minor >= GTDBG_SIP_MINOR_STEP_RANGE;
}

/* Where the function's stack ends that the thread is in. */
static int stack_read(struct gtdbg_gt *gt, struct gtdbg_context *context,
		      u32 slot, struct gtdbg_sip_step_range *range)
{
	u64 at = gtdbg_savearea_slot(&context->savearea, slot) +
		 GTDBG_SIP_SLOT_GRF + GRF_BYTES * range->frame_register;

	return gtdbg_ppgtt_read(gt, context, at + FRAME_STACK, &range->stack,
				sizeof(range->stack));
}

int gtdbg_savearea_step_range(struct gtdbg_gt *gt,
			      struct gtdbg_context *context, u32 slot,
			      struct gtdbg_sip_step_range *range)
{
	u64 at = gtdbg_savearea_slot(&context->savearea, slot) +
		 GTDBG_SIP_SLOT_COMMAND;
	int ret;

	lockdep_assert_held(&gt->lock);
	range->command = GTDBG_SIP_COMMAND_STEP_RANGE;
	if (range->frame_register) {
		range->command = GTDBG_SIP_COMMAND_STEP_OVER;
		ret = stack_read(gt, context, slot, range);
		if (ret)
			return ret;
	}
	/* The command is written last. */
	ret = gtdbg_ppgtt_write(gt, context, at + sizeof(range->command),
				&range->ip_first,
				sizeof(*range) - sizeof(range->command));
	return ret ?: gtdbg_ppgtt_write(gt, context, at, &range->command,
					sizeof(range->command));
}

int gtdbg_savearea_steps_left(struct gtdbg_gt *gt,
			      struct gtdbg_context *context, u32 slot,
			      u32 *steps_out)
{
	u64 at = gtdbg_savearea_slot(&context->savearea, slot) +
		 GTDBG_SIP_SLOT_COMMAND;

	lockdep_assert_held(&gt->lock);
	return gtdbg_ppgtt_read(gt, context,
				at + offsetof(struct gtdbg_sip_step_range,
					      steps),
				steps_out, sizeof(*steps_out));
}
