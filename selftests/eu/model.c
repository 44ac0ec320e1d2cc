// SPDX-License-Identifier: MIT
#include "model.h"

#include <string.h>

/* One channel's. */
struct channel {
	const struct model *model;
	uint32_t lane;
	bool is_active;
	uint32_t value, kept;
	uint64_t place;
};

uint32_t model_dword(const struct model *model, uint32_t byte)
{
	uint32_t value;

	memcpy(&value, model->registers + byte, sizeof(value));
	return value;
}

uint32_t model_memory(const struct model *model, uint64_t address)
{
	uint64_t offset = address - model->address;
	uint32_t value = 0;

	if (offset <= model->len - sizeof(value))
		memcpy(&value, model->memory + offset, sizeof(value));
	return value;
}

uint32_t model_item(const struct model *model, const struct gtdbg_sip_op *op,
		    uint32_t lane)
{
	uint16_t word;

	memcpy(&word, model->registers + op->a + 2 * lane, sizeof(word));
	return word + model_dword(model, op->b & 0xffff) *
	       model_dword(model, op->b >> 16) + model_dword(model, op->c);
}

static bool holds(const struct gtdbg_sip_op *op, uint32_t value)
{
	int32_t left = (int32_t)(value ^ op->b), right = (int32_t)op->a;
	bool result = op->op == GTDBG_SIP_OP_EQUAL ? left == right :
		      op->op == GTDBG_SIP_OP_LESS ? left < right : left > right;

	return result != !!op->c;
}

static bool holds_wide(const struct gtdbg_sip_op *op, uint64_t left)
{
	uint64_t right = op->a | (uint64_t)op->b << 32;
	bool is_less = op->c & GTDBG_SIP_WIDE_UNSIGNED ? left < right :
		       (int64_t)left < (int64_t)right;

	return (op->c & GTDBG_SIP_WIDE_LESS ? is_less : left == right) !=
	       !!(op->c & GTDBG_SIP_WIDE_NOT);
}

static uint32_t compute_float(uint32_t kind, uint32_t left, uint32_t right)
{
	float one, other;

	memcpy(&one, &left, sizeof(one));
	memcpy(&other, &right, sizeof(other));
	return kind == GTDBG_SIP_COMPUTE_FLOAT_LESS ? one < other :
	       kind == GTDBG_SIP_COMPUTE_FLOAT_MOST ? one <= other :
	       one == other;
}

static uint32_t compute(uint32_t kind, uint32_t left, uint32_t right)
{
	switch (kind) {
	case GTDBG_SIP_COMPUTE_ADD:
		return left + right;
	case GTDBG_SIP_COMPUTE_SUBTRACT:
		return left - right;
	case GTDBG_SIP_COMPUTE_AND:
		return left & right;
	case GTDBG_SIP_COMPUTE_OR:
		return left | right;
	case GTDBG_SIP_COMPUTE_XOR:
		return left ^ right;
	case GTDBG_SIP_COMPUTE_MULTIPLY:
		return left * right;
	case GTDBG_SIP_COMPUTE_SHIFT_LEFT:
		return left << (right & 31);
	case GTDBG_SIP_COMPUTE_SHIFT_RIGHT:
		return left >> (right & 31);
	case GTDBG_SIP_COMPUTE_SHIFT_SIGNED:
		return (uint32_t)((int32_t)left >> (right & 31));
	case GTDBG_SIP_COMPUTE_LESS:
		return (int32_t)left < (int32_t)right;
	case GTDBG_SIP_COMPUTE_QUOTIENT:
		return (uint32_t)((int32_t)left / (int32_t)right);
	case GTDBG_SIP_COMPUTE_REMAINDER:
		return (uint32_t)((int32_t)left % (int32_t)right);
	case GTDBG_SIP_COMPUTE_QUOTIENT_UNSIGNED:
		return left / right;
	case GTDBG_SIP_COMPUTE_REMAINDER_UNSIGNED:
		return left % right;
	case GTDBG_SIP_COMPUTE_BELOW:
		return left < right;
	default:
		return compute_float(kind, left, right);
	}
}

static void channel_move(struct channel *channel, uint32_t delta, uint32_t step)
{
	channel->place += (int32_t)delta + (int64_t)(int32_t)channel->lane *
			  (int16_t)step;
}

static void channel_address(struct channel *channel, uint32_t byte)
{
	byte += 8 * channel->lane;
	channel->place = model_dword(channel->model, byte) |
			 (uint64_t)model_dword(channel->model, byte + 4) << 32;
}

static void channel_load(struct channel *channel, uint32_t bytes)
{
	uint32_t value = model_memory(channel->model, channel->place);

	channel->value = !channel->is_active ? 0 :
			 bytes == 1 ? value & 0xff :
			 bytes == 2 ? value & 0xffff : value;
}

static void channel_local(struct channel *channel, const struct gtdbg_sip_op *op)
{
	uint32_t bytes = op->c >> GTDBG_SIP_LOCAL_BYTES_SHIFT & 0xff;
	uint32_t offset = op->a;

	if (op->c & GTDBG_SIP_LOCAL_INDEX)
		offset += channel->value * (op->c & 0xffff);
	if (op->c & GTDBG_SIP_LOCAL_KEPT)
		offset += channel->kept & 0xffff;
	channel->value = 0;
	if (channel->is_active && channel->model->local &&
	    offset <= GTDBG_SIP_SLM_END - bytes)
		memcpy(&channel->value, channel->model->local + offset, bytes);
}

static uint64_t channel_qword(const struct channel *channel)
{
	return model_memory(channel->model, channel->place) |
	       (uint64_t)model_memory(channel->model, channel->place + 4) << 32;
}

static void channel_compute(struct channel *channel,
			    const struct gtdbg_sip_op *op)
{
	uint32_t left = channel->value, right = op->a;

	if (op->c & GTDBG_SIP_COMPUTE_KEPT)
		right = channel->kept;
	channel->value = op->c & GTDBG_SIP_COMPUTE_TURNED ?
			 compute(op->b, right, left) :
			 compute(op->b, left, right);
}

static void channel_capture(struct channel *channel,
			    const struct gtdbg_sip_op *op, uint32_t *captured)
{
	if (op->op == GTDBG_SIP_OP_CAPTURE) {
		channel_move(channel, op->a, op->b);
		channel->value = model_memory(channel->model, channel->place);
	} else if (op->op == GTDBG_SIP_OP_CAPTURE_REGISTER) {
		channel->value = model_dword(channel->model,
					     op->a + 4 * channel->lane);
	}
	captured[op->c] = channel->value;
}

static void channel_run(struct channel *channel, const struct gtdbg_sip_op *op,
			uint32_t *captured)
{
	switch (op->op) {
	case GTDBG_SIP_OP_OR:
		channel->is_active = true;
		break;
	case GTDBG_SIP_OP_CAPTURE:
	case GTDBG_SIP_OP_CAPTURE_REGISTER:
	case GTDBG_SIP_OP_CAPTURE_VALUE:
		channel_capture(channel, op, captured);
		break;
	case GTDBG_SIP_OP_ADD:
		channel_move(channel, op->a, op->b);
		break;
	case GTDBG_SIP_OP_REGISTER:
		channel->value = model_dword(channel->model,
					     op->a + 4 * channel->lane);
		break;
	case GTDBG_SIP_OP_ADDRESS:
		channel_address(channel, op->a);
		break;
	case GTDBG_SIP_OP_FETCH:
		channel_address(channel, op->a & 0xffff);
		channel_move(channel, op->c, op->b);
		channel_load(channel, op->a >> 16);
		break;
	case GTDBG_SIP_OP_LOAD:
		channel_load(channel, 4);
		break;
	case GTDBG_SIP_OP_LOAD_BYTE:
		channel_load(channel, 1);
		break;
	case GTDBG_SIP_OP_LOAD_WORD:
		channel_load(channel, 2);
		break;
	case GTDBG_SIP_OP_UNIFORM:
		channel->value = model_dword(channel->model, op->a);
		break;
	case GTDBG_SIP_OP_ITEM:
		channel->value = model_item(channel->model, op, channel->lane);
		break;
	case GTDBG_SIP_OP_KEEP:
		channel->kept = channel->value;
		break;
	case GTDBG_SIP_OP_COMPUTE:
		channel_compute(channel, op);
		break;
	case GTDBG_SIP_OP_LOCAL:
		channel_local(channel, op);
		break;
	case GTDBG_SIP_OP_PLACE:
		channel->place = model_dword(channel->model, op->a) |
				 (uint64_t)model_dword(channel->model,
						       op->a + 4) << 32;
		channel_move(channel, op->c, op->b);
		break;
	case GTDBG_SIP_OP_WIDE:
		channel->is_active = channel->is_active &&
				     holds_wide(op, channel_qword(channel));
		break;
	default:
		channel->is_active = channel->is_active &&
				     holds(op, channel->value);
	}
}

uint32_t model_value(const struct model *model, const struct gtdbg_sip_op *op,
		     uint32_t count, uint32_t lane)
{
	struct channel channel = { .model = model, .lane = lane,
				   .is_active = true };

	for (uint32_t i = 0; i < count; i++)
		channel_run(&channel, &op[i], NULL);
	return channel.value;
}

bool model_stops(const struct model *model, const struct gtdbg_sip_op *op,
		 uint32_t lane, uint32_t captured[GTDBG_SIP_CAPTURES_MAX])
{
	struct channel channel = { .model = model, .lane = lane,
				   .is_active = true };

	for (; op->op != GTDBG_SIP_OP_END; op++) {
		if (op->op == GTDBG_SIP_OP_RECORD ||
		    (op->op == GTDBG_SIP_OP_OR && channel.is_active))
			break;
		channel_run(&channel, op, captured);
	}
	return channel.is_active;
}
