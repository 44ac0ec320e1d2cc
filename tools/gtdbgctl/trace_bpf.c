// SPDX-License-Identifier: MIT
/*
 * Puts the OpenCL calls of the processes that are traced, and what the module sees of
 * their work, into one ring. What finds no room there is counted.
 */
#include "trace_record.h"

#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>

#define PROCESSES_MAX 16384

const volatile __u8 is_all; /* every process is traced */
const volatile __u64 part_bytes = 1; /* of the ring, a power of two */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
} ring SEC(".maps");

/* Those that are traced, by the number of the process. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, PROCESSES_MAX);
	__type(key, __u32);
	__type(value, __u8);
} processes SEC(".maps");

/* Of these, those that have called: their threads are followed on the host. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, PROCESSES_MAX);
	__type(key, __u32);
	__type(value, __u8);
} callers SEC(".maps");

/* Theirs, as what they run shows: other events name a device only. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, PROCESSES_MAX);
	__type(key, __u32);
	__type(value, __u8);
} devices SEC(".maps");

/* Of i915's requests, with the thread that has added the last one, as pid_tgid. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, PROCESSES_MAX);
	__type(key, __u64);
	__type(value, __u64);
} timelines SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} lost SEC(".maps");

static __always_inline int is_traced(__u32 pid)
{
	return is_all || bpf_map_lookup_elem(&processes, &pid);
}

static __always_inline int is_traced_on(__u32 pid, __u32 device)
{
	__u8 one = 1;

	if (is_all)
		return 1;
	if (!is_traced(pid))
		return 0;
	bpf_map_update_elem(&devices, &device, &one, BPF_ANY);
	return 1;
}

/* Of who has called, and is traced, that it does so has been looked up before. */
static __always_inline int is_traced_caller(__u32 pid)
{
	__u8 one = 1;

	if (bpf_map_lookup_elem(&callers, &pid))
		return 1;
	if (!is_traced(pid))
		return 0;
	bpf_map_update_elem(&callers, &pid, &one, BPF_ANY);
	return 1;
}

static __always_inline void lose(void)
{
	__u32 zero = 0;
	__u64 *count = bpf_map_lookup_elem(&lost, &zero);

	if (count)
		(*count)++;
}

/* NULL, and counted, if there is no room. */
static __always_inline void *record_begin(__u64 bytes, __u32 kind)
{
	struct trace_head *head = bpf_ringbuf_reserve(&ring, bytes, 0);

	if (!head) {
		lose();
		return NULL;
	}
	head->kind = kind;
	head->pid = 0;
	head->tid = 0;
	head->function = 0;
	head->time_ns = bpf_ktime_get_ns();
	return head;
}

/*
 * To wake the reader costs more than all else together, so it looks by itself now and
 * then, and is only woken when one more part of the ring is full: if two CPUs each take
 * it that the other one does so, at the next part, or when it looks.
 */
static __always_inline void record_end(void *record, __u64 bytes)
{
	__u64 full = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	__u64 is_part = (full ^ (full - bytes)) & ~(part_bytes - 1);

	bpf_ringbuf_submit(record, full >= bytes && is_part ?
			   BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP);
}

static __always_inline void record_who(struct trace_head *head, __u64 function)
{
	__u64 who = bpf_get_current_pid_tgid();

	head->pid = who >> 32;
	head->tid = (__u32)who;
	head->function = (__u32)function;
}

static __always_inline void call_look(struct trace_call *call, __u32 flags)
{
	int i;

	for (i = 0; i < 3; i++)
		call->size[i] = 0;
	call->name[0] = 0;
	if (flags & TRACE_CALL_NAME)
		bpf_probe_read_user_str(call->name, sizeof(call->name),
					(void *)call->arg[1]);
	if (flags & TRACE_CALL_SIZE)
		for (i = 0; i < 3; i++)
			if (i < (__u32)call->arg[2])
				bpf_probe_read_user(&call->size[i], 8,
					(__u64 *)call->arg[4] + i);
}

/* The cookie: the function, and in its upper half enum trace_call_flag. */
SEC("uprobe")
int call(struct pt_regs *ctx)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);
	struct trace_call *call;

	if (!is_traced_caller(bpf_get_current_pid_tgid() >> 32))
		return 0;
	call = record_begin(sizeof(*call), TRACE_CALL);
	if (!call)
		return 0;
	record_who(&call->head, cookie);
	call->arg[0] = PT_REGS_PARM1(ctx);
	call->arg[1] = PT_REGS_PARM2(ctx);
	call->arg[2] = PT_REGS_PARM3(ctx);
	call->arg[3] = PT_REGS_PARM4(ctx);
	call->arg[4] = PT_REGS_PARM5(ctx);
	call->cpu = bpf_get_smp_processor_id();
	call->__reserved = 0;
	call_look(call, cookie >> 32);
	bpf_get_current_comm(call->comm, sizeof(call->comm));
	record_end(call, sizeof(*call));
	return 0;
}

SEC("uretprobe")
int call_return(struct pt_regs *ctx)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);
	struct trace_return *record;

	if (!is_traced(bpf_get_current_pid_tgid() >> 32))
		return 0;
	record = record_begin(sizeof(*record), TRACE_RETURN);
	if (!record)
		return 0;
	record_who(&record->head, cookie);
	record->value = PT_REGS_RC(ctx);
	record_end(record, sizeof(*record));
	return 0;
}

static __always_inline int launch(struct bpf_raw_tracepoint_args *ctx,
				  __u32 kind)
{
	const struct gtdbg_watch_launch *from = (void *)ctx->args[0];
	struct trace_launch *record;
	__u32 pid = 0, device = 0;

	bpf_probe_read_kernel(&pid, sizeof(pid), &from->pid);
	bpf_probe_read_kernel(&device, sizeof(device), &from->device);
	if (!is_traced_on(pid, device))
		return 0;
	record = record_begin(sizeof(*record), kind);
	if (!record)
		return 0;
	bpf_probe_read_kernel(&record->launch, sizeof(record->launch), from);
	record_end(record, sizeof(*record));
	return 0;
}

SEC("raw_tp/gtdbg_launch_begin")
int launch_begin(struct bpf_raw_tracepoint_args *ctx)
{
	return launch(ctx, TRACE_LAUNCH_BEGIN);
}

SEC("raw_tp/gtdbg_launch_end")
int launch_end(struct bpf_raw_tracepoint_args *ctx)
{
	return launch(ctx, TRACE_LAUNCH_END);
}

SEC("raw_tp/gtdbg_context_switch")
int context_switch(struct bpf_raw_tracepoint_args *ctx)
{
	const struct gtdbg_watch_switch *from = (void *)ctx->args[0];
	struct trace_switch *record;
	__u32 pid = 0, device = 0;

	bpf_probe_read_kernel(&pid, sizeof(pid), &from->pid);
	bpf_probe_read_kernel(&device, sizeof(device), &from->device);
	if (!is_traced_on(pid, device))
		return 0;
	record = record_begin(sizeof(*record), TRACE_SWITCH);
	if (!record)
		return 0;
	bpf_probe_read_kernel(&record->change, sizeof(record->change), from);
	record_end(record, sizeof(*record));
	return 0;
}

/* Of a device: there is something of its process before a thread of it stops. */
static __always_inline int event(struct bpf_raw_tracepoint_args *ctx,
				 __u32 kind, int values)
{
	__u32 device = (__u32)ctx->args[0];
	struct trace_event *record;
	int i;

	if (!is_all && !bpf_map_lookup_elem(&devices, &device))
		return 0;
	record = record_begin(sizeof(*record), kind);
	if (!record)
		return 0;
	for (i = 0; i < 5; i++)
		record->value[i] = i < values ? ctx->args[i] : 0;
	record_end(record, sizeof(*record));
	return 0;
}

SEC("raw_tp/gtdbg_thread_stop")
int thread_stop(struct bpf_raw_tracepoint_args *ctx)
{
	return event(ctx, TRACE_STOP, 5);
}

SEC("raw_tp/gtdbg_thread_resume")
int thread_resume(struct bpf_raw_tracepoint_args *ctx)
{
	return event(ctx, TRACE_RESUME, 4);
}

SEC("raw_tp/gtdbg_decision")
int decision(struct bpf_raw_tracepoint_args *ctx)
{
	return event(ctx, TRACE_DECISION, 5);
}

SEC("raw_tp/gtdbg_thread_record")
int thread_record(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 device = (__u32)ctx->args[0];
	struct trace_print *record;

	if (!is_all && !bpf_map_lookup_elem(&devices, &device))
		return 0;
	record = record_begin(sizeof(*record), TRACE_PRINT);
	if (!record)
		return 0;
	record->device = device;
	record->context = (__u32)ctx->args[1];
	bpf_probe_read_kernel(&record->record, sizeof(record->record),
			      (void *)ctx->args[2]);
	record_end(record, sizeof(*record));
	return 0;
}

SEC("raw_tp/gtdbg_page_fault")
int page_fault(struct bpf_raw_tracepoint_args *ctx)
{
	return event(ctx, TRACE_FAULT, 4);
}

SEC("raw_tp/gtdbg_reset")
int reset(struct bpf_raw_tracepoint_args *ctx)
{
	return event(ctx, TRACE_RESET, 3);
}

SEC("raw_tp/gtdbg_device_lost")
int device_lost(struct bpf_raw_tracepoint_args *ctx)
{
	return event(ctx, TRACE_DEVICE_LOST, 2);
}

SEC("raw_tp/gtdbg_event_lost")
int event_lost(struct bpf_raw_tracepoint_args *ctx)
{
	/* Of whose session it does not say. */
	return is_all ? event(ctx, TRACE_EVENT_LOST, 1) : 0;
}

struct task_struct {
	int pid, tgid;
	char comm[16];
} __attribute__((preserve_access_index));

/* What a traced process starts is traced as well. */
SEC("raw_tp/sched_process_fork")
int process_fork(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *child = (void *)ctx->args[1];
	__u8 one = 1;
	__u32 pid;

	if (is_all || !is_traced(bpf_get_current_pid_tgid() >> 32))
		return 0;
	pid = BPF_CORE_READ(child, tgid);
	bpf_map_update_elem(&processes, &pid, &one, BPF_ANY);
	return 0;
}

/* A traced caller's: NULL if it is none, or there is no room. */
static __always_inline struct trace_sched *sched_begin(struct task_struct *task,
						       __u32 kind)
{
	struct trace_sched *record;
	__u32 pid = task->tgid;

	if (!bpf_map_lookup_elem(&callers, &pid))
		return NULL;
	record = record_begin(sizeof(*record), kind);
	if (!record)
		return NULL;
	record->head.pid = pid;
	record->head.tid = task->pid;
	record->cpu = bpf_get_smp_processor_id();
	record->state = 0;
	record->waker = 0;
	record->__reserved = 0;
	return record;
}

static __always_inline void sched(struct task_struct *task, __u32 kind,
				  __u32 state)
{
	struct trace_sched *record = sched_begin(task, kind);

	if (!record)
		return;
	record->state = state;
	bpf_probe_read_kernel(record->comm, sizeof(record->comm), task->comm);
	record_end(record, sizeof(*record));
}

/* Who wakes it, or whom an interrupt did not let finish. */
SEC("tp_btf/sched_waking")
int BPF_PROG(sched_waking, struct task_struct *task)
{
	struct trace_sched *record = sched_begin(task, TRACE_SCHED_WAKE);

	if (!record)
		return 0;
	record->waker = (__u32)bpf_get_current_pid_tgid();
	bpf_get_current_comm(record->comm, sizeof(record->comm));
	record_end(record, sizeof(*record));
	return 0;
}

/* Preempted, one would go on, whatever its state is. */
SEC("tp_btf/sched_switch")
int BPF_PROG(sched_switch, bool is_preempted, struct task_struct *previous,
	     struct task_struct *next, unsigned int state)
{
	sched(previous, TRACE_SCHED_LEAVE, is_preempted ? 0 : state);
	sched(next, TRACE_SCHED_RUN, 0);
	return 0;
}

struct dma_fence {
	__u64 context, seqno;
} __attribute__((preserve_access_index));

struct drm_minor {
	int index;
} __attribute__((preserve_access_index));

struct drm_device {
	struct drm_minor *primary;
} __attribute__((preserve_access_index));

struct drm_i915_private {
	struct drm_device drm;
} __attribute__((preserve_access_index));

struct intel_engine_cs {
	struct drm_i915_private *i915;
	__u16 uabi_class, uabi_instance;
} __attribute__((preserve_access_index));

struct i915_request {
	struct dma_fence fence;
	struct intel_engine_cs *engine;
} __attribute__((preserve_access_index));

/* A driver that has other names for these is not looked at. */
static __always_inline int driver_is_known(void)
{
	return bpf_core_field_exists(struct i915_request, fence) &&
	       bpf_core_field_exists(struct i915_request, engine) &&
	       bpf_core_field_exists(struct intel_engine_cs, i915) &&
	       bpf_core_field_exists(struct intel_engine_cs, uabi_class) &&
	       bpf_core_field_exists(struct intel_engine_cs, uabi_instance) &&
	       bpf_core_field_exists(struct drm_i915_private, drm) &&
	       bpf_core_field_exists(struct drm_device, primary) &&
	       bpf_core_field_exists(struct drm_minor, index);
}

static __always_inline void request(struct i915_request *from, __u32 kind,
				    __u64 who)
{
	struct intel_engine_cs *engine;
	struct trace_request *record;

	if (!driver_is_known())
		return;
	record = record_begin(sizeof(*record), kind);
	if (!record)
		return;
	engine = BPF_CORE_READ(from, engine);
	record->head.pid = who >> 32;
	record->head.tid = (__u32)who;
	record->timeline = BPF_CORE_READ(from, fence.context);
	record->number = BPF_CORE_READ(from, fence.seqno);
	record->card = BPF_CORE_READ(engine, i915, drm.primary, index);
	record->engine = BPF_CORE_READ(engine, uabi_class);
	record->instance = BPF_CORE_READ(engine, uabi_instance);
	record_end(record, sizeof(*record));
}

/* Whoever adds it, it is theirs; whoever finds that it is done is somebody else. */
SEC("raw_tp/i915_request_add")
int request_add(struct bpf_raw_tracepoint_args *ctx)
{
	struct i915_request *from = (void *)ctx->args[0];
	__u64 who = bpf_get_current_pid_tgid(), timeline;

	if (!driver_is_known() || !is_traced(who >> 32))
		return 0;
	timeline = BPF_CORE_READ(from, fence.context);
	bpf_map_update_elem(&timelines, &timeline, &who, BPF_ANY);
	request(from, TRACE_REQUEST_ADD, who);
	return 0;
}

/* Fences are of all drivers, but no two of them have a time line of the same number. */
SEC("raw_tp/dma_fence_signaled")
int request_done(struct bpf_raw_tracepoint_args *ctx)
{
	struct dma_fence *from = (void *)ctx->args[0];
	struct trace_request *record;
	__u64 timeline, *who;

	timeline = BPF_CORE_READ(from, context);
	who = bpf_map_lookup_elem(&timelines, &timeline);
	if (!who)
		return 0;
	record = record_begin(sizeof(*record), TRACE_REQUEST_DONE);
	if (!record)
		return 0;
	record->head.pid = *who >> 32;
	record->head.tid = (__u32)*who;
	record->timeline = timeline;
	record->number = BPF_CORE_READ(from, seqno);
	record->card = 0;
	record->engine = 0;
	record->instance = 0;
	record_end(record, sizeof(*record));
	return 0;
}

SEC("raw_tp/i915_request_retire")
int request_retire(struct bpf_raw_tracepoint_args *ctx)
{
	struct i915_request *from = (void *)ctx->args[0];
	__u64 timeline, *who;

	if (!driver_is_known())
		return 0;
	timeline = BPF_CORE_READ(from, fence.context);
	who = bpf_map_lookup_elem(&timelines, &timeline);
	if (who)
		request(from, TRACE_REQUEST_RETIRE, *who);
	return 0;
}

static __always_inline int request_wait(struct bpf_raw_tracepoint_args *ctx,
					__u32 kind)
{
	__u64 who = bpf_get_current_pid_tgid();

	if (is_traced(who >> 32))
		request((void *)ctx->args[0], kind, who);
	return 0;
}

SEC("raw_tp/i915_request_wait_begin")
int request_wait_begin(struct bpf_raw_tracepoint_args *ctx)
{
	return request_wait(ctx, TRACE_REQUEST_WAIT);
}

SEC("raw_tp/i915_request_wait_end")
int request_wait_end(struct bpf_raw_tracepoint_args *ctx)
{
	return request_wait(ctx, TRACE_REQUEST_WAITED);
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
