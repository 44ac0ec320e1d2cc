// SPDX-License-Identifier: GPL-2.0-only
/* Clients and what they register. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#include "debuggee.h"
#include "rig.h"

#define SESSIONS_MAX 64 /* of a client */
#define CLIENTS_MAX 1024 /* of a user */

FIXTURE(client)
{
	int client, control, session;
};

FIXTURE_SETUP(client)
{
	struct gtdbg_client_register client = { .flags = 0 };
	struct gtdbg_session_attach attach = {
		.flags = GTDBG_SESSION_F_OBSERVER,
	};

	if (access("/dev/gtdbg", F_OK))
		SKIP(return, "no /dev/gtdbg: load the module");
	self->client = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	self->control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, ioctl(self->client, GTDBG_IOC_CLIENT_REGISTER, &client));
	EXPECT_NE(0, client.token);
	attach.client_fd = self->client;
	self->session = ioctl(self->control, GTDBG_IOC_SESSION_ATTACH, &attach);
	ASSERT_LT(0, self->session);
}

FIXTURE_TEARDOWN(client)
{
	close(self->session);
	close(self->client);
	close(self->control);
}

static int kernel_add(int client, const char *name, size_t len, const void *elf,
		      size_t elf_len, uint32_t module)
{
	struct gtdbg_kernel_add add = {
		.module = module,
		.name = (uintptr_t)name,
		.name_len_bytes = len,
		.elf = (uintptr_t)elf,
		.elf_len_bytes = elf_len,
	};
	int ret = ioctl(client, GTDBG_IOC_KERNEL_ADD, &add);

	return ret < 0 ? -errno : ret;
}

static int blob_open(int session, uint32_t kind, uint32_t id)
{
	struct gtdbg_blob_open request = { .kind = kind, .id = id };
	int ret = ioctl(session, GTDBG_IOC_BLOB_OPEN, &request);

	return ret < 0 ? -errno : ret;
}

TEST_F(client, names_are_checked)
{
	char name[5000];

	memset(name, 'x', sizeof(name));
	EXPECT_EQ(-EINVAL, kernel_add(self->client, name, 0, NULL, 0, 0));
	EXPECT_EQ(-EINVAL, kernel_add(self->client, name, 4097, NULL, 0, 0));
	EXPECT_LT(0, kernel_add(self->client, name, 4096, NULL, 0, 0));
	name[3] = 0;
	EXPECT_EQ(-EINVAL, kernel_add(self->client, name, 8, NULL, 0, 0));
	EXPECT_EQ(-EFAULT, kernel_add(self->client, (void *)8, 8, NULL, 0, 0));
	EXPECT_EQ(-EFAULT, kernel_add(self->client, name, 2, (void *)8, 8, 0));
	EXPECT_EQ(-ENOENT, kernel_add(self->client, name, 2, NULL, 0, 77));
}

TEST_F(client, blobs_are_read_only_and_outlive_the_client)
{
	static const char elf[] = "not really an ELF file";
	char seen[64] = { 0 }, path[64];
	int id, fd;

	id = kernel_add(self->client, "k", 1, elf, sizeof(elf), 0);
	ASSERT_LT(0, id);
	EXPECT_EQ(-ENOENT, blob_open(self->session, GTDBG_BLOB_KERNEL_ISA, id));
	EXPECT_EQ(-ENOENT, blob_open(self->session, GTDBG_BLOB_KERNEL_ELF, 99));
	EXPECT_EQ(-EOPNOTSUPP, blob_open(self->session, 99, id));
	fd = blob_open(self->session, GTDBG_BLOB_KERNEL_ELF, id);
	ASSERT_LT(0, fd);
	EXPECT_EQ(sizeof(elf), read(fd, seen, sizeof(seen)));
	EXPECT_STREQ(elf, seen);
	EXPECT_EQ(-1, write(fd, "x", 1));
	EXPECT_EQ(EBADF, errno);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, 0));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	id = open(path, O_RDWR);
	if (id >= 0)
		EXPECT_EQ(-1, write(id, "x", 1));
	close(id);
	close(self->client);
	EXPECT_EQ(sizeof(elf), pread(fd, seen, sizeof(seen), 0));
	close(fd);
}

TEST_F(client, bytes_of_a_user_are_limited)
{
	struct gtdbg_info info = { .flags = 0 };
	struct gtdbg_module_add add = { .flags = 0 };

	ASSERT_EQ(0, ioctl(self->control, GTDBG_IOC_INFO, &info));
	add.source = (uintptr_t)&info;
	add.source_len_bytes = info.client_bytes_max + 1;
	EXPECT_EQ(-1, ioctl(self->client, GTDBG_IOC_MODULE_ADD, &add));
	EXPECT_EQ(EDQUOT, errno);
	add.source_len_bytes = ~0ULL;
	EXPECT_EQ(-1, ioctl(self->client, GTDBG_IOC_MODULE_ADD, &add));
	EXPECT_EQ(EDQUOT, errno);
}

/* Charged, and then no source to be read; or not even charged. */
static int module_charge(int client, size_t name_len, uint64_t source_len)
{
	static char name[4096];
	struct gtdbg_module_add add = {
		.name = (uintptr_t)memset(name, 'n', sizeof(name)),
		.name_len_bytes = name_len,
		.source = 8,
		.source_len_bytes = source_len,
	};

	return ioctl(client, GTDBG_IOC_MODULE_ADD, &add) ? -errno : 0;
}

TEST_F(client, names_count_as_bytes_of_a_user)
{
	struct gtdbg_info info = { .flags = 0 };
	uint64_t room;
	char name[4096];

	ASSERT_EQ(0, ioctl(self->control, GTDBG_IOC_INFO, &info));
	room = info.client_bytes_max - 2 * sizeof(name);
	EXPECT_EQ(-EFAULT, module_charge(self->client, sizeof(name), room));
	EXPECT_EQ(-EDQUOT, module_charge(self->client, sizeof(name),
					 room + sizeof(name)));
	/* A failure leaves nothing charged. */
	EXPECT_EQ(-EFAULT, module_charge(self->client, sizeof(name), room));
	memset(name, 'x', sizeof(name));
	ASSERT_LT(0, kernel_add(self->client, name, sizeof(name), NULL, 0, 0));
	EXPECT_EQ(-EDQUOT, module_charge(self->client, sizeof(name), room));
}

static int observe(int control, int client)
{
	struct gtdbg_session_attach attach = {
		.client_fd = client,
		.flags = GTDBG_SESSION_F_OBSERVER,
		.event_mask = RIG_ALL_EVENTS,
	};
	int ret = ioctl(control, GTDBG_IOC_SESSION_ATTACH, &attach);

	return ret < 0 ? -errno : ret;
}

/* Observers that never read hold no more than a user may. */
TEST_F(client, bytes_of_events_of_a_user_are_limited)
{
	int sessions[64], count = 0, ret;
	char name[4096];

	memset(name, 'x', sizeof(name));
	for (int i = 0; i < 1000; i++)
		ASSERT_LT(0, kernel_add(self->client, name, sizeof(name), NULL,
					0, 0));
	while ((ret = observe(self->control, self->client)) >= 0 && count < 63)
		sessions[count++] = ret;
	EXPECT_EQ(-EDQUOT, ret);
	/* 64 MiB, and a little over 4,000 KiB for each session. */
	EXPECT_LE(14, count);
	EXPECT_GE(16, count);
	close(sessions[--count]);
	ret = observe(self->control, self->client);
	EXPECT_LT(0, ret);
	close(ret);
	while (count)
		close(sessions[--count]);
}

TEST_F(client, sessions_are_limited)
{
	struct gtdbg_session_attach attach = {
		.client_fd = self->client,
		.flags = GTDBG_SESSION_F_OBSERVER,
	};
	int sessions[SESSIONS_MAX], count = 0, ret;

	/* One is the fixture's. */
	while (count < SESSIONS_MAX &&
	       (ret = ioctl(self->control, GTDBG_IOC_SESSION_ATTACH,
			    &attach)) > 0)
		sessions[count++] = ret;
	EXPECT_EQ(SESSIONS_MAX - 1, count);
	EXPECT_EQ(EDQUOT, errno);
	ASSERT_LT(0, count);
	close(sessions[--count]);
	sessions[count] = ioctl(self->control, GTDBG_IOC_SESSION_ATTACH,
				&attach);
	EXPECT_LT(0, sessions[count]);
	for (; count >= 0; count--)
		close(sessions[count]);
}

TEST_F(client, kernels_and_modules_are_limited)
{
	struct gtdbg_module_remove remove = { .flags = 0 };
	struct gtdbg_module_add add = { .flags = 0 };
	struct gtdbg_info info = { .flags = 0 };
	int module = 0;

	if (rig_is_sanitised() && !rig_is_soak())
		SKIP(return, "minutes on the sanitised kernel: for the soak");
	ASSERT_EQ(0, ioctl(self->control, GTDBG_IOC_INFO, &info));
	for (uint32_t i = 0; i < info.kernels_max; i++) {
		module = ioctl(self->client, GTDBG_IOC_MODULE_ADD, &add);
		ASSERT_LT(0, module);
		ASSERT_LT(0, kernel_add(self->client, "k", 1, NULL, 0, module));
	}
	EXPECT_EQ(-1, ioctl(self->client, GTDBG_IOC_MODULE_ADD, &add));
	EXPECT_EQ(EDQUOT, errno);
	EXPECT_EQ(-EDQUOT, kernel_add(self->client, "k", 1, NULL, 0, 0));
	remove.module = module;
	EXPECT_EQ(0, ioctl(self->client, GTDBG_IOC_MODULE_REMOVE, &remove));
	EXPECT_LT(0, ioctl(self->client, GTDBG_IOC_MODULE_ADD, &add));
	EXPECT_LT(0, kernel_add(self->client, "k", 1, NULL, 0, 0));
}

static bool kernels_add(int client)
{
	char name[4096];

	memset(name, 'x', sizeof(name));
	for (int i = 0; i < 1000; i++)
		if (kernel_add(client, name, sizeof(name), NULL, 0, 0) < 0)
			return false;
	return true;
}

/* Another user's process, of which there is much to be reported. */
static pid_t stranger_start(int fd)
{
	struct gtdbg_client_register request = { .flags = 0 };
	int ready[2];
	pid_t child;
	char byte;

	if (pipe(ready))
		return -1;
	child = fork();
	if (!child) {
		if (!become_stranger() ||
		    ioctl(fd, GTDBG_IOC_CLIENT_REGISTER, &request) ||
		    !kernels_add(fd) || write(ready[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	close(ready[1]);
	return read(ready[0], &byte, 1) == 1 ? child : -1;
}

TEST_F(client, events_of_others_leave_room_for_ones_own)
{
	int sessions[64], count = 0, ret, fd;
	pid_t child;

	if (getuid())
		SKIP(return, "needs root");
	fd = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	child = stranger_start(fd);
	ASSERT_LT(0, child);
	ASSERT_TRUE(kernels_add(self->client));
	while ((ret = observe(self->control, fd)) >= 0 && count < 63)
		sessions[count++] = ret;
	EXPECT_EQ(-EDQUOT, ret);
	ret = observe(self->control, self->client);
	EXPECT_LT(0, ret);
	close(ret);
	while (count)
		close(sessions[--count]);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(fd);
}

static void client_end(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* A process that is a client until it ends: its number, or -errno. */
static pid_t client_start(void)
{
	struct gtdbg_client_register request = { .flags = 0 };
	int ready[2], error;
	pid_t child;

	if (pipe(ready))
		return -errno;
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		error = ioctl(open("/dev/gtdbg", O_RDWR | O_CLOEXEC),
			      GTDBG_IOC_CLIENT_REGISTER, &request) ? errno : 0;
		if (write(ready[1], &error, sizeof(error)) == sizeof(error))
			pause();
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &error, sizeof(error)) != sizeof(error))
		error = EIO;
	close(ready[0]);
	if (error && child > 0)
		client_end(child);
	return error ? -error : child;
}

/* As many clients as a user may have, and one that is too many: its error. */
static int clients_fill(void)
{
	static pid_t clients[CLIENTS_MAX];
	int count, ret;

	if (!become_stranger())
		return -EIO;
	for (count = 0; count < CLIENTS_MAX; count++) {
		clients[count] = client_start();
		if (clients[count] < 0)
			return clients[count];
	}
	ret = client_start();
	/* One that ends leaves room for one. */
	client_end(clients[0]);
	clients[0] = client_start();
	while (count)
		client_end(clients[--count]);
	return clients[0] > 0 && ret < 0 ? ret : -EIO;
}

TEST_F(client, number_of_a_user_is_limited)
{
	pid_t child;
	int status;

	if (getuid())
		SKIP(return, "needs root");
	if (!rig_is_patient())
		SKIP(return, "on 6.12, and elsewhere in the soak");
	child = fork();
	if (!child)
		_exit(-clients_fill());
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(EDQUOT, WEXITSTATUS(status));
}

TEST_F(client, ids_are_not_used_again)
{
	struct gtdbg_kernel_remove remove = { .flags = 0 };
	int next;

	remove.kernel = kernel_add(self->client, "first", 5, NULL, 0, 0);
	ASSERT_LT(0, (int)remove.kernel);
	ASSERT_EQ(0, ioctl(self->client, GTDBG_IOC_KERNEL_REMOVE, &remove));
	next = kernel_add(self->client, "second", 6, NULL, 0, 0);
	EXPECT_LT(0, next);
	/* Who still has the old one must not reach this kernel by it. */
	EXPECT_NE((int)remove.kernel, next);
}

static int wait_for_controller(int client)
{
	struct gtdbg_client_wait wait = { .timeout_ns = 60000000000ULL };

	return ioctl(client, GTDBG_IOC_CLIENT_WAIT, &wait) ? errno : 0;
}

static void *wait_thread(void *client)
{
	return (void *)(long)wait_for_controller(*(int *)client);
}

TEST_F(client, end_ends_a_wait)
{
	int copy = dup(self->client);
	pthread_t thread;
	void *result;

	ASSERT_EQ(0, pthread_create(&thread, NULL, wait_thread, &copy));
	usleep(100000);
	close(self->client);
	self->client = copy;
	ASSERT_EQ(0, pthread_join(thread, &result));
	EXPECT_EQ(ESRCH, (int)(long)result);
}

TEST_F(client, descriptors_show_whose_client_it_is)
{
	char path[64], text[512] = { 0 }, line[64];
	int fd;

	snprintf(line, sizeof(line), "\ngtdbg-client:\t%d\n", getpid());
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", self->client);
	fd = open(path, O_RDONLY);
	ASSERT_LT(0, read(fd, text, sizeof(text) - 1));
	EXPECT_NE(NULL, strstr(text, line));
	close(fd);
	memset(text, 0, sizeof(text));
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", self->control);
	fd = open(path, O_RDONLY);
	ASSERT_LT(0, read(fd, text, sizeof(text) - 1));
	EXPECT_EQ(NULL, strstr(text, "gtdbg-client:"));
	close(fd);
}

/* What programs call themselves does not make lines of its own. */
TEST_F(client, name_is_escaped_for_people)
{
	struct gtdbg_client_register client = { .flags = 0 };
	static char text[65536];
	size_t len = 0;
	ssize_t got;
	int fd;

	fd = open("/sys/kernel/debug/gtdbg/state", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		SKIP(return, "needs root, and debugfs");
	close(self->client);
	self->client = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, prctl(PR_SET_NAME, "one\ntwo"));
	ASSERT_EQ(0, ioctl(self->client, GTDBG_IOC_CLIENT_REGISTER, &client));
	while ((got = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += got;
	close(fd);
	EXPECT_NE(NULL, strstr(text, " comm=one\\ntwo\n"));
}

struct turnover {
	int fd; /* of the client that ends, then of the next one */
	uint64_t token;
};

static bool turnover_register(struct turnover *turnover)
{
	struct gtdbg_client_register request = { .flags = 0 };

	turnover->fd = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	if (ioctl(turnover->fd, GTDBG_IOC_CLIENT_REGISTER, &request))
		return false;
	turnover->token = request.token;
	return true;
}

static void *turnover_run(void *data)
{
	struct turnover *turnover = data;

	close(turnover->fd);
	turnover_register(turnover);
	return NULL;
}

/* The token of the client that @session is of. */
static uint64_t session_token(int session)
{
	struct rig rig = { .session = session };
	struct rig_event event;

	if (rig_next(&rig, GTDBG_EVENT_CLIENT_ADD, &event))
		return 0;
	return ((const struct gtdbg_event_client_add *)event.payload)->token;
}

/* A process ends as a client and becomes another one, again and again. */
TEST_F(client, descriptor_never_leads_to_the_next_client)
{
	struct turnover turnover;
	uint64_t token;
	pthread_t thread;
	int copy, session;

	close(self->client);
	for (int i = 0; i < 300; i++) {
		ASSERT_TRUE(turnover_register(&turnover));
		token = turnover.token;
		copy = dup(turnover.fd);
		ASSERT_EQ(0, pthread_create(&thread, NULL, turnover_run,
					    &turnover));
		while ((session = observe(self->control, copy)) >= 0) {
			ASSERT_EQ(token, session_token(session));
			close(session);
		}
		EXPECT_EQ(-ESRCH, session);
		pthread_join(thread, NULL);
		close(turnover.fd);
		close(copy);
	}
	self->client = -1;
}

TEST_F(client, wait_is_bounded)
{
	struct gtdbg_client_wait wait = { .timeout_ns = 20000000 };

	/* An observer is no controller. */
	EXPECT_EQ(-1, ioctl(self->client, GTDBG_IOC_CLIENT_WAIT, &wait));
	EXPECT_EQ(ETIMEDOUT, errno);
}

/* Who waits is told of no debugger that could not be one. */
TEST_F(client, attach_without_descriptors_ends_no_wait)
{
	struct gtdbg_client_wait wait = { .timeout_ns = 20000000 };
	struct gtdbg_session_attach request = {
		.client_fd = self->client,
		.refusal = GTDBG_REFUSAL_CONTROLLED,
	};
	struct rlimit limit, none;
	pthread_t thread;
	void *result;
	int session;

	ASSERT_EQ(0, pthread_create(&thread, NULL, wait_thread, &self->client));
	ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &limit));
	none = limit;
	none.rlim_cur = 0;
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
	session = ioctl(self->control, GTDBG_IOC_SESSION_ATTACH, &request);
	EXPECT_EQ(EMFILE, errno);
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	ASSERT_EQ(-1, session);
	EXPECT_EQ(GTDBG_REFUSAL_NONE, request.refusal);
	EXPECT_EQ(-1, ioctl(self->client, GTDBG_IOC_CLIENT_WAIT, &wait));
	EXPECT_EQ(ETIMEDOUT, errno);
	EXPECT_EQ(EBUSY, pthread_tryjoin_np(thread, &result));
	session = ioctl(self->control, GTDBG_IOC_SESSION_ATTACH, &request);
	ASSERT_LT(0, session);
	ASSERT_EQ(0, pthread_join(thread, &result));
	EXPECT_EQ(0, (int)(long)result);
	close(session);
}

TEST_F(client, registering_needs_a_descriptor_and_process_of_its_own)
{
	struct gtdbg_client_register request = { .flags = 0 };

	EXPECT_EQ(-1, ioctl(self->client, GTDBG_IOC_CLIENT_REGISTER, &request));
	EXPECT_EQ(EBUSY, errno);
	EXPECT_EQ(-1, ioctl(self->control, GTDBG_IOC_CLIENT_REGISTER,
			    &request));
	EXPECT_EQ(EBUSY, errno);
	/* Not registered: these calls are of no use. */
	EXPECT_EQ(-EINVAL, kernel_add(self->control, "k", 1, NULL, 0, 0));
}

TEST_F(client, module_takes_its_kernels_with_it)
{
	struct gtdbg_module_add add = { .flags = 0 };
	struct gtdbg_module_remove remove = { .flags = 0 };
	int kernel;

	remove.module = ioctl(self->client, GTDBG_IOC_MODULE_ADD, &add);
	ASSERT_LT(0, (int)remove.module);
	kernel = kernel_add(self->client, "k", 1, "elf", 3, remove.module);
	ASSERT_LT(0, kernel);
	ASSERT_EQ(0, ioctl(self->client, GTDBG_IOC_MODULE_REMOVE, &remove));
	EXPECT_EQ(-ENOENT, blob_open(self->session, GTDBG_BLOB_KERNEL_ELF,
				     kernel));
	EXPECT_EQ(-1, ioctl(self->client, GTDBG_IOC_MODULE_REMOVE, &remove));
	EXPECT_EQ(ENOENT, errno);
}

TEST_HARNESS_MAIN
