// SPDX-License-Identifier: MIT
#include "operand.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENT_MAX	0x4000	/* bytes: its product with an index is one of 32 bits */
#define OFFSET_MAX	(1 << 30)	/* bytes behind a pointer */

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

bool gtdbg_text_real(const char **at, double *out)
{
	const char *digits;
	char *end;

	gtdbg_text_skip(at);
	digits = *at + (**at == '-');
	*out = strtod(*at, &end);
	if ((*end == 'f' || *end == 'F') && strcspn(*at, ".eE") < (size_t)(end - *at)) {
		*out = (double)(float)*out;
		end++;
	}
	if (!isdigit((unsigned char)*digits) || isalnum((unsigned char)*end) ||
	    *end == '.' || *end == '_')
		return false;
	*at = end;
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

static bool is_first(char letter)
{
	return isalpha((unsigned char)letter) || letter == '_';
}

/* Behind a name, and members and elements of it; NULL: none stands there. */
static const char *path_end(const char *at)
{
	if (!is_first(*at))
		return NULL;
	while (at && *at) {
		if (is_first(*at) || isdigit((unsigned char)*at))
			at++;
		else if (*at == '[')
			at = strchr(at, ']') ? strchr(at, ']') + 1 : NULL;
		else if (strncmp(at, "->", 2) == 0)
			at = is_first(at[2]) ? at + 2 : NULL;
		else if (*at == '.')
			at = is_first(at[1]) ? at + 1 : NULL;
		else
			break;
	}
	return at;
}

static bool take_path(const char **at, char name[NAME_MAX_BYTES])
{
	const char *end;
	size_t len;

	gtdbg_text_skip(at);
	end = path_end(*at + (**at == '*'));
	len = end ? (size_t)(end - *at) : 0;
	if (!len || len >= NAME_MAX_BYTES)
		return false;
	memcpy(name, *at, len);
	name[len] = 0;
	*at = end;
	return true;
}

bool gtdbg_operand_take(const char **at, struct operand *operand)
{
	const char *start;

	gtdbg_text_skip(at);
	start = *at;
	if (**at == '$' ? take_item(at, operand) : take_path(at, operand->name)) {
		if (**at == HALF_LOWER || **at == HALF_UPPER)
			operand->half = *(*at)++;
		return true;
	}
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
	if (operand->is_float)
		return gtdbg_program_refuse(compiler,
					    "%s is a float: these are compared, and nothing else",
					    operand->name);
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

/*
 * The path: *NAME, or NAME with members and elements behind it
 */

struct path {
	struct compiler *compiler;
	struct operand *operand;
	const char *at;
	struct gtdbg_variable variable;
	const struct gtdbg_type *type;	/* of what was taken; NULL: no such member */
	int64_t delta;			/* of that, in the variable or behind a pointer */
};

static bool take_word(const char **at, char name[NAME_MAX_BYTES])
{
	size_t len = 0;

	while (is_first((*at)[len]) || isdigit((unsigned char)(*at)[len]))
		len++;
	memcpy(name, *at, len);
	name[len] = 0;
	*at += len;
	return len;
}

/* Where a variable leads to that is a pointer. */
static bool path_follow(struct path *path)
{
	if (path->type->kind != GTDBG_TYPE_POINTER || path->operand->is_led ||
	    path->type != path->variable.type || !path->type->target)
		return false;
	path->operand->is_led = true;
	path->type = path->type->target;
	return true;
}

static int index_variable(struct path *path, const char *name, bool is_minus,
			  struct operand_index *index)
{
	struct compiler *compiler = path->compiler;
	struct gtdbg_variable variable;
	struct operand number = { 0 };
	int ret = gtdbg_program_variable(compiler, name, &variable);

	snprintf(number.name, sizeof(number.name), "%s", name);
	if (!ret)
		ret = operand_type(compiler, &number, variable.type);
	if (!ret && (number.bytes > 4 || number.is_float))
		ret = gtdbg_operand_refuse(compiler, &number);
	if (!ret)
		ret = gtdbg_program_home(compiler, &variable, &index->home);
	if (!ret && !index->home.is_memory && number.bytes < 4)
		ret = gtdbg_operand_refuse(compiler, &number);
	index->bytes = number.bytes;
	index->is_signed = number.is_signed;
	index->is_minus = is_minus;
	return ret;
}

/* A number less than that is what a variable of the GPU has room for. */
static bool take_count(const char **at, int64_t *out)
{
	char *end;

	*out = strtol(*at, &end, 0);
	if (*out >= GTDBG_SIP_SLM_END || is_first(*end))
		return false;
	*at = end;
	return true;
}

/* A sum of numbers and of one variable, up to the bracket. */
static int path_index(struct path *path, uint64_t bytes)
{
	struct operand_index index = { 0 };
	struct operand *operand = path->operand;
	char name[NAME_MAX_BYTES], sign = '+';
	int64_t number = 0;
	int ret = 0;

	gtdbg_text_skip(&path->at);
	if (*path->at == '-')
		sign = *path->at++;
	do {
		gtdbg_text_skip(&path->at);
		if (isdigit((unsigned char)*path->at) &&
		    take_count(&path->at, &number))
			index.more += sign == '-' ? -number : number;
		else
			ret = index.scale || operand->index.scale ||
			      !take_word(&path->at, name) ? -EINVAL :
			      index_variable(path, name, sign == '-', &index);
		index.scale = index.bytes ? (uint32_t)bytes : 0;
		gtdbg_text_skip(&path->at);
		sign = *path->at++;
	} while (!ret && (sign == '+' || sign == '-'));
	if (ret || sign != ']')
		return ret ? ret : -EINVAL;
	if (index.scale)
		operand->index = index;
	else
		path->delta += index.more * (int64_t)bytes;
	return 0;
}

/* -EINVAL: it is no array, nor what the routine takes for an index. */
static int path_element(struct path *path)
{
	uint64_t bytes;

	if (path->type->kind == GTDBG_TYPE_ARRAY && path->type->target)
		path->type = path->type->target;
	else if (!path_follow(path))
		return -EINVAL;
	bytes = path->type->size_bytes;
	return bytes && bytes <= ELEMENT_MAX ? path_index(path, bytes) :
	       -EINVAL;
}

static int path_member(struct path *path, size_t skip)
{
	char name[NAME_MAX_BYTES];

	path->at += skip;
	if (skip > 1 && !path_follow(path))
		return -EINVAL;
	take_word(&path->at, name);
	path->type = member_find(path->type, name, strlen(name), &path->delta);
	return 0;
}

static int path_take(struct path *path)
{
	int ret = 0;

	if (*path->operand->name == '*') {
		if (*path->at || !path_follow(path))
			ret = -EINVAL;
	}
	while (!ret && path->type && *path->at) {
		if (*path->at == '[') {
			path->at++;
			ret = path_element(path);
		} else {
			ret = path_member(path, *path->at == '.' ? 1 : 2);
		}
	}
	return ret != -EINVAL ? ret :
	       gtdbg_program_refuse(path->compiler,
				    "%s takes more than an index and a pointer",
				    path->operand->name);
}

/*
 * Where it leads
 */

/* It stays in its variable, or, behind a pointer, in the memory of the group. */
static int place_local(struct path *path)
{
	struct operand *operand = path->operand;
	int64_t start = operand->is_led ? 0 : operand->home.delta;
	int64_t end = operand->is_led ? GTDBG_SIP_SLM_END :
		      start + (int64_t)path->variable.type->size_bytes;
	int64_t offset = start + path->delta;

	operand->is_local = true;
	operand->offset = (uint32_t)offset;
	operand->last = (uint32_t)(end - operand->bytes);
	if (operand->bytes == 8)
		return gtdbg_operand_refuse(path->compiler, operand);
	/* What is further away would come round to where something is. */
	if (end <= GTDBG_SIP_SLM_END && end - start >= operand->bytes &&
	    offset < GTDBG_SIP_SLM_END && offset > -GTDBG_SIP_SLM_END &&
	    (operand->is_led || operand->index.scale ||
	     (offset >= start && offset <= operand->last)))
		return 0;
	return gtdbg_program_refuse(path->compiler, "%s is behind its variable",
				    operand->name);
}

/* Whatever that leads to, the routine loads of it only what a launch has. */
static int place_global(struct path *path)
{
	struct operand *operand = path->operand;

	operand->is_global = true;
	operand->offset = (uint32_t)path->delta;
	operand->key[0] = path->variable.id;
	/* It is loaded by dwords. */
	if (operand->bytes == 8 && (path->delta | operand->index.scale) % 4)
		return gtdbg_operand_refuse(path->compiler, operand);
	if (!path->compiler->is_record &&
	    path->variable.type->size_bytes == 8 && operand->home.is_memory &&
	    path->delta <= OFFSET_MAX && path->delta >= -OFFSET_MAX)
		return 0;
	return gtdbg_program_refuse(path->compiler,
				    "%s leads where the GPU's routine does not look",
				    operand->name);
}

static int place_own(struct path *path)
{
	struct operand *operand = path->operand;
	uint64_t end = path->variable.type->size_bytes;

	operand->home.delta += path->delta;
	operand->key[0] = path->variable.id;
	/* Members of a union may lie at the same offset. */
	operand->key[1] = (uint64_t)path->delta << 4 | operand->bytes;
	if (operand->index.scale)
		return gtdbg_program_refuse(path->compiler,
					    "%s is no variable of the group's",
					    operand->name);
	if (!operand->home.is_memory &&
	    (operand->bytes != 4 || operand->half || path->variable.type != path->type))
		return gtdbg_program_refuse(path->compiler,
					    "%s is where the GPU's routine does not look",
					    operand->name);
	if (path->delta < 0 || (uint64_t)path->delta + operand->bytes > end)
		return gtdbg_program_refuse(path->compiler,
					    "%s is behind its variable",
					    operand->name);
	/* It is loaded by dwords. */
	return operand->bytes == 8 && operand->home.delta % 4 ?
	       gtdbg_operand_refuse(path->compiler, operand) : 0;
}

/* The sign is that of the upper half. */
static int take_half(struct compiler *compiler, struct path *path,
		     struct operand *operand)
{
	if (operand->bytes != 8)
		return gtdbg_operand_refuse(compiler, operand);
	operand->bytes = 4;
	operand->is_signed &= operand->half == HALF_UPPER;
	path->delta += operand->half == HALF_UPPER ? 4 : 0;
	return 0;
}

static int find_variable(struct compiler *compiler, struct operand *operand)
{
	struct path path = { .compiler = compiler, .operand = operand,
			     .at = operand->name + (*operand->name == '*') };
	char name[NAME_MAX_BYTES];
	int ret;

	take_word(&path.at, name);
	ret = gtdbg_program_variable(compiler, name, &path.variable);
	path.type = ret ? NULL : path.variable.type;
	if (!ret && path.type)
		ret = path_take(&path);
	if (!ret)
		ret = operand_type(compiler, operand, path.type);
	operand->type = path.type;
	if (!ret && operand->half)
		ret = take_half(compiler, &path, operand);
	if (!ret)
		ret = gtdbg_program_place(compiler, &path.variable,
					  &operand->home);
	if (!ret && operand->home.is_pointer && !operand->is_led)
		ret = gtdbg_program_refuse(compiler,
					   "%s leads where the GPU's routine does not look",
					   name);
	if (ret)
		return ret;
	if (operand->is_led && !operand->home.is_pointer)
		return place_global(&path);
	return operand->is_led || operand->home.is_local ? place_local(&path) :
	       place_own(&path);
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
	       bytes == 2 ? GTDBG_SIP_OP_LOAD_WORD : GTDBG_SIP_OP_LOAD;
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

/* What @bytes there become with their sign. */
static int emit_sign(struct compiler *compiler, uint32_t bytes)
{
	uint32_t bits = 32 - 8 * bytes;
	int ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_COMPUTE, bits,
				     GTDBG_SIP_COMPUTE_SHIFT_LEFT, 0);

	return ret ? ret : gtdbg_program_emit(compiler, GTDBG_SIP_OP_COMPUTE,
					      bits,
					      GTDBG_SIP_COMPUTE_SHIFT_SIGNED, 0);
}

static int emit_index(struct compiler *compiler,
		      const struct operand_index *index)
{
	int ret = index->home.is_memory ?
		  emit_fetch(compiler, &index->home, index->bytes) :
		  gtdbg_program_emit(compiler, GTDBG_SIP_OP_REGISTER,
				     index->home.byte, 0, 0);

	if (!ret && index->is_signed && index->bytes < 4)
		ret = emit_sign(compiler, index->bytes);
	if (ret || (!index->more && !index->is_minus))
		return ret;
	return gtdbg_program_emit(compiler, GTDBG_SIP_OP_COMPUTE,
				  (uint32_t)index->more, index->is_minus ?
				  GTDBG_SIP_COMPUTE_SUBTRACT :
				  GTDBG_SIP_COMPUTE_ADD, index->is_minus ?
				  GTDBG_SIP_COMPUTE_TURNED : 0);
}

static int emit_local(struct compiler *compiler, const struct operand *operand)
{
	uint32_t how = operand->bytes << GTDBG_SIP_LOCAL_BYTES_SHIFT;
	int ret = 0;

	if (operand->is_led) {
		how |= GTDBG_SIP_LOCAL_KEPT;
		ret = emit_fetch(compiler, &operand->home, 4);
		if (!ret)
			ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_KEEP, 0,
						 0, 0);
	}
	if (!ret && operand->index.scale) {
		how |= GTDBG_SIP_LOCAL_INDEX | operand->index.scale;
		ret = emit_index(compiler, &operand->index);
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

	while (i < compiler->led_count && compiler->led[i] != operand->key[0])
		i++;
	*out = i;
	if (i < compiler->led_count)
		return 0;
	if (i == GTDBG_SIP_PROGRAM_WINDOWS_MAX)
		return gtdbg_program_refuse(compiler,
					    "it follows more than %u pointers",
					    GTDBG_SIP_PROGRAM_WINDOWS_MAX);
	compiler->led[compiler->led_count++] = operand->key[0];
	return 0;
}

/* The index comes first, as it may take the place of the pointer. */
static int emit_global(struct compiler *compiler, const struct operand *operand)
{
	const struct operand_index *index = &operand->index;
	uint32_t how = operand->bytes << GTDBG_SIP_GLOBAL_BYTES_SHIFT;
	uint32_t window, limit = 0;
	int ret = led_window(compiler, operand, &window);

	if (!ret && index->scale) {
		how |= GTDBG_SIP_GLOBAL_INDEX | index->scale;
		if (!index->is_signed && index->bytes == 4)
			how |= GTDBG_SIP_GLOBAL_UNSIGNED;
		limit = INT32_MAX / index->scale;
		ret = emit_index(compiler, index);
		if (!ret)
			ret = gtdbg_program_emit(compiler, GTDBG_SIP_OP_KEEP, 0,
						 0, 0);
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
	if (operand->bytes == 8)
		return 0;
	return gtdbg_program_emit(compiler, load_of(operand->bytes), 0, 0, 0);
}

int gtdbg_operand_emit(struct compiler *compiler, const struct operand *operand)
{
	bool is_same = compiler->has_found &&
		       !memcmp(compiler->found, operand->key,
			       sizeof(operand->key));
	int ret = 0;

	if (operand->is_local || operand->is_global) {
		compiler->has_found = false;
		compiler->has_value = false;
		return operand->is_local ? emit_local(compiler, operand) :
		       emit_global(compiler, operand);
	}
	if (is_same && compiler->has_value)
		return 0;
	if (operand->home.is_memory && !is_same && compiler->is_fused &&
	    operand->bytes < 8) {
		ret = emit_fetch(compiler, &operand->home, operand->bytes);
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

