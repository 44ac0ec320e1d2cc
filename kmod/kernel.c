// SPDX-License-Identifier: GPL-2.0-only
#include "kernel.h"

#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account.h"
#include "breakpoint.h"
#include "client.h"
#include "event_queue.h"
#include "gtdbg.h"
#include "module.h"
#include "platform.h"
#include "session.h"

void gtdbg_kernels_init(struct gtdbg_client *client)
{
	xa_init_flags(&client->kernels, XA_FLAGS_ALLOC1);
}

static void kernel_destroy(struct gtdbg_kernel *kernel)
{
	gtdbg_module_uncharge(kernel->account, sizeof(*kernel),
			      kernel->name_len_bytes);
	gtdbg_blob_fini(&kernel->elf);
	gtdbg_blob_fini(&kernel->isa);
	kfree(kernel->name);
	kfree(kernel);
}

void gtdbg_kernels_fini(struct gtdbg_client *client)
{
	struct gtdbg_kernel *kernel;
	unsigned long id;

	xa_for_each(&client->kernels, id, kernel)
		kernel_destroy(kernel);
	xa_destroy(&client->kernels);
}

struct gtdbg_kernel *gtdbg_kernel_find(struct gtdbg_client *client, u32 id)
{
	lockdep_assert_held(&client->lock);
	return xa_load(&client->kernels, id);
}

/*
 * Go from the instruction at @at, with which @code begins, to the first one that
 * is not before @offset, or to the end of @code.
 */
static u64 skip_instructions(const u8 *code, size_t len_bytes, u64 at,
			     u64 offset)
{
	u64 start = at;
	u32 dword0;

	while (at < offset && at - start + sizeof(dword0) <= len_bytes) {
		memcpy(&dword0, code + (at - start), sizeof(dword0));
		at += gtdbg_inst_len_bytes(dword0);
	}
	return at;
}

int gtdbg_kernel_check_offset(const struct gtdbg_kernel *kernel, u64 offset)
{
	ssize_t bytes;
	u64 at = 0;
	u8 *code;

	if (!kernel->isa.len_bytes)
		return 0;
	if (offset >= kernel->isa.len_bytes)
		return -EINVAL;
	code = kmalloc(PAGE_SIZE, GFP_KERNEL);
	if (!code)
		return -ENOMEM;
	while (at < offset) {
		bytes = gtdbg_blob_read(&kernel->isa, at, code, PAGE_SIZE);
		if (bytes < (ssize_t)sizeof(u32))
			break;
		at = skip_instructions(code, bytes, at, offset);
		cond_resched();
	}
	kfree(code);
	return at == offset ? 0 : -EINVAL;
}

struct gtdbg_kernel *gtdbg_kernel_find_cookie(struct gtdbg_client *client,
					      u32 cookie)
{
	struct gtdbg_kernel *kernel;
	unsigned long id;

	lockdep_assert_held(&client->lock);
	if (!cookie)
		return NULL;
	xa_for_each(&client->kernels, id, kernel)
		if (kernel->cookie == cookie)
			return kernel;
	return NULL;
}

static void kernel_parts(const struct gtdbg_kernel *kernel,
			 struct gtdbg_event_kernel_add *payload,
			 struct gtdbg_event_parts *parts)
{
	*payload = (struct gtdbg_event_kernel_add){
		.kernel = kernel->id,
		.module = kernel->module,
		.cookie = kernel->cookie,
		.name_len_bytes = kernel->name_len_bytes + 1,
		.elf_len_bytes = kernel->elf.len_bytes,
		.isa_len_bytes = kernel->isa.len_bytes,
	};
	*parts = (struct gtdbg_event_parts){
		.kind = GTDBG_EVENT_KERNEL_ADD,
		.payload = payload,
		.payload_bytes = sizeof(*payload),
		.text = kernel->name,
		.text_bytes = kernel->name_len_bytes,
	};
}

int gtdbg_kernels_replay(struct gtdbg_client *client,
			 struct gtdbg_session *session)
{
	struct gtdbg_event_kernel_add payload;
	struct gtdbg_event_parts parts;
	struct gtdbg_kernel *kernel;
	unsigned long id;
	int ret;

	lockdep_assert_held(&client->lock);
	xa_for_each(&client->kernels, id, kernel) {
		kernel_parts(kernel, &payload, &parts);
		ret = gtdbg_session_replay(session, &parts);
		if (ret)
			return ret;
	}
	return 0;
}

static void kernel_remove(struct gtdbg_client *client,
			  struct gtdbg_kernel *kernel)
{
	struct gtdbg_event_kernel_remove payload = { .kernel = kernel->id };
	struct gtdbg_event_parts parts = {
		.kind = GTDBG_EVENT_KERNEL_REMOVE,
		.payload = &payload,
		.payload_bytes = sizeof(payload),
	};

	lockdep_assert_held(&client->lock);
	xa_erase(&client->kernels, kernel->id);
	client->kernel_count--;
	gtdbg_breakpoints_orphan(client, kernel);
	gtdbg_client_emit(client, &parts);
	kernel_destroy(kernel);
}

void gtdbg_kernels_remove(struct gtdbg_client *client, u32 module)
{
	struct gtdbg_kernel *kernel;
	unsigned long id;

	lockdep_assert_held(&client->lock);
	xa_for_each(&client->kernels, id, kernel)
		if (kernel->module == module)
			kernel_remove(client, kernel);
}

static int kernel_publish(struct gtdbg_client *client,
			  struct gtdbg_kernel *kernel)
{
	struct gtdbg_event_kernel_add payload;
	struct gtdbg_event_parts parts;
	int ret;

	lockdep_assert_held(&client->lock);
	if (client->gone)
		return -ESRCH;
	if (kernel->module && !xa_load(&client->modules, kernel->module))
		return -ENOENT;
	if (client->kernel_count >= GTDBG_KERNELS_MAX)
		return -EDQUOT;
	ret = xa_alloc_cyclic(&client->kernels, &kernel->id, kernel,
			      xa_limit_31b, &client->next_kernel, GFP_KERNEL);
	if (ret < 0)
		return ret;
	client->kernel_count++;
	gtdbg_breakpoints_adopt(client, kernel);
	kernel_parts(kernel, &payload, &parts);
	gtdbg_client_emit(client, &parts);
	return 0;
}

static int kernel_fill(struct gtdbg_kernel *kernel,
		       struct gtdbg_account *account,
		       const struct gtdbg_kernel_add *request)
{
	int ret;

	kernel->module = request->module;
	kernel->cookie = request->cookie;
	kernel->name_len_bytes = request->name_len_bytes;
	ret = gtdbg_module_copy_name(request->name, request->name_len_bytes, 1,
				     &kernel->name) ?:
	      gtdbg_module_charge(account, sizeof(*kernel), kernel->name_len_bytes);
	if (ret)
		return ret;
	kernel->account = account;
	ret = gtdbg_blob_init(&kernel->elf, account, request->elf,
			      request->elf_len_bytes);
	if (ret)
		return ret;
	return gtdbg_blob_init(&kernel->isa, account, request->isa,
			       request->isa_len_bytes);
}

int gtdbg_ioctl_kernel_add(struct gtdbg_file *file, void *arg)
{
	const struct gtdbg_kernel_add *request = arg;
	struct gtdbg_client *client = gtdbg_client_of_caller(file);
	struct gtdbg_kernel *kernel;
	int ret;

	if (request->flags || request->__reserved)
		return -EINVAL;
	if (IS_ERR(client))
		return PTR_ERR(client);
	kernel = kzalloc(sizeof(*kernel), GFP_KERNEL_ACCOUNT);
	if (!kernel)
		return -ENOMEM;
	ret = kernel_fill(kernel, client->account, request);
	if (!ret) {
		mutex_lock(&client->lock);
		ret = kernel_publish(client, kernel) ?: kernel->id;
		mutex_unlock(&client->lock);
	}
	if (ret < 0)
		kernel_destroy(kernel);
	return ret;
}

int gtdbg_ioctl_kernel_remove(struct gtdbg_file *file, void *arg)
{
	const struct gtdbg_kernel_remove *request = arg;
	struct gtdbg_client *client = gtdbg_client_of_caller(file);
	struct gtdbg_kernel *kernel;

	if (request->flags)
		return -EINVAL;
	if (IS_ERR(client))
		return PTR_ERR(client);
	mutex_lock(&client->lock);
	kernel = gtdbg_kernel_find(client, request->kernel);
	if (kernel)
		kernel_remove(client, kernel);
	mutex_unlock(&client->lock);
	return kernel ? 0 : -ENOENT;
}
