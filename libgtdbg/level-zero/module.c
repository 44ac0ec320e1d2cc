// SPDX-License-Identifier: MIT
/*
 * What is loaded: a kernel at an address of a context. Its ELF file is copied
 * here and read by the debugger as memory, at addresses that no GPU has.
 *
 * A debugger sets a breakpoint by writing an instruction that differs in one
 * bit. The module knows breakpoints, lifts them where it must and hides them, so
 * such a write is turned into one of its breakpoints; and the bit is added to
 * what the debugger reads, who has written it.
 */
#include "level_zero.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of an instruction: dword 0, byte 3 or byte 0. */
#define COMPACT_BYTE 3
#define COMPACT_MASK 0x20
#define NATIVE_BREAK_BYTE 3
#define NATIVE_BREAK_MASK 0x40
#define COMPACT_BREAK_BYTE 0
#define COMPACT_BREAK_MASK 0x80
#define INSTRUCTION_BYTES_MAX 16
#define HEAD_BYTES 4

static uint64_t kernel_length(const struct ze_session *session, uint32_t id)
{
	const struct ze_kernel *kernel = session->kernels;

	while (kernel && kernel->kernel != id)
		kernel = kernel->next;
	return kernel ? kernel->isa_len_bytes : 0;
}

/* Returns NULL for a kernel without an ELF file, too. */
struct ze_module *gtdbg_ze_module_create(struct ze_session *session,
					 uint32_t kernel, uint32_t context,
					 uint64_t address)
{
	struct ze_module *module = calloc(1, sizeof(*module));

	if (!module)
		return NULL;
	if (gtdbg_blob_read(session->session, GTDBG_BLOB_KERNEL_ELF, kernel,
			    &module->elf, &module->elf_len_bytes)) {
		free(module);
		return NULL;
	}
	module->kernel = kernel;
	module->context = context;
	module->address = address;
	module->isa_len_bytes = kernel_length(session, kernel);
	module->begin = ZE_WINDOW_TAG << ZE_WINDOW_TAG_SHIFT |
			++session->windows << ZE_WINDOW_SHIFT;
	module->next = session->modules;
	session->modules = module;
	return module;
}

static void breakpoint_clear(struct ze_session *session,
			     struct ze_breakpoint **at)
{
	struct ze_breakpoint *breakpoint = *at;

	*at = breakpoint->next;
	gtdbg_breakpoint_clear(session->session, breakpoint->id);
	free(breakpoint);
}

/* A @context of 0 is any. */
static bool is_loaded(const struct ze_session *session, uint32_t context,
		      const struct ze_breakpoint *breakpoint)
{
	const struct ze_module *module = session->modules;

	while (module && ((context && module->context != context) ||
			  module->kernel != breakpoint->kernel ||
			  module->address != breakpoint->base))
		module = module->next;
	return module;
}

/* Those of a kernel that is nowhere any more. */
static void breakpoints_sweep(struct ze_session *session)
{
	struct ze_breakpoint **at = &session->breakpoints;

	while (*at) {
		if (is_loaded(session, 0, *at))
			at = &(*at)->next;
		else
			breakpoint_clear(session, at);
	}
}

void gtdbg_ze_module_destroy(struct ze_session *session,
			     struct ze_module *module)
{
	struct ze_module **at = &session->modules;

	while (*at != module)
		at = &(*at)->next;
	*at = module->next;
	breakpoints_sweep(session);
	free(module->elf);
	free(module);
}

struct ze_module *gtdbg_ze_module_find(struct ze_session *session,
				       uint32_t context, uint64_t address)
{
	struct ze_module *module = session->modules;

	while (module &&
	       (module->context != context || module->address != address))
		module = module->next;
	return module;
}

bool gtdbg_ze_module_was(const struct ze_session *session, uint64_t begin)
{
	uint64_t at = begin - (ZE_WINDOW_TAG << ZE_WINDOW_TAG_SHIFT);
	uint64_t window = at >> ZE_WINDOW_SHIFT;

	return at == window << ZE_WINDOW_SHIFT && window &&
	       window <= session->windows;
}

struct ze_module *gtdbg_ze_module_at(struct ze_session *session,
				     uint32_t context, uint64_t address)
{
	struct ze_module *module = session->modules;

	while (module && ((context && module->context != context) ||
			  address < module->address ||
			  address - module->address >= module->isa_len_bytes))
		module = module->next;
	return module;
}

void gtdbg_ze_module_info(const struct ze_module *module,
			  zet_debug_event_info_module_t *out)
{
	out->format = ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF;
	out->moduleBegin = module->begin;
	out->moduleEnd = module->begin + module->elf_len_bytes;
	out->load = module->address;
}

void gtdbg_ze_module_show(const struct ze_session *session, uint32_t context,
			  uint64_t address, uint8_t *bytes, size_t len_bytes)
{
	const struct ze_breakpoint *breakpoint = session->breakpoints;

	for (; breakpoint; breakpoint = breakpoint->next) {
		if (breakpoint->address - address < len_bytes &&
		    is_loaded(session, context, breakpoint))
			bytes[breakpoint->address - address] |=
				breakpoint->mask;
	}
}

static int breakpoint_set(struct ze_session *session,
			  const struct ze_module *module, uint64_t address,
			  uint64_t bit_address, uint8_t mask)
{
	struct ze_breakpoint *breakpoint = malloc(sizeof(*breakpoint));
	int ret;

	if (!breakpoint)
		return -ENOMEM;
	ret = gtdbg_breakpoint_set(session->session, module->kernel,
				   address - module->address);
	if (ret < 0) {
		free(breakpoint);
		return ret;
	}
	breakpoint->id = ret;
	breakpoint->kernel = module->kernel;
	breakpoint->base = module->address;
	breakpoint->address = bit_address;
	breakpoint->mask = mask;
	breakpoint->next = session->breakpoints;
	session->breakpoints = breakpoint;
	return 1;
}

static struct ze_breakpoint **breakpoint_find(struct ze_session *session,
					      uint32_t kernel,
					      uint64_t bit_address)
{
	struct ze_breakpoint **at = &session->breakpoints;

	while (*at && ((*at)->kernel != kernel ||
		       (*at)->address != bit_address))
		at = &(*at)->next;
	return at;
}

/* Whether the bytes differ in this bit, and in no other one. */
static bool differ_in(const uint8_t *a, const uint8_t *b, size_t len_bytes,
		      size_t byte, uint8_t mask)
{
	size_t i;

	for (i = 0; i < len_bytes; i++) {
		if ((a[i] ^ b[i]) != (i == byte ? mask : 0))
			return false;
	}
	return byte < len_bytes;
}

int gtdbg_ze_module_write(struct ze_session *session, struct ze_module *module,
			  uint64_t address, const uint8_t *bytes,
			  size_t len_bytes)
{
	uint8_t now[INSTRUCTION_BYTES_MAX], mask;
	struct ze_breakpoint **found;
	size_t byte;
	int ret;

	if (len_bytes < HEAD_BYTES || len_bytes > sizeof(now))
		return 0;
	ret = gtdbg_memory_read(session->session, session->device,
				module->context, address, now, len_bytes);
	if (ret != (int)len_bytes)
		return ret < 0 ? ret : -EFAULT;
	gtdbg_ze_module_show(session, module->context, address, now, len_bytes);
	if (!memcmp(now, bytes, len_bytes))
		return 1;
	byte = NATIVE_BREAK_BYTE;
	mask = NATIVE_BREAK_MASK;
	if (now[COMPACT_BYTE] & COMPACT_MASK) {
		byte = COMPACT_BREAK_BYTE;
		mask = COMPACT_BREAK_MASK;
	}
	if (!differ_in(now, bytes, len_bytes, byte, mask))
		return 0;
	found = breakpoint_find(session, module->kernel, address + byte);
	if (bytes[byte] & mask)
		return breakpoint_set(session, module, address, address + byte,
				      mask);
	if (!*found)
		return 0;
	breakpoint_clear(session, found);
	return 1;
}
