// SPDX-License-Identifier: MIT
/*
 * The client: this process as the kernel module knows it. A program is built
 * in one thread, which hands over its source first and its kernels after. The
 * runtime's handle of a program may be 0, so what belongs together is recognised by
 * that order. It never says that a program is gone: of the programs made from
 * one source, the latest few are kept.
 */
#include "hook.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gtdbg.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MODULES_KEPT 16
#define SERVER_MS 30000

/* A source text that was seen: equal texts get equal names. */
struct source {
	struct source *next;
	uint64_t hash;
	unsigned int number;
	size_t len_bytes;
	char *text;
	uint32_t modules[MODULES_KEPT];	/* a ring: the next to go is at @at */
	unsigned int at;
};

static struct {
	pthread_mutex_t lock;
	int fd;
	struct source *sources;
	struct source unnamed;	/* programs that were built from no source */
} client = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

/* The program that this thread is building; NULL: source was not given. */
static __thread struct source *building;
static __thread uint64_t building_handle;
static __thread uint32_t building_module;	/* 0: not added yet */

static void client_close(void)
{
	if (client.fd >= 0)
		close(client.fd);
	client.fd = -1;
}

/*
 * After a fork the child has the descriptor, but is no client. Other threads
 * of its parent may have held the lock, or been about to change the list.
 */
static void client_forget(void)
{
	client_close();
	gtdbg_hook_gpus_forget();
	gtdbg_hook_sip_forget();
	client.sources = NULL;
	memset(&client.unnamed, 0, sizeof(client.unnamed));
	building = NULL;
	building_module = 0;
	pthread_mutex_init(&client.lock, NULL);
}

/* Never waits: the debugger that has started this program takes only one. */
static int socket_connect(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, ret;

	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	memcpy(address.sun_path + 1, name, strlen(name));
	if (!connect(fd, (struct sockaddr *)&address,
		     offsetof(struct sockaddr_un, sun_path) + 1 +
		     strlen(name)))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

/* Hands the client's descriptor over. */
static int descriptor_send(int socket)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	char mark = 0;		/* a message without bytes is none */
	struct iovec part = { &mark, sizeof(mark) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &client.fd, sizeof(int));
	return sendmsg(socket, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* With it one can debug this process: not for other users. */
static bool peer_is_ours(int socket)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	       (!peer.uid || peer.uid == geteuid());
}

static int server_await(int socket)
{
	int ret = gtdbg_hook_await(socket, SERVER_MS);
	char mark;

	if (ret)
		return ret;
	return recv(socket, &mark, sizeof(mark), 0) == sizeof(mark) ? 0 :
								      -EPERM;
}

/* The virtual GPU can be debugged as this client's, if it gets its descriptor. */
static int server_notify(const struct gtdbg_hook_config *config)
{
	char name[32];
	int socket, ret;

	if (!config->tbx_port)
		return 0;
	snprintf(name, sizeof(name), "gtdbg-vgtd-%u", config->tbx_port);
	socket = socket_connect(name);
	if (socket < 0)
		return socket;
	ret = peer_is_ours(socket) ? descriptor_send(socket) : -EPERM;
	if (!ret)
		ret = server_await(socket);
	close(socket);
	return ret;
}

static void client_wait(uint64_t wait_ms)
{
	uint64_t end_ns = gtdbg_hook_deadline(wait_ms);
	struct gtdbg_client_wait wait = { 0 };

	do {
		wait.timeout_ns = gtdbg_hook_left(end_ns);
	} while (ioctl(client.fd, GTDBG_IOC_CLIENT_WAIT, &wait) < 0 &&
		 errno == EINTR && wait.timeout_ns);
}

static int client_register(const struct gtdbg_hook_config *config, bool waits)
{
	struct gtdbg_client_register request = {
		.flags = waits ? GTDBG_CLIENT_F_ARMED : 0,
	};

	/* Intel's stop threads even if no one waits for that. */
	if (!gtdbg_hook_sip_is_ours(config))
		request.flags |= GTDBG_CLIENT_F_ARMED;
	if (ioctl(client.fd, GTDBG_IOC_CLIENT_REGISTER, &request) < 0)
		return -errno;
	return gtdbg_hook_sip_write(config, request.token, waits);
}

/* What stops on a GPU that does not answer would never go on. */
static int client_bind(const struct gtdbg_hook_config *config, int *refusal_out)
{
	int ret = gtdbg_hook_gpus_bind(client.fd, refusal_out);

	/* Nor what stops under Intel's routine as the runtime loads it. */
	if (gtdbg_hook_gpus_any() && !config->tbx_port &&
	    !gtdbg_hook_sip_is_marked(config)) {
		gtdbg_hook_complain(-EOPNOTSUPP,
				    "Intel's system routine on this machine's GPU");
		gtdbg_hook_gpus_forget();
		return -EOPNOTSUPP;
	}
	if (ret)
		gtdbg_hook_complain(ret, GTDBG_HOOK_GPU_DEVICE);
	return ret;
}

/*
 * Those that the runtime has open already, before it learns that there is a debugger.
 * Those that are no debugger's, it is told of later.
 */
static int client_bind_first(const struct gtdbg_hook_config *config)
{
	int refusal, ret = client_bind(config, &refusal);

	if (ret)
		gtdbg_hook_gpus_forget();
	return ret;
}

/* Without a debugger that wants it, a client is there to be attached to. */
static int client_introduce(const struct gtdbg_hook_config *config,
			    bool *waits_out)
{
	int debugger = -1, ret;

	*waits_out = config->wait_ms;
	if (config->notify[0]) {
		debugger = socket_connect(config->notify);
		/* Anyone may have taken a name that its owner has let go. */
		if (debugger >= 0 && !peer_is_ours(debugger)) {
			close(debugger);
			debugger = -1;
		}
		*waits_out = *waits_out && debugger >= 0;
	}
	ret = client_register(config, *waits_out);
	if (!ret)
		ret = client_bind_first(config);
	if (!ret) {
		ret = server_notify(config);
		if (ret)
			gtdbg_hook_complain(ret, "the virtual GPU");
	}
	if (debugger < 0)
		return ret;
	if (!ret)
		ret = descriptor_send(debugger);
	close(debugger);
	return ret;
}

int gtdbg_hook_client_open(const struct gtdbg_hook_config *config)
{
	static bool is_watching_forks;
	bool waits = false;
	int ret = 0;

	pthread_mutex_lock(&client.lock);
	if (client.fd >= 0)
		goto unlock;
	client.fd = open(GTDBG_HOOK_DEVICE, O_RDWR | O_CLOEXEC);
	ret = client.fd < 0 ? -errno : client_introduce(config, &waits);
	if (ret)
		client_close();
	else if (!is_watching_forks)
		is_watching_forks = !pthread_atfork(NULL, NULL, client_forget);
unlock:
	pthread_mutex_unlock(&client.lock);
	if (!ret && waits)
		client_wait(config->wait_ms);
	return ret;
}

void gtdbg_hook_client_device(void)
{
	int refusal = 0;

	pthread_mutex_lock(&client.lock);
	if (client.fd >= 0)
		client_bind(gtdbg_hook_config_get(), &refusal);
	pthread_mutex_unlock(&client.lock);
	if (refusal)
		gtdbg_hook_complain(refusal, GTDBG_HOOK_GPU_DEVICE);
}

static uint64_t hash(const char *text, size_t len)
{
	uint64_t value = 0xcbf29ce484222325ull;

	while (len--)
		value = (value ^ (uint8_t)*text++) * 0x100000001b3ull;
	return value;
}

static struct source *source_get(const char *text, size_t len)
{
	uint64_t value = hash(text, len);
	struct source *source;

	for (source = client.sources; source; source = source->next) {
		if (source->hash == value && source->len_bytes == len &&
		    memcmp(source->text, text, len) == 0)
			return source;
	}
	source = calloc(1, sizeof(*source));
	if (!source)
		return NULL;
	source->text = malloc(len);
	if (!source->text) {
		free(source);
		return NULL;
	}
	memcpy(source->text, text, len);
	source->len_bytes = len;
	source->hash = value;
	source->number = client.sources ? client.sources->number + 1 : 1;
	source->next = client.sources;
	client.sources = source;
	return source;
}

static void source_name(const struct source *source, char *name,
			size_t capacity)
{
	snprintf(name, capacity, "%s_%u.cl", program_invocation_short_name,
		 source ? source->number : 0);
}

void gtdbg_hook_client_source(const char *source, size_t len_bytes, char *name,
			      size_t name_capacity)
{
	/* The runtime counts the terminating NUL. */
	while (len_bytes && !source[len_bytes - 1])
		len_bytes--;
	pthread_mutex_lock(&client.lock);
	building = source ? source_get(source, len_bytes) : NULL;
	pthread_mutex_unlock(&client.lock);
	building_module = 0;
	if (name && name_capacity)
		source_name(building, name, name_capacity);
}

static int module_add(const struct gtdbg_hook_kernel *kernel)
{
	struct gtdbg_module_add request = { .handle = kernel->program };
	char name[4096] = "";

	if (building) {
		source_name(building, name, sizeof(name));
		request.name = (uintptr_t)name;
		request.name_len_bytes = strlen(name);
		request.source = (uintptr_t)building->text;
		request.source_len_bytes = building->len_bytes;
	}
	return ioctl(client.fd, GTDBG_IOC_MODULE_ADD, &request);
}

static void module_keep(struct source *source, uint32_t id)
{
	struct gtdbg_module_remove request = {
		.module = source->modules[source->at],
	};

	if (request.module)
		ioctl(client.fd, GTDBG_IOC_MODULE_REMOVE, &request);
	source->modules[source->at] = id;
	source->at = (source->at + 1) % MODULES_KEPT;
}

/* Kernels of another handle without a source come from a binary. */
static uint32_t module_get(const struct gtdbg_hook_kernel *kernel)
{
	int id;

	if (building_module && building_handle != kernel->program) {
		building = NULL;
		building_module = 0;
	}
	if (building_module)
		return building_module;
	id = module_add(kernel);
	if (id <= 0)
		return 0;
	module_keep(building ? building : &client.unnamed, id);
	building_module = id;
	building_handle = kernel->program;
	return id;
}

/* The constant in "mov null, constant" with a breakpoint, else 0. */
static uint32_t isa_cookie(const void *isa, size_t len)
{
	uint32_t first[4];

	if (!isa || len < sizeof(first))
		return 0;
	memcpy(first, isa, sizeof(first));
	if ((first[0] & 0x7f) != 0x61 || !(first[0] & 0x40000000))
		return 0;
	return first[3];
}

static void kernel_add(const struct gtdbg_hook_kernel *kernel)
{
	struct gtdbg_kernel_add request = {
		.module = module_get(kernel),
		.cookie = isa_cookie(kernel->isa, kernel->isa_len_bytes),
		.name = (uintptr_t)kernel->name,
		.name_len_bytes = strlen(kernel->name),
		.elf = (uintptr_t)kernel->elf,
		.elf_len_bytes = kernel->elf ? kernel->elf_len_bytes : 0,
		.isa = (uintptr_t)kernel->isa,
		.isa_len_bytes = kernel->isa ? kernel->isa_len_bytes : 0,
	};

	if (ioctl(client.fd, GTDBG_IOC_KERNEL_ADD, &request) < 0)
		gtdbg_hook_complain(-errno, "registering a kernel");
}

void gtdbg_hook_client_kernel(const struct gtdbg_hook_kernel *kernel)
{
	pthread_mutex_lock(&client.lock);
	if (client.fd >= 0 &&
	    (kernel->isa || !gtdbg_hook_zebin_kernels(kernel, kernel_add)))
		kernel_add(kernel);
	pthread_mutex_unlock(&client.lock);
}
