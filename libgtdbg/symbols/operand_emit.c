// SPDX-License-Identifier: MIT
/* What loads an operand's value. */
#include "operand.h"

#include "formula.h"

#include <string.h>

uint32_t gtdbg_operand_element_bytes(const struct operand *operand)
{
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < operand->indices; i++) {
		uint32_t next = operand->index[i].scale;

		while (next) {
			uint32_t rest = bytes % next;

			bytes = next;
			next = rest;
		}
	}
	return bytes;
}

/* Does its index take the number that is kept? */
static bool takes_kept(const struct operand *operand)
{
	return operand->indices > 1 ||
	       (operand->indices && operand->index[0].needs_both);
}

bool gtdbg_operand_needs_both(const struct operand *operand)
{
	return operand->is_local ? operand->hops || takes_kept(operand) :
	       operand->indices > 0;
}

static int emit_place(struct compiler *compiler, const struct home *home)
{
	int ret;

	if (home->is_shared)
		return gtdbg_program_emit(compiler, GTDBG_SIP_OP_PLACE,
					  home->byte, (uint16_t)home->step,
					  (uint32_t)home->delta);
	ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADDRESS, home->byte, 0,
				 0);
	if (!ret && (home->delta || home->step))
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADD,
					 (uint32_t)home->delta,
					 (uint16_t)home->step, 0);
	return ret;
}

static uint32_t load_of(uint32_t bytes)
{
	return bytes == 1 ? GTDBG_SIP_OP_LOAD_BYTE :
	       bytes == 2 ? GTDBG_SIP_OP_LOAD_WORD :
	       bytes == 4 ? GTDBG_SIP_OP_LOAD : GTDBG_SIP_OP_LOAD_LONG;
}

static int emit_fetch(struct compiler *compiler, const struct home *home,
		      uint32_t bytes)
{
	int ret;

	if (!home->is_shared)
		return gtdbg_program_emit(compiler, GTDBG_SIP_OP_FETCH,
					  bytes << 16 | home->byte,
					  (uint16_t)home->step,
					  (uint32_t)home->delta);
	ret = emit_place(compiler, home);
	return ret ? ret : gtdbg_program_emit(compiler, load_of(bytes), 0, 0, 0);
}

static int emit_keep(struct compiler *compiler)
{
	return gtdbg_program_emit(compiler, GTDBG_SIP_OP_KEEP, 0, 0, 0);
}

static int emit_multiply(struct compiler *compiler, uint32_t number,
			 bool is_long)
{
	return number == 1 ? 0 :
	       gtdbg_program_emit(compiler, GTDBG_SIP_OP_COMPUTE, number,
				  is_long ? GTDBG_SIP_COMPUTE_MULTIPLY_LONG :
				  GTDBG_SIP_COMPUTE_MULTIPLY, 0);
}

static int emit_index(struct compiler *compiler, const struct operand *operand,
		      uint32_t at)
{
	struct formula formula;
	int ret = gtdbg_operand_index(compiler, operand, &operand->index[at],
				      &formula);

	compiler->has_found = false;
	ret = ret ? ret : gtdbg_formula_emit_value(compiler, &formula);
	compiler->has_found = false;
	return ret;
}

/* Then the thread stops where one is less than 0, or a sum of them has 32 bits. */
static bool is_exact(const struct compiler *compiler,
		     const struct operand *operand)
{
	return operand->indices > 2 ||
	       (operand->indices == 2 && compiler->has_exact_indices);
}

/*
 * Could its product, or its sum with another one, come round to one that is right? Not the
 * second one, with a sign and of elements as such: the first one is small then, so a sum
 * that comes round is too large for the last load.
 */
static bool index_wraps(const struct compiler *compiler,
			const struct operand *operand, uint32_t at)
{
	return operand->indices > 1 && !is_exact(compiler, operand) &&
	       (!at || operand->index[at].is_unsigned ||
		operand->index[at].scale != gtdbg_operand_element_bytes(operand));
}

/* Of several, the one that takes the number that is kept comes first. */
static int first_index(struct compiler *compiler, const struct operand *operand,
		       uint32_t *out)
{
	uint32_t count = 0;

	*out = 0;
	for (uint32_t i = 0; i < operand->indices; i++) {
		if (!operand->index[i].needs_both)
			continue;
		*out = i;
		count++;
	}
	return count < 2 ? 0 :
	       gtdbg_program_refuse(compiler,
				    "it takes more than two numbers at once");
}

/* The number of the element, of as many bytes as element_bytes() says. */
static int emit_element(struct compiler *compiler, const struct operand *operand)
{
	uint32_t bytes = gtdbg_operand_element_bytes(operand), first;
	bool is_long = is_exact(compiler, operand);
	int ret = first_index(compiler, operand, &first);

	for (uint32_t i = 0; !ret && i < operand->indices; i++) {
		uint32_t at = !i ? first : i - (i <= first);

		if (i)
			ret = emit_keep(compiler);
		if (!ret)
			ret = emit_index(compiler, operand, at);
		if (!ret)
			ret = emit_multiply(compiler,
					    operand->index[at].scale / bytes,
					    is_long);
		if (!ret && i)
			ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_COMPUTE,
						 0, is_long ?
						 GTDBG_SIP_COMPUTE_ADD_LONG :
						 GTDBG_SIP_COMPUTE_ADD,
						 GTDBG_SIP_COMPUTE_KEPT);
	}
	return ret;
}

/* The thread stops unless the value's product is somewhere in local memory. */
static int emit_local_check(struct compiler *compiler, uint32_t scale)
{
	return gtdbg_program_emit(compiler, GTDBG_SIP_OP_LOCAL, 0,
				  GTDBG_SIP_SLM_END - 1,
				  1 << GTDBG_SIP_LOCAL_BYTES_SHIFT |
				  GTDBG_SIP_LOCAL_INDEX | scale);
}

static int emit_local_element(struct compiler *compiler,
			      const struct operand *operand)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < operand->indices; i++) {
		if (!index_wraps(compiler, operand, i))
			continue;
		ret = emit_index(compiler, operand, i);
		if (!ret)
			ret = emit_local_check(compiler, operand->index[i].scale);
	}
	return ret ? ret : emit_element(compiler, operand);
}

/* An index that two numbers make leaves none for the pointer: the product is kept. */
static int emit_local_product(struct compiler *compiler,
			      const struct operand *operand)
{
	uint32_t bytes = gtdbg_operand_element_bytes(operand);
	int ret = emit_local_element(compiler, operand);

	if (!ret)
		ret = emit_local_check(compiler, bytes);
	if (!ret)
		ret = emit_element(compiler, operand);
	if (!ret)
		ret = emit_multiply(compiler, bytes, false);
	if (!ret)
		ret = emit_keep(compiler);
	if (!ret)
		ret = emit_fetch(compiler, &operand->home, 4);
	/* As of a pointer that is kept, the lower half counts. */
	return ret ? ret : gtdbg_program_emit(compiler, GTDBG_SIP_OP_COMPUTE,
					      UINT16_MAX,
					      GTDBG_SIP_COMPUTE_AND, 0);
}

static int emit_local(struct compiler *compiler, const struct operand *operand)
{
	uint32_t how = operand->bytes << GTDBG_SIP_LOCAL_BYTES_SHIFT;
	bool is_product = operand->hops && takes_kept(operand);
	int ret = 0;

	if (operand->hops)
		how |= GTDBG_SIP_LOCAL_KEPT;
	if (operand->indices)
		how |= GTDBG_SIP_LOCAL_INDEX |
		       (is_product ? 1 : gtdbg_operand_element_bytes(operand));
	if (is_product) {
		ret = emit_local_product(compiler, operand);
	} else {
		if (operand->hops)
			ret = emit_fetch(compiler, &operand->home, 4);
		if (!ret && operand->hops)
			ret = emit_keep(compiler);
		if (!ret && operand->indices)
			ret = emit_local_element(compiler, operand);
	}
	return ret ? ret : gtdbg_program_emit(compiler, GTDBG_SIP_OP_LOCAL,
					      operand->offset, operand->last,
					      how);
}

/* What two pointers have in common that are the same one: FNV-1a. */
static void mix(uint64_t *sum, const void *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		*sum = (*sum ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
}

/*
 * A window for pointer @hop, counted from 0: terms of the same one share it. Others may,
 * too, as each load looks whether it is right.
 */
static int hop_window(struct compiler *compiler, const struct operand *operand,
		      uint32_t hop, uint32_t *out)
{
	uint64_t key = 0xcbf29ce484222325;

	mix(&key, operand->key, sizeof(operand->key[0]));
	mix(&key, operand->hop, (hop + 1) * sizeof(operand->hop[0]));
	for (uint32_t i = 0; operand->index_hop <= hop && i < operand->indices; i++)
		mix(&key, operand->name + operand->index[i].at,
		    operand->index[i].len);
	for (*out = 0; *out < compiler->window_count; ++*out)
		if (compiler->window[*out] == key)
			return 0;
	if (*out == GTDBG_SIP_PROGRAM_WINDOWS_MAX)
		return gtdbg_program_refuse(compiler,
					    "it follows more than %u pointers",
					    GTDBG_SIP_PROGRAM_WINDOWS_MAX);
	compiler->window[compiler->window_count++] = key;
	return 0;
}

/* @bytes of an array of the lane's own, which it does not leave. */
static int emit_own(struct compiler *compiler, const struct operand *operand,
		    uint32_t bytes, const struct operand_index *index)
{
	return gtdbg_program_emit(compiler, GTDBG_SIP_OP_GLOBAL, 0,
				  (operand->room - bytes) / index->scale,
				  bytes << GTDBG_SIP_GLOBAL_BYTES_SHIFT |
				  GTDBG_SIP_GLOBAL_OWN | GTDBG_SIP_GLOBAL_INDEX |
				  GTDBG_SIP_GLOBAL_UNSIGNED | index->scale);
}

/* What the pointer leads to that is @hop with those before. @index may be NULL. */
static int emit_led(struct compiler *compiler, const struct operand *operand,
		    uint32_t hop, uint32_t bytes,
		    const struct operand_index *index)
{
	uint32_t offset = hop < operand->hops ? (uint32_t)operand->hop[hop] :
			  operand->offset;
	uint32_t how = bytes << GTDBG_SIP_GLOBAL_BYTES_SHIFT, window, limit = 0;
	int ret = hop_window(compiler, operand, hop - 1, &window);

	if (index) {
		how |= GTDBG_SIP_GLOBAL_INDEX | index->scale;
		if (index->is_unsigned)
			how |= GTDBG_SIP_GLOBAL_UNSIGNED;
		limit = INT32_MAX / index->scale;
		/* So that two of them, and their sum, have room in 32 bits. */
		if (operand->indices > 1 && !is_exact(compiler, operand))
			limit /= 4;
	}
	if (!ret)
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_FOLLOW, 0, 0, 0);
	if (!ret && offset)
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADD, offset, 0,
					 0);
	return ret ? ret : gtdbg_program_emit(compiler, GTDBG_SIP_OP_GLOBAL,
					      window, limit, how);
}

/* Along @hops pointers, and @bytes behind them. On the way what is kept counts as @index. */
static int emit_walk(struct compiler *compiler, const struct operand *operand,
		     uint32_t hops, uint32_t bytes,
		     const struct operand_index *index)
{
	int ret = emit_place(compiler, &operand->home);

	if (!ret && index && !operand->index_hop)
		ret = emit_own(compiler, operand,
			       hops ? sizeof(uint64_t) : bytes, index);
	for (uint32_t hop = 1; !ret && hop <= hops; hop++)
		ret = emit_led(compiler, operand, hop,
			       hop < hops ? sizeof(uint64_t) : bytes,
			       hop == operand->index_hop ? index : NULL);
	return ret;
}

/* The number of one is kept: is that where it may be? */
static int emit_index_check(struct compiler *compiler,
			    const struct operand *operand, uint32_t at)
{
	int ret = emit_index(compiler, operand, at);

	if (!ret)
		ret = emit_keep(compiler);
	return ret ? ret : emit_walk(compiler, operand, operand->index_hop, 1,
				     &operand->index[at]);
}

/* An index comes first, as it may take the place of the pointer. */
static int emit_global(struct compiler *compiler, const struct operand *operand)
{
	struct operand_index all = {
		.scale = gtdbg_operand_element_bytes(operand),
		.is_unsigned = operand->indices == 1 &&
			       operand->index[0].is_unsigned,
	};
	int ret = 0;

	for (uint32_t i = 0; !ret && i < operand->indices; i++)
		if (index_wraps(compiler, operand, i))
			ret = emit_index_check(compiler, operand, i);
	if (!ret && operand->indices)
		ret = emit_element(compiler, operand);
	if (!ret && operand->indices)
		ret = emit_keep(compiler);
	if (!ret)
		ret = emit_walk(compiler, operand, operand->hops, operand->bytes,
				operand->indices ? &all : NULL);
	return ret || !operand->is_long ? ret :
	       gtdbg_program_emit(compiler, GTDBG_SIP_OP_LOAD_LONG, 0, 0, 0);
}

static int emit_value(struct compiler *compiler, const struct operand *operand)
{
	uint32_t group = gtdbg_group_byte(operand->dimension);

	if (operand->is_item)
		return gtdbg_program_emit(compiler, GTDBG_SIP_OP_ITEM,
					  operand->place.local, group << 16 |
					  operand->place.size,
					  operand->place.first);
	if (operand->is_group)
		return gtdbg_program_emit(compiler, GTDBG_SIP_OP_UNIFORM,
					  group, 0, 0);
	if (!operand->home.is_memory)
		return gtdbg_program_emit(compiler, GTDBG_SIP_OP_REGISTER,
					  operand->home.byte, 0, 0);
	if (operand->bytes == 8 && !operand->is_long)
		return 0;
	return gtdbg_program_emit(compiler, load_of(operand->bytes), 0, 0, 0);
}

int gtdbg_operand_emit(struct compiler *compiler, const struct operand *operand)
{
	bool is_same = compiler->has_found &&
		       !memcmp(compiler->found, operand->key,
			       sizeof(operand->key));
	int ret = 0;

	if (operand->is_local || operand->is_global || operand->is_own) {
		compiler->has_found = false;
		ret = operand->is_local ? emit_local(compiler, operand) :
		      emit_global(compiler, operand);
		compiler->has_found = false;
		compiler->has_value = false;
		return ret;
	}
	if (is_same && compiler->has_value)
		return 0;
	if (operand->home.is_memory && !is_same && compiler->is_fused &&
	    (operand->bytes < 8 || operand->is_long)) {
		ret = emit_fetch(compiler, &operand->home, operand->bytes);
	} else {
		if (operand->home.is_memory && !is_same)
			ret = emit_place(compiler, &operand->home);
		if (!ret)
			ret = emit_value(compiler, operand);
	}
	compiler->has_found = true;
	compiler->has_value = operand->bytes < 8 || operand->is_long;
	compiler->has_place = operand->home.is_memory;
	memcpy(compiler->found, operand->key, sizeof(operand->key));
	return ret;
}
