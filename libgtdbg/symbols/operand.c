// SPDX-License-Identifier: MIT
#include "operand.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/*
 * The text
 */

void gtdbg_text_skip(const char **at)
{
	while (isspace((unsigned char)**at))
		(*at)++;
}

bool gtdbg_text_take(const char **at, const char *word)
{
	gtdbg_text_skip(at);
	if (strncmp(*at, word, strlen(word)) != 0)
		return false;
	*at += strlen(word);
	return true;
}

/* $item.x, $group.z */
static bool take_item(const char **at, struct operand *operand)
{
	operand->is_item = gtdbg_text_take(at, "$item.");
	operand->is_group = !operand->is_item && gtdbg_text_take(at, "$group.");
	if (!(operand->is_item || operand->is_group) || **at < 'x' ||
	    **at > 'z' || isalnum((unsigned char)(*at)[1]))
		return false;
	operand->dimension = (uint32_t)(*(*at)++ - 'x');
	return true;
}

/* A name, and those of members behind it. */
static bool take_name(const char **at, char name[NAME_MAX_BYTES])
{
	size_t len = 0;

	gtdbg_text_skip(at);
	while (isalnum((unsigned char)(*at)[len]) || (*at)[len] == '_' ||
	       (*at)[len] == '.') {
		if ((*at)[len] == '.' && !isalpha((unsigned char)(*at)[len + 1]) &&
		    (*at)[len + 1] != '_')
			return false;
		len++;
	}
	if (!len || len >= NAME_MAX_BYTES || isdigit((unsigned char)**at) ||
	    **at == '.')
		return false;
	memcpy(name, *at, len);
	name[len] = 0;
	*at += len;
	return true;
}

bool gtdbg_operand_take(const char **at, struct operand *operand)
{
	const char *start;

	gtdbg_text_skip(at);
	start = *at;
	if (**at == '$' ? take_item(at, operand) : take_name(at, operand->name))
		return true;
	*at = start;
	return false;
}

/*
 * What it names
 */

static int find_item(struct compiler *compiler, struct operand *operand)
{
	int ret = 0;

	operand->bytes = 4;
	operand->key[0] = UINT64_MAX;
	operand->key[1] = 4 * operand->is_group + operand->dimension;
	if (operand->is_item)
		ret = gtdbg_item_place(compiler->symbols, compiler->frame.pc,
				       operand->dimension, &operand->place);
	if (!ret)
		return 0;
	return gtdbg_program_refuse(compiler, ret == -ESTALE ?
				    "work-items have no numbers there any more" :
				    "code does not show the numbers of work-items");
}

/* One more of the variable's members; NULL: there is no such one. */
static const struct gtdbg_type *member_find(const struct gtdbg_type *type,
					    const char *name, size_t len,
					    int64_t *delta)
{
	if (type->kind != GTDBG_TYPE_STRUCT && type->kind != GTDBG_TYPE_UNION)
		return NULL;
	for (size_t i = 0; i < type->member_count; i++) {
		const struct gtdbg_member *member = &type->members[i];

		if (!member->name || strlen(member->name) != len ||
		    strncmp(member->name, name, len) != 0)
			continue;
		*delta += (int64_t)member->offset_bytes;
		return member->type;
	}
	return NULL;
}

static bool type_fits(const struct gtdbg_type *type)
{
	switch (type->kind) {
	case GTDBG_TYPE_INTEGER:
	case GTDBG_TYPE_UNSIGNED:
		if (type->size_bytes == 8)
			return true;
		/* fall through */
	case GTDBG_TYPE_BOOLEAN:
	case GTDBG_TYPE_CHARACTER:
	case GTDBG_TYPE_ENUM:
		return type->size_bytes == 1 || type->size_bytes == 2 ||
		       type->size_bytes == 4;
	case GTDBG_TYPE_FLOAT:
		return type->size_bytes == 4;
	default:
		return false;
	}
}

int gtdbg_operand_refuse(struct compiler *compiler,
			 const struct operand *operand)
{
	return gtdbg_program_refuse(compiler,
				    "%s is no number of 8, 16 or 32 bits",
				    operand->name);
}

static int operand_type(struct compiler *compiler, struct operand *operand,
			const struct gtdbg_type *type)
{
	if (!type)
		return gtdbg_program_refuse(compiler, "%s is no member",
					    operand->name);
	if (!type_fits(type))
		return gtdbg_operand_refuse(compiler, operand);
	operand->bytes = (uint32_t)type->size_bytes;
	operand->is_float = type->kind == GTDBG_TYPE_FLOAT;
	operand->is_signed = type->kind == GTDBG_TYPE_INTEGER ||
			     type->kind == GTDBG_TYPE_CHARACTER ||
			     type->kind == GTDBG_TYPE_ENUM;
	return 0;
}

static int find_variable(struct compiler *compiler, struct operand *operand)
{
	size_t len = strcspn(operand->name, ".");
	const char *at = operand->name + len;
	struct gtdbg_variable variable;
	const struct gtdbg_type *type;
	char name[NAME_MAX_BYTES];
	int64_t delta = 0;
	int ret;

	memcpy(name, operand->name, len);
	name[len] = 0;
	ret = gtdbg_program_variable(compiler, name, &variable);
	if (ret)
		return ret;
	for (type = variable.type; type && *at; at += len) {
		len = strcspn(++at, ".");
		type = member_find(type, at, len, &delta);
	}
	ret = operand_type(compiler, operand, type);
	if (!ret)
		ret = gtdbg_program_home(compiler, &variable, &operand->home);
	if (!ret && !operand->home.is_memory &&
	    (operand->bytes != 4 || variable.type != type))
		ret = gtdbg_program_refuse(compiler,
					   "%s is where the GPU's routine does not look",
					   operand->name);
	operand->home.delta += delta;
	operand->key[0] = variable.id;
	/* Members of a union may lie at the same offset. */
	operand->key[1] = (uint64_t)delta << 4 | operand->bytes;
	/* It is loaded by dwords. */
	if (!ret && operand->bytes == 8 && operand->home.delta % 4)
		ret = gtdbg_operand_refuse(compiler, operand);
	return ret;
}

int gtdbg_operand_find(struct compiler *compiler, struct operand *operand)
{
	return operand->is_item || operand->is_group ?
	       find_item(compiler, operand) : find_variable(compiler, operand);
}

/*
 * Operations
 */

static int emit_place(struct compiler *compiler, const struct home *home)
{
	int ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADDRESS,
				     home->byte, 0, 0);

	if (!ret && (home->delta || home->step))
		ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_ADD,
					 (uint32_t)home->delta,
					 (uint16_t)home->step, 0);
	return ret;
}

static int emit_fetch(struct compiler *compiler, const struct operand *operand)
{
	const struct home *home = &operand->home;

	return gtdbg_program_emit(compiler, GTDBG_SIP_OP_FETCH,
				  operand->bytes << 16 | home->byte,
				  (uint16_t)home->step, (uint32_t)home->delta);
}

static int emit_value(struct compiler *compiler, const struct operand *operand)
{
	uint32_t op = operand->bytes == 1 ? GTDBG_SIP_OP_LOAD_BYTE :
		      operand->bytes == 2 ? GTDBG_SIP_OP_LOAD_WORD :
		      GTDBG_SIP_OP_LOAD;
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
	if (operand->bytes == 8)
		return 0;
	return gtdbg_program_emit(compiler, op, 0, 0, 0);
}

int gtdbg_operand_emit(struct compiler *compiler, const struct operand *operand)
{
	bool is_same = compiler->has_found &&
		       !memcmp(compiler->found, operand->key,
			       sizeof(operand->key));
	int ret = 0;

	if (is_same && compiler->has_value)
		return 0;
	if (operand->home.is_memory && !is_same && compiler->is_fused &&
	    operand->bytes < 8) {
		ret = emit_fetch(compiler, operand);
	} else {
		if (operand->home.is_memory && !is_same)
			ret = emit_place(compiler, &operand->home);
		if (!ret)
			ret = emit_value(compiler, operand);
	}
	compiler->has_found = true;
	compiler->has_value = operand->bytes < 8;
	compiler->has_place = operand->home.is_memory;
	memcpy(compiler->found, operand->key, sizeof(operand->key));
	return ret;
}

