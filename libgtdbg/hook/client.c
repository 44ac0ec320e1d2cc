// SPDX-License-Identifier: MIT
/*
 * The client: this process as the kernel module knows it. A source text is a module
 * there, from when the program hands it over: of each kernel, the compiler says which
 * it was built from. What has no debug information was built in one thread, which
 * hands over its source first and its kernels after. The runtime never says that a
 * program is gone.
 */
#include "hook.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gtdbg.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define SERVER_MS 30000
#define OBJECT_BYTES 1024

/* A kernel that was registered. */
struct known {
	struct known *next;
	uint64_t hash;		/* of all that is known of it */
	uint64_t len_bytes;	/* of its name, ELF file and code */
	uint32_t id;
};

static struct {
	pthread_mutex_t lock;
	struct gtdbg_hook_descriptor descriptor;
	struct gtdbg_hook_source unnamed; /* of programs of other runs */
	void *known;		/* a tree of kernels */
	struct known *oldest;
	struct known *newest;
	uint64_t known_bytes;	/* of all of them */
	uint32_t known_count;
} client = { .lock = PTHREAD_MUTEX_INITIALIZER, .descriptor.fd = -1 };

/* What this thread has built last; NULL: source was not given. */
static __thread struct gtdbg_hook_source *building;

/* What this thread builds the program has asked for. */
static __thread bool is_asked_for;

static bool client_is_open(void)
{
	return client.descriptor.fd >= 0;
}

static int client_ioctl(unsigned long request, void *argument)
{
	return ioctl(gtdbg_hook_descriptor_fd(&client.descriptor), request,
		     argument);
}

/*
 * After a fork the child has the descriptor, but is no client. Other threads
 * of its parent may have held the lock, or been about to change the list.
 */
static void client_forget(void)
{
	gtdbg_hook_descriptor_fini(&client.descriptor);
	gtdbg_hook_gpus_forget();
	gtdbg_hook_sip_forget();
	gtdbg_hook_sources_forget();
	memset(&client.unnamed, 0, sizeof(client.unnamed));
	client.known = NULL;
	client.oldest = NULL;
	client.known_bytes = 0;
	client.known_count = 0;
	building = NULL;
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
	memcpy(CMSG_DATA(head), &client.descriptor.fd, sizeof(int));
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
	} while (client_ioctl(GTDBG_IOC_CLIENT_WAIT, &wait) < 0 &&
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
	if (client_ioctl(GTDBG_IOC_CLIENT_REGISTER, &request) < 0)
		return -errno;
	return gtdbg_hook_sip_write(config, request.token, waits);
}

/* What stops on a GPU that does not answer would never go on. */
static int client_bind(const struct gtdbg_hook_config *config, int *refusal_out)
{
	int ret = gtdbg_hook_gpus_bind(
		gtdbg_hook_descriptor_fd(&client.descriptor), refusal_out);

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

/* Without a debugger that wants it, a client is there to be attached to. */
static int client_introduce(const struct gtdbg_hook_config *config,
			    bool *waits_out)
{
	int debugger = -1, refusal, ret;

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
	/*
	 * Those that the runtime has open already, before it learns that there is a
	 * debugger. Those that are no debugger's, it is told of later.
	 */
	if (!ret)
		ret = client_bind(config, &refusal);
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

static void forks_watch(void)
{
	pthread_atfork(NULL, NULL, client_forget);
}

int gtdbg_hook_client_open(const struct gtdbg_hook_config *config)
{
	static pthread_once_t watching = PTHREAD_ONCE_INIT;
	bool waits = false;
	int fd, ret = 0;

	/* Another thread may fork while this one has the lock, for as long as it waits. */
	pthread_once(&watching, forks_watch);
	pthread_mutex_lock(&client.lock);
	if (client_is_open())
		goto unlock;
	fd = open(GTDBG_HOOK_DEVICE, O_RDWR | O_CLOEXEC);
	ret = fd < 0 ? -errno : 0;
	gtdbg_hook_descriptor_init(&client.descriptor, fd);
	if (!ret)
		ret = client_introduce(config, &waits);
	if (ret) {
		gtdbg_hook_descriptor_fini(&client.descriptor);
		gtdbg_hook_gpus_forget();
	}
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
	if (client_is_open())
		client_bind(gtdbg_hook_config_get(), &refusal);
	pthread_mutex_unlock(&client.lock);
	if (refusal)
		gtdbg_hook_complain(refusal, GTDBG_HOOK_GPU_DEVICE);
}

/* Where there are too many already, what is built from it has no source. */
static void module_add(struct gtdbg_hook_source *source)
{
	struct gtdbg_module_add request = { 0 };
	char name[4096] = "";
	int id;

	if (source->text) {
		gtdbg_hook_source_name(source, name, sizeof(name));
		request.name = (uintptr_t)name;
		request.name_len_bytes = strlen(name);
		request.source = (uintptr_t)source->text;
		request.source_len_bytes = source->len_bytes;
	}
	id = client_ioctl(GTDBG_IOC_MODULE_ADD, &request);
	if (id < 0)
		gtdbg_hook_complain(-errno, "registering a source");
	else
		source->module = id;
}

static uint32_t module_get(struct gtdbg_hook_source *source)
{
	if (client_is_open() && !source->module)
		module_add(source);
	return source->module;
}

void gtdbg_hook_client_source(const char *source, size_t len_bytes, char *name,
			      size_t name_capacity)
{
	/* The runtime counts the terminating NUL. */
	while (len_bytes && !source[len_bytes - 1])
		len_bytes--;
	pthread_mutex_lock(&client.lock);
	building = source ? gtdbg_hook_source_get(source, len_bytes) : NULL;
	if (building)
		module_get(building);
	if (name && name_capacity)
		gtdbg_hook_source_name(building, name, name_capacity);
	pthread_mutex_unlock(&client.lock);
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

static int known_compare(const void *a, const void *b)
{
	uint64_t hash_a = ((const struct known *)a)->hash;
	uint64_t hash_b = ((const struct known *)b)->hash;

	return hash_a < hash_b ? -1 : hash_a > hash_b;
}

/* The oldest kernel goes: its program may be gone as well. */
static void oldest_remove(void)
{
	static bool is_said;
	struct gtdbg_kernel_remove request = { 0 };
	struct known *oldest = client.oldest;

	if (!is_said)
		fputs("gtdbg: too many kernels: the first ones can no longer be debugged\n",
		      stderr);
	is_said = true;
	request.kernel = oldest->id;
	client_ioctl(GTDBG_IOC_KERNEL_REMOVE, &request);
	tdelete(oldest, &client.known, known_compare);
	client.oldest = oldest->next;
	client.known_bytes -= oldest->len_bytes;
	client.known_count--;
	free(oldest);
}

/*
 * The kernel module is full: of this client's kernels there are as many as can be, or
 * of all that is its user's too many bytes. There all of ours may not be enough, or what
 * they leave is taken by others: then they stay.
 */
static bool room_make(uint64_t wanted, uint64_t *freed)
{
	struct gtdbg_info info = { 0 };
	struct known *oldest = client.oldest;

	if (!oldest || client_ioctl(GTDBG_IOC_INFO, &info) < 0)
		return false;
	if (client.known_count < info.kernels_max) {
		if (*freed >= wanted ||
		    client.known_bytes < wanted - *freed)
			return false;
		*freed += oldest->len_bytes;
	}
	oldest_remove();
	return true;
}

static uint64_t kernel_bytes(const struct gtdbg_hook_kernel *kernel)
{
	return strlen(kernel->name) +
	       (kernel->elf ? kernel->elf_len_bytes : 0) +
	       (kernel->isa ? kernel->isa_len_bytes : 0);
}

void gtdbg_hook_client_build(bool begins)
{
	is_asked_for = begins;
}

/*
 * Threads of a kernel that was compiled without a debugger stop nowhere, so nobody learns
 * where it is. A program that keeps what it has once compiled has such ones; so has the
 * runtime, which builds them for itself.
 */
static void unmarked_note(const struct gtdbg_hook_kernel *kernel)
{
	static bool is_said;

	if (!is_asked_for || is_said)
		return;
	is_said = true;
	fprintf(stderr, "gtdbg: the kernel %.200s was compiled before, for no debugger, and cannot be debugged; delete what this program keeps of it\n",
		kernel->name);
}

static int kernel_register(const struct gtdbg_hook_kernel *kernel,
			   uint32_t module)
{
	struct gtdbg_kernel_add request = {
		.module = module,
		.cookie = isa_cookie(kernel->isa, kernel->isa_len_bytes),
		.name = (uintptr_t)kernel->name,
		.name_len_bytes = strlen(kernel->name),
		.elf = (uintptr_t)kernel->elf,
		.elf_len_bytes = kernel->elf ? kernel->elf_len_bytes : 0,
		.isa = (uintptr_t)kernel->isa,
		.isa_len_bytes = kernel->isa ? kernel->isa_len_bytes : 0,
	};
	uint64_t wanted = kernel_bytes(kernel), freed = 0;
	int id;

	/* The module keeps more of each than its bytes. */
	wanted += wanted / 16 + OBJECT_BYTES;
	do {
		id = client_ioctl(GTDBG_IOC_KERNEL_ADD, &request);
	} while (id < 0 && errno == EDQUOT && room_make(wanted, &freed));
	if (id < 0)
		gtdbg_hook_complain(-errno, "registering a kernel");
	else if (!request.cookie)
		unmarked_note(kernel);
	return id;
}

static uint64_t kernel_hash(const struct gtdbg_hook_kernel *kernel,
			    const struct gtdbg_hook_source *source)
{
	uint64_t hash = gtdbg_hook_hash(source->hash, kernel->name,
					strlen(kernel->name) + 1);

	if (kernel->isa)
		hash = gtdbg_hook_hash(hash, kernel->isa, kernel->isa_len_bytes);
	if (kernel->elf)
		hash = gtdbg_hook_hash(hash, kernel->elf, kernel->elf_len_bytes);
	return hash;
}

/* One that is built again is the same: the GPU cannot tell them apart. */
static void kernel_add(const struct gtdbg_hook_kernel *kernel)
{
	struct gtdbg_hook_source *source =
		gtdbg_hook_source_find(kernel, building);
	struct known *known = calloc(1, sizeof(*known)), **at;
	int id;

	if (!source)
		source = &client.unnamed;
	if (!known)
		return;
	known->hash = kernel_hash(kernel, source);
	at = tfind(known, &client.known, known_compare);
	id = at ? -EEXIST : kernel_register(kernel, module_get(source));
	if (id < 0 || !tsearch(known, &client.known, known_compare)) {
		free(known);
		return;
	}
	known->id = id;
	known->len_bytes = kernel_bytes(kernel);
	client.known_bytes += known->len_bytes;
	client.known_count++;
	if (client.oldest)
		client.newest->next = known;
	else
		client.oldest = known;
	client.newest = known;
}

void gtdbg_hook_client_kernel(const struct gtdbg_hook_kernel *kernel)
{
	pthread_mutex_lock(&client.lock);
	if (client_is_open() &&
	    (kernel->isa || !gtdbg_hook_zebin_kernels(kernel, kernel_add)))
		kernel_add(kernel);
	pthread_mutex_unlock(&client.lock);
}
