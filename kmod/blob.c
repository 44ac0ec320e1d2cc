// SPDX-License-Identifier: GPL-2.0-only
#include "blob.h"

#include <linux/cred.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/sched/signal.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "account.h"
#include "client.h"
#include "code.h"
#include "kernel.h"
#include "module.h"
#include "session.h"

#define BLOB_CHUNK_BYTES 65536

static int blob_fill(struct file *file, const void __user *user, u64 len_bytes,
		     void *chunk)
{
	loff_t pos = 0;

	while (pos < len_bytes) {
		size_t bytes = min_t(u64, len_bytes - pos, BLOB_CHUNK_BYTES);
		ssize_t written;

		if (fatal_signal_pending(current))
			return -EINTR;
		if (copy_from_user(chunk, user + pos, bytes))
			return -EFAULT;
		written = kernel_write(file, chunk, bytes, &pos);
		if (written != bytes)
			return written < 0 ? written : -ENOSPC;
	}
	return 0;
}

static struct file *blob_create(const void __user *user, u64 len_bytes)
{
	void *chunk = kvmalloc(min_t(u64, len_bytes, BLOB_CHUNK_BYTES),
			       GFP_KERNEL);
	struct file *file;
	int ret;

	if (!chunk)
		return ERR_PTR(-ENOMEM);
	file = shmem_file_setup("gtdbg", len_bytes, VM_NORESERVE);
	if (IS_ERR(file))
		goto out;
	ret = blob_fill(file, user, len_bytes, chunk);
	if (ret) {
		fput(file);
		file = ERR_PTR(ret);
		goto out;
	}
	/*
	 * Nobody opens it for writing or changes its length from now on, by whatever
	 * path: ETXTBSY. It has no name, so that ends with it.
	 */
	ret = deny_write_access(file);
	if (ret) {
		fput(file);
		file = ERR_PTR(ret);
	}
out:
	kvfree(chunk);
	return file;
}

int gtdbg_blob_init(struct gtdbg_blob *blob, struct gtdbg_account *account,
		    u64 address, u64 len_bytes)
{
	struct file *file;
	int ret;

	memset(blob, 0, sizeof(*blob));
	if (!len_bytes)
		return 0;
	ret = gtdbg_account_charge(account, GTDBG_ACCOUNT_BYTES, len_bytes);
	if (ret)
		return ret;
	file = blob_create(u64_to_user_ptr(address), len_bytes);
	if (IS_ERR(file)) {
		gtdbg_account_uncharge(account, GTDBG_ACCOUNT_BYTES, len_bytes);
		return PTR_ERR(file);
	}
	blob->account = account;
	blob->file = file;
	blob->len_bytes = len_bytes;
	return 0;
}

void gtdbg_blob_fini(struct gtdbg_blob *blob)
{
	if (!blob->file)
		return;
	fput(blob->file);
	gtdbg_account_uncharge(blob->account, GTDBG_ACCOUNT_BYTES,
			       blob->len_bytes);
	blob->file = NULL;
}

ssize_t gtdbg_blob_read(const struct gtdbg_blob *blob, loff_t offset, void *out,
			size_t len_bytes)
{
	return blob->file ? kernel_read(blob->file, out, len_bytes, &offset) : 0;
}

struct file *gtdbg_blob_file(const struct gtdbg_blob *blob)
{
	if (!blob->file)
		return ERR_PTR(-ENOENT);
	return dentry_open(&blob->file->f_path, O_RDONLY | O_LARGEFILE,
			   current_cred());
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
		return kernel ? &kernel->code->isa : NULL;
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
