// SPDX-License-Identifier: GPL-2.0-only
/*
 * Figures of the module, against the peer, so that no EU has to be emulated:
 * what is measured is the module and the way to the reader. Lines of CSV:
 * figure, value, unit, limit (empty: none).
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "target.h"

#define ROUNDS 500
#define RESUMES 20
#define SESSIONS 50
#define IDLE_ROUNDS 20
#define IDLE_SECONDS 20
#define PAGES 10000
#define KERNELS 1000
#define PAGES_PHYS 0x2000000
#define PAGES_DIFFERENT 1000

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

uint64_t percentile(uint64_t *value, size_t count, int percent)
{
	qsort(value, count, sizeof(*value), by_value);
	return value[count * percent / 100];
}

void line(const char *figure, double value, const char *unit,
	  const char *limit)
{
	printf("kmod,%s,%.3f,%s,%s\n", figure, value, unit, limit);
	fflush(stdout);
}

/* An eventfd wakes a process that waits, and is answered: half of that. */
static uint64_t eventfd_wake_ns(void)
{
	int there = eventfd(0, 0), back = eventfd(0, 0);
	uint64_t took[ROUNDS], one = 1;
	pid_t child = fork();

	for (int i = 0; !child && i < ROUNDS; i++)
		if (read(there, &one, 8) != 8 || write(back, &one, 8) != 8)
			_exit(1);
	if (!child)
		_exit(0);
	for (int i = 0; i < ROUNDS; i++) {
		took[i] = rig_now_ns();
		if (write(there, &one, 8) != 8 || read(back, &one, 8) != 8)
			return 0;
		took[i] = (rig_now_ns() - took[i]) / 2;
	}
	waitpid(child, NULL, 0);
	close(there);
	close(back);
	return percentile(took, ROUNDS, 50);
}

static uint64_t bench_eventfd(void)
{
	uint64_t wake = eventfd_wake_ns();

	line("eventfd_wake_p50", (double)wake / 1e3, "us", "");
	return wake;
}

/* Attention is raised by one thread while another waits in read(). */
static void *raise_stops(void *data)
{
	struct target *target = data;
	uint64_t *start = target->peer.left_data;

	for (int i = 0; i < ROUNDS; i++) {
		/* Anywhere in the poller's period. */
		usleep(200 + random() % 700);
		__atomic_store_n(start, rig_now_ns(), __ATOMIC_SEQ_CST);
		peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
		peer_wait_resumes(&target->peer, i + 1);
	}
	return NULL;
}

static void bench_latency(struct target *target)
{
	uint64_t took[ROUNDS], start = 0, wake = bench_eventfd();
	struct rig_event event;
	pthread_t thread;
	int i;

	target->peer.left_data = &start;
	pthread_create(&thread, NULL, raise_stops, target);
	for (i = 0; i < ROUNDS; i++) {
		if (rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event))
			break;
		took[i] = rig_now_ns() -
			  __atomic_load_n(&start, __ATOMIC_SEQ_CST);
		rig_resume(target->rig.session, target->peer.device, 0, 1,
			   GTDBG_RESUME_RUN);
	}
	pthread_join(thread, NULL);
	line("attention_to_event_p50", (double)percentile(took, i, 50) / 1e3, "us", "");
	line("attention_to_event_p99", (double)percentile(took, i, 99) / 1e3, "us", "");
	line("attention_to_event_p50_by_eventfd",
	     (double)percentile(took, i, 50) / (double)wake, "x", "20");
	line("attention_to_event_p99_by_eventfd",
	     (double)percentile(took, i, 99) / (double)wake, "x", "");
}

/* Of all threads, in ns: the median; 0: they did not all stop. */
static uint64_t resume_ns(struct target *target)
{
	uint64_t took[RESUMES];
	struct rig_event event;

	for (int round = 0; round < RESUMES; round++) {
		pthread_mutex_lock(&target->peer.lock);
		for (uint32_t slot = 0; slot < PEER_SLOTS; slot++)
			peer_stop_locked(&target->peer, slot, 0x20000,
					 PEER_HALT);
		pthread_mutex_unlock(&target->peer.lock);
		for (int count = 0; count < PEER_SLOTS; count++)
			if (rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP,
				     &event))
				return 0;
		took[round] = rig_now_ns();
		rig_resume(target->rig.session, target->peer.device, 0,
			   PEER_SLOTS, GTDBG_RESUME_RUN);
		took[round] = rig_now_ns() - took[round];
	}
	return percentile(took, RESUMES, 50);
}

static void bench_resume(struct target *target)
{
	uint64_t took = resume_ns(target);

	if (took)
		line("resume_of_672_threads", (double)took / 1e6, "ms", "5");
}

/* CPU time of the poller, from its thread's statistics. */
static uint64_t poller_ns(int device)
{
	char command[128], text[64] = { 0 };
	FILE *pipe;

	snprintf(command, sizeof(command),
		 "cat /proc/$(pgrep -x gtdbg/%d)/schedstat", device);
	pipe = popen(command, "r");
	if (!pipe || !fgets(text, sizeof(text), pipe))
		text[0] = 0;
	if (pipe)
		pclose(pipe);
	return strtoull(text, NULL, 10);
}

/* Nothing runs for a second, then a thread stops soon after its launch. */
static void bench_first_stop(struct target *target)
{
	struct rig_event event;
	uint64_t took[IDLE_ROUNDS], start;
	int i;

	for (i = 0; i < IDLE_ROUNDS; i++) {
		peer_busy(&target->peer, false);
		/* Anywhere in the poller's period. */
		usleep(1000000 + random() % 50000);
		start = rig_now_ns();
		peer_busy(&target->peer, true);
		peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
		if (rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event))
			break;
		took[i] = rig_now_ns() - start;
		rig_resume(target->rig.session, target->peer.device, 0, 1,
			   GTDBG_RESUME_RUN);
	}
	if (!i)
		return;
	line("first_stop_after_idle_p50", (double)percentile(took, i, 50) / 1e6, "ms", "10");
	line("first_stop_after_idle_max", (double)took[i - 1] / 1e6, "ms", "");
}

/* Idle time of all CPUs, in 1/100 s; time in interrupts is none. */
static long long idle_ticks(void)
{
	long long idle = 0, iowait = 0;
	FILE *file = fopen("/proc/stat", "r");

	if (file && fscanf(file, "cpu %*d %*d %*d %lld %lld", &idle,
			   &iowait) != 2)
		idle = 0;
	if (file)
		fclose(file);
	return idle + iowait;
}

static long long idle_spent(uint32_t seconds)
{
	long long before = idle_ticks();

	sleep(seconds);
	return idle_ticks() - before;
}

static void bench_idle(struct target *target)
{
	long long idle;
	uint64_t cpu, start;

	peer_busy(&target->peer, false);
	sleep(3);
	cpu = poller_ns(target->peer.device);
	start = rig_now_ns();
	idle = idle_spent(IDLE_SECONDS);
	line("idle_session_poller",
	     100.0 * (double)(poller_ns(target->peer.device) - cpu) /
		     (double)(rig_now_ns() - start),
	     "%", "1");
	close(target->rig.session);
	target->rig.session = -1;
	/* The poller may stay, but it has no timer: it never runs again. */
	sleep(3);
	cpu = poller_ns(target->peer.device);
	idle = idle_spent(IDLE_SECONDS) - idle;
	/* The poller's timer included; 1/100 s of a second is a percent. */
	line("idle_session_cpu", (double)idle / IDLE_SECONDS, "%", "1");
	line("poller_time_without_session",
	     (double)(poller_ns(target->peer.device) - cpu), "ns", "0");
	peer_busy(&target->peer, true);
}

/* A new device of the same client, with many pages before the save area. */
static int attach_prepare(struct target *target)
{
	peer_fini(&target->peer);
	if (peer_init(&target->peer, target->token))
		return -1;
	memset(target->peer.memory + PAGES_PHYS, 1, 4096 * PAGES_DIFFERENT);
	for (uint64_t i = 0; i < PAGES; i++)
		peer_map(&target->peer, 4096 * i,
			 PAGES_PHYS + 4096 * (i % PAGES_DIFFERENT));
	for (int i = 0; i < KERNELS; i++)
		if (target_kernel_add(target, "another", 1000 + i) < 0)
			return -1;
	target->rig.at = 0;
	target->rig.fill = 0;
	return peer_serve(&target->peer, target->client) < 0 ? -1 : 0;
}

/* Until all is replayed, and until the save area was found and armed. */
static void bench_attach(struct target *target)
{
	struct rig_event event;
	uint64_t start;

	if (attach_prepare(target))
		return;
	start = rig_now_ns();
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	rig_next(&target->rig, GTDBG_EVENT_SYNCED, &event);
	line("attach_to_1000_kernels", (double)(rig_now_ns() - start) / 1e6,
	     "ms", "50");
	while (!peer_active(&target->peer) &&
	       rig_now_ns() - start < 5000000000ULL)
		usleep(100);
	line("attach_and_search_of_10000_pages",
	     (double)(rig_now_ns() - start) / 1e6, "ms", "50");
}

/* A server that is slow with each request, and always asked for one. */
static void *be_slow(void *data)
{
	struct target *target = data;

	target->peer.delay_ms = 450;
	for (;;) {
		peer_fault(&target->peer);
		usleep(1000);
	}
	return NULL;
}

/* A thread that never does what it is asked for, and always is. */
static void ask_in_vain(struct target *target)
{
	uint32_t word;
	struct gtdbg_slm_access access = {
		.device = target->peer.device,
		.buf = (uintptr_t)&word,
		.len_bytes = sizeof(word),
	};

	target->peer.slm_slow = true;
	peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
	for (;;)
		if (ioctl(target->rig.session, GTDBG_IOC_SLM_READ, &access))
			usleep(1000);
}

/* A process with one such device, beside which others have to be as fast. */
static pid_t hostile_start(bool slow_server)
{
	static struct target target;
	pthread_t thread;
	uint32_t context;
	pid_t child = fork();

	if (child)
		return child;
	if (target_start(&target, RIG_ALL_EVENTS, 0) ||
	    target_context(&target, &context))
		_exit(1);
	if (slow_server &&
	    pthread_create(&thread, NULL, be_slow, &target))
		_exit(1);
	if (!slow_server)
		ask_in_vain(&target);
	/* Whoever attaches to it is made to wait as well. */
	for (;;)
		close(target_attach(&target, GTDBG_SESSION_F_OBSERVER, 0));
}

/* Of whole sessions: to attach, and from a stop to its event. */
static bool bench_sessions(struct target *target, uint64_t *attach_ns,
			   uint64_t *stop_ns)
{
	uint64_t attached[SESSIONS], stopped[SESSIONS], start;
	struct rig_event event;

	for (int i = 0; i < SESSIONS; i++) {
		target->rig.at = 0;
		target->rig.fill = 0;
		start = rig_now_ns();
		target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
		if (rig_next(&target->rig, GTDBG_EVENT_SYNCED, &event))
			return false;
		attached[i] = rig_now_ns() - start;
		usleep(5000);
		start = rig_now_ns();
		peer_stop(&target->peer, 0, 0x20000, PEER_HALT);
		if (rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event))
			return false;
		stopped[i] = rig_now_ns() - start;
		close(target->rig.session);
		target->rig.session = -1;
	}
	*attach_ns = percentile(attached, SESSIONS, 50);
	*stop_ns = percentile(stopped, SESSIONS, 50);
	return true;
}

static void bench_hostile(struct target *target)
{
	uint64_t attach_ns, stop_ns, attach_beside_ns, stop_beside_ns;
	pid_t hostile[2];
	bool done;

	close(target->rig.session);
	target->rig.session = -1;
	if (!bench_sessions(target, &attach_ns, &stop_ns))
		return;
	hostile[0] = hostile_start(true);
	hostile[1] = hostile_start(false);
	sleep(2);
	done = bench_sessions(target, &attach_beside_ns, &stop_beside_ns);
	for (int i = 0; i < 2; i++) {
		kill(hostile[i], SIGKILL);
		waitpid(hostile[i], NULL, 0);
	}
	target->rig.at = 0;
	target->rig.fill = 0;
	target->rig.session = target_attach(target, 0, RIG_ALL_EVENTS);
	if (!done)
		return;
	line("attach_beside_hostile", (double)attach_beside_ns / 1e6, "ms", "");
	line("attach_beside_hostile_by_alone",
	     (double)attach_beside_ns / (double)attach_ns, "x", "2");
	line("stop_beside_hostile", (double)stop_beside_ns / 1e6, "ms", "");
	line("stop_beside_hostile_by_alone",
	     (double)stop_beside_ns / (double)stop_ns, "x", "2");
}

/*
 * With the word "eventfd" that figure alone, for others to compare with; with "resume" what
 * one thread's resume takes, in ns, of which each is an event for who traces.
 */
int main(int argc, char **argv)
{
	struct target target;
	uint32_t context;
	uint64_t ns;

	if (argc > 1 && strcmp(argv[1], "eventfd") == 0) {
		bench_eventfd();
		return 0;
	}
	if (target_start(&target, RIG_ALL_EVENTS, 0) ||
	    target_context(&target, &context)) {
		fprintf(stderr, "kmod_bench: no target\n");
		return 1;
	}
	if (argc > 1 && strcmp(argv[1], "resume") == 0) {
		ns = resume_ns(&target) / PEER_SLOTS;
		target_stop(&target);
		if (!ns) {
			fprintf(stderr, "kmod_bench: not all threads stopped\n");
			return 1;
		}
		printf("%llu\n", (unsigned long long)ns);
		return 0;
	}
	bench_latency(&target);
	bench_resume(&target);
	bench_hostile(&target);
	bench_first_stop(&target);
	bench_idle(&target);
	bench_attach(&target);
	target_stop(&target);
	bench_breakpoints();
	bench_records();
	return 0;
}
