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
	return operand->is_led || operand->is_own || takes_kept(operand);
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

static int emit_multiply(struct compiler *compiler, uint32_t number)
{
	return number == 1 ? 0 :
	       gtdbg_program_emit(compiler, GTDBG_SIP_OP_COMPUTE, number,
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

/*
 * Could its product, or its sum with another one, come round to one that is right? Not the
 * second one, with a sign and of elements as such: the first one is small then, so a sum
 * that comes round is too large for the last load.
 */
static bool index_wraps(const struct operand *operand, uint32_t at)
{
	return operand->indices > 1 &&
	       (!at || operand->index[at].is_unsigned ||
		operand->index[at].scale != gtdbg_operand_element_bytes(operand));
}

/* The number of the element, of as many bytes as element_bytes() says. */
static int emit_element(struct compiler *compiler, const struct operand *operand)
{
	uint32_t bytes = gtdbg_operand_element_bytes(operand);
	uint32_t first = operand->indices > 1 && operand->index[1].needs_both;
	uint32_t second = !first;
	int ret = emit_index(compiler, operand, first);

	if (ret || operand->indices == 1)
		return ret;
	if (operand->index[second].needs_both)
		return gtdbg_program_refuse(compiler,
					    "it takes more than two numbers at once");
	ret = emit_multiply(compiler, operand->index[first].scale / bytes);
	if (!ret)
		ret = emit_keep(compiler);
	if (!ret)
		ret = emit_index(compiler, operand, second);
	if (!ret)
		ret = emit_multiply(compiler, operand->index[second].scale / bytes);
	return ret ? ret : gtdbg_program_emit(compiler, GTDBG_SIP_OP_COMPUTE, 0,
					      GTDBG_SIP_COMPUTE_ADD,
					      GTDBG_SIP_COMPUTE_KEPT);
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
		if (!index_wraps(operand, i))
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
		ret = emit_multiply(compiler, bytes);
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
	bool is_product = operand->is_led && takes_kept(operand);
	int ret = 0;

	if (operand->is_led)
		how |= GTDBG_SIP_LOCAL_KEPT;
	if (operand->indices)
		how |= GTDBG_SIP_LOCAL_INDEX |
		       (is_product ? 1 : gtdbg_operand_element_bytes(operand));
	if (is_product) {
		ret = emit_local_product(compiler, operand);
	} else {
		if (operand->is_led)
			ret = emit_fetch(compiler, &operand->home, 4);
		if (!ret && operand->is_led)
			ret = emit_keep(compiler);
		if (!ret && operand->indices)
			ret = emit_local_element(compiler, operand);
	}
	return ret ? ret : gtdbg_program_emit(compiler, GTDBG_SIP_OP_LOCAL,
					      operand->offset, operand->last,
					      how);
}

/* A window for each pointer: terms of the same one share it. */
static int led_window(struct compiler *compiler, const struct operand *operand,
		      uint32_t *out)
{
	uint32_t i = 0;

	while (i < compiler->led_count &&
	       memcmp(compiler->led[i], operand->key, sizeof(operand->key)) != 0)
		i++;
	*out = i;
	if (i < compiler->led_count)
		return 0;
	if (i == GTDBG_SIP_PROGRAM_WINDOWS_MAX)
		return gtdbg_program_refuse(compiler,
					    "it follows more than %u pointers",
					    GTDBG_SIP_PROGRAM_WINDOWS_MAX);
	memcpy(compiler->led[compiler->led_count++], operand->key,
	       sizeof(operand->key));
	return 0;
}

/* What is @bytes behind the pointer and the product of what is kept with @scale. */
static int emit_led(struct compiler *compiler, const struct operand *operand,
		    uint32_t bytes, uint32_t scale, uint32_t how)
{
	uint32_t window, limit = 0;
	int ret = led_window(compiler, operand, &window);

	how |= bytes << GTDBG_SIP_GLOBAL_BYTES_SHIFT;
	if (scale) {
		how |= GTDBG_SIP_GLOBAL_INDEX | scale;
		limit = INT32_MAX / scale;
		/* So that two of them, and their sum, have room in 32 bits. */
		if (operand->indices > 1)
			limit /= 4;
	}
	if (!ret)
		ret = emit_place(compiler, &operand->home);
	if (!ret)
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_FOLLOW, 0, 0, 0);
	if (!ret && operand->offset)
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADD,
					 operand->offset, 0, 0);
	return ret ? ret : gtdbg_program_emit(compiler, GTDBG_SIP_OP_GLOBAL,
					      window, limit, how);
}

/* The same in an array of the lane's own, which it does not leave. */
static int emit_own(struct compiler *compiler, const struct operand *operand,
		    uint32_t bytes, uint32_t scale)
{
	int ret = emit_place(compiler, &operand->home);

	return ret ? ret :
	       gtdbg_program_emit(compiler, GTDBG_SIP_OP_GLOBAL, 0,
				  (operand->room - bytes) / scale,
				  bytes << GTDBG_SIP_GLOBAL_BYTES_SHIFT |
				  GTDBG_SIP_GLOBAL_OWN | GTDBG_SIP_GLOBAL_INDEX |
				  GTDBG_SIP_GLOBAL_UNSIGNED | scale);
}

static int emit_kept_index(struct compiler *compiler,
			   const struct operand *operand, uint32_t at)
{
	int ret = emit_index(compiler, operand, at);

	return ret ? ret : emit_keep(compiler);
}

static uint32_t index_sign(const struct operand_index *index)
{
	return index->is_unsigned ? GTDBG_SIP_GLOBAL_UNSIGNED : 0;
}

/* An index comes first, as it may take the place of the pointer. */
static int emit_global(struct compiler *compiler, const struct operand *operand)
{
	const struct operand_index *index = operand->index;
	uint32_t scale = gtdbg_operand_element_bytes(operand);
	int ret = 0;

	for (uint32_t i = 0; !ret && i < operand->indices; i++) {
		if (!index_wraps(operand, i))
			continue;
		ret = emit_kept_index(compiler, operand, i);
		if (!ret)
			ret = operand->is_own ?
			      emit_own(compiler, operand, 1, index[i].scale) :
			      emit_led(compiler, operand, 1, index[i].scale,
				       index_sign(&index[i]));
	}
	if (!ret && scale)
		ret = emit_element(compiler, operand);
	if (!ret && scale)
		ret = emit_keep(compiler);
	if (!ret && operand->is_own)
		return emit_own(compiler, operand, operand->bytes, scale);
	return ret ? ret : emit_led(compiler, operand, operand->bytes, scale,
				    operand->indices == 1 ? index_sign(index) :
				    0);
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
