// SPDX-License-Identifier: GPL-2.0-only
#include "module.h"

#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "account.h"
#include "breakpoint.h"
#include "client.h"
#include "event_queue.h"
#include "gtdbg.h"
#include "platform.h"
#include "session.h"
#include "trace.h"

void gtdbg_modules_init(struct gtdbg_client *client)
{
	xa_init_flags(&client->modules, XA_FLAGS_ALLOC1);
	xa_init_flags(&client->kernels, XA_FLAGS_ALLOC1);
}

/* What registering costs beside blobs: the objects are small, but many. */
static int module_charge(struct gtdbg_account *account, u64 object_bytes,
			 u64 name_len_bytes)
{
	return gtdbg_account_charge(account, GTDBG_ACCOUNT_BYTES,
				    object_bytes + name_len_bytes);
}

static void module_uncharge(struct gtdbg_account *account, u64 object_bytes,
			    u64 name_len_bytes)
{
	if (account)
		gtdbg_account_uncharge(account, GTDBG_ACCOUNT_BYTES,
				       object_bytes + name_len_bytes);
}

static void module_destroy(struct gtdbg_module *module)
{
	module_uncharge(module->account, sizeof(*module),
			module->name_len_bytes);
	gtdbg_blob_fini(&module->source);
	gtdbg_blob_fini(&module->elf);
	kfree(module->name);
	kfree(module);
}

static void kernel_destroy(struct gtdbg_kernel *kernel)
{
	module_uncharge(kernel->account, sizeof(*kernel),
			kernel->name_len_bytes);
	gtdbg_blob_fini(&kernel->elf);
	gtdbg_blob_fini(&kernel->isa);
	kfree(kernel->name);
	kfree(kernel);
}

void gtdbg_modules_fini(struct gtdbg_client *client)
{
	struct gtdbg_module *module;
	struct gtdbg_kernel *kernel;
	unsigned long id;

	xa_for_each(&client->kernels, id, kernel)
		kernel_destroy(kernel);
	xa_for_each(&client->modules, id, module)
		module_destroy(module);
	xa_destroy(&client->kernels);
	xa_destroy(&client->modules);
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

/* Copy a name from the caller; at least @shortest bytes, none of them NUL. */
static int module_copy_name(u64 address, u64 len_bytes, u64 shortest,
			    char **name_out)
{
	char *name;

	if (len_bytes < shortest || len_bytes > GTDBG_NAME_BYTES_MAX)
		return -EINVAL;
	name = memdup_user_nul(u64_to_user_ptr(address), len_bytes);
	if (IS_ERR(name))
		return PTR_ERR(name);
	if (strlen(name) != len_bytes) {
		kfree(name);
		return -EINVAL;
	}
	*name_out = name;
	return 0;
}

static void module_parts(const struct gtdbg_module *module,
			 struct gtdbg_event_module_add *payload,
			 struct gtdbg_event_parts *parts)
{
	*payload = (struct gtdbg_event_module_add){
		.module = module->id,
		.name_len_bytes = module->name_len_bytes + 1,
		.handle = module->handle,
		.source_len_bytes = module->source.len_bytes,
		.elf_len_bytes = module->elf.len_bytes,
	};
	*parts = (struct gtdbg_event_parts){
		.kind = GTDBG_EVENT_MODULE_ADD,
		.payload = payload,
		.payload_bytes = sizeof(*payload),
		.text = module->name,
		.text_bytes = module->name_len_bytes,
	};
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

int gtdbg_modules_replay(struct gtdbg_client *client,
			 struct gtdbg_session *session)
{
	struct gtdbg_event_module_add module_payload;
	struct gtdbg_event_kernel_add kernel_payload;
	struct gtdbg_event_parts parts;
	struct gtdbg_module *module;
	struct gtdbg_kernel *kernel;
	unsigned long id;
	int ret;

	lockdep_assert_held(&client->lock);
	xa_for_each(&client->modules, id, module) {
		module_parts(module, &module_payload, &parts);
		ret = gtdbg_session_replay(session, &parts);
		if (ret)
			return ret;
	}
	xa_for_each(&client->kernels, id, kernel) {
		kernel_parts(kernel, &kernel_payload, &parts);
		ret = gtdbg_session_replay(session, &parts);
		if (ret)
			return ret;
	}
	return 0;
}

static int module_publish(struct gtdbg_client *client,
			  struct gtdbg_module *module)
{
	struct gtdbg_event_module_add payload;
	struct gtdbg_event_parts parts;
	int ret;

	lockdep_assert_held(&client->lock);
	if (client->gone)
		return -ESRCH;
	if (client->module_count >= GTDBG_KERNELS_MAX)
		return -EDQUOT;
	ret = xa_alloc_cyclic(&client->modules, &module->id, module,
			      xa_limit_31b, &client->next_module, GFP_KERNEL);
	if (ret < 0)
		return ret;
	client->module_count++;
	module_parts(module, &payload, &parts);
	gtdbg_client_emit(client, &parts);
	return 0;
}

static int module_fill(struct gtdbg_module *module,
		       struct gtdbg_account *account,
		       const struct gtdbg_module_add *request)
{
	int ret;

	module->handle = request->handle;
	module->name_len_bytes = request->name_len_bytes;
	ret = module_copy_name(request->name, request->name_len_bytes, 0,
			       &module->name) ?:
	      module_charge(account, sizeof(*module), module->name_len_bytes);
	if (ret)
		return ret;
	module->account = account;
	ret = gtdbg_blob_init(&module->source, account, request->source,
			      request->source_len_bytes);
	if (ret)
		return ret;
	return gtdbg_blob_init(&module->elf, account, request->elf,
			       request->elf_len_bytes);
}

int gtdbg_ioctl_module_add(struct gtdbg_file *file, void *arg)
{
	const struct gtdbg_module_add *request = arg;
	struct gtdbg_client *client = gtdbg_client_of_caller(file);
	struct gtdbg_module *module;
	int ret;

	if (request->flags || request->__reserved)
		return -EINVAL;
	if (IS_ERR(client))
		return PTR_ERR(client);
	module = kzalloc(sizeof(*module), GFP_KERNEL_ACCOUNT);
	if (!module)
		return -ENOMEM;
	ret = module_fill(module, client->account, request);
	if (!ret) {
		mutex_lock(&client->lock);
		ret = module_publish(client, module) ?: module->id;
		mutex_unlock(&client->lock);
	}
	if (ret < 0)
		module_destroy(module);
	return ret;
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

static int module_remove(struct gtdbg_client *client, u32 id)
{
	struct gtdbg_event_module_remove payload = { .module = id };
	struct gtdbg_event_parts parts = {
		.kind = GTDBG_EVENT_MODULE_REMOVE,
		.payload = &payload,
		.payload_bytes = sizeof(payload),
	};
	struct gtdbg_module *module;
	struct gtdbg_kernel *kernel;
	unsigned long index;

	lockdep_assert_held(&client->lock);
	module = xa_erase(&client->modules, id);
	if (!module)
		return -ENOENT;
	client->module_count--;
	xa_for_each(&client->kernels, index, kernel)
		if (kernel->module == id)
			kernel_remove(client, kernel);
	gtdbg_client_emit(client, &parts);
	module_destroy(module);
	return 0;
}

int gtdbg_ioctl_module_remove(struct gtdbg_file *file, void *arg)
{
	const struct gtdbg_module_remove *request = arg;
	struct gtdbg_client *client = gtdbg_client_of_caller(file);
	int ret;

	if (request->flags)
		return -EINVAL;
	if (IS_ERR(client))
		return PTR_ERR(client);
	mutex_lock(&client->lock);
	ret = module_remove(client, request->module);
	mutex_unlock(&client->lock);
	return ret;
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
	ret = module_copy_name(request->name, request->name_len_bytes, 1,
			       &kernel->name) ?:
	      module_charge(account, sizeof(*kernel), kernel->name_len_bytes);
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

static const struct gtdbg_blob *blob_find(struct gtdbg_client *client,
					  const struct gtdbg_blob_open *request)
{
	struct gtdbg_module *module = xa_load(&client->modules, request->id);
	struct gtdbg_kernel *kernel = xa_load(&client->kernels, request->id);

	lockdep_assert_held(&client->lock);
	switch (request->kind) {
	case GTDBG_BLOB_MODULE_SOURCE:
		return module ? &module->source : NULL;
	case GTDBG_BLOB_MODULE_ELF:
		return module ? &module->elf : NULL;
	case GTDBG_BLOB_KERNEL_ELF:
		return kernel ? &kernel->elf : NULL;
	case GTDBG_BLOB_KERNEL_ISA:
		return kernel ? &kernel->isa : NULL;
	default:
		return ERR_PTR(-EOPNOTSUPP);
	}
}

int gtdbg_ioctl_blob_open(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_blob_open *request = arg;
	struct gtdbg_client *client = session->client;
	const struct gtdbg_blob *blob;
	struct file *file;
	int fd;

	if (request->flags || request->__reserved)
		return -EINVAL;
	mutex_lock(&client->lock);
	blob = blob_find(client, request);
	if (IS_ERR(blob))
		file = ERR_CAST(blob);
	else
		file = blob ? gtdbg_blob_file(blob) : ERR_PTR(-ENOENT);
	mutex_unlock(&client->lock);
	if (IS_ERR(file))
		return PTR_ERR(file);
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		fput(file);
	else
		fd_install(fd, file);
	return fd;
}
