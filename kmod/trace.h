/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints: stable, one for every transition. Fields are documented in
 * Documentation/events.rst and only ever grow at the end. There are no addresses
 * of the kernel in them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM gtdbg

#if !defined(GTDBG_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define GTDBG_TRACE_H

#include <linux/tracepoint.h>

#include <linux/gtdbg.h>

#include "watch.h"

struct gtdbg_stop;

TRACE_EVENT(gtdbg_client_register,
	TP_PROTO(int pid),
	TP_ARGS(pid),
	TP_STRUCT__entry(__field(int, pid)),
	TP_fast_assign(__entry->pid = pid;),
	TP_printk("pid=%d", __entry->pid)
);

TRACE_EVENT(gtdbg_client_end,
	TP_PROTO(int pid, u32 reason),
	TP_ARGS(pid, reason),
	TP_STRUCT__entry(__field(int, pid) __field(u32, reason)),
	TP_fast_assign(__entry->pid = pid; __entry->reason = reason;),
	TP_printk("pid=%d reason=%u", __entry->pid, __entry->reason)
);

DECLARE_EVENT_CLASS(gtdbg_session,
	TP_PROTO(int pid, bool observer),
	TP_ARGS(pid, observer),
	TP_STRUCT__entry(__field(int, pid) __field(bool, observer)),
	TP_fast_assign(__entry->pid = pid; __entry->observer = observer;),
	TP_printk("pid=%d observer=%d", __entry->pid, __entry->observer)
);

DEFINE_EVENT(gtdbg_session, gtdbg_session_attach,
	TP_PROTO(int pid, bool observer),
	TP_ARGS(pid, observer)
);

DEFINE_EVENT(gtdbg_session, gtdbg_session_detach,
	TP_PROTO(int pid, bool observer),
	TP_ARGS(pid, observer)
);

TRACE_EVENT(gtdbg_event_lost,
	TP_PROTO(u32 kind),
	TP_ARGS(kind),
	TP_STRUCT__entry(__field(u32, kind)),
	TP_fast_assign(__entry->kind = kind;),
	TP_printk("kind=%u", __entry->kind)
);

TRACE_EVENT(gtdbg_event_ack,
	TP_PROTO(u32 device, u64 seqno),
	TP_ARGS(device, seqno),
	TP_STRUCT__entry(__field(u32, device) __field(u64, seqno)),
	TP_fast_assign(__entry->device = device; __entry->seqno = seqno;),
	TP_printk("device=%u seqno=%llu", __entry->device, __entry->seqno)
);

TRACE_EVENT(gtdbg_attention,
	TP_PROTO(u32 device, u32 stops, u32 reports),
	TP_ARGS(device, stops, reports),
	TP_STRUCT__entry(__field(u32, device) __field(u32, stops)
			 __field(u32, reports)),
	TP_fast_assign(__entry->device = device; __entry->stops = stops;
		       __entry->reports = reports;),
	TP_printk("device=%u stops=%u reports=%u", __entry->device,
		  __entry->stops, __entry->reports)
);

TRACE_EVENT(gtdbg_thread_record,
	TP_PROTO(u32 device, u32 context,
		 const struct gtdbg_thread_record *record),
	TP_ARGS(device, context, record),
	TP_STRUCT__entry(__field(u32, device) __field(u32, context)
			 __field(u32, slot) __field(u32, kernel)
			 __field(u64, address) __field(u64, time)
			 __field(u32, tag) __field(u32, lanes)
			 __array(u32, value, GTDBG_RECORD_VALUES * 8)),
	TP_fast_assign(__entry->device = device; __entry->context = context;
		       __entry->slot = record->slot;
		       __entry->kernel = record->kernel;
		       __entry->address = record->address;
		       __entry->time = record->time;
		       __entry->tag = record->tag;
		       __entry->lanes = (u32)record->lanes << record->first;
		       memcpy(__entry->value, record->value,
			      sizeof(__entry->value));),
	TP_printk("device=%u context=%u slot=%u kernel=%u address=0x%llx time=%llu tag=%u lanes=0x%x",
		  __entry->device, __entry->context, __entry->slot,
		  __entry->kernel, __entry->address, __entry->time,
		  __entry->tag, __entry->lanes)
);

TRACE_EVENT(gtdbg_decision,
	TP_PROTO(u32 device, u32 context, u32 kernel, u64 address, u32 passed),
	TP_ARGS(device, context, kernel, address, passed),
	TP_STRUCT__entry(__field(u32, device) __field(u32, context)
			 __field(u32, kernel) __field(u64, address)
			 __field(u32, passed)),
	TP_fast_assign(__entry->device = device; __entry->context = context;
		       __entry->kernel = kernel; __entry->address = address;
		       __entry->passed = passed;),
	TP_printk("device=%u context=%u kernel=%u address=0x%llx passed=%u",
		  __entry->device, __entry->context, __entry->kernel,
		  __entry->address, __entry->passed)
);

TRACE_EVENT(gtdbg_thread_stop,
	TP_PROTO(u32 device, u32 slot, u64 generation, u32 reasons, u32 ip),
	TP_ARGS(device, slot, generation, reasons, ip),
	TP_STRUCT__entry(__field(u32, device) __field(u32, slot)
			 __field(u64, generation) __field(u32, reasons)
			 __field(u32, ip)),
	TP_fast_assign(__entry->device = device; __entry->slot = slot;
		       __entry->generation = generation;
		       __entry->reasons = reasons; __entry->ip = ip;),
	TP_printk("device=%u slot=%u generation=%llu reasons=%#x ip=%#x",
		  __entry->device, __entry->slot, __entry->generation,
		  __entry->reasons, __entry->ip)
);

DECLARE_EVENT_CLASS(gtdbg_stop_verdict,
	TP_PROTO(struct gtdbg_stop_verdict *verdict, struct gtdbg_stop *stop),
	TP_ARGS(verdict, stop),
	TP_STRUCT__entry(__field(int, pid) __field(u32, device)
			 __field(u32, slot) __field(u64, generation)
			 __field(u32, kernel) __field(u32, breakpoint)),
	TP_fast_assign(__entry->pid = verdict->pid;
		       __entry->device = verdict->thread.device;
		       __entry->slot = verdict->thread.slot;
		       __entry->generation = verdict->thread.generation;
		       __entry->kernel = verdict->thread.kernel;
		       __entry->breakpoint = verdict->thread.breakpoint;),
	TP_printk("pid=%d device=%u slot=%u generation=%llu kernel=%u breakpoint=%u",
		  __entry->pid, __entry->device, __entry->slot,
		  __entry->generation, __entry->kernel, __entry->breakpoint)
);

/* Programs may write to it, where the kernel has BPF programs on tracepoints. */
#ifdef DEFINE_EVENT_WRITABLE
#undef GTDBG_DEFINE_EVENT_WRITABLE
#define GTDBG_DEFINE_EVENT_WRITABLE(template, name, proto, args, size) \
	DEFINE_EVENT_WRITABLE(template, name, PARAMS(proto), PARAMS(args), size)
#else
#undef GTDBG_DEFINE_EVENT_WRITABLE
#define GTDBG_DEFINE_EVENT_WRITABLE(template, name, proto, args, size) \
	DEFINE_EVENT(template, name, PARAMS(proto), PARAMS(args))
#endif

GTDBG_DEFINE_EVENT_WRITABLE(gtdbg_stop_verdict, gtdbg_stop_verdict,
	TP_PROTO(struct gtdbg_stop_verdict *verdict, struct gtdbg_stop *stop),
	TP_ARGS(verdict, stop),
	sizeof(struct gtdbg_stop_verdict)
);

TRACE_EVENT(gtdbg_thread_resume,
	TP_PROTO(u32 device, u32 slot, u64 generation, bool step),
	TP_ARGS(device, slot, generation, step),
	TP_STRUCT__entry(__field(u32, device) __field(u32, slot)
			 __field(u64, generation) __field(bool, step)),
	TP_fast_assign(__entry->device = device; __entry->slot = slot;
		       __entry->generation = generation;
		       __entry->step = step;),
	TP_printk("device=%u slot=%u generation=%llu step=%d",
		  __entry->device, __entry->slot, __entry->generation,
		  __entry->step)
);

TRACE_EVENT(gtdbg_kernel_submit,
	TP_PROTO(const struct gtdbg_event_kernel_submit *submit),
	TP_ARGS(submit),
	TP_STRUCT__entry(__field(u32, device) __field(u32, context)
			 __field(u32, kernel) __field(u32, cookie)
			 __field(u32, groups_x) __field(u32, groups_y)
			 __field(u32, groups_z) __field(u32, items)),
	TP_fast_assign(__entry->device = submit->device;
		       __entry->context = submit->context;
		       __entry->kernel = submit->kernel;
		       __entry->cookie = submit->cookie;
		       __entry->groups_x = submit->groups[0];
		       __entry->groups_y = submit->groups[1];
		       __entry->groups_z = submit->groups[2];
		       __entry->items = submit->items;),
	TP_printk("device=%u context=%u kernel=%u cookie=%#x groups=%ux%ux%u items=%u",
		  __entry->device, __entry->context, __entry->kernel,
		  __entry->cookie, __entry->groups_x, __entry->groups_y,
		  __entry->groups_z, __entry->items)
);

TRACE_EVENT(gtdbg_breakpoint,
	TP_PROTO(u32 device, u32 context, u64 address, bool set),
	TP_ARGS(device, context, address, set),
	TP_STRUCT__entry(__field(u32, device) __field(u32, context)
			 __field(u64, address) __field(bool, set)),
	TP_fast_assign(__entry->device = device; __entry->context = context;
		       __entry->address = address; __entry->set = set;),
	TP_printk("device=%u context=%u address=%#llx set=%d",
		  __entry->device, __entry->context, __entry->address,
		  __entry->set)
);

TRACE_EVENT(gtdbg_memory,
	TP_PROTO(u32 device, u32 context, u64 address, u64 len_bytes,
		 bool write),
	TP_ARGS(device, context, address, len_bytes, write),
	TP_STRUCT__entry(__field(u32, device) __field(u32, context)
			 __field(u64, address) __field(u64, len_bytes)
			 __field(bool, write)),
	TP_fast_assign(__entry->device = device; __entry->context = context;
		       __entry->address = address;
		       __entry->len_bytes = len_bytes;
		       __entry->write = write;),
	TP_printk("device=%u context=%u address=%#llx len_bytes=%llu write=%d",
		  __entry->device, __entry->context, __entry->address,
		  __entry->len_bytes, __entry->write)
);

TRACE_EVENT(gtdbg_slm,
	TP_PROTO(u32 device, u32 slot, u64 offset, u32 len_bytes, bool write),
	TP_ARGS(device, slot, offset, len_bytes, write),
	TP_STRUCT__entry(__field(u32, device) __field(u32, slot)
			 __field(u64, offset) __field(u32, len_bytes)
			 __field(bool, write)),
	TP_fast_assign(__entry->device = device; __entry->slot = slot;
		       __entry->offset = offset;
		       __entry->len_bytes = len_bytes;
		       __entry->write = write;),
	TP_printk("device=%u slot=%u offset=%#llx len_bytes=%u write=%d",
		  __entry->device, __entry->slot, __entry->offset,
		  __entry->len_bytes, __entry->write)
);

TRACE_EVENT(gtdbg_savearea,
	TP_PROTO(u32 device, u32 context, u32 sip),
	TP_ARGS(device, context, sip),
	TP_STRUCT__entry(__field(u32, device) __field(u32, context)
			 __field(u32, sip)),
	TP_fast_assign(__entry->device = device; __entry->context = context;
		       __entry->sip = sip;),
	TP_printk("device=%u context=%u sip=%u", __entry->device,
		  __entry->context, __entry->sip)
);

DECLARE_EVENT_CLASS(gtdbg_launch,
	TP_PROTO(const struct gtdbg_watch_launch *launch),
	TP_ARGS(launch),
	TP_STRUCT__entry(__field(int, pid) __field(u32, device)
			 __field(u32, context) __field(u32, kernel)
			 __field(u64, serial) __field(u64, address)
			 __field(u64, gpu_time) __field(u64, timestamp_hz)
			 __field(u64, time_ns) __field(u64, span_ns)
			 __field(u64, since_ns)
			 __field(u32, groups_x) __field(u32, groups_y)
			 __field(u32, groups_z) __field(u32, simd)
			 __field(u32, threads) __field(u32, items)
			 __array(char, name, sizeof_field(struct gtdbg_watch_launch, name))),
	TP_fast_assign(__entry->pid = launch->pid;
		       __entry->device = launch->device;
		       __entry->context = launch->context;
		       __entry->kernel = launch->kernel;
		       __entry->serial = launch->serial;
		       __entry->address = launch->address;
		       __entry->gpu_time = launch->stamp.gpu_time;
		       __entry->timestamp_hz = launch->stamp.timestamp_hz;
		       __entry->time_ns = launch->stamp.time_ns;
		       __entry->span_ns = launch->stamp.span_ns;
		       __entry->since_ns = launch->stamp.since_ns;
		       __entry->groups_x = launch->groups[0];
		       __entry->groups_y = launch->groups[1];
		       __entry->groups_z = launch->groups[2];
		       __entry->simd = launch->simd;
		       __entry->threads = launch->threads;
		       __entry->items = launch->items;
		       memcpy(__entry->name, launch->name,
			      sizeof(__entry->name));),
	TP_printk("pid=%d device=%u context=%u kernel=%u serial=%llu address=%#llx gpu_time=%llu time_ns=%llu span_ns=%llu since_ns=%lld groups=%ux%ux%u name=%s",
		  __entry->pid, __entry->device, __entry->context,
		  __entry->kernel, __entry->serial, __entry->address,
		  __entry->gpu_time, __entry->time_ns, __entry->span_ns,
		  (s64)__entry->since_ns, __entry->groups_x,
		  __entry->groups_y, __entry->groups_z, __entry->name)
);

DEFINE_EVENT_FN(gtdbg_launch, gtdbg_launch_begin,
	TP_PROTO(const struct gtdbg_watch_launch *launch),
	TP_ARGS(launch),
	gtdbg_watch_begin, gtdbg_watch_end
);

DEFINE_EVENT_FN(gtdbg_launch, gtdbg_launch_end,
	TP_PROTO(const struct gtdbg_watch_launch *launch),
	TP_ARGS(launch),
	gtdbg_watch_begin, gtdbg_watch_end
);

TRACE_EVENT_FN(gtdbg_context_switch,
	TP_PROTO(const struct gtdbg_watch_switch *change),
	TP_ARGS(change),
	TP_STRUCT__entry(__field(int, pid) __field(u32, device)
			 __field(u32, context) __field(u32, previous)
			 __field(u64, gpu_time) __field(u64, timestamp_hz)
			 __field(u64, time_ns) __field(u64, span_ns)
			 __field(u64, since_ns)),
	TP_fast_assign(__entry->pid = change->pid;
		       __entry->device = change->device;
		       __entry->context = change->context;
		       __entry->previous = change->previous;
		       __entry->gpu_time = change->stamp.gpu_time;
		       __entry->timestamp_hz = change->stamp.timestamp_hz;
		       __entry->time_ns = change->stamp.time_ns;
		       __entry->span_ns = change->stamp.span_ns;
		       __entry->since_ns = change->stamp.since_ns;),
	TP_printk("pid=%d device=%u context=%u previous=%u gpu_time=%llu time_ns=%llu span_ns=%llu since_ns=%lld",
		  __entry->pid, __entry->device, __entry->context,
		  __entry->previous, __entry->gpu_time, __entry->time_ns,
		  __entry->span_ns, (s64)__entry->since_ns),
	gtdbg_watch_begin, gtdbg_watch_end
);

TRACE_EVENT(gtdbg_page_fault,
	TP_PROTO(u32 device, u32 context, u64 address, u32 type),
	TP_ARGS(device, context, address, type),
	TP_STRUCT__entry(__field(u32, device) __field(u32, context)
			 __field(u64, address) __field(u32, type)),
	TP_fast_assign(__entry->device = device; __entry->context = context;
		       __entry->address = address; __entry->type = type;),
	TP_printk("device=%u context=%u address=%#llx type=%u",
		  __entry->device, __entry->context, __entry->address,
		  __entry->type)
);

TRACE_EVENT(gtdbg_reset,
	TP_PROTO(u32 device, u32 context, u32 slot),
	TP_ARGS(device, context, slot),
	TP_STRUCT__entry(__field(u32, device) __field(u32, context)
			 __field(u32, slot)),
	TP_fast_assign(__entry->device = device; __entry->context = context;
		       __entry->slot = slot;),
	TP_printk("device=%u context=%u slot=%u", __entry->device,
		  __entry->context, __entry->slot)
);

TRACE_EVENT(gtdbg_device_lost,
	TP_PROTO(u32 device, u32 reason),
	TP_ARGS(device, reason),
	TP_STRUCT__entry(__field(u32, device) __field(u32, reason)),
	TP_fast_assign(__entry->device = device; __entry->reason = reason;),
	TP_printk("device=%u reason=%u", __entry->device, __entry->reason)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
