// SPDX-License-Identifier: MIT
/*
 * The map comes from one pass along the text that follows values in the way
 * an assembler programmer would read it: constants, what the thread was
 * launched with (the *payload*), and sums of both. The address of a home is
 *
 *	payload quadword (private base) + offset + thread part
 *
 * where the thread part is a multiple of r0.5 & 0x3ff. Lanes are followed one
 * by one, so a lane's share is part of the constant. Whatever the pass does
 * not understand is an unknown value, and no address is made from it.
 */
#include "home_map.h"

#include "gtdbg_symbols.h"
#include "home.h"
#include "kv.h"

#include <stdlib.h>
#include <string.h>

#define GRF_BYTES	GTDBG_GRF_BYTES
#define THREAD_BYTE	(5 * 4)		/* r0.5 */
#define THREAD_MASK	0x3ff
#define TARGETS_MAX	3
#define ACC_LANES	16

struct pass {
	const struct gtdbg_kv *kv;
	const struct kv_view *view;
	struct home_map *map;
	uint32_t pc;
	bool is_update;		/* of the write that is being recorded */
	bool is_out_of_memory;
	bool is_written[FILE_BYTES / 4];
	struct value file[FILE_BYTES];
	/*
	 * acc0, which other instructions may change without naming it: good for
	 * the instruction behind the one that wrote it.
	 */
	struct value acc[ACC_LANES];
	uint32_t acc_pc;
};

static uint32_t type_size(uint32_t type)
{
	switch (type) {
	case KV_TYPE_UB:
	case KV_TYPE_B:
		return 1;
	case KV_TYPE_UW:
	case KV_TYPE_W:
	case KV_TYPE_HF:
	case KV_TYPE_V:
	case KV_TYPE_UV:
		return 2;
	case KV_TYPE_UQ:
	case KV_TYPE_Q:
	case KV_TYPE_DF:
		return 8;
	default:
		return 4;
	}
}

static struct value value_linear(int64_t constant, int64_t factor)
{
	struct value value = { .kind = VALUE_LINEAR };

	value.constant = constant;
	value.factor = factor;
	return value;
}

static struct value file_read(const struct pass *pass, uint32_t byte,
			      uint32_t size)
{
	struct value unknown = { 0 };

	if (byte >= FILE_BYTES || size > FILE_BYTES - byte)
		return unknown;
	if (pass->file[byte].size == size ||
	    (pass->file[byte].kind == VALUE_LINEAR &&
	     !pass->file[byte].factor && pass->file[byte].size > size))
		return pass->file[byte];
	return unknown;
}

static void file_forget(struct pass *pass, uint32_t byte, uint32_t len)
{
	uint32_t at = byte < 8 ? 0 : byte - 7;
	uint32_t end = byte + len;

	if (end > FILE_BYTES)
		end = FILE_BYTES;
	for (; at < end; at++) {
		if (at + pass->file[at].size > byte)
			memset(&pass->file[at], 0, sizeof(pass->file[at]));
	}
}

static void mark(bool *dwords, uint32_t byte, uint32_t len)
{
	uint32_t i;

	for (i = byte / 4; i < (byte + len + 3) / 4 && i < FILE_BYTES / 4; i++)
		dwords[i] = true;
}

static void write_record(struct pass *pass, uint32_t byte, uint32_t len,
			 uint32_t lane, const struct value *value)
{
	struct home_map *map = pass->map;
	struct write *write;

	if (map->write_count == map->write_capacity) {
		size_t capacity = map->write_capacity ?
				  map->write_capacity * 2 : 1024;
		struct write *writes = realloc(map->writes,
					       capacity * sizeof(*writes));

		if (!writes) {
			pass->is_out_of_memory = true;
			return;
		}
		map->writes = writes;
		map->write_capacity = capacity;
	}
	write = &map->writes[map->write_count++];
	write->pc = pass->pc;
	write->byte = byte;
	write->len_bytes = len;
	write->lane = lane;
	write->is_update = pass->is_update;
	write->value = *value;
	mark(pass->is_written, byte, len);
}

static void read_record(struct pass *pass, uint32_t byte, uint32_t len)
{
	if (byte < FILE_BYTES && !pass->is_written[byte / 4])
		mark(pass->map->is_payload, byte, len);
}

static void file_write(struct pass *pass, uint32_t byte, uint32_t size,
		       uint32_t lane, struct value value)
{
	if (byte >= FILE_BYTES || size > FILE_BYTES - byte)
		return;
	file_forget(pass, byte, size);
	value.size = size;
	pass->file[byte] = value;
	write_record(pass, byte, size, lane, &value);
}

static int64_t immediate_element(uint64_t raw, uint32_t type, uint32_t element)
{
	switch (type) {
	case KV_TYPE_V:
		return (int64_t)((raw >> (4 * (element & 7))) << 60) >> 60;
	case KV_TYPE_UV:
		return (raw >> (4 * (element & 7))) & 0xf;
	case KV_TYPE_W:
	case KV_TYPE_HF:
		return (int16_t)raw;
	case KV_TYPE_UW:
		return (uint16_t)raw;
	default:
		return (int32_t)raw;
	}
}

/* Byte of element @element of a source in the register file. */
static uint32_t source_byte(const struct pass *pass, uint32_t i,
			    uint32_t element, uint32_t size)
{
	uint32_t vertical = 0, width = 1, stride = 0, index;
	int32_t reg = pass->kv->get_source_register(pass->view, pass->pc, i);
	int32_t sub = pass->kv->get_source_sub_register(pass->view, pass->pc,
							i);

	pass->kv->get_source_region(pass->view, pass->pc, i, &vertical, &width,
				    &stride);
	if (!width || width > 16 || vertical > 32)
		/* Three-source form: a stride, which is 0 for a scalar. */
		index = element * stride;
	else
		index = element / width * vertical + element % width * stride;
	if (reg < 0)
		return FILE_BYTES;
	/* With an accumulator that a macro has chosen it is a whole register. */
	if (sub < 0)
		return reg * GRF_BYTES + element * size;
	return reg * GRF_BYTES + (sub + index) * size;
}

static struct value acc_read(const struct pass *pass, uint32_t i,
			     uint32_t element)
{
	struct value unknown = { 0 };

	if (pass->pc != pass->acc_pc || element >= ACC_LANES ||
	    pass->kv->get_source_register(pass->view, pass->pc, i) ||
	    pass->kv->get_source_sub_register(pass->view, pass->pc, i))
		return unknown;
	return pass->acc[element];
}

static struct value source_read(const struct pass *pass, uint32_t i,
				uint32_t element)
{
	uint32_t type = pass->kv->get_source_data_type(pass->view, pass->pc, i);
	uint32_t kind = pass->kv->get_source_register_kind(pass->view,
							   pass->pc, i);
	struct value unknown = { 0 };
	uint64_t raw;

	if (kind == KV_KIND_IMMEDIATE &&
	    !pass->kv->get_source_immediate(pass->view, pass->pc, i, &raw))
		return value_linear(immediate_element(raw, type, element), 0);
	if (kind != KV_KIND_DIRECT ||
	    pass->kv->get_source_modifier(pass->view, pass->pc, i))
		return unknown;
	kind = pass->kv->get_source_register_type(pass->view, pass->pc, i);
	if (kind == KV_REGISTER_ACC && type_size(type) == 4)
		return acc_read(pass, i, element);
	if (kind != KV_REGISTER_GRF)
		return unknown;
	return file_read(pass, source_byte(pass, i, element, type_size(type)),
			 type_size(type));
}

static struct value value_multiply(struct value a, struct value b)
{
	struct value unknown = { 0 };

	if (a.kind != VALUE_LINEAR || b.kind != VALUE_LINEAR)
		return unknown;
	if (!b.factor)
		return value_linear((int64_t)a.constant * b.constant,
				    (int64_t)a.factor * b.constant);
	if (!a.factor)
		return value_multiply(b, a);
	return unknown;
}

static struct value value_sum(struct value a, struct value b)
{
	struct value unknown = { 0 };

	if (b.kind == VALUE_PAYLOAD || b.kind == VALUE_ADDRESS)
		return a.kind == VALUE_LINEAR ? value_sum(b, a) : unknown;
	if (b.kind != VALUE_LINEAR)
		return unknown;
	if (a.kind == VALUE_LINEAR)
		return value_linear((int64_t)a.constant + b.constant,
				    (int64_t)a.factor + b.factor);
	if (a.kind == VALUE_PAYLOAD || a.kind == VALUE_ADDRESS) {
		a.kind = VALUE_ADDRESS;
		a.constant += b.constant;
		a.factor += b.factor;
		return a;
	}
	return unknown;
}

/* The one mask that matters is the one that takes the thread out of r0.5. */
static struct value value_and(struct value a, struct value b)
{
	struct value unknown = { 0 };

	if (a.kind == VALUE_PAYLOAD && a.payload == THREAD_BYTE &&
	    b.kind == VALUE_LINEAR && b.constant == THREAD_MASK)
		return value_linear(0, 1);
	return unknown;
}

/* A move keeps the bits unless it converts between numbers. */
static struct value value_move(const struct pass *pass, uint32_t to)
{
	uint32_t from = pass->kv->get_source_data_type(pass->view, pass->pc, 0);
	struct value unknown = { 0 };
	bool is_float = to == KV_TYPE_F || to == KV_TYPE_HF || to == KV_TYPE_DF;

	if (is_float && from != to)
		return unknown;
	if (!is_float && (from == KV_TYPE_F || from == KV_TYPE_HF))
		return unknown;
	return value_linear(0, 0);
}

static struct value instruction_value(const struct pass *pass, uint32_t opcode,
				      uint32_t type, uint32_t element)
{
	struct value unknown = { 0 };
	struct value a = source_read(pass, 0, element), b;

	if (opcode == KV_OP_MOV)
		return value_move(pass, type).kind ? a : unknown;
	b = source_read(pass, 1, element);
	switch (opcode) {
	case KV_OP_ADD:
	case KV_OP_ADDC:
		return value_sum(a, b);
	case KV_OP_MUL:
		return value_multiply(a, b);
	case KV_OP_AND:
		return value_and(a, b);
	case KV_OP_SHL:
		if (b.kind != VALUE_LINEAR || b.constant < 0 || b.constant > 30)
			return unknown;
		return value_multiply(a, value_linear(1ll << b.constant, 0));
	case KV_OP_MAD:
		return value_sum(a, value_multiply(b,
				 source_read(pass, 2, element)));
	default:
		return unknown;
	}
}

/*
 * "Any lane active" predicates guard code that would otherwise run without
 * need; where it runs at all, it does all of its work.
 */
static bool predicate_is_plain(uint32_t predicate)
{
	return predicate == 0 || predicate == 4 || predicate == 6 ||
	       predicate == 8 || predicate == 10 || predicate == 12;
}

/* The register of a message's addresses, once for all lanes. */
static void pass_use(struct pass *pass)
{
	int32_t reg = pass->kv->get_source_register(pass->view, pass->pc, 0);
	uint32_t message = 0, extended, response;
	struct home_map *map = pass->map;
	struct use *uses;

	if (reg < 0)
		return;
	pass->kv->get_message_len(pass->view, pass->pc, &message, &extended,
				  &response);
	read_record(pass, reg * GRF_BYTES, (message & 0xf) * GRF_BYTES);
	uses = realloc(map->uses, (map->use_count + 1) * sizeof(*uses));
	if (!uses) {
		pass->is_out_of_memory = true;
		return;
	}
	map->uses = uses;
	uses[map->use_count].pc = pass->pc;
	uses[map->use_count].byte = reg * GRF_BYTES;
	uses[map->use_count++].len_bytes = (message & 0xf) * GRF_BYTES;
}

/* Records what element @element reads; returns whether that is at @byte. */
static bool pass_reads(struct pass *pass, uint32_t element, uint32_t byte)
{
	uint32_t count = pass->kv->get_number_sources(pass->view, pass->pc), i;
	bool is_hit = false;

	for (i = 0; i < count && i <= 2; i++) {
		uint32_t size = type_size(pass->kv->get_source_data_type(
			pass->view, pass->pc, i)), at;

		if (pass->kv->get_source_register_kind(pass->view, pass->pc,
						       i) != KV_KIND_DIRECT ||
		    pass->kv->get_source_register_type(pass->view, pass->pc,
						       i) != KV_REGISTER_GRF)
			continue;
		at = source_byte(pass, i, element, size);
		is_hit |= at == byte;
		read_record(pass, at, size);
	}
	return is_hit;
}

static void pass_send(struct pass *pass, int32_t reg)
{
	uint32_t message, extended, response = 0;
	struct value unknown = { 0 };
	uint32_t len;

	pass->kv->get_message_len(pass->view, pass->pc, &message, &extended,
				  &response);
	/* A descriptor in a register: assume the longest answer. */
	if (response > 16)
		response = 16;
	len = response * GRF_BYTES;
	if (!len)
		return;
	file_forget(pass, reg * GRF_BYTES, len);
	write_record(pass, reg * GRF_BYTES, len, 0, &unknown);
}

static bool opcode_is_send(uint32_t opcode)
{
	return opcode == KV_OP_SEND || opcode == KV_OP_SENDC;
}

/* However wide, a call writes the return address and mask only. */
static void pass_call(struct pass *pass, int32_t reg)
{
	struct value unknown = { 0 };

	if (pass->pc < pass->map->first_call)
		pass->map->first_call = pass->pc;
	file_forget(pass, reg * GRF_BYTES, 8);
	write_record(pass, reg * GRF_BYTES, 8, 0, &unknown);
}

/* An intermediate result. */
static void pass_acc(struct pass *pass, uint32_t opcode, uint32_t width)
{
	uint32_t type = pass->kv->get_destination_data_type(pass->view,
							    pass->pc);
	uint32_t predicate = pass->kv->get_predicate(pass->view, pass->pc);
	struct value results[ACC_LANES];
	uint32_t i;

	if (pass->kv->get_destination_register(pass->view, pass->pc) ||
	    pass->kv->get_destination_sub_register(pass->view, pass->pc) ||
	    width > ACC_LANES || type_size(type) != 4 ||
	    !predicate_is_plain(predicate))
		return;
	for (i = 0; i < width; i++)
		results[i] = instruction_value(pass, opcode, type, i);
	memset(pass->acc, 0, sizeof(pass->acc));
	memcpy(pass->acc, results, width * sizeof(results[0]));
	pass->acc_pc = pass->pc + pass->kv->get_inst_size(pass->view, pass->pc);
}

static void pass_instruction(struct pass *pass)
{
	uint32_t opcode = pass->kv->get_opcode(pass->view, pass->pc);
	uint32_t width = pass->kv->get_execution_size(pass->view, pass->pc);
	uint32_t first = pass->kv->get_channel_offset(pass->view, pass->pc) * 4;
	uint32_t type, size, stride = 1, i;
	struct value results[32] = { { 0 } };
	bool is_plain;
	int32_t reg, sub;

	if (opcode_is_send(opcode))
		pass_use(pass);
	if (pass->kv->get_has_destination(pass->view, pass->pc) != 1 ||
	    width > 32)
		return;
	type = pass->kv->get_destination_register_type(pass->view, pass->pc);
	if (type == KV_REGISTER_ACC)
		pass_acc(pass, opcode, width);
	if (type != KV_REGISTER_GRF)
		return;
	reg = pass->kv->get_destination_register(pass->view, pass->pc);
	if (reg < 0)
		return;
	if (opcode_is_send(opcode)) {
		pass_send(pass, reg);
		return;
	}
	if (opcode == KV_OP_CALL || opcode == KV_OP_CALLA) {
		pass_call(pass, reg);
		return;
	}
	type = pass->kv->get_destination_data_type(pass->view, pass->pc);
	size = type_size(type);
	sub = pass->kv->get_destination_sub_register(pass->view, pass->pc);
	pass->kv->get_destination_region(pass->view, pass->pc, &stride);
	/* With an accumulator that a macro has chosen it is a whole register. */
	if (sub < 0)
		sub = 0;
	is_plain = predicate_is_plain(pass->kv->get_predicate(pass->view,
							      pass->pc));
	/* Sources first: a register may be source and destination. */
	for (i = 0; i < width && is_plain; i++)
		results[i] = instruction_value(pass, opcode, type, i);
	for (i = 0; i < width; i++) {
		uint32_t byte = reg * GRF_BYTES + (sub + i * stride) * size;

		pass->is_update = pass_reads(pass, i, byte);
		file_write(pass, byte, size, first + i, results[i]);
	}
	pass->is_update = false;
}

static void pass_branches(struct pass *pass)
{
	int32_t targets[TARGETS_MAX];
	uint32_t count, i;
	struct home_map *map = pass->map;

	count = pass->kv->get_inst_targets(pass->view, pass->pc, targets);
	for (i = 0; i < count && i < TARGETS_MAX; i++) {
		struct loop *loops;

		if (pass->pc < map->first_branch)
			map->first_branch = pass->pc;
		if (targets[i] < 0 || (uint32_t)targets[i] > pass->pc)
			continue;
		loops = realloc(map->loops,
				(map->loop_count + 1) * sizeof(*loops));
		if (!loops) {
			pass->is_out_of_memory = true;
			return;
		}
		map->loops = loops;
		loops[map->loop_count].target = targets[i];
		loops[map->loop_count++].source = pass->pc;
	}
}

static void pass_start(struct pass *pass)
{
	uint32_t byte;

	for (byte = 0; byte < FILE_BYTES; byte += 4) {
		pass->file[byte].kind = VALUE_PAYLOAD;
		pass->file[byte].size = 4;
		pass->file[byte].payload = byte;
	}
}

struct home_map *gtdbg_home_map_create(const struct gtdbg_code *code)
{
	struct pass *pass = calloc(1, sizeof(*pass));
	struct home_map *map = calloc(1, sizeof(*map));
	uint32_t size;

	if (!pass || !map) {
		free(pass);
		free(map);
		return NULL;
	}
	map->first_branch = UINT32_MAX;
	map->first_call = UINT32_MAX;
	pass->kv = code->kv;
	pass->view = code->view;
	pass->map = map;
	pass_start(pass);
	while ((size = gtdbg_code_size(code, pass->pc)) &&
	       !pass->is_out_of_memory) {
		pass_instruction(pass);
		pass_branches(pass);
		pass->pc += size;
	}
	if (pass->is_out_of_memory) {
		gtdbg_home_map_destroy(map);
		map = NULL;
	}
	free(pass);
	return map;
}

void gtdbg_home_map_destroy(struct home_map *map)
{
	if (!map)
		return;
	free(map->writes);
	free(map->uses);
	free(map->loops);
	free(map);
}
