// SPDX-License-Identifier: GPL-2.0-only
#include "module.h"

#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "account.h"
#include "client.h"
#include "event_queue.h"
#include "gtdbg.h"
#include "kernel.h"
#include "session.h"
#include "trace.h"

void gtdbg_modules_init(struct gtdbg_client *client)
{
	xa_init_flags(&client->modules, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
}

/*
 * What registering costs beside blobs: the objects are small, but many. The name's
 * end is kept with it.
 */
int gtdbg_module_charge(struct gtdbg_account *account, u64 object_bytes,
			u64 name_len_bytes)
{
	return gtdbg_account_charge(account, GTDBG_ACCOUNT_BYTES,
				    object_bytes + name_len_bytes + 1);
}

void gtdbg_module_uncharge(struct gtdbg_account *account, u64 object_bytes,
			   u64 name_len_bytes)
{
	if (account)
		gtdbg_account_uncharge(account, GTDBG_ACCOUNT_BYTES,
				       object_bytes + name_len_bytes + 1);
}

static void module_destroy(struct gtdbg_module *module)
{
	gtdbg_module_uncharge(module->account, sizeof(*module),
			      module->name_len_bytes);
	gtdbg_blob_fini(&module->source);
	gtdbg_blob_fini(&module->elf);
	kfree(module->name);
	kfree(module);
}

void gtdbg_modules_fini(struct gtdbg_client *client)
{
	struct gtdbg_module *module;
	unsigned long id;

	xa_for_each(&client->modules, id, module)
		module_destroy(module);
	xa_destroy(&client->modules);
}

static int name_fill(char *name, u64 address, u64 len_bytes)
{
	if (copy_from_user(name, u64_to_user_ptr(address), len_bytes))
		return -EFAULT;
	name[len_bytes] = 0;
	return strlen(name) == len_bytes ? 0 : -EINVAL;
}

/*
 * Copy a name from the caller; at least @shortest bytes, none of them NUL. It is kept,
 * so it counts as the caller's memory: memdup_user_nul() takes what is nobody's.
 */
int gtdbg_module_copy_name(u64 address, u64 len_bytes, u64 shortest,
			   char **name_out)
{
	char *name;
	int ret;

	if (len_bytes < shortest || len_bytes > GTDBG_NAME_BYTES_MAX)
		return -EINVAL;
	name = kmalloc(len_bytes + 1, GFP_KERNEL_ACCOUNT);
	if (!name)
		return -ENOMEM;
	ret = name_fill(name, address, len_bytes);
	if (ret) {
		kfree(name);
		return ret;
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

int gtdbg_modules_replay(struct gtdbg_client *client,
			 struct gtdbg_session *session)
{
	struct gtdbg_event_module_add payload;
	struct gtdbg_event_parts parts;
	struct gtdbg_module *module;
	unsigned long id;
	int ret;

	lockdep_assert_held(&client->lock);
	xa_for_each(&client->modules, id, module) {
		module_parts(module, &payload, &parts);
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
			      xa_limit_31b, &client->next_module,
			      GFP_KERNEL_ACCOUNT);
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
	ret = gtdbg_module_copy_name(request->name, request->name_len_bytes, 0,
				     &module->name) ?:
	      gtdbg_module_charge(account, sizeof(*module), module->name_len_bytes);
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

static int module_remove(struct gtdbg_client *client, u32 id)
{
	struct gtdbg_event_module_remove payload = { .module = id };
	struct gtdbg_event_parts parts = {
		.kind = GTDBG_EVENT_MODULE_REMOVE,
		.payload = &payload,
		.payload_bytes = sizeof(payload),
	};
	struct gtdbg_module *module;

	lockdep_assert_held(&client->lock);
	module = xa_erase(&client->modules, id);
	if (!module)
		return -ENOENT;
	client->module_count--;
	gtdbg_kernels_remove(client, id);
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
