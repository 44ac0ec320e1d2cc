// SPDX-License-Identifier: MIT
/*
 * Programs that the tool starts. The OpenCL runtime must find our hook library,
 * our system routine and a virtual GPU. All of that goes through the
 * environment of the program; the hook hands its descriptor of the module back
 * through a socket, which the first of the program's processes finds open.
 */
#include "debugger.h"

#include "hang.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS "20000"
#define POLL_MS 20
#define VGTD_WORDS_MAX 64
#define CHECK_MAX 64 /* vgtd says what is wrong with a longer one */
#define ANCESTORS_MAX 64
/*
 * The runtime reads the system routine from below /proc/self/fd, where each
 * process has a folder of its own; as high a number as any process has.
 */
#define SIP_DESCRIPTOR_MAX 1024

struct launch {
	char **argv;
	enum launch_sip sip_kind;
	enum launch_door door;
	bool is_free;
	bool keeps_stdin;
	const char *memcheck, *check;
	bool has_ended;
	int status;
	pid_t pid;
	pid_t vgtd;
	struct hang *hang; /* from the program's start to its end */
	int socket;
	char name[64];		/* of the socket */
	char folder[64];	/* for the system routines */
	char port[16];
	char hook[PATH_MAX];
	char sip[PATH_MAX];
	char preload[PATH_MAX];
	char headers[PATH_MAX];	/* for kernels */
};

int launch_product_find(char *out, const char *built, const char *installed)
{
	char self[PATH_MAX], folder[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (len < 0)
		return -errno;
	self[len] = 0;
	snprintf(folder, sizeof(folder), "%s", dirname(self));
	if (snprintf(out, PATH_MAX, "%.3000s/../%s", folder, built) > 0 &&
	    access(out, R_OK) == 0)
		return 0;
	if (snprintf(out, PATH_MAX, "%.3000s/../%s", folder, installed) > 0 &&
	    access(out, R_OK) == 0)
		return 0;
	return -ENOENT;
}

bool launch_has_vgtd(void)
{
	char path[PATH_MAX];

	return !launch_product_find(path, "vgt/vgtd", "bin/vgtd") &&
	       access(path, X_OK) == 0;
}

/* Those of the environment, as vgt-run takes them, behind ours; does not return. */
static void vgtd_become(const struct launch *launch, char *path, char *self,
			char *options)
{
	char *words[VGTD_WORDS_MAX + 1] = { path, "--with-process", self,
					    "--listen", "127.0.0.1:0",
					    launch->memcheck ? "--fault=halt" :
					    "--fault=report" };
	char *rest = NULL, *word = strtok_r(options, " ", &rest);
	char check[CHECK_MAX];
	size_t count = 6;

	if (launch->check) {
		snprintf(check, sizeof(check), "--check=%s", launch->check);
		words[count++] = check;
	}
	for (; word && count < VGTD_WORDS_MAX; word = strtok_r(NULL, " ", &rest))
		words[count++] = word;
	if (word)
		fputs("gtdbgctl: VGTD_OPTIONS: too many words\n", stderr);
	else
		execv(path, words);
	_exit(127);
}

/* vgtd prints its port when it is ready. */
static int vgtd_start(struct launch *launch)
{
	const char *wanted = secure_getenv("VGTD_OPTIONS");
	char path[PATH_MAX], self[16], *options;
	int ends[2];
	ssize_t len;

	if (launch->vgtd > 0 && !waitpid(launch->vgtd, NULL, WNOHANG))
		return 0;
	/* Its number may be another one's by now. */
	launch->vgtd = 0;
	if (launch_product_find(path, "vgt/vgtd", "bin/vgtd"))
		return -ENOENT;
	options = strdup(wanted ? wanted : "");
	if (!options)
		return -ENOMEM;
	if (pipe2(ends, O_CLOEXEC)) {
		free(options);
		return -errno;
	}
	snprintf(self, sizeof(self), "%d", getpid());
	launch->vgtd = fork();
	if (launch->vgtd == 0) {
		setpgid(0, 0);
		dup2(ends[1], 1);
		vgtd_become(launch, path, self, options);
	}
	free(options);
	close(ends[1]);
	len = launch->vgtd < 0 ? -1 :
	      read(ends[0], launch->port, sizeof(launch->port) - 1);
	close(ends[0]);
	if (len <= 0)
		return -EIO;
	launch->port[len] = 0;
	launch->port[strcspn(launch->port, "\n")] = 0;
	return 0;
}

static void socket_close(struct launch *launch)
{
	if (launch->socket >= 0)
		close(launch->socket);
	launch->socket = -1;
}

static int socket_open(struct launch *launch)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	socket_close(launch);
	snprintf(launch->name, sizeof(launch->name), "gtdbg-%d-%p", getpid(),
		 (void *)launch);
	memcpy(address.sun_path + 1, launch->name, strlen(launch->name));
	launch->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (launch->socket < 0 ||
	    bind(launch->socket, (struct sockaddr *)&address,
		 offsetof(struct sockaddr_un, sun_path) + 1 +
		 strlen(launch->name)) ||
	    listen(launch->socket, 8))
		return -errno;
	return 0;
}

static int folder_create(struct launch *launch)
{
	char name[] = "/tmp/gtdbgXXXXXX";

	if (!mkdtemp(name))
		return -errno;
	strcpy(launch->folder, name);
	return 0;
}

int launch_create(const struct launch_options *options, struct launch **out)
{
	struct launch *launch = calloc(1, sizeof(*launch));
	int ret;

	if (!launch)
		return -ENOMEM;
	launch->argv = options->argv;
	launch->sip_kind = options->sip;
	launch->door = options->door;
	launch->is_free = options->is_free;
	launch->keeps_stdin = options->keeps_stdin;
	launch->memcheck = options->memcheck;
	launch->check = options->check;
	launch->socket = -1;
	ret = launch_product_find(launch->hook, "libgtdbg/hook", "lib/gtdbg");
	if (!ret)
		ret = launch_product_find(launch->sip, "sip/gen12lp.bin",
				   "lib/gtdbg/gen12lp.bin");
	if (!ret)
		ret = launch_product_find(launch->headers, "libgtdbg/opencl",
				   "lib/gtdbg/opencl");
	if (!ret && launch->door == LAUNCH_DOOR_DRM)
		ret = launch_product_find(launch->preload, "vgt/libvgt-drm.so",
				   "lib/vgt/libvgt-drm.so");
	if (!ret)
		ret = folder_create(launch);
	if (ret) {
		launch_destroy(launch);
		return ret;
	}
	*out = launch;
	return 0;
}

static void prepend(const char *name, const char *folder)
{
	const char *old = getenv(name);
	char *value;

	if (asprintf(&value, "%s%s%s", folder, old && *old ? ":" : "",
		     old ? old : "") < 0)
		return;
	setenv(name, value, 1);
	free(value);
}

/* The last descriptor that a process may open, below SIP_DESCRIPTOR_MAX. */
static unsigned int sip_descriptor(void)
{
	struct rlimit limit = { .rlim_cur = SIP_DESCRIPTOR_MAX };

	getrlimit(RLIMIT_NOFILE, &limit);
	return (limit.rlim_cur < SIP_DESCRIPTOR_MAX ? limit.rlim_cur :
		SIP_DESCRIPTOR_MAX) - 1;
}

/*
 * What may be set already is for some other program. On a GPU that others use as well
 * Intel's routines are loaded by way of a file, too: with our header their save areas
 * say whose they are.
 */
static void sip_set(const struct launch *launch)
{
	char copy[64];

	unsetenv("UseBindlessDebugSip");
	unsetenv("GTDBG_SIP");
	unsetenv("GTDBG_SIP_STOCK");
	unsetenv("LoadBinarySipFromFile");
	if (launch->sip_kind == LAUNCH_SIP_BINDLESS)
		setenv("UseBindlessDebugSip", "1", 1);
	if (launch->sip_kind != LAUNCH_SIP_OWN &&
	    launch->door == LAUNCH_DOOR_GPU)
		setenv("GTDBG_SIP_STOCK",
		       launch->sip_kind == LAUNCH_SIP_BINDLESS ? "bindless" :
								 "bindful", 1);
	if (launch->sip_kind == LAUNCH_SIP_OWN ||
	    launch->door == LAUNCH_DOOR_GPU) {
		snprintf(copy, sizeof(copy), "/proc/self/fd/%u/sip.bin",
			 sip_descriptor());
		setenv("GTDBG_SIP", launch->sip, 1);
		setenv("GTDBG_SIP_FOLDER", launch->folder, 1);
		setenv("LoadBinarySipFromFile", copy, 1);
		/* Else it insists on that file even where debugging fails. */
		setenv("ForcePreemptionMode", "1", 1);
	}
}

static void door_set(const struct launch *launch)
{
	unsetenv("TbxPort");
	unsetenv("SetCommandStreamReceiver");
	unsetenv("ProductFamilyOverride");
	if (launch->door == LAUNCH_DOOR_GPU)
		return;
	setenv("TbxPort", launch->port, 1);
	if (launch->door == LAUNCH_DOOR_DRM) {
		prepend("LD_PRELOAD", launch->preload);
		return;
	}
	setenv("SetCommandStreamReceiver", "2", 1);
	setenv("ProductFamilyOverride", "tgllp", 1);
	setenv("TbxServer", "127.0.0.1", 1);
}

/*
 * Kernels find gtdbg_assert.h: the hook, as a layer of OpenCL's loader, adds these
 * options where one wants it. It keeps a table of buffers as well, and guards them.
 */
static void layer_set(const struct launch *launch)
{
	char text[2 * PATH_MAX];

	snprintf(text, sizeof(text), "-I%s%s", launch->headers,
		 launch->is_free ? "" : " -DGTDBG_ASSERT_SESSION");
	setenv("GTDBG_BUILD_OPTIONS", text, 1);
	snprintf(text, sizeof(text), "%s/libigfxdbgxchg64.so", launch->hook);
	prepend("OPENCL_LAYERS", text);
	/* It tells the virtual GPU's checkers of buffers and kernels. */
	if (launch->check)
		prepend("OPENCL_LAYERS", launch->preload);
	setenv("GTDBG_BUFFERS", launch->folder, 1);
	if (launch->memcheck)
		setenv("GTDBG_MEMCHECK", launch->memcheck, 1);
	else
		unsetenv("GTDBG_MEMCHECK");
}

/*
 * The runtimes' caches of what they have compiled keep no debug information, and are on
 * where the program's folder has one of their name: here they are told of none.
 */
static void cache_set(const struct launch *launch)
{
	char path[sizeof(launch->folder) + 8];

	snprintf(path, sizeof(path), "%s/none", launch->folder);
	setenv("cl_cache_dir", path, 1);
	setenv("l0_cache_dir", path, 1);
}

/* What the runtime and the hook will read. */
void launch_environment_set(const struct launch *launch)
{
	prepend("LD_LIBRARY_PATH", launch->hook);
	setenv("GTDBG", "1", 1);
	if (!launch->is_free) {
		setenv("GTDBG_NOTIFY", launch->name, 1);
		setenv("GTDBG_WAIT_MS", WAIT_MS, 1);
	}
	setenv("NEOReadDebugKeys", "1", 1);
	cache_set(launch);
	sip_set(launch);
	door_set(launch);
	layer_set(launch);
	setenv("OCL_ICD_VENDORS", "/etc/OpenCL/vendors/intel.icd", 0);
}

/*
 * Ctrl-C is for the debugger, and so are the words on its stdin. What else the program
 * does to the terminal would stop it, in the background, and nobody would hear of that.
 */
static void terminal_leave(const struct launch *launch)
{
	int null;

	setpgid(0, 0);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGTTIN, SIG_IGN);
	if (launch->keeps_stdin)
		return;
	null = open("/dev/null", O_RDONLY);
	dup2(null, 0);
	close(null);
}

/* Writes the error into @failure, which the program itself never sees. */
static void child_run(const struct launch *launch, int failure)
{
	int ret;

	if (!launch->is_free)
		terminal_leave(launch);
	launch_environment_set(launch);
	execvp(launch->argv[0], launch->argv);
	ret = -errno;
	if (write(failure, &ret, sizeof(ret)) != sizeof(ret))
		_exit(126);
	_exit(127);
}

static pid_t parent_of(pid_t pid)
{
	char path[32], text[512], *end;
	FILE *file;
	size_t len;
	int parent;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return 0;
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = 0;
	/* Its name may hold anything, but nothing behind it has a parenthesis. */
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

static bool is_of_program(const struct launch *launch, pid_t pid)
{
	int depth;

	if (getpgid(pid) == launch->pid)
		return true;
	for (depth = 0; depth < ANCESTORS_MAX && pid > 1; depth++) {
		if (pid == launch->pid)
			return true;
		pid = parent_of(pid);
	}
	return false;
}

/* The kernel's word for who that is: a pid of ours, whatever the namespace. */
static pid_t peer_find(const struct launch *launch, int connection)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return 0;
	/* Anyone may connect, but may not choose what we debug, nor what root does. */
	if (peer.uid == geteuid() ||
	    (geteuid() == 0 && is_of_program(launch, peer.pid)))
		return peer.pid;
	return 0;
}

static int descriptor_receive(int connection)
{
	char control[CMSG_SPACE(sizeof(int))], mark;
	struct iovec part = { &mark, sizeof(mark) };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control,
		/* Not for a second one, which would have to be closed. */
		.msg_controllen = CMSG_LEN(sizeof(int)),
	};
	struct cmsghdr *head;
	int fd;

	if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC) <= 0)
		return -EIO;
	head = CMSG_FIRSTHDR(&message);
	if (!head || head->cmsg_type != SCM_RIGHTS ||
	    head->cmsg_len != CMSG_LEN(sizeof(int)))
		return -EIO;
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

static bool child_has_ended(struct launch *launch)
{
	/* An error, too: there is no one to wait for. */
	if (!launch->has_ended &&
	    waitpid(launch->pid, &launch->status, WNOHANG) != 0)
		launch->has_ended = true;
	return launch->has_ended;
}

/*
 * However long it takes to become a client: it says nothing else, and goes away if
 * it cannot.
 */
static int client_await(struct launch *launch, int connection)
{
	struct pollfd wait = { .fd = connection, .events = POLLIN };

	while (poll(&wait, 1, POLL_MS) <= 0) {
		if (wait_serve)
			wait_serve(-1, 0);
		if (child_has_ended(launch))
			return -ESRCH;
		if (wait_is_interrupted)
			return -EINTR;
	}
	return descriptor_receive(connection);
}

/* Takes what one process has to say; a negative errno if it is no client. */
static int client_take(struct launch *launch, pid_t *pid_out)
{
	int connection = accept4(launch->socket, NULL, NULL, SOCK_CLOEXEC);
	int fd = -EPERM;

	if (connection < 0)
		return -errno;
	*pid_out = peer_find(launch, connection);
	if (*pid_out)
		fd = client_await(launch, connection);
	close(connection);
	return fd;
}

/* Waits for a process of the program to say that it uses the GPU. */
static int client_accept(struct launch *launch, int *fd_out, pid_t *pid_out)
{
	struct pollfd wait = { .fd = launch->socket, .events = POLLIN };
	int fd = -EAGAIN;

	while (fd < 0) {
		if (poll(&wait, 1, POLL_MS) > 0)
			fd = client_take(launch, pid_out);
		if (fd < 0 && wait_serve)
			wait_serve(-1, 0);
		if (fd < 0 && child_has_ended(launch))
			return -ESRCH;
		if (fd < 0 && wait_is_interrupted)
			return -EINTR;
	}
	*fd_out = fd;
	return 0;
}

static int child_start(struct launch *launch)
{
	int failure[2], ret = 0;

	if (pipe2(failure, O_CLOEXEC))
		return -errno;
	fflush(stdout);
	launch->has_ended = false;
	launch->pid = fork();
	if (!launch->pid)
		child_run(launch, failure[1]);
	if (launch->pid < 0)
		ret = -errno;
	close(failure[1]);
	/* Nothing comes if the program was executed. */
	if (!ret && read(failure[0], &ret, sizeof(ret)) == sizeof(ret))
		launch_wait(launch);
	close(failure[0]);
	return ret;
}

static int program_start(struct launch *launch)
{
	int ret = 0;

	if (launch->door != LAUNCH_DOOR_GPU && vgtd_start(launch))
		return -ENODEV;
	if (launch->door == LAUNCH_DOOR_GPU && !launch->is_free)
		launch->hang = hang_disable();
	if (!launch->is_free)
		ret = socket_open(launch);
	return ret ? ret : child_start(launch);
}

int launch_start(struct launch *launch, int *client_fd_out, pid_t *pid_out)
{
	int ret = program_start(launch);

	if (!ret)
		ret = client_accept(launch, client_fd_out, pid_out);
	if (!ret)
		hang_note(launch->hang, *pid_out);
	socket_close(launch);
	return ret;
}

int launch_start_free(struct launch *launch)
{
	return program_start(launch);
}

int launch_run_free(struct launch *launch)
{
	int ret = program_start(launch);

	return ret ? ret : launch_wait(launch);
}

bool launch_has_ended(struct launch *launch)
{
	return launch->pid <= 0 || child_has_ended(launch);
}

int launch_prepare(struct launch *launch)
{
	return vgtd_start(launch);
}

bool launch_checks_memory(const struct launch *launch)
{
	return launch->memcheck;
}

bool launch_has_checkers(const struct launch *launch)
{
	return launch && launch->check;
}

const char *launch_folder(const struct launch *launch)
{
	return launch->folder;
}

bool launch_is_started(const struct launch *launch)
{
	return launch->pid > 0 && !launch->has_ended;
}

pid_t launch_pid(const struct launch *launch)
{
	return launch->pid;
}

static void driver_restore(struct launch *launch)
{
	hang_restore(launch->hang);
	launch->hang = NULL;
}

/*
 * With all that it has started, unless it shares our group. What it has on the
 * engine the driver has to end: memory of the program is not freed before that.
 */
static void program_kill(struct launch *launch)
{
	kill(launch->is_free ? launch->pid : -launch->pid, SIGKILL);
	hang_note_kill(launch->hang);
	driver_restore(launch);
}

/* Looks again and again, so that no signal to end is lost on the way. */
int launch_wait(struct launch *launch)
{
	while (launch->pid > 0 && !child_has_ended(launch)) {
		if (wait_is_ended)
			program_kill(launch);
		if (!wait_serve)
			poll(NULL, 0, POLL_MS);
		else
			wait_serve(-1, POLL_MS);
	}
	driver_restore(launch);
	return launch->status;
}

void launch_kill(struct launch *launch)
{
	if (!launch_is_started(launch))
		return;
	program_kill(launch);
	launch_wait(launch);
}

static int entry_remove(const char *path, const struct stat *info, int kind,
			struct FTW *place)
{
	(void)info;
	(void)kind;
	(void)place;
	remove(path);
	return 0;
}

void launch_destroy(struct launch *launch)
{
	if (!launch)
		return;
	launch_kill(launch);
	driver_restore(launch);
	if (launch->vgtd > 0) {
		kill(launch->vgtd, SIGTERM);
		waitpid(launch->vgtd, NULL, 0);
	}
	socket_close(launch);
	if (launch->folder[0])
		nftw(launch->folder, entry_remove, 8, FTW_DEPTH | FTW_PHYS);
	free(launch);
}
