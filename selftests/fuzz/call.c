// SPDX-License-Identifier: GPL-2.0-only
#include "call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../target.h"
#include "pool.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ARGUMENT_MAX 1024

/* What a field is good for. */
enum role {
	ROLE_ZERO = 1,
	ROLE_POINTER,
	ROLE_DESCRIPTOR,
	ROLE_TIME,
	ROLE_LENGTH,
	ROLE_VALUE,
	ROLE_STRUCT, /* lies within */
};

struct field {
	size_t offset, size;
	enum role role;
	unsigned int pool;
	unsigned int structure; /* what is pointed to, or lies within: one more */
	bool out;
};

struct structure {
	const struct field *fields;
	size_t count, bytes;
};

struct grammar_command {
	unsigned int cmd;
	unsigned int structure;
	unsigned int result; /* pool of what it returns */
};

#include "grammar.h"

uint8_t *arena;
static int standard[3]; /* descriptors: client, session, device */

int arena_create(void)
{
	arena = mmap(NULL, ARENA_BYTES + 4096, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (arena == MAP_FAILED)
		return -errno;
	return mprotect(arena + ARENA_BYTES, 4096, PROT_NONE) ? -errno : 0;
}

static void know(const char *name, uint64_t value)
{
	for (unsigned int pool = POOL_DESCRIPTORS + 1; pool < POOLS; pool++)
		if (!strcmp(pool_names[pool], name))
			pool_add(pool, value);
}

void call_target(const struct target *target)
{
	static const uint64_t addresses[] = {
		PEER_CODE, PEER_CODE + 512, PEER_BATCH, PEER_DYNAMIC,
		PEER_SAVE_AREA,
	};

	standard[0] = target->client;
	standard[1] = target->rig.session;
	standard[2] = target->peer.fd;
	pool_clear();
	know("device", target->peer.device);
	know("module", target->module);
	know("kernel", target->kernel);
	know("id", target->kernel);
	know("context", 1);
	know("slots", PEER_SLOTS);
	for (size_t i = 0; i < COUNT(addresses); i++) {
		know("address", addresses[i]);
		know("offset", i * 512);
	}
}

int call_descriptor(uint8_t which)
{
	uint64_t fd;

	if (which < 192 || !pool_take(POOL_DESCRIPTORS, which, &fd))
		return standard[which % 3];
	return (int)fd;
}

/* The standard ones are closed by the target. */
void call_close(uint8_t which)
{
	uint64_t fd;

	if (pool_remove(POOL_DESCRIPTORS, which, &fd))
		close((int)fd);
}

void call_close_all(void)
{
	uint64_t fd;

	while (pool_remove(POOL_DESCRIPTORS, 0, &fd))
		close((int)fd);
}

static uint64_t make_value(struct input *input, const struct field *field)
{
	uint8_t pick = input_take(input, 1);
	uint64_t value;

	if (pick < 128 && pool_take(field->pool, pick, &value))
		return value;
	if (pick < 176)
		return pick % 16;
	if (pick < 224)
		return constants[input_take(input, 1) % COUNT(constants)];
	if (pick < 240)
		return 1ULL << pick % 16 * 4;
	return input_take(input, field->size);
}

static uint64_t make_length(struct input *input)
{
	uint8_t pick = input_take(input, 1);

	if (pick < 96)
		return pick % 32;
	if (pick < 160)
		return (pick - 95) * 32;
	if (pick < 224)
		return (pick - 159) * 1024;
	return input_take(input, 4);
}

static void fill(struct input *input, const struct structure *structure,
		 uint8_t *bytes, int depth);

/* A quarter of the arena, with some structs in it if those are pointed to. */
static uint64_t make_pointer(struct input *input, const struct field *field,
			     int depth)
{
	uint8_t pick = input_take(input, 1);
	uint8_t *at = arena + pick % 4 * (ARENA_BYTES / 4);

	if (pick >= 248)
		return input_take(input, 8);
	if (pick >= 240)
		return pick % 2 ? 0 : (uintptr_t)arena + ARENA_BYTES - 8;
	if (field->structure && depth < 2) {
		const struct structure *to = &structures[field->structure - 1];

		for (int i = 0; i <= pick / 4 % 4; i++)
			fill(input, to, at + i * to->bytes, depth + 1);
	}
	return (uintptr_t)at;
}

static uint64_t make_field(struct input *input, const struct field *field,
			   int depth)
{
	uint8_t pick;

	switch (field->role) {
	case ROLE_ZERO:
		pick = input_take(input, 1);
		return pick < 250 ? 0 : 1ULL << pick % 32;
	case ROLE_POINTER:
		return make_pointer(input, field, depth);
	case ROLE_DESCRIPTOR:
		pick = input_take(input, 1);
		return pick < 250 ? call_descriptor(pick) : -1;
	case ROLE_TIME: /* waits end soon */
		return input_take(input, 1) << 14;
	case ROLE_LENGTH:
		return make_length(input);
	default:
		return make_value(input, field);
	}
}

static void fill(struct input *input, const struct structure *structure,
		 uint8_t *bytes, int depth)
{
	memset(bytes, 0, structure->bytes);
	for (size_t i = 0; i < structure->count; i++) {
		const struct field *field = &structure->fields[i];
		uint64_t value;

		if (field->role == ROLE_STRUCT || field->out)
			continue;
		value = make_field(input, field, depth);
		memcpy(bytes + field->offset, &value,
		       field->size < 8 ? field->size : 8);
	}
}

static void remember(const struct structure *structure, const uint8_t *bytes,
		     bool all)
{
	for (size_t i = 0; i < structure->count; i++) {
		const struct field *field = &structure->fields[i];
		uint64_t value = 0;

		if (field->role == ROLE_STRUCT) {
			remember(&structures[field->structure - 1],
				 bytes + field->offset, all);
			continue;
		}
		memcpy(&value, bytes + field->offset,
		       field->size < 8 ? field->size : 8);
		if ((all || field->out) && value)
			pool_add(field->pool, value);
	}
}

void call_events(const uint8_t *records, size_t len)
{
	struct gtdbg_event head;

	while (len >= sizeof(head)) {
		memcpy(&head, records, sizeof(head));
		if (head.len_bytes < sizeof(head) || head.len_bytes > len)
			return;
		know("seqno", head.seqno);
		if (head.kind < COUNT(payloads) && payloads[head.kind])
			remember(&structures[payloads[head.kind] - 1],
				 records + sizeof(head), true);
		records += head.len_bytes;
		len -= head.len_bytes;
	}
}

/* Of the right kind, which the module knows best; seldom any. */
static int command_descriptor(const struct grammar_command *command,
			      uint8_t pick)
{
	static int8_t kind[COUNT(grammar)];
	size_t which = command - grammar;

	for (int i = 0; !kind[which] && i < 3; i++)
		if (!ioctl(standard[i], command->cmd, NULL) || errno != ENOTTY)
			kind[which] = i + 1;
	if (pick < 224 && kind[which])
		return standard[kind[which] - 1];
	return call_descriptor(pick);
}

/* Sizes may be others than the current one. */
static unsigned int command_number(unsigned int cmd, uint8_t pick)
{
	if (pick < 250)
		return cmd;
	return _IOC(_IOC_DIR(cmd), _IOC_TYPE(cmd), _IOC_NR(cmd),
		    (_IOC_SIZE(cmd) + (pick % 4 - 2) * 8) & 0x3fff);
}

void call_command(struct input *input)
{
	static uint8_t argument[ARGUMENT_MAX];
	const struct grammar_command *command =
		&grammar[input_take(input, 1) % COUNT(grammar)];
	const struct structure *structure = &structures[command->structure];
	uint8_t pick = input_take(input, 1);
	int fd = command_descriptor(command, pick), ret;
	bool makes_fd = command->result == POOL_DESCRIPTORS;

	fill(input, structure, argument, 0);
	ret = ioctl(fd, command_number(command->cmd, pick), argument);
	if (ret < 0)
		return;
	remember(structure, argument, false);
	/* So that no one waits for what never comes. */
	if (makes_fd)
		fcntl(ret, F_SETFL, O_NONBLOCK);
	if (command->result && (!makes_fd || ret > 2))
		pool_add(command->result, ret);
}
