// SPDX-License-Identifier: MIT
/*
 * An address means what it does for the thread: its tag may lead to local or
 * scratch memory. "All threads" stands for a context: the one in which code is
 * loaded at that address, or the first one.
 */
#include "level_zero.h"

#include "gtdbg_symbols.h"

#include <errno.h>
#include <string.h>

#define TAG_SHIFT 56
#define TAG_SCRATCH 0x09
#define TAG_LOCAL 0x0aull
#define GENERIC_SHIFT 61
#define GENERIC_LOCAL 2
#define LOCAL_OFFSET_MASK 0xfffffffull

struct access {
	struct ze_session *session;
	const struct ze_thread *thread; /* NULL: all */
	uint64_t address;
	size_t len_bytes;
	uint8_t *out; /* NULL: a write */
	const uint8_t *in;
};

/* The module whose ELF file has all of these bytes. */
static const struct ze_module *window_find(const struct access *access)
{
	const struct ze_module *module = access->session->modules;

	for (; module; module = module->next) {
		uint64_t at = access->address - module->begin;

		if (access->address >= module->begin &&
		    at < module->elf_len_bytes &&
		    access->len_bytes <= module->elf_len_bytes - at)
			return module;
	}
	return NULL;
}

static int window_access(const struct access *access)
{
	const struct ze_module *module = window_find(access);

	if (!module || !access->out)
		return -EFAULT;
	memcpy(access->out,
	       (char *)module->elf + (access->address - module->begin),
	       access->len_bytes);
	return 0;
}

/* Scratch and local memory: the library knows where they are. */
static int tagged_access(const struct access *access)
{
	const struct gtdbg_machine *machine;
	struct gtdbg_stop *stop;
	int ret;

	if (!access->thread)
		return -EFAULT;
	ret = gtdbg_stop_create(access->session->session, &access->thread->info,
				&stop);
	if (ret)
		return ret;
	machine = gtdbg_stop_machine(stop);
	if (access->out)
		ret = machine->memory_read(machine->context, access->address,
					   access->out, access->len_bytes);
	else
		ret = gtdbg_stop_memory_write(stop, access->address, access->in,
					      access->len_bytes);
	gtdbg_stop_destroy(stop);
	return ret;
}

static uint32_t context_of(const struct access *access)
{
	const struct ze_session *session = access->session;
	const struct ze_module *module;

	if (access->thread)
		return access->thread->info.context;
	module = gtdbg_ze_module_at(access->session, 0, access->address);
	if (module)
		return module->context;
	return session->contexts ? session->contexts->info.context : 0;
}

static int global_read(const struct access *access, uint32_t context)
{
	int ret;

	ret = gtdbg_memory_read(access->session->session,
				access->session->device, context,
				access->address, access->out,
				access->len_bytes);
	if (ret < 0 || (size_t)ret != access->len_bytes)
		return ret < 0 ? ret : -EFAULT;
	gtdbg_ze_module_show(access->session, context, access->address,
			     access->out, access->len_bytes);
	return 0;
}

static int global_write(const struct access *access, uint32_t context)
{
	struct ze_module *module;
	int ret = 0;

	module = gtdbg_ze_module_at(access->session, context, access->address);
	if (module)
		ret = gtdbg_ze_module_write(access->session, module,
					    access->address, access->in,
					    access->len_bytes);
	if (ret)
		return ret < 0 ? ret : 0;
	ret = gtdbg_memory_write(access->session->session,
				 access->session->device, context,
				 access->address, access->in,
				 access->len_bytes);
	if (ret < 0 || (size_t)ret != access->len_bytes)
		return ret < 0 ? ret : -EFAULT;
	return 0;
}

static int memory_access(const struct access *access)
{
	uint32_t context;

	if (access->address >> ZE_WINDOW_TAG_SHIFT == ZE_WINDOW_TAG)
		return window_access(access);
	if (access->address >> TAG_SHIFT == TAG_SCRATCH ||
	    access->address >> TAG_SHIFT == TAG_LOCAL ||
	    access->address >> GENERIC_SHIFT == GENERIC_LOCAL)
		return tagged_access(access);
	context = context_of(access);
	if (!context)
		return -EFAULT;
	return access->out ? global_read(access, context)
			   : global_write(access, context);
}

static ze_result_t access_result(int ret)
{
	if (ret == -EINVAL || ret == -ENOENT)
		return ZE_RESULT_ERROR_NOT_AVAILABLE;
	return gtdbg_ze_result(ret);
}

static ze_result_t space_access(struct access *access,
				const ze_device_thread_t *thread,
				const zet_debug_memory_space_desc_t *space)
{
	if (!space || (!access->in && !access->out))
		return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
	if (space->type > ZET_DEBUG_MEMORY_SPACE_TYPE_SLM)
		return ZE_RESULT_ERROR_INVALID_ENUMERATION;
	access->thread = gtdbg_ze_thread_find(access->session, thread);
	if (!access->thread && !gtdbg_ze_thread_is_all(thread))
		return ZE_RESULT_ERROR_NOT_AVAILABLE;
	access->address = space->address;
	if (space->type == ZET_DEBUG_MEMORY_SPACE_TYPE_SLM)
		access->address = (space->address & LOCAL_OFFSET_MASK) |
				  TAG_LOCAL << TAG_SHIFT;
	if (!access->len_bytes)
		return ZE_RESULT_SUCCESS;
	return access_result(memory_access(access));
}

static ze_result_t debug_access(zet_debug_session_handle_t handle,
				struct access *access,
				const ze_device_thread_t *thread,
				const zet_debug_memory_space_desc_t *space)
{
	ze_result_t ret;

	access->session = gtdbg_ze_session_lock(handle);
	if (!access->session)
		return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
	ret = space_access(access, thread, space);
	gtdbg_ze_session_unlock(handle, access->session);
	return ret;
}

ze_result_t gtdbg_ze_debug_memory_read(
	zet_debug_session_handle_t handle, ze_device_thread_t thread,
	const zet_debug_memory_space_desc_t *space, size_t len_bytes, void *out)
{
	struct access access = { .len_bytes = len_bytes, .out = out };

	return debug_access(handle, &access, &thread, space);
}

ze_result_t
gtdbg_ze_debug_memory_write(zet_debug_session_handle_t handle,
			    ze_device_thread_t thread,
			    const zet_debug_memory_space_desc_t *space,
			    size_t len_bytes, const void *in)
{
	struct access access = { .len_bytes = len_bytes, .in = in };

	return debug_access(handle, &access, &thread, space);
}
