// SPDX-License-Identifier: GPL-2.0-only
#include "kernel.h"

#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/rbtree.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account.h"
#include "breakpoint.h"
#include "client.h"
#include "code.h"
#include "event_queue.h"
#include "gtdbg.h"
#include "module.h"
#include "session.h"

void gtdbg_kernels_init(struct gtdbg_client *client)
{
	xa_init_flags(&client->kernels, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	client->cookies = RB_ROOT;
}

void gtdbg_kernel_destroy(struct gtdbg_kernel *kernel)
{
	gtdbg_module_uncharge(kernel->account, sizeof(*kernel),
			      kernel->name_len_bytes);
	gtdbg_blob_fini(&kernel->elf);
	gtdbg_code_put(kernel->code);
	kfree(kernel->name);
	kfree(kernel);
}

void gtdbg_kernels_fini(struct gtdbg_client *client)
{
	struct gtdbg_kernel *kernel;
	unsigned long id;

	xa_for_each(&client->kernels, id, kernel)
		gtdbg_kernel_destroy(kernel);
	xa_destroy(&client->kernels);
}

struct gtdbg_kernel *gtdbg_kernel_find(struct gtdbg_client *client, u32 id)
{
	lockdep_assert_held(&client->lock);
	return xa_load(&client->kernels, id);
}

static bool kernel_before(struct rb_node *node, const struct rb_node *other)
{
	struct gtdbg_kernel *a = rb_entry(node, struct gtdbg_kernel, node);
	const struct gtdbg_kernel *b =
		rb_entry(other, struct gtdbg_kernel, node);

	return a->cookie != b->cookie ? a->cookie < b->cookie : a->id < b->id;
}

static int kernel_compare_cookie(const void *key, const struct rb_node *node)
{
	u32 cookie = *(const u32 *)key;
	const struct gtdbg_kernel *kernel =
		rb_entry(node, struct gtdbg_kernel, node);

	return cookie < kernel->cookie ? -1 : cookie > kernel->cookie;
}

struct gtdbg_kernel *gtdbg_kernel_find_cookie(struct gtdbg_client *client,
					      u32 cookie)
{
	struct rb_node *node;

	lockdep_assert_held(&client->lock);
	if (!cookie)
		return NULL;
	node = rb_find_first(&cookie, &client->cookies, kernel_compare_cookie);
	return node ? rb_entry(node, struct gtdbg_kernel, node) : NULL;
}

/* What loads have found out about their cookies is to be asked again. */
static void kernels_changed(struct gtdbg_client *client)
{
	lockdep_assert_held(&client->lock);
	WRITE_ONCE(client->kernel_generation, client->kernel_generation + 1);
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
		.isa_len_bytes = kernel->isa_len_bytes,
	};
	*parts = (struct gtdbg_event_parts){
		.kind = GTDBG_EVENT_KERNEL_ADD,
		.payload = payload,
		.payload_bytes = sizeof(*payload),
		.text = kernel->name,
		.text_bytes = kernel->name_len_bytes,
	};
}

void gtdbg_kernels_assert(struct gtdbg_client *client)
{
	struct gtdbg_kernel *kernel;
	unsigned long id;

	lockdep_assert_held(&client->lock);
	client->asserts = true;
	xa_for_each(&client->kernels, id, kernel)
		gtdbg_breakpoints_assert(client, kernel);
}

void gtdbg_kernel_name_copy(struct gtdbg_client *client, u32 id, char *name,
			    u32 size)
{
	struct gtdbg_kernel *kernel;
	u32 i;

	memset(name, 0, size);
	mutex_lock(&client->lock);
	kernel = id ? gtdbg_kernel_find(client, id) : NULL;
	for (i = 0; kernel && i < min(kernel->name_len_bytes, size - 1); i++)
		name[i] = iscntrl(kernel->name[i]) ? '?' : kernel->name[i];
	mutex_unlock(&client->lock);
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
	rb_erase(&kernel->node, &client->cookies);
	client->kernel_count--;
	kernels_changed(client);
	gtdbg_client_emit(client, &parts);
	if (!gtdbg_breakpoints_orphan(client, kernel))
		gtdbg_kernel_destroy(kernel);
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
			      xa_limit_31b, &client->next_kernel,
			      GFP_KERNEL_ACCOUNT);
	if (ret < 0)
		return ret;
	rb_add(&kernel->node, &client->cookies, kernel_before);
	client->kernel_count++;
	kernels_changed(client);
	gtdbg_breakpoints_adopt(client, kernel);
	if (client->asserts)
		gtdbg_breakpoints_assert(client, kernel);
	kernel_parts(kernel, &payload, &parts);
	gtdbg_client_emit(client, &parts);
	return 0;
}

static int kernel_fill(struct gtdbg_kernel *kernel,
		       struct gtdbg_account *account,
		       const struct gtdbg_kernel_add *request)
{
	struct gtdbg_code *code;
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
	code = gtdbg_code_create(account, request->isa, request->isa_len_bytes);
	if (IS_ERR(code))
		return PTR_ERR(code);
	kernel->code = code;
	kernel->isa_len_bytes = request->isa_len_bytes;
	return 0;
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
	INIT_LIST_HEAD(&kernel->orphans);
	ret = kernel_fill(kernel, client->account, request);
	if (!ret) {
		mutex_lock(&client->lock);
		ret = kernel_publish(client, kernel) ?: kernel->id;
		mutex_unlock(&client->lock);
	}
	if (ret < 0)
		gtdbg_kernel_destroy(kernel);
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
