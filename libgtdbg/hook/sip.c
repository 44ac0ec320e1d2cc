// SPDX-License-Identifier: MIT
/*
 * The system routine that the runtime is to load, with a header that carries
 * this process's token. The runtime takes the header's name from the routine's:
 * "_header" goes in front of the first dot of the whole path.
 *
 * The path stands in an environment that other processes share. One below
 * /proc/self/fd/N is each process's own, once it has a folder as descriptor N.
 */
#include "hook.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gtdbg_sip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIP_BYTES_MAX (1 << 20)

_Static_assert(sizeof(struct gtdbg_sip_header) == GTDBG_SIP_HEADER_BYTES,
	       "interface");

/* This process's folder. */
static struct gtdbg_hook_descriptor placed = { .fd = -1 };

static int header_path(char *out, size_t capacity, const char *path, bool last)
{
	const char *dot = last ? strrchr(path, '.') : strchr(path, '.');

	if (!dot || snprintf(out, capacity, "%.*s_header%s", (int)(dot - path),
			     path, dot) >= (int)capacity)
		return -EINVAL;
	return 0;
}

static ssize_t file_read(const char *path, void *buf, size_t capacity)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		return -errno;
	len = read(fd, buf, capacity);
	if (len < 0)
		len = -errno;
	close(fd);
	return len;
}

/* By way of another name, so that no one ever reads half a file. */
static int file_write(const char *path, const void *buf, size_t len)
{
	char scratch[4200];
	int fd, ret = 0;

	snprintf(scratch, sizeof(scratch), "%s.%d", path, getpid());
	fd = open(scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (write(fd, buf, len) != (ssize_t)len)
		ret = -EIO;
	close(fd);
	if (!ret && rename(scratch, path))
		ret = -errno;
	if (ret)
		unlink(scratch);
	return ret;
}

static int header_write(const char *from, const char *to, uint64_t token,
			bool is_armed)
{
	struct gtdbg_sip_control control;
	uint8_t bytes[GTDBG_SIP_TABLE_OFFSET];
	ssize_t len = file_read(from, bytes, sizeof(bytes));

	if (len < 0)
		return len;
	if ((size_t)len < GTDBG_SIP_CONTROL_OFFSET + sizeof(control))
		return -EINVAL;
	memcpy(&control, bytes + GTDBG_SIP_CONTROL_OFFSET, sizeof(control));
	if (control.magic != GTDBG_SIP_CONTROL_MAGIC)
		return -EINVAL;
	control.token = token;
	control.flags = is_armed ? GTDBG_SIP_CONTROL_F_ACTIVE : 0;
	memcpy(bytes + GTDBG_SIP_CONTROL_OFFSET, &control, sizeof(control));
	return file_write(to, bytes, len);
}

/*
 * The runtime copies a header to the start of each save area, however long it is. So
 * one that reaches into slot 0, up to where Intel's routine writes nothing, brings the
 * token there. Its default routine knows no header: its slots come first.
 */
static int stock_header_write(const struct gtdbg_hook_config *config,
			      const char *from, const char *to, uint64_t token)
{
	struct gtdbg_sip_owner owner = {
		.magic = GTDBG_SIP_CONTROL_MAGIC, .token = token,
	};
	uint8_t bytes[GTDBG_SIP_HEADER_BYTES + GTDBG_SIP_SLOT_BYTES] = { 0 };
	struct gtdbg_sip_header header;
	size_t slot = 0;
	ssize_t len;

	if (config->stock == GTDBG_HOOK_STOCK_BINDLESS) {
		len = file_read(from, &header, sizeof(header));
		if (len != sizeof(header))
			return len < 0 ? len : -EINVAL;
		header.state_area_offset = 0;
		memcpy(bytes, &header, sizeof(header));
		slot = sizeof(header);
	}
	memcpy(bytes + slot + GTDBG_SIP_SLOT_OWNER, &owner, sizeof(owner));
	return file_write(to, bytes, slot + GTDBG_SIP_SLOT_BYTES);
}

/* Nearest to the cause; what others say of the same failure is not heard. */
static int complain(int ret, const char *path)
{
	if (ret < 0)
		gtdbg_hook_complain(ret, path);
	return ret;
}

static int folder_make(const struct gtdbg_hook_config *config)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/XXXXXX", config->sip_folder);
	if (!mkdtemp(path))
		return -errno;
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Never takes a descriptor that the program uses. */
static int folder_place(const struct gtdbg_hook_config *config)
{
	int wanted, fd;

	if (sscanf(config->sip_copy, "/proc/self/fd/%d/", &wanted) != 1 ||
	    wanted == gtdbg_hook_descriptor_fd(&placed))
		return 0;
	fd = folder_make(config);
	if (fd < 0)
		return complain(fd, config->sip_folder);
	gtdbg_hook_descriptor_init(&placed,
				   fcntl(fd, F_DUPFD_CLOEXEC, wanted));
	close(fd);
	if (placed.fd == wanted)
		return 0;
	gtdbg_hook_sip_forget();
	return complain(-EBUSY, config->sip_copy);
}

void gtdbg_hook_sip_forget(void)
{
	gtdbg_hook_descriptor_fini(&placed);
}

static int stock_write(const struct gtdbg_hook_config *config)
{
	const void *sip;
	size_t len;
	int ret;

	ret = complain(gtdbg_hook_stock_find(config->stock, &sip, &len),
		       "Intel's system routine in libigc.so.1");
	return ret ? ret : complain(file_write(config->sip_copy, sip, len),
				    config->sip_copy);
}

static int sip_write(const struct gtdbg_hook_config *config)
{
	void *sip;
	ssize_t len;
	int ret;

	if (config->stock)
		return stock_write(config);
	sip = malloc(SIP_BYTES_MAX);
	if (!sip)
		return -ENOMEM;
	len = file_read(config->sip, sip, SIP_BYTES_MAX);
	ret = len < 0 ? complain(len, config->sip) :
	      complain(file_write(config->sip_copy, sip, len),
		       config->sip_copy);
	free(sip);
	return ret;
}

bool gtdbg_hook_sip_is_marked(const struct gtdbg_hook_config *config)
{
	return config->sip[0] && config->sip_copy[0];
}

bool gtdbg_hook_sip_is_ours(const struct gtdbg_hook_config *config)
{
	return gtdbg_hook_sip_is_marked(config) && !config->stock;
}

int gtdbg_hook_sip_write(const struct gtdbg_hook_config *config,
			 uint64_t token, bool is_armed)
{
	char from[4200], to[4200];
	int ret;

	if (!gtdbg_hook_sip_is_marked(config))
		return 0;
	if (header_path(from, sizeof(from), config->sip, true) ||
	    header_path(to, sizeof(to), config->sip_copy, false))
		return complain(-EINVAL, config->sip);
	ret = folder_place(config);
	if (!ret)
		ret = complain(config->stock ?
			       stock_header_write(config, from, to, token) :
			       header_write(from, to, token, is_armed), from);
	return ret ? ret : sip_write(config);
}
