// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that open, register, attach, ask, offer and close as they like, on
 * each other's descriptors. Nothing is expected of a call but that it returns;
 * of the module, that it is silent and as good as new afterwards.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/gtdbg_vgt.h>

#include "harness.h"

#include "rig.h"

#define THREADS 6
#define PLACES 16
#define DURATION_NS 4000000000ULL
#define MEMORY_BYTES (1 << 20)
#define STATE "/sys/kernel/debug/gtdbg/state"

static _Atomic int places[PLACES]; /* descriptors; 0: none */
static _Atomic uint64_t calls, sessions, clients;

static unsigned int random_below(unsigned int *seed, unsigned int end)
{
	return (unsigned int)rand_r(seed) % end;
}

static int any(unsigned int *seed)
{
	return places[random_below(seed, PLACES)];
}

/* Puts @fd anywhere; what was there is closed, whoever uses it. */
static void put(unsigned int *seed, int fd)
{
	int old;

	if (fd < 0)
		return;
	old = atomic_exchange(&places[random_below(seed, PLACES)], fd);
	if (old)
		close(old);
}

static void do_open(unsigned int *seed)
{
	put(seed, open("/dev/gtdbg", O_RDWR | O_CLOEXEC));
}

static void do_close(unsigned int *seed)
{
	int old = atomic_exchange(&places[random_below(seed, PLACES)], 0);

	if (old)
		close(old);
}

static void do_register(unsigned int *seed)
{
	struct gtdbg_client_register request = {
		.flags = random_below(seed, 2) ? GTDBG_CLIENT_F_ARMED : 0,
	};

	clients += !ioctl(any(seed), GTDBG_IOC_CLIENT_REGISTER, &request);
}

static void do_add(unsigned int *seed)
{
	struct gtdbg_module_add module = {
		.source = (uintptr_t)"source", .source_len_bytes = 6,
	};
	struct gtdbg_kernel_add kernel = {
		.name = (uintptr_t)"kernel", .name_len_bytes = 6,
		.elf = (uintptr_t)"elf", .elf_len_bytes = 3,
	};
	int fd = any(seed), id = ioctl(fd, GTDBG_IOC_MODULE_ADD, &module);

	if (id > 0)
		kernel.module = id;
	ioctl(fd, GTDBG_IOC_KERNEL_ADD, &kernel);
}

static void do_remove(unsigned int *seed)
{
	struct gtdbg_module_remove module = {
		.module = 1 + random_below(seed, 50),
	};
	struct gtdbg_kernel_remove kernel = {
		.kernel = 1 + random_below(seed, 50),
	};

	ioctl(any(seed), GTDBG_IOC_KERNEL_REMOVE, &kernel);
	ioctl(any(seed), GTDBG_IOC_MODULE_REMOVE, &module);
}

static void do_attach(unsigned int *seed)
{
	struct gtdbg_session_attach request = {
		.flags = random_below(seed, 2) ? GTDBG_SESSION_F_OBSERVER : 0,
		.event_mask = RIG_ALL_EVENTS,
	};
	int control = any(seed), session = -1;

	for (int i = 0; i < PLACES && session < 0; i++) {
		request.client_fd = any(seed);
		session = ioctl(control, GTDBG_IOC_SESSION_ATTACH, &request);
	}
	if (session < 0)
		return;
	sessions++;
	fcntl(session, F_SETFL, O_NONBLOCK);
	put(seed, session);
}

/* Of those only sessions and virtual GTs can be read, and do not wait. */
static void read_place(int fd)
{
	struct gtdbg_vgt_request requests[32];
	ssize_t len = read(fd, requests, sizeof(requests));
	struct gtdbg_vgt_ack ack;

	if (len < (ssize_t)sizeof(*requests) || len % sizeof(*requests))
		return;
	ack.seqno = requests[len / sizeof(*requests) - 1].seqno;
	len = write(fd, &ack, sizeof(ack));
}

static void do_read(unsigned int *seed)
{
	read_place(any(seed));
}

static void do_ask(unsigned int *seed)
{
	struct gtdbg_session_stats stats = { .flags = 0 };
	struct gtdbg_thread_list list = {
		.device = 1 + random_below(seed, 50),
	};
	struct gtdbg_blob_open blob = {
		.kind = 1 + random_below(seed, 4),
		.id = 1 + random_below(seed, 50),
	};
	struct gtdbg_event_ack ack = { .seqno = random_below(seed, 50) };

	ioctl(any(seed), GTDBG_IOC_SESSION_STATS, &stats);
	ioctl(any(seed), GTDBG_IOC_THREAD_LIST, &list);
	ioctl(any(seed), GTDBG_IOC_EVENT_ACK, &ack);
	put(seed, ioctl(any(seed), GTDBG_IOC_BLOB_OPEN, &blob));
}

static void do_breakpoint(unsigned int *seed)
{
	struct gtdbg_breakpoint_clear clear = {
		.breakpoint = 1 + random_below(seed, 50),
	};

	rig_breakpoint(any(seed), 1 + random_below(seed, 50), 16);
	ioctl(any(seed), GTDBG_IOC_BREAKPOINT_CLEAR, &clear);
}

static void do_offer(unsigned int *seed)
{
	struct gtdbg_vgt_offer offer = {
		.platform = GTDBG_PLATFORM_GEN12LP,
		.client_fd = any(seed),
		.memory_fd = memfd_create("race", MFD_CLOEXEC),
		.memory_bytes = MEMORY_BYTES,
		.slices = 1,
		.subslices = 6,
		.eus = 16,
		.threads = 7,
	};
	int fd = open("/dev/gtdbg-vgt", O_RDWR | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && !ftruncate(offer.memory_fd, MEMORY_BYTES))
		ioctl(fd, GTDBG_VGT_IOC_OFFER, &offer);
	close(offer.memory_fd);
	put(seed, fd);
}

static void (*const actions[])(unsigned int *seed) = {
	do_open, do_open, do_close, do_register, do_register, do_add, do_add,
	do_remove, do_attach, do_attach, do_attach, do_read, do_read, do_ask,
	do_ask, do_breakpoint, do_offer,
};

static void *race(void *data)
{
	uint64_t end = rig_now_ns() + DURATION_NS;
	unsigned int seed = (unsigned int)(uintptr_t)data;

	while (rig_now_ns() < end) {
		actions[random_below(&seed, sizeof(actions) /
						    sizeof(actions[0]))](&seed);
		calls++;
	}
	return NULL;
}

/* One that never waits for a device: it is who all devices wait for. */
static void *serve(void *data)
{
	_Atomic bool *ending = data;

	while (!*ending) {
		for (int i = 0; i < PLACES; i++)
			read_place(places[i]);
		usleep(100);
	}
	return NULL;
}

static void race_all(void)
{
	pthread_t threads[THREADS], server;
	_Atomic bool ending = false;
	unsigned int seed = 1;

	pthread_create(&server, NULL, serve, &ending);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, race, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 1000; i++)
		do_close(&seed);
	ending = true;
	pthread_join(server, NULL);
}

/* Does the module know of nothing any more? True where it does not say. */
static bool state_is_empty(void)
{
	int fd = open(STATE, O_RDONLY | O_CLOEXEC);
	ssize_t len;
	char byte;

	if (fd < 0)
		return true;
	len = read(fd, &byte, 1);
	close(fd);
	return !len;
}

FIXTURE(race)
{
};

FIXTURE_SETUP(race)
{
	(void)self;
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
}

FIXTURE_TEARDOWN(race)
{
	(void)self;
}

TEST_F(race, of_all_calls_leaves_nothing_behind)
{
	race_all();
	TH_LOG("%llu calls, %llu clients, %llu sessions",
	       (unsigned long long)calls, (unsigned long long)clients,
	       (unsigned long long)sessions);
	EXPECT_LT(0, clients);
	EXPECT_LT(0, sessions);
	EXPECT_TRUE(state_is_empty());
}

TEST_HARNESS_MAIN
