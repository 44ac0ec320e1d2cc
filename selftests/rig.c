// SPDX-License-Identifier: GPL-2.0-only
#include "rig.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "descriptor.h"

#define SECOND_INSTRUCTION 16 /* behind the one with the cookie */

static char build[4096];

uint64_t rig_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void nap(void)
{
	usleep(1000);
}

/* The test lies in BUILD/selftests, or in a folder there. */
static const char *build_path(const char *name)
{
	static char path[2][8192];
	static int which;

	if (!build[0]) {
		ssize_t len = readlink("/proc/self/exe", build,
				       sizeof(build) - 1);

		build[len > 0 ? len : 0] = 0;
		for (char *slash = strrchr(build, '/'); slash;
		     slash = strrchr(build, '/')) {
			*slash = 0;
			if (!strcmp(slash + 1, "selftests"))
				break;
		}
	}
	which = !which;
	snprintf(path[which], sizeof(path[which]), "%s/%s", build, name);
	return path[which];
}

bool rig_is_sanitised(void)
{
	const char *kernel = getenv("KERNEL");

	return kernel && !strcmp(kernel, "san");
}

bool rig_is_soak(void)
{
	return getenv("GTDBG_TEST_SOAK");
}

bool rig_is_patient(void)
{
	const char *kernel = getenv("KERNEL");

	return !kernel || !strcmp(kernel, "6.12") || rig_is_soak();
}

static bool is_at_door(const char *wanted)
{
	const char *door = getenv("VGT_DOOR");

	return door && !strcmp(door, wanted);
}

bool rig_is_socket(void)
{
	return is_at_door("socket");
}

bool rig_is_gpu(void)
{
	return is_at_door("gpu");
}

const char *rig_missing(enum rig_sip sip)
{
	if (rig_is_sanitised() && !rig_is_soak())
		return "minutes for each program on this kernel: for the soak";
	if (sip != RIG_SIP_OWN && (rig_is_sanitised() || !rig_is_patient()))
		return "programs under Intel's SIPs run on 6.12";
	if (access(build_path("selftests/eu/kernels.bin"), R_OK))
		return "no selftests/eu/kernels.bin: make all";
	if (access("/dev/gtdbg-vgt", F_OK))
		return "no /dev/gtdbg-vgt: load the module";
	if (access(build_path("vgt/vgtd"), X_OK))
		return "no vgtd: make all";
	if (access(build_path("selftests/eu/launch"), X_OK))
		return "no selftests/eu/launch: make all";
	if (access(build_path("sip/gen12lp.bin"), R_OK))
		return "no sip/gen12lp.bin: make all";
	return NULL;
}

static int port_read(struct rig *rig, int fd)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	size_t fill = 0;

	while (fill < sizeof(rig->port) - 1) {
		ssize_t len;

		if (poll(&wait, 1, RIG_TIMEOUT_MS) <= 0)
			return -ETIMEDOUT;
		len = read(fd, rig->port + fill, 1);
		if (len <= 0)
			return -EIO;
		if (rig->port[fill] == '\n')
			break;
		fill++;
	}
	rig->port[fill] = 0;
	return 0;
}

static void vgtd_execute(const struct rig *rig)
{
	int log = rig->vgtd_log ? open(rig->vgtd_log,
				       O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

	if (log >= 0)
		dup2(log, 2);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (rig->starting)
		rig->starting(rig->starting_data);
	execl(build_path("vgt/vgtd"), "vgtd", "--listen", "127.0.0.1:0",
	      "--gtdbg", "--log", rig->vgtd_log ? "info" : "warn",
	      (char *)NULL);
}

int rig_vgtd_start(struct rig *rig)
{
	int out[2], ret;

	if (pipe2(out, O_CLOEXEC))
		return -errno;
	rig->vgtd = fork();
	if (!rig->vgtd) {
		dup2(out[1], 1);
		vgtd_execute(rig);
		_exit(127);
	}
	close(out[1]);
	ret = port_read(rig, out[0]);
	close(out[0]);
	return ret;
}

static void program_environment(const struct rig *rig)
{
	char sip[128];

	snprintf(sip, sizeof(sip), "%s/gen12lp.bin", rig->folder);
	setenv("GTDBG", "1", 1);
	setenv("GTDBG_WAIT_MS", "240000", 1);
	if (rig->sip == RIG_SIP_OWN) {
		setenv("GTDBG_SIP", build_path("sip/gen12lp.bin"), 1);
		setenv("LoadBinarySipFromFile", sip, 1);
	}
	if (rig->sip != RIG_SIP_DEFAULT)
		setenv("UseBindlessDebugSip", "1", 1);
	setenv("NEOReadDebugKeys", "1", 1);
	setenv("OCL_ICD_VENDORS", "/etc/OpenCL/vendors/intel.icd", 1);
	setenv("LD_LIBRARY_PATH", build_path("libgtdbg/hook"), 1);
	setenv("EU_TEST_BINARY", build_path("selftests/eu/kernels.bin"), 1);
	if (rig_is_gpu())
		return;
	setenv("TbxPort", rig->port, 1);
	if (rig_is_socket()) {
		setenv("SetCommandStreamReceiver", "2", 1);
		setenv("ProductFamilyOverride", "tgllp", 1);
	} else {
		setenv("LD_PRELOAD", build_path("vgt/libvgt-drm.so"), 1);
	}
}

int rig_program_start(struct rig *rig, const char *kernel, const char *items,
		      const char *local, const char *times)
{
	snprintf(rig->folder, sizeof(rig->folder), "/tmp/gtdbg-rig-XXXXXX");
	if (!mkdtemp(rig->folder))
		return -errno;
	rig->reaped = false;
	rig->program = fork();
	if (rig->program)
		return rig->program < 0 ? -errno : 0;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (rig->starting)
		rig->starting(rig->starting_data);
	program_environment(rig);
	execl(build_path("selftests/eu/launch"), "launch", kernel, items, local,
	      times, (char *)NULL);
	_exit(127);
}

/* -ENOENT: the program is no client yet. */
static int attach_once(struct rig *rig, struct gtdbg_session_attach *attach)
{
	int session;

	attach->client_fd = descriptor_take(rig->program);
	if (attach->client_fd < 0)
		return attach->client_fd;
	session = ioctl(rig->control, GTDBG_IOC_SESSION_ATTACH, attach);
	if (session < 0)
		session = attach->refusal == GTDBG_REFUSAL_NOT_CLIENT ||
			  attach->refusal == GTDBG_REFUSAL_BAD_FD ?
				  -ENOENT : -errno;
	close(attach->client_fd);
	return session;
}

bool rig_has_ended(const struct rig *rig)
{
	struct pollfd wait = { .events = POLLIN };
	bool ended;

	wait.fd = syscall(SYS_pidfd_open, rig->program, 0);
	if (wait.fd < 0)
		return true;
	ended = poll(&wait, 1, 0) > 0;
	close(wait.fd);
	return ended;
}

int rig_attach(struct rig *rig, uint32_t flags, uint64_t event_mask,
	       uint64_t ack_mask)
{
	struct gtdbg_session_attach attach = {
		.flags = flags,
		.event_mask = event_mask,
		.ack_mask = ack_mask,
	};
	uint64_t end = rig_now_ns() + RIG_TIMEOUT_MS * 1000000ULL;
	int fd;

	do {
		fd = attach_once(rig, &attach);
		if (fd >= 0)
			return fd;
		if (rig_has_ended(rig))
			return -ESRCH;
		if (fd != -ENOENT)
			return fd;
		nap();
	} while (rig_now_ns() < end);
	return -ETIMEDOUT;
}

int rig_start(struct rig *rig, const char *kernel, const char *items,
	      const char *local, const char *times)
{
	int ret;

	*rig = (struct rig){
		.sip = rig->sip,
		.vgtd_log = rig->vgtd_log,
		.session = -1,
	};
	rig->control = open("/dev/gtdbg", O_RDWR | O_CLOEXEC);
	if (rig->control < 0)
		return -errno;
	ret = rig_is_gpu() ? 0 : rig_vgtd_start(rig);
	if (ret)
		return ret;
	ret = rig_program_start(rig, kernel, items, local, times);
	if (ret)
		return ret;
	rig->session = rig_attach(rig, 0, RIG_ALL_EVENTS, RIG_ACK_SUBMIT);
	return rig->session < 0 ? rig->session : 0;
}

static void process_end(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void folder_remove(const char *folder)
{
	char path[128];

	if (!folder[0])
		return;
	snprintf(path, sizeof(path), "%s/gen12lp.bin", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/gen12lp_header.bin", folder);
	unlink(path);
	rmdir(folder);
}

void rig_stop(struct rig *rig)
{
	if (rig->session >= 0)
		close(rig->session);
	if (!rig->reaped)
		process_end(rig->program);
	process_end(rig->vgtd);
	close(rig->control);
	folder_remove(rig->folder);
}

void rig_program_forget(struct rig *rig)
{
	folder_remove(rig->folder);
	rig->folder[0] = 0;
	rig->program = 0;
}

static int rig_fill(struct rig *rig, int timeout_ms)
{
	struct pollfd wait = { .fd = rig->session, .events = POLLIN };
	ssize_t len;

	if (poll(&wait, 1, timeout_ms) <= 0)
		return -ETIMEDOUT;
	len = read(rig->session, rig->buf, sizeof(rig->buf));
	if (len <= 0)
		return len ? -errno : -ENODATA;
	rig->fill = (size_t)len;
	rig->at = 0;
	return 0;
}

int rig_any(struct rig *rig, struct rig_event *event, int timeout_ms)
{
	int ret;

	if (rig->at == rig->fill) {
		ret = rig_fill(rig, timeout_ms);
		if (ret)
			return ret;
	}
	event->head = (const void *)(rig->buf + rig->at);
	event->payload = event->head + 1;
	rig->at += event->head->len_bytes;
	return 0;
}

int rig_next(struct rig *rig, uint16_t kind, struct rig_event *event)
{
	uint64_t end = rig_now_ns() + RIG_TIMEOUT_MS * 1000000ULL;
	int ret;

	do {
		ret = rig_any(rig, event, RIG_TIMEOUT_MS);
		if (ret || event->head->kind == kind)
			return ret;
	} while (rig_now_ns() < end);
	return -ETIMEDOUT;
}

int rig_ack(struct rig *rig, const struct rig_event *event)
{
	struct gtdbg_event_ack ack = { .seqno = event->head->seqno };

	return ioctl(rig->session, GTDBG_IOC_EVENT_ACK, &ack) ? -errno : 0;
}

int rig_resume(int session, uint32_t device, uint32_t first, uint32_t count,
	       uint32_t command)
{
	uint8_t mask[512] = { 0 };
	struct gtdbg_thread_resume resume = {
		.device = device,
		.command = command,
		.slots = first + count,
		.mask = (uintptr_t)mask,
	};
	int ret;

	for (uint32_t slot = first; slot < first + count; slot++)
		mask[slot / 8] |= 1 << slot % 8;
	ret = ioctl(session, GTDBG_IOC_THREAD_RESUME, &resume);
	return ret < 0 ? -errno : ret;
}

int rig_registers(int session, bool write, const struct gtdbg_thread_info *thread,
		  uint32_t set, uint32_t first, uint32_t count, void *buf,
		  size_t len_bytes)
{
	struct gtdbg_register_access access = {
		.device = thread->device,
		.slot = thread->slot,
		.generation = thread->generation,
		.set = set,
		.first = first,
		.count = count,
		.buf = (uintptr_t)buf,
		.len_bytes = len_bytes,
	};

	return ioctl(session, write ? GTDBG_IOC_REGISTER_WRITE :
				      GTDBG_IOC_REGISTER_READ, &access) ?
		       -errno : 0;
}

int rig_memory(int session, bool write, uint32_t device, uint32_t context,
	       uint64_t address, void *buf, size_t len_bytes)
{
	struct gtdbg_memory_range range = {
		.address = address,
		.buf = (uintptr_t)buf,
		.len_bytes = len_bytes,
	};
	struct gtdbg_memory_access access = {
		.device = device,
		.context = context,
		.ranges = (uintptr_t)&range,
		.count = 1,
	};
	int ret = ioctl(session, write ? GTDBG_IOC_MEMORY_WRITE :
					 GTDBG_IOC_MEMORY_READ, &access);

	return ret < 0 ? -errno : ret;
}

int rig_breakpoint(int session, uint32_t kernel, uint64_t offset)
{
	struct gtdbg_breakpoint_set set = {
		.kernel = kernel,
		.offset = offset,
	};
	int ret = ioctl(session, GTDBG_IOC_BREAKPOINT_SET, &set);

	return ret < 0 ? -errno : ret;
}

/* The next launch of which no thread has begun yet: others may be past any breakpoint. */
static int next_launch(struct rig *rig, struct rig_event *event)
{
	const struct gtdbg_event_kernel_submit *submit;
	int ret;

	for (;;) {
		ret = rig_next(rig, GTDBG_EVENT_KERNEL_SUBMIT, event);
		submit = event->payload;
		if (ret || submit->slot != GTDBG_SLOT_NONE)
			return ret;
		ret = rig_ack(rig, event);
		if (ret)
			return ret;
	}
}

int rig_stop_at_second(struct rig *rig, struct gtdbg_thread_info *thread)
{
	const struct gtdbg_event_kernel_submit *submit;
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;
	int ret, id;

	ret = next_launch(rig, &event);
	if (ret)
		return ret;
	submit = event.payload;
	id = rig_breakpoint(rig->session, submit->kernel, SECOND_INSTRUCTION);
	if (id < 0)
		return id;
	ret = rig_ack(rig, &event) ?:
	      rig_next(rig, GTDBG_EVENT_THREAD_STOP, &event);
	if (ret)
		return ret;
	stop = event.payload;
	*thread = stop->thread;
	return id;
}

static void *interrupt_run(void *data)
{
	struct rig_interrupt *interrupt = data;

	interrupt->ret = ioctl(interrupt->session, GTDBG_IOC_THREAD_INTERRUPT,
			       &interrupt->request) ? -errno : 0;
	return NULL;
}

bool rig_interrupt_start(struct rig_interrupt *interrupt, int session,
			 uint32_t device, uint64_t timeout_ns)
{
	*interrupt = (struct rig_interrupt){
		.session = session,
		.request = { .device = device, .timeout_ns = timeout_ns },
	};
	return !pthread_create(&interrupt->thread, NULL, interrupt_run,
			       interrupt);
}

bool rig_interrupt_has_ended(struct rig_interrupt *interrupt)
{
	if (!interrupt->joined)
		interrupt->joined = !pthread_tryjoin_np(interrupt->thread,
							NULL);
	return interrupt->joined;
}

int rig_interrupt_join(struct rig_interrupt *interrupt)
{
	if (!interrupt->joined)
		pthread_join(interrupt->thread, NULL);
	interrupt->joined = true;
	return interrupt->ret;
}

int rig_wait(struct rig *rig)
{
	uint64_t end = rig_now_ns() + RIG_TIMEOUT_MS * 1000000ULL;
	int status;

	do {
		if (waitpid(rig->program, &status, WNOHANG) == rig->program) {
			rig->reaped = true;
			return WIFEXITED(status) ? WEXITSTATUS(status) :
						   128 + WTERMSIG(status);
		}
		nap();
	} while (rig_now_ns() < end);
	return -ETIMEDOUT;
}
