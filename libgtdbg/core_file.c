// SPDX-License-Identifier: MIT
/*
 * Nothing in a core file is trusted: offsets and lengths are compared with the
 * file's size before they are used, counts have limits, and what the events say
 * of a device or a thread has to be what the module would say. What fails that
 * is left out, and named among the damages. The file is read by pread(), never
 * mapped: it may become shorter at any time.
 */
#include "core_file.h"

#include "session.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTES_MAX	(1u << 20)
#define EVENTS_MAX	(1u << 16)	/* four of each kernel */
#define EVENT_BYTES_MAX	8192
#define DEVICES_MAX	64
#define SLOTS_MAX	65536
#define OWNER_BYTES	8	/* with its padding */
#define ADDRESS_BITS	48
#define SOURCES_MAX	1024
#define SOURCE_BYTES_MAX (16u << 20)
#define MAPPINGS_AT_ONCE 128

int gtdbg_core_file_read(const struct core *core, uint64_t offset, void *buf,
			 size_t len)
{
	char *to = buf;

	while (len) {
		ssize_t done = pread(core->fd, to, len, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		if (!done)
			return -EIO;
		to += done;
		offset += done;
		len -= done;
	}
	return 0;
}

__attribute__((format(printf, 2, 3)))
static void damaged(struct core *core, const char *format, ...)
{
	static const char more[] = "and more";
	va_list args;

	if (core->damage_count == CORE_DAMAGES_MAX) {
		strcpy(core->damages[CORE_DAMAGES_MAX - 1], more);
		return;
	}
	va_start(args, format);
	vsnprintf(core->damages[core->damage_count++],
		  sizeof(core->damages[0]), format, args);
	va_end(args);
}

/* Room for @count more items; NULL if there is no memory. */
static void *array_add(struct core_array *array, size_t count, size_t size)
{
	size_t room = array->room ? array->room : 16;
	void *items;

	while (room < array->count + count)
		room *= 2;
	if (room > array->room) {
		items = realloc(array->items, room * size);
		if (!items)
			return NULL;
		array->items = items;
		array->room = room;
	}
	array->count += count;
	return (char *)array->items + (array->count - count) * size;
}

const struct gtdbg_event_device_add *
gtdbg_core_file_device(const struct core *core, uint32_t id)
{
	const struct gtdbg_event_device_add *devices = core->devices.items;
	size_t i;

	for (i = 0; i < core->devices.count; i++) {
		if (devices[i].device == id)
			return &devices[i];
	}
	return NULL;
}

/* Texts come onto terminals: no control characters in them. */
static void text_clean(char *text, size_t len)
{
	while (len--) {
		if ((unsigned char)*text < ' ' ? *text != 0 : *text == 0x7f)
			*text = '?';
		/* In UTF-8 there are 32 more. */
		if ((unsigned char)*text == 0xc2 && len &&
		    ((unsigned char)text[1] & 0xe0) == 0x80)
			*text = '?';
		text++;
	}
}

static bool device_is_sound(struct core *core,
			    const struct gtdbg_event_device_add *info)
{
	uint64_t slots = info->slices;

	/* A product of two of them fits, as none is above the limit. */
	if (info->slices > SLOTS_MAX || info->subslices > SLOTS_MAX ||
	    info->eus > SLOTS_MAX || info->threads > SLOTS_MAX)
		return false;
	slots *= info->subslices;
	slots = slots > SLOTS_MAX ? 0 : slots * info->eus;
	slots = slots > SLOTS_MAX ? 0 : slots * info->threads;
	return slots && slots == info->slots && slots <= SLOTS_MAX &&
	       core->devices.count < DEVICES_MAX &&
	       !gtdbg_core_file_device(core, info->device);
}

/* What has a name behind its payload, and how long it says that the name is. */
static bool name_is_sound(struct gtdbg_event *event, size_t payload_len,
			  size_t name_at)
{
	uint32_t len;
	size_t left = event->len_bytes - sizeof(*event);

	if (left < payload_len)
		return false;
	memcpy(&len, (char *)(event + 1) + name_at, sizeof(len));
	if (len > left - payload_len)
		return false;
	text_clean((char *)(event + 1) + payload_len, left - payload_len);
	return true;
}

static bool event_is_sound(struct core *core, struct gtdbg_event *event)
{
	size_t left = event->len_bytes - sizeof(*event);
	const struct gtdbg_event_module_add *module;
	const struct gtdbg_event_kernel_add *kernel;
	struct gtdbg_event_device_add *device;

	switch (event->kind) {
	case GTDBG_EVENT_CLIENT_ADD:
		if (left < sizeof(struct gtdbg_event_client_add))
			return false;
		text_clean((char *)(event + 1) +
			   offsetof(struct gtdbg_event_client_add, comm), 16);
		return true;
	case GTDBG_EVENT_DEVICE_ADD:
		if (left < sizeof(*device) ||
		    !device_is_sound(core, (void *)(event + 1)))
			return false;
		device = array_add(&core->devices, 1, sizeof(*device));
		if (device)
			memcpy(device, event + 1, sizeof(*device));
		return device;
	case GTDBG_EVENT_CONTEXT_ADD:
		core->contexts_meant++;
		return left >= sizeof(struct gtdbg_event_context_add);
	case GTDBG_EVENT_KERNEL_LOAD:
		return left >= sizeof(struct gtdbg_event_kernel_load);
	case GTDBG_EVENT_PAGE_FAULT:
		return left >= sizeof(struct gtdbg_event_page_fault);
	case GTDBG_EVENT_MODULE_ADD:
		module = (void *)(event + 1);
		if (!name_is_sound(event, sizeof(*module),
				   offsetof(struct gtdbg_event_module_add,
					    name_len_bytes)))
			return false;
		core->blobs_meant += !!module->source_len_bytes +
				     !!module->elf_len_bytes;
		return true;
	case GTDBG_EVENT_KERNEL_ADD:
		kernel = (void *)(event + 1);
		if (!name_is_sound(event, sizeof(*kernel),
				   offsetof(struct gtdbg_event_kernel_add,
					    name_len_bytes)))
			return false;
		core->blobs_meant += !!kernel->elf_len_bytes +
				     !!kernel->isa_len_bytes;
		return true;
	default:
		return false;
	}
}

static void event_queue(struct core *core, const struct gtdbg_event *event)
{
	struct gtdbg_event *to = array_add(&core->events, event->len_bytes, 1);

	if (!to)
		return;
	memcpy(to, event, event->len_bytes);
	to->flags = GTDBG_EVENT_F_REPLAY;
	to->seqno = ++core->seqno;
}

static bool event_take(struct core *core, const struct core_range *note)
{
	_Alignas(8) char bytes[EVENT_BYTES_MAX];
	struct gtdbg_event *event = (void *)bytes;

	if (note->len < sizeof(*event) || note->len > sizeof(bytes) ||
	    note->len % 8 || core->seqno >= EVENTS_MAX ||
	    gtdbg_core_file_read(core, note->offset, bytes, note->len) ||
	    event->len_bytes != note->len || !event_is_sound(core, event))
		return false;
	event_queue(core, event);
	return true;
}

/* Splits a note into its struct and the rest. */
static bool head_take(struct core *core, const struct core_range *note,
		      void *head, size_t len, struct core_range *rest)
{
	if (note->len < len ||
	    gtdbg_core_file_read(core, note->offset, head, len))
		return false;
	rest->offset = note->offset + len;
	rest->len = note->len - len;
	return true;
}

static bool blob_take(struct core *core, const struct core_range *note)
{
	struct gtdbg_core_blob head;
	struct core_range rest;
	struct core_blob *blob;

	if (!head_take(core, note, &head, sizeof(head), &rest))
		return false;
	blob = array_add(&core->blobs, 1, sizeof(*blob));
	if (blob)
		*blob = (struct core_blob){ head.kind, head.id, rest };
	return blob;
}

static bool slm_take(struct core *core, const struct core_range *note)
{
	struct gtdbg_core_slm head;
	struct core_range rest;
	struct core_slm *slm;

	if (!head_take(core, note, &head, sizeof(head), &rest) || !head.slm)
		return false;
	slm = array_add(&core->slms, 1, sizeof(*slm));
	if (slm)
		*slm = (struct core_slm){ head.slm, rest };
	return slm;
}

static bool mappings_take(struct core *core, const struct core_range *note)
{
	struct gtdbg_core_mappings head;
	struct core_mappings *mappings;
	struct core_range rest;

	if (!head_take(core, note, &head, sizeof(head), &rest) ||
	    rest.len % sizeof(struct gtdbg_memory_mapping))
		return false;
	mappings = array_add(&core->mappings, 1, sizeof(*mappings));
	if (mappings)
		*mappings = (struct core_mappings){ head.device, head.context,
						    rest };
	return mappings;
}

static bool source_take(struct core *core, const struct core_range *note)
{
	struct gtdbg_core_source head;
	struct core_source *source;
	struct core_range rest;

	if (!head_take(core, note, &head, sizeof(head), &rest) ||
	    !head.path_len_bytes || head.path_len_bytes >= CORE_PATH_MAX ||
	    head.path_len_bytes > rest.len || rest.len > SOURCE_BYTES_MAX ||
	    core->sources.count >= SOURCES_MAX)
		return false;
	source = array_add(&core->sources, 1, sizeof(*source));
	if (!source)
		return false;
	source->path.offset = rest.offset;
	source->path.len = head.path_len_bytes;
	source->text.offset = rest.offset + head.path_len_bytes;
	source->text.len = rest.len - head.path_len_bytes;
	return true;
}

/* One list is all of them. */
static bool buffers_take(struct core *core, const struct core_range *note)
{
	if (core->buffers.len ||
	    note->len % sizeof(struct gtdbg_core_buffer))
		return false;
	core->buffers = *note;
	return true;
}

/* The registers that follow the sets are all there. */
static bool sets_are_sound(struct core *core, struct core_thread *thread,
			   const struct core_range *rest)
{
	struct gtdbg_register_set sets[CORE_SETS_MAX];
	size_t len = thread->set_count * sizeof(sets[0]);
	uint64_t needed = 0;
	uint32_t i;

	if (thread->set_count > CORE_SETS_MAX || rest->len < len ||
	    gtdbg_core_file_read(core, rest->offset, sets, len))
		return false;
	for (i = 0; i < thread->set_count; i++)
		needed += (uint64_t)sets[i].count * sets[i].bytes;
	thread->sets = rest->offset;
	thread->registers.offset = rest->offset + len;
	thread->registers.len = rest->len - len;
	return needed == thread->registers.len;
}

static bool thread_take(struct core *core, const struct core_range *note)
{
	struct core_thread thread = { 0 }, *to;
	struct gtdbg_core_thread head;
	struct core_range rest;

	if (!head_take(core, note, &head, sizeof(head), &rest))
		return false;
	thread.info = head.info;
	thread.slm = head.slm;
	thread.set_count = head.set_count;
	/* They are numbered from 1. */
	if (core->slms_meant < head.slm)
		core->slms_meant = head.slm;
	if (!sets_are_sound(core, &thread, &rest))
		return false;
	to = array_add(&core->threads, 1, sizeof(*to));
	if (to)
		*to = thread;
	return to;
}

static bool note_take(struct core *core, uint32_t type,
		      const struct core_range *note)
{
	switch (type) {
	case GTDBG_CORE_EVENT:
		return event_take(core, note);
	case GTDBG_CORE_BLOB:
		return blob_take(core, note);
	case GTDBG_CORE_THREAD:
		return thread_take(core, note);
	case GTDBG_CORE_SLM:
		return slm_take(core, note);
	case GTDBG_CORE_MAPPINGS:
		return mappings_take(core, note);
	case GTDBG_CORE_BUFFERS:
		return buffers_take(core, note);
	case GTDBG_CORE_SOURCE:
		return source_take(core, note);
	default:
		return true;
	}
}

/* Reads the head of a note, which ends at @end at the latest. */
static bool note_next(const struct core *core, uint64_t *at, uint64_t end,
		      uint32_t *type, struct core_range *note)
{
	struct {
		Elf64_Nhdr head;
		char owner[OWNER_BYTES];
	} begin;
	uint64_t len;

	if (end - *at < sizeof(begin) ||
	    gtdbg_core_file_read(core, *at, &begin, sizeof(begin)))
		return false;
	len = begin.head.n_descsz;
	if (begin.head.n_namesz != sizeof(GTDBG_CORE_OWNER) ||
	    memcmp(begin.owner, GTDBG_CORE_OWNER, sizeof(GTDBG_CORE_OWNER)) ||
	    len > end - *at - sizeof(begin))
		return false;
	*type = begin.head.n_type;
	note->offset = *at + sizeof(begin);
	note->len = len;
	*at = note->offset + len;
	/* The padding of the last one may be missing. */
	*at = *at % 4 && end - *at >= 4 - *at % 4 ? *at + 4 - *at % 4 : *at;
	return true;
}

static void notes_read(struct core *core, const Elf64_Phdr *header)
{
	uint64_t at = header->p_offset, end;
	struct core_range note;
	uint32_t type, bad = 0, count = 0;

	if (at > core->size)
		at = core->size;
	end = header->p_filesz < core->size - at ? at + header->p_filesz :
						   core->size;
	while (at < end && count < NOTES_MAX &&
	       note_next(core, &at, end, &type, &note)) {
		count++;
		if (!note_take(core, type, &note))
			bad++;
	}
	if (bad)
		damaged(core, "%" PRIu32 " notes are damaged", bad);
	/* Padding may follow. */
	if (end - at >= OWNER_BYTES || end - header->p_offset != header->p_filesz)
		damaged(core, "the notes are cut off at byte %" PRIu64
			": what follows is missing", at);
}

static bool load_is_sound(const Elf64_Phdr *header)
{
	return header->p_memsz && header->p_filesz <= header->p_memsz &&
	       header->p_vaddr < 1ull << ADDRESS_BITS &&
	       header->p_memsz <= (1ull << ADDRESS_BITS) - header->p_vaddr;
}

/* How many bytes of it the file lacks; -1: it is no such header. */
static int64_t load_take(struct core *core, const Elf64_Phdr *header)
{
	struct core_load *load;
	uint64_t missing = 0, have = 0;

	if (!load_is_sound(header))
		return -1;
	load = array_add(&core->loads, 1, sizeof(*load));
	if (!load)
		return -1;
	if (header->p_offset < core->size)
		have = core->size - header->p_offset;
	if (header->p_filesz > have)
		missing = header->p_filesz - have;
	*load = (struct core_load){
		.space = header->p_paddr,
		.address = header->p_vaddr,
		/* Zeroes behind what is missing would be at a wrong place. */
		.end = header->p_vaddr + (missing ? have : header->p_memsz),
		.bytes = { header->p_offset, header->p_filesz - missing },
	};
	if (load->end == load->address)
		core->loads.count--;
	return missing;
}

/*
 * The notes' header is the first one. If the file ends before it the notes are where
 * the tool puts them: right behind the file's head, and the headers behind them.
 */
static bool notes_find(const struct core *core, const Elf64_Ehdr *head,
		       Elf64_Phdr *header)
{
	if (!head->e_phnum || head->e_phoff < sizeof(*head))
		return false;
	if (head->e_phoff > core->size ||
	    core->size - head->e_phoff < sizeof(*header)) {
		*header = (Elf64_Phdr){
			.p_type = PT_NOTE, .p_offset = sizeof(*head),
			.p_filesz = head->e_phoff - sizeof(*head),
		};
		return true;
	}
	return !gtdbg_core_file_read(core, head->e_phoff, header,
				     sizeof(*header)) &&
	       header->p_type == PT_NOTE;
}

static void loads_read(struct core *core, const Elf64_Ehdr *head)
{
	uint64_t at = head->e_phoff, missing = 0;
	uint32_t i, bad = 0, cut = 0;
	Elf64_Phdr header;

	for (i = 1; i < head->e_phnum; i++) {
		int64_t lacks;

		at += sizeof(header);
		if (at > core->size || core->size - at < sizeof(header) ||
		    gtdbg_core_file_read(core, at, &header, sizeof(header))) {
			damaged(core, "%u of %u pieces of memory are missing",
				head->e_phnum - i, head->e_phnum - 1);
			break;
		}
		if (header.p_type != PT_LOAD)
			continue;
		lacks = load_take(core, &header);
		bad += lacks < 0;
		cut += lacks > 0;
		missing += lacks > 0 ? (uint64_t)lacks : 0;
	}
	if (bad)
		damaged(core, "%u program headers are damaged", bad);
	if (cut)
		damaged(core, "%" PRIu64 " bytes of memory are missing, in %u pieces",
			missing, cut);
}

static void missing(struct core *core, const char *what, uint64_t meant,
		    uint64_t there)
{
	if (there < meant)
		damaged(core, "%" PRIu64 " of %" PRIu64 " %s are missing",
			meant - there, meant, what);
}

/* What the notes that are there say of others. */
static void notes_check(struct core *core)
{
	missing(core, "threads", core->threads_meant, core->threads.count);
	missing(core, "lists of mapped memory", core->contexts_meant,
		core->mappings.count);
	missing(core, "work-groups' local memories", core->slms_meant,
		core->slms.count);
	missing(core, "sources, ELF files and codes", core->blobs_meant,
		core->blobs.count);
}

static int thread_compare(const void *a, const void *b)
{
	const struct gtdbg_thread_info *x = &((struct core_thread *)a)->info;
	const struct gtdbg_thread_info *y = &((struct core_thread *)b)->info;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static int load_compare(const void *a, const void *b)
{
	const struct core_load *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Events of all devices were read: which threads can there be? */
static void threads_check(struct core *core)
{
	struct core_thread *threads = core->threads.items;
	size_t i, count = 0;

	if (core->threads.count)
		qsort(threads, core->threads.count, sizeof(*threads),
		      thread_compare);
	for (i = 0; i < core->threads.count; i++) {
		const struct gtdbg_event_device_add *device;

		device = gtdbg_core_file_device(core, threads[i].info.device);
		if (!device || threads[i].info.slot >= device->slots ||
		    (threads[i].info.state != GTDBG_THREAD_STOPPED &&
		     threads[i].info.state != GTDBG_THREAD_UNAVAILABLE) ||
		    (count && !thread_compare(&threads[i],
					      &threads[count - 1])))
			continue;
		threads[count++] = threads[i];
	}
	if (count != core->threads.count)
		damaged(core, "%zu threads are no threads of a device",
			core->threads.count - count);
	core->threads.count = count;
}

/* Of those that overlap, the ones behind lose what they have in common. */
static void loads_check(struct core *core)
{
	struct core_load *loads = core->loads.items;
	uint32_t overlaps = 0;
	size_t i, count = 0;

	if (core->loads.count)
		qsort(loads, core->loads.count, sizeof(*loads), load_compare);
	for (i = 0; i < core->loads.count; i++) {
		if (count && loads[count - 1].space == loads[i].space &&
		    loads[count - 1].end > loads[i].address) {
			overlaps++;
			continue;
		}
		core->loaded += loads[i].end - loads[i].address;
		loads[count++] = loads[i];
	}
	core->loads.count = count;
	if (overlaps)
		damaged(core, "%u pieces of memory lie on others", overlaps);
}

static void mapped_count(struct core *core)
{
	const struct core_mappings *mappings = core->mappings.items;
	struct gtdbg_memory_mapping mapping[MAPPINGS_AT_ONCE];
	size_t i, k, len;

	for (i = 0; i < core->mappings.count; i++) {
		struct core_range left = mappings[i].bytes;

		for (; left.len; left.offset += len, left.len -= len) {
			len = left.len < sizeof(mapping) ? left.len :
							   sizeof(mapping);
			if (gtdbg_core_file_read(core, left.offset, mapping,
						 len))
				return;
			for (k = 0; k < len / sizeof(mapping[0]); k++)
				core->mapped += mapping[k].len_bytes;
		}
	}
}

static int head_check(struct core *core, Elf64_Ehdr *head)
{
	struct stat info;

	if (fstat(core->fd, &info))
		return -errno;
	if (!S_ISREG(info.st_mode))
		return -EINVAL;
	core->size = info.st_size;
	if (core->size < sizeof(*head))
		return -EINVAL;
	if (gtdbg_core_file_read(core, 0, head, sizeof(*head)))
		return -EIO;
	if (memcmp(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_ident[EI_CLASS] != ELFCLASS64 ||
	    head->e_ident[EI_DATA] != ELFDATA2LSB ||
	    head->e_type != ET_CORE || head->e_machine != EM_INTELGT ||
	    head->e_phentsize != sizeof(Elf64_Phdr))
		return -EINVAL;
	return 0;
}

/* The first note says what it is; without it nothing is certain. */
static int version_check(struct core *core, const Elf64_Phdr *notes)
{
	struct gtdbg_core_head about;
	struct core_range note;
	uint64_t at = notes->p_offset, end = core->size;
	uint32_t type;

	if (at >= end || !note_next(core, &at, end, &type, &note))
		return 0;	/* cut off before its notes */
	if (type != GTDBG_CORE_HEAD || note.len < sizeof(about) ||
	    gtdbg_core_file_read(core, note.offset, &about, sizeof(about)))
		return -EINVAL;
	core->threads_meant = about.threads;
	return about.version == GTDBG_CORE_VERSION ? 0 : -EPROTONOSUPPORT;
}

int gtdbg_core_file_init(struct core *core, int fd)
{
	const struct gtdbg_event synced = {
		.len_bytes = sizeof(synced), .kind = GTDBG_EVENT_SYNCED,
	};
	Elf64_Ehdr head;
	Elf64_Phdr notes;
	int ret;

	memset(core, 0, sizeof(*core));
	core->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (core->fd < 0)
		return -errno;
	ret = head_check(core, &head);
	if (!ret && !notes_find(core, &head, &notes))
		ret = -EINVAL;
	if (!ret)
		ret = version_check(core, &notes);
	if (ret) {
		close(core->fd);
		return ret;
	}
	notes_read(core, &notes);
	notes_check(core);
	loads_read(core, &head);
	threads_check(core);
	loads_check(core);
	mapped_count(core);
	event_queue(core, &synced);
	return 0;
}

void gtdbg_core_file_fini(struct core *core)
{
	free(core->devices.items);
	free(core->blobs.items);
	free(core->threads.items);
	free(core->slms.items);
	free(core->sources.items);
	free(core->mappings.items);
	free(core->loads.items);
	free(core->events.items);
	close(core->fd);
}
