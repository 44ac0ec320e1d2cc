// SPDX-License-Identifier: MIT
#include "fake.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVENTS_MAX 256
#define EUS 16
#define THREADS 7

struct record {
	struct gtdbg_event head;
	uint8_t payload[128];
};

struct fake fake;

static struct record records[EVENTS_MAX];
static size_t first, end;
static int the_handle;

void fake_init(void)
{
	memset(&fake, 0, sizeof(fake));
	first = 0;
	end = 0;
}

uint64_t fake_event(uint16_t kind, uint16_t flags, const void *payload,
		    size_t len_bytes)
{
	struct record *record = &records[end++];

	memset(record, 0, sizeof(*record));
	record->head.kind = kind;
	record->head.flags = flags;
	record->head.seqno = end;
	record->head.len_bytes = sizeof(record->head) + len_bytes;
	if (len_bytes)
		memcpy(record->payload, payload, len_bytes);
	return end;
}

void fake_device(uint32_t subslices)
{
	const struct gtdbg_event_device_add device = {
		.device = FAKE_DEVICE, .slices = 1, .subslices = subslices,
		.eus = EUS, .threads = THREADS,
		.slots = subslices * EUS * THREADS,
		.is_virtual = !fake.is_shared,
	};
	const struct gtdbg_event_context_add context = {
		.device = FAKE_DEVICE, .context = FAKE_CONTEXT,
	};
	const struct gtdbg_event_kernel_add kernel = {
		.kernel = FAKE_KERNEL, .isa_len_bytes = sizeof(fake.code),
	};

	fake_event(GTDBG_EVENT_DEVICE_ADD, 0, &device, sizeof(device));
	fake_event(GTDBG_EVENT_CONTEXT_ADD, 0, &context, sizeof(context));
	fake_event(GTDBG_EVENT_KERNEL_ADD, 0, &kernel, sizeof(kernel));
}

uint64_t fake_submit(void)
{
	return fake_submit_sized(0);
}

static uint64_t submit(uint32_t context, uint32_t threads)
{
	const struct gtdbg_event_kernel_submit submit = {
		.device = FAKE_DEVICE, .context = context,
		.kernel = FAKE_KERNEL, .address = FAKE_ADDRESS,
		.groups = { threads, 1, 1 }, .threads = 1,
	};

	return fake_event(GTDBG_EVENT_KERNEL_SUBMIT, GTDBG_EVENT_F_ACK,
			  &submit, sizeof(submit));
}

uint64_t fake_submit_sized(uint32_t threads)
{
	return submit(FAKE_CONTEXT, threads);
}

uint64_t fake_submit_in(uint32_t context)
{
	return submit(context, 0);
}

void fake_unload(void)
{
	fake_unload_in(FAKE_CONTEXT);
}

void fake_unload_in(uint32_t context)
{
	const struct gtdbg_event_kernel_load load = {
		.device = FAKE_DEVICE, .context = context,
		.kernel = FAKE_KERNEL, .address = FAKE_ADDRESS,
	};

	fake_event(GTDBG_EVENT_KERNEL_UNLOAD, 0, &load, sizeof(load));
}

void fake_stop(uint32_t slot, uint64_t generation, uint32_t reasons,
	       uint32_t exceptions)
{
	const struct gtdbg_event_thread_stop stop = {
		.thread = {
			.device = FAKE_DEVICE, .slot = slot,
			.context = FAKE_CONTEXT, .kernel = FAKE_KERNEL,
			.state = GTDBG_THREAD_STOPPED, .reasons = reasons,
			.address = reasons & GTDBG_STOP_ENTRY ? FAKE_ADDRESS : 0,
			.subslice = slot / (EUS * THREADS),
			.eu = slot / THREADS % EUS, .thread = slot % THREADS,
			.generation = generation, .exceptions = exceptions,
		},
	};

	fake_event(GTDBG_EVENT_THREAD_STOP, 0, &stop, sizeof(stop));
}

void fake_synced(void)
{
	fake_event(GTDBG_EVENT_SYNCED, 0, NULL, 0);
}

int gtdbg_open(const char *path, struct gtdbg **out)
{
	(void)path;
	*out = (struct gtdbg *)&the_handle;
	return fake.open_ret;
}

void gtdbg_close(struct gtdbg *gtdbg)
{
	(void)gtdbg;
}

int gtdbg_client_find(int pid, int *fd_out)
{
	(void)pid;
	if (fake.find_ret)
		return fake.find_ret;
	*fd_out = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return 0;
}

int gtdbg_client_find_pidfd(int pidfd, int *fd_out)
{
	fake.pidfd = pidfd;
	return gtdbg_client_find(0, fd_out);
}

int gtdbg_session_open(struct gtdbg *gtdbg, struct gtdbg_session_attach *attach,
		       struct gtdbg_session **out)
{
	(void)gtdbg;
	(void)attach;
	if (fake.opening)
		fake.opening();
	if (fake.session_ret)
		return fake.session_ret;
	fake.opened++;
	*out = (struct gtdbg_session *)&the_handle;
	return 0;
}

void gtdbg_session_close(struct gtdbg_session *session)
{
	(void)session;
	if (fake.closing)
		fake.closing();
	fake.closed++;
}

/* Nothing ever comes while the driver waits. */
int poll(struct pollfd *descriptors, nfds_t count, int timeout_ms)
{
	(void)descriptors;
	(void)count;
	fake.polls++;
	usleep(timeout_ms * 1000);
	return 0;
}

int gtdbg_session_fd(struct gtdbg_session *session)
{
	(void)session;
	return -1;
}

int gtdbg_event_next(struct gtdbg_session *session, int timeout_ms,
		     const struct gtdbg_event **out)
{
	(void)session;
	(void)timeout_ms;
	if (fake.signals) {
		fake.signals--;
		return -EINTR;
	}
	if (first == end)
		return fake.has_ended ? 0 : -EAGAIN;
	*out = &records[first++].head;
	return 1;
}

const void *gtdbg_event_payload(const struct gtdbg_event *event,
				size_t len_bytes)
{
	return event->len_bytes - sizeof(*event) < len_bytes ? NULL : event + 1;
}

int gtdbg_event_ack(struct gtdbg_session *session, uint64_t seqno)
{
	(void)session;
	fake.acks[fake.ack_count++ % FAKE_ACKS_MAX] = seqno;
	return fake.ack_ret;
}

int gtdbg_event_snapshot(struct gtdbg_session *session,
			 struct gtdbg_event_snapshot *out)
{
	(void)session;
	if (fake.snapshot_ret)
		return fake.snapshot_ret;
	out->first_seqno = end + 1;
	if (fake.replay)
		fake.replay();
	out->last_seqno = end;
	return 0;
}

int gtdbg_blob_read(struct gtdbg_session *session, uint32_t kind, uint32_t id,
		    void **bytes_out, size_t *len_bytes_out)
{
	(void)session;
	(void)kind;
	(void)id;
	*bytes_out = calloc(1, FAKE_ELF_BYTES);
	*len_bytes_out = FAKE_ELF_BYTES;
	return 0;
}

int gtdbg_thread_interrupt(struct gtdbg_session *session, uint32_t device,
			   uint32_t timeout_ms, uint32_t *refusal_out)
{
	(void)session;
	(void)device;
	(void)timeout_ms;
	*refusal_out = GTDBG_INTERRUPT_IDLE;
	if (!fake.interrupted)
		return -EAGAIN;
	fake.interrupted();
	return 0;
}

int gtdbg_thread_resume(struct gtdbg_session *session,
			struct gtdbg_thread_resume *resume)
{
	const uint8_t *mask = (const uint8_t *)(uintptr_t)resume->mask;
	unsigned int threads = 0;
	uint32_t i;

	(void)session;
	if (fake.resume_ret)
		return fake.resume_ret;
	for (i = 0; i < resume->slots; i++)
		threads += mask[i / 8] >> i % 8 & 1;
	fake.resumed = resume->device;
	if (resume->command == GTDBG_RESUME_STEP)
		fake.steps += threads;
	else
		fake.runs += threads;
	return threads;
}

int gtdbg_register_read(struct gtdbg_session *session,
			const struct gtdbg_thread_info *thread, uint32_t set,
			uint32_t start, uint32_t count, void *buf,
			size_t len_bytes)
{
	(void)session;
	(void)thread;
	if (fake.registers)
		fake.registers();
	if (set == fake.lacks_set)
		return -EOPNOTSUPP;
	if (set == fake.cuts_set && start + count > 1)
		return -EINVAL;
	memset(buf, set == fake.cuts_set ? 0x5a : 0, len_bytes);
	return count;
}

int gtdbg_register_write(struct gtdbg_session *session,
			 const struct gtdbg_thread_info *thread, uint32_t set,
			 uint32_t start, uint32_t count, const void *buf,
			 size_t len_bytes)
{
	(void)session;
	(void)thread;
	(void)start;
	(void)len_bytes;
	if (set == GTDBG_REGISTER_CR)
		fake.cause = ((const uint32_t *)buf)[1];
	return count;
}

int gtdbg_memory_read(struct gtdbg_session *session, uint32_t device,
		      uint32_t context, uint64_t address, void *buf,
		      size_t len_bytes)
{
	uint64_t at = address - FAKE_ADDRESS;

	(void)session;
	(void)device;
	(void)context;
	if (fake.memory_ret)
		return fake.memory_ret;
	if (at >= sizeof(fake.code) || len_bytes > sizeof(fake.code) - at)
		return -EFAULT;
	memcpy(buf, fake.code + at, len_bytes);
	return len_bytes;
}

int gtdbg_memory_write(struct gtdbg_session *session, uint32_t device,
		       uint32_t context, uint64_t address, const void *buf,
		       size_t len_bytes)
{
	uint64_t at = address - FAKE_ADDRESS;

	(void)session;
	(void)device;
	(void)context;
	if (at >= sizeof(fake.code) || len_bytes > sizeof(fake.code) - at)
		return -EFAULT;
	memcpy(fake.code + at, buf, len_bytes);
	return len_bytes;
}

int gtdbg_breakpoint_set(struct gtdbg_session *session, uint32_t kernel,
			 uint64_t offset)
{
	(void)session;
	(void)kernel;
	(void)offset;
	return ++fake.breakpoints;
}

int gtdbg_breakpoint_clear(struct gtdbg_session *session, uint32_t breakpoint)
{
	(void)session;
	(void)breakpoint;
	fake.breakpoints--;
	return 0;
}

int gtdbg_stop_create(struct gtdbg_session *session,
		      const struct gtdbg_thread_info *thread,
		      struct gtdbg_stop **out)
{
	(void)session;
	(void)thread;
	(void)out;
	return -ESRCH;
}

void gtdbg_stop_destroy(struct gtdbg_stop *stop)
{
	(void)stop;
}

const struct gtdbg_machine *gtdbg_stop_machine(struct gtdbg_stop *stop)
{
	(void)stop;
	return NULL;
}

int gtdbg_stop_memory_write(struct gtdbg_stop *stop, uint64_t address,
			    const void *buf, size_t len_bytes)
{
	(void)stop;
	(void)address;
	(void)buf;
	(void)len_bytes;
	return -ESRCH;
}

int gtdbg_savearea_arm(const struct gtdbg_savearea_target *target)
{
	if (fake.arming)
		fake.arming();
	atomic_store(&fake.armed_pidfd, target->pidfd);
	atomic_store(&fake.is_wanted, target->is_wanted(target->argument));
	atomic_fetch_add(&fake.arms, 1);
	return 0;
}
