// SPDX-License-Identifier: MIT
#include "check/answer.h"

#include "check/access.h"
#include "check/live.h"
#include "check/table.h"
#include "eu/eu.h"
#include "eu/inst.h"
#include "gt/device.h"
#include "gt/group.h"
#include "gt/walker.h"
#include "port/message.h"

#include <stdlib.h>

/* An instruction's are its home and those behind that. */
#define WAYS 8
#define PLACES_MIN 64
#define PLACES_MAX 65536

static uint32_t home(const struct vgt_check_answers *answers,
		     const struct vgt_check_answer *answer)
{
	uint32_t hash = (answer->ip / 8 + answer->desc) * 0x9e3779b1U;

	return hash >> 16 & (answers->count - 1);
}

static bool is_same(const struct vgt_check_answer *one,
		    const struct vgt_check_answer *other)
{
	return one->launch == other->launch && one->ip == other->ip &&
	       one->desc == other->desc;
}

/* Where @answer is or may be put; NULL: there is no room. */
static struct vgt_check_answer *
place_find(const struct vgt_check_answers *answers,
	   const struct vgt_check_answer *answer)
{
	struct vgt_check_answer *place, *spare = NULL;

	for (uint32_t i = 0; i < WAYS && answers->count; i++) {
		place = &answers->place[(home(answers, answer) + i) &
					(answers->count - 1)];
		if (is_same(place, answer))
			return place;
		if (!spare && place->launch != answer->launch)
			spare = place;
	}
	return spare;
}

/* Those of other launches are left behind. */
static bool grow(struct vgt_check_answers *answers, uint64_t launch)
{
	struct vgt_check_answers more = {
		.count = answers->count ? 2 * answers->count : PLACES_MIN,
	};
	struct vgt_check_answer *to;

	if (more.count > PLACES_MAX)
		return false;
	more.place = calloc(more.count, sizeof(*more.place));
	if (!more.place)
		return false;
	for (uint32_t i = 0; i < answers->count; i++) {
		if (answers->place[i].launch != launch)
			continue;
		to = place_find(&more, &answers->place[i]);
		if (to)
			*to = answers->place[i];
	}
	free(answers->place);
	*answers = more;
	return true;
}

/* NULL: no memory for it. */
static struct vgt_check_answer *
place_make(struct vgt_check_answers *answers,
	   const struct vgt_check_answer *answer)
{
	struct vgt_check_answer *place;

	for (;;) {
		place = place_find(answers, answer);
		if (place)
			return place;
		if (!grow(answers, answer->launch))
			break;
	}
	return answers->count ? &answers->place[home(answers, answer)] : NULL;
}

void vgt_check_answers_fini(struct vgt_check_answers *answers)
{
	free(answers->place);
}

/* Where the GRF has bit @n of @live. */
static void part_find(const struct vgt_inst *inst,
		      const struct vgt_message *message,
		      const struct vgt_check_access *access, uint32_t n,
		      uint32_t *offset_out, uint32_t *bytes_out)
{
	uint32_t grfs = vgt_layout_plane_grfs(&access->layout);
	uint32_t high = (message->desc >> 8 & 7) == 1 ? 16 : 0;

	*bytes_out = access->block ? 4 : grfs * VGT_GRF_BYTES;
	*offset_out = inst->dst.offset + n * *bytes_out +
		      (access->block ? high : 0);
}

/* Of the bytes that component @c has in any lane. */
static uint64_t component_bytes(const struct vgt_layout *layout,
				const struct vgt_check_bytes *read,
				uint32_t offset, uint32_t c)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < layout->lanes; i++)
		for (uint32_t b = 0; b < layout->element_bytes; b++)
			if (vgt_check_bytes_any(read, offset + b +
						i * layout->lane_bytes, 1))
				bytes |= 1ULL << (c * layout->element_bytes + b);
	return bytes;
}

static void answer_find(struct vgt_eu_thread *thread,
			const struct vgt_inst *inst,
			const struct vgt_message *message,
			const struct vgt_check_access *access,
			struct vgt_check_answer *out)
{
	const struct vgt_layout *layout = &access->layout;
	uint32_t count = access->block ? layout->element_bytes / 4 :
					 layout->count;
	struct vgt_check_bytes held = { 0 }, read;
	uint32_t offset, bytes;

	if (!message->dst || !message->rlen)
		return;
	for (uint32_t n = 0; n < count; n++) {
		part_find(inst, message, access, n, &offset, &bytes);
		vgt_check_bytes_set(&held, offset, bytes);
	}
	vgt_check_live_from(thread, inst->ip + inst->bytes, &held, true, &read);
	for (uint32_t n = 0; n < count; n++) {
		part_find(inst, message, access, n, &offset, &bytes);
		if (vgt_check_bytes_any(&read, offset, bytes))
			out->live |= 1ULL << n;
		if (!access->block)
			out->bytes |= component_bytes(layout, &read, offset, n);
	}
}

void vgt_check_answer_get(struct vgt_eu_thread *thread,
			  const struct vgt_inst *inst,
			  const struct vgt_message *message,
			  const struct vgt_check_access *access,
			  struct vgt_check_answer *out)
{
	struct vgt_check_table *table = vgt_check_table_get(thread->worker);
	struct vgt_check_answer *place = NULL;

	*out = (struct vgt_check_answer){
		.launch = thread->group->walker->serial,
		.ip = inst->ip, .desc = message->desc,
	};
	if (table && out->launch)
		place = place_make(&table->answers, out);
	if (place && is_same(place, out)) {
		*out = *place;
		return;
	}
	answer_find(thread, inst, message, access, out);
	if (place)
		*place = *out;
}

uint64_t vgt_check_answer_wanted(struct vgt_eu_thread *thread,
				 const struct vgt_inst *inst,
				 const struct vgt_message *message,
				 const struct vgt_check_access *access)
{
	struct vgt_check_answer answer;

	if (access->write || (!access->block && access->layout.count < 2))
		return UINT64_MAX;
	vgt_check_answer_get(thread, inst, message, access, &answer);
	return answer.live ? answer.live : UINT64_MAX;
}
