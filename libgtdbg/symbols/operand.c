// SPDX-License-Identifier: MIT
#include "operand.h"

#include "formula.h"

#include <ctype.h>
#include <errno.h>
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

/* Behind the bracket that closes the one at @at; NULL: there is none. */
static const char *bracket_end(const char *at)
{
	int depth = 0;

	do {
		depth += (*at == '[') - (*at == ']');
	} while (*at++ && depth);
	return depth ? NULL : at;
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
			at = bracket_end(at);
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
	end = path_end(*at + strspn(*at, "*"));
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
		    member->bit_count ||
		    strncmp(member->name, name, len) != 0)
			continue;
		*delta += (int64_t)member->offset_bytes;
		return member->type;
	}
	return NULL;
}

/* The same of a vector, of which one element is picked. */
static const struct gtdbg_type *component_find(const struct gtdbg_type *type,
					       const char *name, int64_t *delta)
{
	uint8_t picked[GTDBG_VECTOR_MAX];

	if (gtdbg_vector_components(type, name, picked) != 1)
		return NULL;
	*delta += picked[0] * (int64_t)type->target->size_bytes;
	return type->target;
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
	return gtdbg_program_refuse(compiler, operand->bytes == 8 ?
				    "%s has 64 bits: that is not computed here" :
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
			     (type->kind == GTDBG_TYPE_ENUM &&
			      type->target->kind == GTDBG_TYPE_INTEGER);
	return 0;
}

/*
 * The path: NAME with members and elements behind it, and what pointers lead to, each of
 * which is what was taken before
 */

struct path {
	struct compiler *compiler;
	struct operand *operand;
	const char *at;
	struct gtdbg_variable variable;
	const struct gtdbg_type *type;	/* of what was taken; NULL: no such member */
	int64_t delta;			/* of that, in the variable or behind a pointer */
	bool is_short;			/* a pointer was, which has less than 64 bits */
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

/* Where what was taken leads to, if that is a pointer. */
static bool path_follow(struct path *path)
{
	struct operand *operand = path->operand;

	if (path->type->kind != GTDBG_TYPE_POINTER || !path->type->target ||
	    operand->hops == OPERAND_HOPS_MAX)
		return false;
	operand->hop[operand->hops++] = path->delta;
	path->is_short |= path->type->size_bytes != sizeof(uint64_t);
	path->delta = 0;
	path->type = path->type->target;
	return true;
}

int gtdbg_operand_index(struct compiler *compiler, const struct operand *operand,
			const struct operand_index *index,
			struct formula *formula)
{
	char text[NAME_MAX_BYTES];

	memcpy(text, operand->name + index->at, index->len);
	text[index->len] = 0;
	return gtdbg_formula_parse(compiler, text, formula);
}

/* Up to the bracket. */
static int path_index(struct path *path, uint64_t bytes)
{
	struct operand *operand = path->operand;
	const char *end = bracket_end(path->at - 1);
	struct operand_index index = {
		.at = (uint8_t)(path->at - operand->name),
		.len = (uint8_t)(end - 1 - path->at),
		.scale = (uint32_t)bytes,
	};
	struct formula formula;
	int64_t number;
	int ret = gtdbg_operand_index(path->compiler, operand, &index, &formula);

	path->at = end;
	if (ret)
		return ret;
	if (gtdbg_formula_number(&formula, &number)) {
		path->delta += number * (int64_t)bytes;
		return 0;
	}
	if (operand->indices == OPERAND_INDICES_MAX)
		return gtdbg_program_refuse(path->compiler,
					    "%s takes more than %u indices",
					    operand->name, OPERAND_INDICES_MAX);
	/* One number is kept while pointers are followed. */
	if (operand->indices && operand->index_hop != operand->hops)
		return gtdbg_program_refuse(path->compiler,
					    "%s takes an index behind a pointer that another one chooses",
					    operand->name);
	operand->index_hop = operand->hops;
	index.is_unsigned = gtdbg_formula_is_unsigned(&formula) &&
			    !gtdbg_formula_is_long(&formula);
	index.needs_both = gtdbg_formula_needs_both(&formula);
	operand->index[operand->indices++] = index;
	return 0;
}

/* -EINVAL: it is no array, nor what the routine takes for an index. */
static int path_element(struct path *path)
{
	uint64_t bytes;

	if ((path->type->kind == GTDBG_TYPE_ARRAY ||
	     path->type->kind == GTDBG_TYPE_VECTOR) && path->type->target)
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
	path->type = path->type->kind == GTDBG_TYPE_VECTOR ?
		     component_find(path->type, name, &path->delta) :
		     member_find(path->type, name, strlen(name), &path->delta);
	return 0;
}

static int path_take(struct path *path)
{
	size_t stars = strspn(path->operand->name, "*");
	int ret = 0;

	while (!ret && path->type && *path->at) {
		if (*path->at == '[') {
			path->at++;
			ret = path_element(path);
		} else {
			ret = path_member(path, *path->at == '.' ? 1 : 2);
		}
	}
	while (!ret && path->type && stars--)
		ret = path_follow(path) ? 0 : -EINVAL;
	return ret != -EINVAL ? ret :
	       gtdbg_program_refuse(path->compiler,
				    "%s is no element or member that the GPU's routine finds",
				    path->operand->name);
}

/*
 * Where it leads
 */

/* Numbers of 32 and 64 bits are loaded by dwords. */
static int refuse_unaligned(struct path *path)
{
	return gtdbg_program_refuse(path->compiler,
				    "%s is at no multiple of 4 bytes",
				    path->operand->name);
}

/* For what a thread may stop that must not. */
static int refuse_outside(struct path *path)
{
	return gtdbg_program_refuse(path->compiler,
				    "%s may be behind its variable",
				    path->operand->name);
}

/* In all lanes, whose variables lie side by side. */
static bool lies_at_dwords(const struct path *path, int64_t delta)
{
	const struct home *home = &path->operand->home;

	return (home->delta + delta) % 4 == 0 && home->step % 4 == 0 &&
	       path->variable.type->size_bytes % 4 == 0;
}

/* So that a sum of indices that are each inside has room in 32 bits. */
static uint32_t own_room(uint64_t bytes)
{
	return bytes > OFFSET_MAX ? OFFSET_MAX : (uint32_t)bytes;
}

/* What is looked at more than once may be another then. */
static int refuse_shared(struct path *path)
{
	return gtdbg_program_refuse(path->compiler,
				    "%s may change between two records",
				    path->operand->name);
}

/* It stays in its variable, or, behind a pointer, in the memory of the group. */
static int place_local(struct path *path)
{
	struct operand *operand = path->operand;
	int64_t start = operand->hops ? 0 : operand->home.delta;
	int64_t end = operand->hops ? GTDBG_SIP_SLM_END :
		      start + (int64_t)path->variable.type->size_bytes;
	int64_t offset = start + path->delta;

	operand->is_local = true;
	operand->offset = (uint32_t)offset;
	operand->last = (uint32_t)(end - operand->bytes);
	if (operand->bytes == 8)
		return gtdbg_operand_refuse(path->compiler, operand);
	if (operand->bytes == 4 &&
	    (offset | gtdbg_operand_element_bytes(operand)) % 4)
		return refuse_unaligned(path);
	if (path->compiler->must_decide &&
	    (operand->hops || operand->indices))
		return refuse_outside(path);
	/* What is further away would come round to where something is. */
	if (end <= GTDBG_SIP_SLM_END && end - start >= operand->bytes &&
	    offset < GTDBG_SIP_SLM_END && offset > -GTDBG_SIP_SLM_END &&
	    (operand->hops || operand->indices ||
	     (offset >= start && offset <= operand->last)))
		return 0;
	return gtdbg_program_refuse(path->compiler, "%s is behind its variable",
				    operand->name);
}

static bool is_near(int64_t delta)
{
	return delta <= OFFSET_MAX && delta >= -OFFSET_MAX;
}

/* What lies at a multiple of 4 behind pointer @hop, with its indices. */
static bool is_at_dwords(const struct operand *operand, uint32_t hop, int64_t delta)
{
	uint32_t bytes = operand->index_hop == hop ?
			 gtdbg_operand_element_bytes(operand) : 0;

	return !((delta | bytes) % 4);
}

/* Where the first pointer lies, of which an index may choose one. */
static bool place_lead(struct path *path)
{
	struct operand *operand = path->operand;
	int64_t lead = operand->hop[0];
	uint64_t end = path->variable.type->size_bytes;

	if (!operand->home.is_memory || lead < 0 || lead > OFFSET_MAX ||
	    (uint64_t)lead + sizeof(uint64_t) > end ||
	    !lies_at_dwords(path, lead) || !is_at_dwords(operand, 0, lead))
		return false;
	operand->room = own_room(end - (uint64_t)lead);
	operand->home.delta += lead;
	return true;
}

/* Whatever that leads to, the routine loads of it only what a launch has. */
static int place_global(struct path *path)
{
	struct operand *operand = path->operand;
	bool is_found = !path->compiler->must_decide &&
			!path->is_short && !operand->home.is_pointer &&
			place_lead(path) && is_near(path->delta);

	operand->is_global = true;
	operand->offset = (uint32_t)path->delta;
	operand->key[0] = path->variable.id;
	if (operand->bytes >= 4 &&
	    !is_at_dwords(operand, operand->hops, path->delta))
		return refuse_unaligned(path);
	for (uint32_t i = 1; is_found && i < operand->hops; i++)
		is_found = is_near(operand->hop[i]) &&
			   is_at_dwords(operand, i, operand->hop[i]);
	return is_found ? 0 :
	       gtdbg_program_refuse(path->compiler,
				    "%s leads where the GPU's routine does not look",
				    operand->name);
}

static int place_own(struct path *path)
{
	struct operand *operand = path->operand;
	uint64_t end = path->variable.type->size_bytes;

	operand->key[0] = path->variable.id;
	/* Members of a union may lie at the same offset. */
	operand->key[1] = (uint64_t)path->delta << 4 | operand->bytes;
	if (!operand->home.is_memory &&
	    (operand->bytes != 4 || operand->half || path->variable.type != path->type))
		return gtdbg_program_refuse(path->compiler,
					    "%s is where the GPU's routine does not look",
					    operand->name);
	if (path->delta < 0 || (uint64_t)path->delta + operand->bytes > end)
		return gtdbg_program_refuse(path->compiler,
					    "%s is behind its variable",
					    operand->name);
	/* A thread whose index leads out stops. */
	if (operand->indices && path->compiler->must_decide)
		return refuse_outside(path);
	operand->is_own = operand->indices;
	operand->room = own_room(end - (uint64_t)path->delta);
	if (operand->home.is_memory && operand->bytes >= 4 &&
	    (!lies_at_dwords(path, path->delta) ||
	     gtdbg_operand_element_bytes(operand) % 4))
		return refuse_unaligned(path);
	operand->home.delta += path->delta;
	return 0;
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
			     .at = operand->name + strspn(operand->name, "*") };
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
	if (!ret && operand->home.is_pointer && !operand->hops)
		ret = gtdbg_program_refuse(compiler,
					   "%s leads where the GPU's routine does not look",
					   name);
	if (ret)
		return ret;
	if (compiler->must_last && (operand->hops || operand->home.is_local))
		return refuse_shared(&path);
	/* Of pointers, those that are variables are known to lead into local memory. */
	if (operand->hops && !(operand->home.is_pointer && operand->hops == 1 &&
			       path.variable.type->kind == GTDBG_TYPE_POINTER))
		return place_global(&path);
	return operand->hops || operand->home.is_local ? place_local(&path) :
	       place_own(&path);
}

int gtdbg_operand_find(struct compiler *compiler, struct operand *operand)
{
	return operand->is_item || operand->is_group ?
	       find_item(compiler, operand) : find_variable(compiler, operand);
}
