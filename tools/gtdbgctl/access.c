// SPDX-License-Identifier: MIT
/*
 * What a stopped thread has just done to memory, or is about to do: if the instruction
 * before the next one, or that one, is a message by 64-bit addresses, which its first
 * source register holds, one for each lane. Debug code keeps them; where the answer has
 * overwritten them, or the thread came here by a jump, what is found is no address that
 * was missed.
 */
#include "access.h"

#include "debugger.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SEND_BYTES	16
#define OWORD_BYTES	16
#define BLOCK_HWORDS	3
#define LANES_MAX	32

/* The types of such messages, by their descriptors. */
enum message_type {
	MESSAGE_GATHER		= 0x10,
	MESSAGE_READ		= 0x11,
	MESSAGE_ATOMIC		= 0x12,
	MESSAGE_BLOCK_READ	= 0x14,
	MESSAGE_BLOCK_WRITE	= 0x15,
	MESSAGE_WRITE		= 0x19,
	MESSAGE_SCATTER		= 0x1a,
};

struct message {
	uint32_t width, first_lane;
	uint32_t source;	/* register of the addresses */
	uint32_t desc;
	bool is_unmasked;
	/* Lanes take part whose flags are set, or those of a group of lanes. */
	bool has_predicate;
	bool is_inverse, is_all;
	uint32_t flag;		/* of lane 0: a bit of both flag registers */
	uint32_t group;
};

/* (W&~f0.1.any16h): what cannot be told is no predicate. */
static void predicate_parse(const char *text, struct message *out)
{
	uint32_t which, half, group = 1;
	char way[4] = "";
	int len = 0;

	if (*text++ != '(')
		return;
	if (strncmp(text, "W&", 2) == 0)
		text += 2;
	out->is_inverse = *text == '~';
	text += out->is_inverse;
	if (sscanf(text, "f%1u.%1u%n", &which, &half, &len) != 2 || which > 1 ||
	    half > 1)
		return;
	text += len;
	if (*text != ')' &&
	    (sscanf(text, ".%3[a-z]%2uh)", way, &group) != 2 || !group ||
	     group > LANES_MAX))
		return;
	out->has_predicate = true;
	out->is_all = strcmp(way, "all") == 0;
	out->flag = 32 * which + 16 * half;
	out->group = group;
}

/* As the disassembler writes it: (W) send.dc1 (8|M0) r10 r8 null 0x0 0x041401ff */
static bool message_parse(const char *text, struct message *out)
{
	const char *name = strstr(text, "send");

	memset(out, 0, sizeof(*out));
	out->is_unmasked = strncmp(text, "(W", 2) == 0;
	predicate_parse(text, out);
	return name && sscanf(name, "%*[a-z].dc1 (%u|M%u) %*s r%u %*s %*x %x",
			      &out->width, &out->first_lane, &out->source,
			      &out->desc) == 4 &&
	       out->width && out->first_lane + out->width <= LANES_MAX;
}

static enum message_type type_of(const struct message *message)
{
	return message->desc >> 14 & 0x1f;
}

/*
 * How many bytes from each address on are accessed, with those between that are left out;
 * 0: that is not known here. Blocks are of owords, or of what is twice as large.
 */
static uint32_t bytes_of(const struct message *message)
{
	static const uint32_t elements[] = { 1, 4, 8, 0 };
	uint32_t control = message->desc >> 8 & 0x3f;

	switch (type_of(message)) {
	case MESSAGE_GATHER:
	case MESSAGE_SCATTER:
		return elements[control & 3] << (control >> 2 & 3);
	case MESSAGE_READ:
	case MESSAGE_WRITE:
		return (control & 0xf) == 0xf ? 0 :
		       4 * (32 - __builtin_clz(~control & 0xf));
	case MESSAGE_ATOMIC:
		return control & 0x10 ? 8 : 4;
	case MESSAGE_BLOCK_READ:
	case MESSAGE_BLOCK_WRITE:
		return (control >> 3 & 3) == BLOCK_HWORDS ? 0 :
		       (control & 7) < 2 ? OWORD_BYTES :
		       OWORD_BYTES << ((control & 7) - 1);
	default:
		return 0;
	}
}

uint32_t access_bytes(const char *text)
{
	struct message message;

	return message_parse(text, &message) ? bytes_of(&message) : 0;
}

static const char *verb_of(const struct message *message)
{
	switch (type_of(message)) {
	case MESSAGE_SCATTER:
	case MESSAGE_WRITE:
	case MESSAGE_BLOCK_WRITE:
		return "writes";
	case MESSAGE_ATOMIC:
		return "changes";
	default:
		return "reads";
	}
}

static bool message_find(struct debugger *debugger, uint64_t address,
			 struct message *out)
{
	struct kernel *kernel = thread_kernel(debugger, &debugger->thread);
	struct gtdbg_code *code = kernel ? kernel_code(debugger, kernel) : NULL;
	char text[512];
	uint32_t at;

	if (!code || address < kernel->address)
		return false;
	at = address - kernel->address;
	return gtdbg_code_size(code, at) == SEND_BYTES &&
	       !gtdbg_code_text(code, at, text, sizeof(text)) &&
	       message_parse(text, out) && bytes_of(out);
}

static bool predicate_holds(const struct message *message, uint64_t flags,
			    uint32_t lane)
{
	uint32_t first = message->flag + lane / message->group * message->group;
	uint64_t all = (1ull << message->group) - 1, bits;

	if (first >= 8 * sizeof(flags))
		return true;
	bits = flags >> first & all;
	return (message->is_all ? bits == all : bits != 0) !=
	       message->is_inverse;
}

/* The lanes that execute it. */
static uint32_t lanes_of(struct debugger *debugger,
			 const struct message *message)
{
	uint32_t lanes = ((1ull << message->width) - 1) << message->first_lane;
	uint64_t flags;

	if (!message->is_unmasked)
		lanes &= debugger->thread.exec_mask;
	if (!message->has_predicate ||
	    gtdbg_register_read(debugger->session, &debugger->thread,
				GTDBG_REGISTER_FLAG, 0, 2, &flags,
				sizeof(flags)))
		return lanes;
	for (uint32_t lane = 0; lane < LANES_MAX; lane++) {
		if (!predicate_holds(message, flags, lane))
			lanes &= ~(1u << lane);
	}
	return lanes;
}

/* Who counts for all is the first lane that is on. */
static uint32_t lane_of_all(const struct debugger *debugger)
{
	uint32_t mask = debugger->thread.exec_mask;

	return mask ? __builtin_ctz(mask) : 0;
}

int access_list_at(struct debugger *debugger, uint64_t address,
		   struct access *list)
{
	const struct gtdbg_machine *machine;
	uint64_t addresses[LANES_MAX];
	struct message message;
	uint32_t i, count = 0, lanes, on;
	bool is_block;

	if (!message_find(debugger, address, &message))
		return -ENOENT;
	is_block = type_of(&message) == MESSAGE_BLOCK_READ ||
		   type_of(&message) == MESSAGE_BLOCK_WRITE;
	lanes = is_block ? 1 : message.width;
	machine = gtdbg_stop_machine(debugger->stop);
	if (machine->register_read(machine->context,
				   GTDBG_GRF_BYTES * message.source, addresses,
				   lanes * sizeof(addresses[0])))
		return -ENODATA;
	on = lanes_of(debugger, &message);
	for (i = 0; i < lanes; i++) {
		uint32_t lane = message.first_lane + i;

		if (is_block ? !on : !(on >> lane & 1))
			continue;
		list[count++] = (struct access){
			.address = addresses[i] & ~(0xffffull << 48),
			.len_bytes = bytes_of(&message),
			.verb = verb_of(&message),
			.lane = lanes == 1 ? lane_of_all(debugger) : lane,
		};
	}
	return count;
}

/* The instruction that the thread has just executed, if nothing has jumped. */
int access_list(struct debugger *debugger, struct access *list)
{
	return access_list_at(debugger, debugger->thread.address - SEND_BYTES,
			      list);
}
