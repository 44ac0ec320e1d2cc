// SPDX-License-Identifier: MIT
/*
 * Which GPUs of the machine the hook binds, on one without any, and how long it waits
 * for a debugger: this program's own open(), ioctl(), access() and fstat() come before
 * those of libc, and know render nodes and the module's devices. Prints TAP.
 */
#include "standin.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gtdbg.h>
#include <linux/gtdbg_pci.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define GPU_DEVICE "/dev/gtdbg-pci"
#define NODES 3
#define NODE_MAJOR 226
#define NODE_FIRST 128
#define DEADLINE_S 30
#define WAIT_MS 100
#define SIGNAL_US 20000

static struct {
	int fd;		/* 0: not open */
	int refusal;	/* what binding it ends with */
	int bind_fd;	/* of the descriptor that it is bound by, 0: none */
} nodes[NODES];

static int client_fd;	/* that was opened last */
static unsigned int cut_waits;	/* for children, by signals */
static uint64_t longest_ns;	/* that it was to wait for a debugger */
static bool is_awaited;	/* none comes, only signals */

/* One that the library has closed binds nothing any more. */
static bool is_bound(int i)
{
	return nodes[i].bind_fd && fcntl(nodes[i].bind_fd, F_GETFD) >= 0;
}

int access(const char *path, int mode)
{
	if (strcmp(path, GPU_DEVICE) == 0)
		return 0;
	return faccessat(AT_FDCWD, path, mode, 0);
}

int open(const char *path, int flags, ...)
{
	va_list rest;
	int mode, fd;
	bool is_client = strcmp(path, GTDBG_HOOK_DEVICE) == 0;

	if (strncmp(path, "/dev/gtdbg", strlen("/dev/gtdbg")) == 0)
		path = "/dev/null";
	va_start(rest, flags);
	mode = va_arg(rest, int);
	va_end(rest);
	fd = openat(AT_FDCWD, path, flags, mode);
	if (is_client)
		client_fd = fd;
	return fd;
}

int fstat(int fd, struct stat *info)
{
	int i;

	if (fstatat(fd, "", info, AT_EMPTY_PATH))
		return -1;
	for (i = 0; i < NODES; i++) {
		if (fd && nodes[i].fd == fd) {
			info->st_mode = S_IFCHR;
			info->st_rdev = makedev(NODE_MAJOR, NODE_FIRST + i);
		}
	}
	return 0;
}

static int node_bind(int fd, const struct gtdbg_pci_bind *bind)
{
	int i;

	for (i = 0; i < NODES && nodes[i].fd != bind->drm_fd; i++)
		;
	errno = i == NODES ? EINVAL : nodes[i].refusal;
	if (errno)
		return -1;
	nodes[i].bind_fd = fd;
	return 1;
}

static int debugger_await(const struct gtdbg_client_wait *wait)
{
	if (wait->timeout_ns > longest_ns)
		longest_ns = wait->timeout_ns;
	usleep(SIGNAL_US);
	errno = EINTR;
	return is_awaited ? -1 : 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list rest;
	void *argument;

	va_start(rest, request);
	argument = va_arg(rest, void *);
	va_end(rest);
	if (request == GTDBG_PCI_IOC_BIND)
		return node_bind(fd, argument);
	if (request == GTDBG_IOC_CLIENT_REGISTER)
		return 0;
	if (request == GTDBG_IOC_CLIENT_WAIT)
		return debugger_await(argument);
	errno = ENOTTY;
	return -1;
}

pid_t waitpid(pid_t child, int *status, int options)
{
	if (cut_waits) {
		cut_waits--;
		errno = EINTR;
		return -1;
	}
	return wait4(child, status, options, NULL);
}

static void node_open(int i, int refusal)
{
	nodes[i].refusal = refusal;
	nodes[i].fd = open("/dev/null", O_RDWR | O_CLOEXEC);
}

/* In a child, so that each case begins without a client. */
static void check(void (*test)(void), const char *name)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		failed = 0;
		alarm(DEADLINE_S);
		test();
		_exit(failed);
	}
	result(waitpid(child, &status, 0) == child && !status, name);
}

static void nothing(int number)
{
	(void)number;
}

static void refused_one_first(void)
{
	is_marked = true;
	node_open(0, EOPNOTSUPP);
	node_open(1, 0);
	node_open(2, EACCES);
	expect(gtdbg_hook_client_open(&config) == 0);
	expect(!is_bound(0) && is_bound(1) && !is_bound(2));
	gtdbg_hook_client_device();
	expect(is_bound(1) && !said);
}

static void all_refused(void)
{
	is_marked = true;
	node_open(0, EOPNOTSUPP);
	node_open(1, EACCES);
	expect(gtdbg_hook_client_open(&config) == 0 && !said);
	gtdbg_hook_client_device();
	expect(said == -EOPNOTSUPP);
}

static void silent_one_last(void)
{
	is_marked = true;
	node_open(0, 0);
	node_open(1, ETIMEDOUT);
	expect(gtdbg_hook_client_open(&config) == -ETIMEDOUT);
	expect(!is_bound(0) && said == -ETIMEDOUT);
}

/* No virtual GPU has that port's name. */
static void given_up(void)
{
	is_marked = true;
	node_open(0, 0);
	config.tbx_port = 1;
	expect(gtdbg_hook_client_open(&config) == -ECONNREFUSED);
	expect(!is_bound(0));
	config.tbx_port = 0;
	expect(gtdbg_hook_client_open(&config) == 0 && is_bound(0));
}

static void unmarked_at_first(void)
{
	node_open(0, 0);
	expect(gtdbg_hook_client_open(&config) == -EOPNOTSUPP);
	expect(!is_bound(0) && said == -EOPNOTSUPP);
}

static void unmarked_later(void)
{
	expect(gtdbg_hook_client_open(&config) == 0);
	node_open(0, 0);
	gtdbg_hook_client_device();
	expect(!is_bound(0) && said == -EOPNOTSUPP);
}

static void opened_later(void)
{
	is_marked = true;
	node_open(0, 0);
	expect(gtdbg_hook_client_open(&config) == 0 && is_bound(0));
	node_open(1, 0);
	gtdbg_hook_client_device();
	expect(is_bound(0) && is_bound(1) && !said);
}

/* The virtual GPU of the port 1, which never answers. */
static int virtual_gpu_listen(void)
{
	struct sockaddr_un address = { AF_UNIX, "\0gtdbg-vgtd-1" };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	expect(!bind(fd, (struct sockaddr *)&address,
		     offsetof(struct sockaddr_un, sun_path) +
		     strlen(address.sun_path + 1) + 1) && !listen(fd, 1));
	return fd;
}

static void *client_open(void *unused)
{
	gtdbg_hook_client_open(&config);
	return unused;
}

static void forked_meanwhile(void)
{
	int status, listener = virtual_gpu_listen();
	pthread_t thread;
	pid_t child;

	config.tbx_port = 1;
	expect(!pthread_create(&thread, NULL, client_open, NULL));
	expect(accept(listener, NULL, NULL) >= 0);
	child = fork();
	if (!child) {
		alarm(DEADLINE_S / 3);
		gtdbg_hook_client_device();
		_exit(fcntl(client_fd, F_GETFD) >= 0);
	}
	expect(waitpid(child, &status, 0) == child && !status);
}

/* As a daemon does that closes what it has not opened, and then opens its own. */
static void closed_by_program(void)
{
	int status, ends[2];
	pid_t child;

	is_marked = true;
	node_open(0, 0);
	expect(gtdbg_hook_client_open(&config) == 0 && is_bound(0));
	expect(!pipe(ends) && dup2(ends[0], client_fd) == client_fd &&
	       dup2(ends[1], nodes[0].bind_fd) == nodes[0].bind_fd);
	child = fork();
	if (!child)
		_exit(fcntl(client_fd, F_GETFD) < 0 || !is_bound(0));
	expect(waitpid(child, &status, 0) == child && !status);
}

static void closed_at_fork(void)
{
	int status;
	pid_t child;

	is_marked = true;
	node_open(0, 0);
	expect(gtdbg_hook_client_open(&config) == 0 && is_bound(0));
	child = fork();
	if (!child)
		_exit(fcntl(client_fd, F_GETFD) >= 0 || is_bound(0));
	expect(waitpid(child, &status, 0) == child && !status);
}

/* In a program that a timer interrupts. */
static void interrupted(void)
{
	const struct itimerval often = { { 0, SIGNAL_US }, { 0, SIGNAL_US } };
	const struct sigaction action = { .sa_handler = nothing };
	int ends[2];

	expect(!pipe(ends) && !sigaction(SIGALRM, &action, NULL) &&
	       !setitimer(ITIMER_REAL, &often, NULL));
	expect(gtdbg_hook_await(ends[0], WAIT_MS) == -ETIMEDOUT);
	expect(write(ends[1], "", 1) == 1 &&
	       gtdbg_hook_await(ends[0], WAIT_MS) == 0);
	is_awaited = true;
	config.wait_ms = WAIT_MS;
	expect(gtdbg_hook_client_open(&config) == 0 &&
	       longest_ns <= WAIT_MS * 1000000ull);
}

static void for_ever(void)
{
	config.wait_ms = ~0ull;
	expect(gtdbg_hook_client_open(&config) == 0 &&
	       longest_ns > 1000000000000000000ull);
}

/* One that says something is there. */
static void virtual_gpu_started(void)
{
	config.tbx_port = 1;
	strcpy(config.vgtd, "/bin/echo");
	cut_waits = 2;
	expect(gtdbg_hook_vgtd_start(&config) == 0 && !cut_waits);
	expect(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

int main(void)
{
	puts("TAP version 13");
	check(refused_one_first, "GPUs behind a refused one are bound");
	check(all_refused, "that all are refused is said");
	check(silent_one_last, "with one that does not answer there is no client");
	check(given_up, "a client that is given up keeps none, and the next one has it");
	check(unmarked_at_first, "none is bound under a routine without a token");
	check(unmarked_later, "nor if it is opened later");
	check(opened_later, "one that is opened later is bound");
	check(forked_meanwhile, "a child of a fork meanwhile has no client, and no lock");
	check(closed_at_fork, "nor has one of a fork later");
	check(closed_by_program, "which keeps what is the program's own by now");
	check(interrupted, "signals make no wait longer");
	check(virtual_gpu_started, "nor leave a child behind");
	check(for_ever, "a wait is as long as can be");
	printf("1..%d\n", count);
	return failed;
}
