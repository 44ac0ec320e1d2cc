// SPDX-License-Identifier: MIT
/*
 * A session whose answers come from a core file. It takes the module's commands
 * and does what the module does with those that look, down to the errors; all
 * others are refused as an observer's are.
 */
#include "session.h"

#include "core_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define ADDRESS_BITS	48
#define ADDRESS_END	(1ull << ADDRESS_BITS)
#define PAGE_BYTES	4096
#define COPY_BYTES	65536

static uint64_t space_of(uint32_t device, uint32_t context)
{
	return (uint64_t)device << 32 | context;
}

static int thread_list(struct core *core, struct gtdbg_thread_list *list)
{
	const struct core_thread *threads = core->threads.items;
	struct gtdbg_thread_info *infos = (void *)(uintptr_t)list->infos;
	uint32_t written = 0, there = 0;
	size_t i;

	if (!gtdbg_core_file_device(core, list->device))
		return -ENOENT;
	for (i = 0; i < core->threads.count; i++) {
		if (threads[i].info.device != list->device)
			continue;
		if (written < list->count)
			infos[written++] = threads[i].info;
		there++;
	}
	list->count = there;
	return written;
}

/* A thread in that stop; 0: whichever it is. */
static const struct core_thread *thread_find(const struct core *core,
					     uint32_t device, uint32_t slot,
					     uint64_t generation)
{
	const struct core_thread *threads = core->threads.items;
	size_t low = 0, high = core->threads.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct gtdbg_thread_info *info = &threads[middle].info;

		if (info->device < device ||
		    (info->device == device && info->slot < slot))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == core->threads.count || threads[low].info.device != device ||
	    threads[low].info.slot != slot ||
	    threads[low].info.state != GTDBG_THREAD_STOPPED ||
	    (generation && threads[low].info.generation != generation))
		return NULL;
	return &threads[low];
}

static int sets_read(const struct core *core, const struct core_thread *thread,
		     struct gtdbg_register_set *sets)
{
	return gtdbg_core_file_read(core, thread->sets, sets,
				    thread->set_count * sizeof(*sets));
}

/* A context's threads all have the same sets. */
static int register_list(struct core *core, struct gtdbg_register_list *list)
{
	struct gtdbg_register_set sets[CORE_SETS_MAX];
	const struct core_thread *threads = core->threads.items;
	uint32_t count;
	size_t i;
	int ret;

	for (i = 0; i < core->threads.count; i++) {
		if (threads[i].info.device == list->device &&
		    threads[i].info.context == list->context &&
		    threads[i].set_count)
			break;
	}
	if (i == core->threads.count)
		return -ENOENT;
	ret = sets_read(core, &threads[i], sets);
	if (ret)
		return ret;
	count = threads[i].set_count;
	if (count > list->count)
		count = list->count;
	memcpy((void *)(uintptr_t)list->sets, sets, count * sizeof(sets[0]));
	list->count = threads[i].set_count;
	return count;
}

static int register_read(struct core *core,
			 const struct gtdbg_register_access *access)
{
	struct gtdbg_register_set sets[CORE_SETS_MAX];
	const struct core_thread *thread;
	uint64_t at;
	uint32_t i;
	int ret;

	thread = thread_find(core, access->device, access->slot,
			     access->generation);
	if (!thread)
		return -ESRCH;
	ret = sets_read(core, thread, sets);
	if (ret)
		return ret;
	at = thread->registers.offset;
	for (i = 0; i < thread->set_count && sets[i].set != access->set; i++)
		at += (uint64_t)sets[i].count * sets[i].bytes;
	if (i == thread->set_count)
		return -EOPNOTSUPP;
	if (!access->count || access->first > sets[i].count ||
	    access->count > sets[i].count - access->first ||
	    access->len_bytes != (uint64_t)access->count * sets[i].bytes)
		return -EINVAL;
	return gtdbg_core_file_read(core, at + (uint64_t)access->first *
				    sets[i].bytes,
				    (void *)(uintptr_t)access->buf,
				    access->len_bytes);
}

static const struct core_load *load_find(const struct core *core,
					 uint64_t space, uint64_t address)
{
	const struct core_load *loads = core->loads.items;
	size_t low = 0, high = core->loads.count;

	/* The last one that begins at @address or before. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (loads[middle].space < space ||
		    (loads[middle].space == space &&
		     loads[middle].address <= address))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || loads[low - 1].space != space ||
	    address >= loads[low - 1].end)
		return NULL;
	return &loads[low - 1];
}

/* Up to the first address that is not there; how far that is. */
static uint64_t space_read(struct core *core, uint64_t space,
			   uint64_t address, char *buf, uint64_t len)
{
	uint64_t done = 0;

	while (done < len) {
		const struct core_load *load = load_find(core, space, address);
		uint64_t at, part;

		if (!load)
			break;
		at = address - load->address;
		part = load->end - address;
		if (at < load->bytes.len)
			part = load->bytes.len - at;
		if (part > len - done)
			part = len - done;
		if (at >= load->bytes.len)
			memset(buf + done, 0, part);
		else if (gtdbg_core_file_read(core, load->bytes.offset + at,
					      buf + done, part))
			break;
		done += part;
		address += part;
	}
	return done;
}

static bool context_is_known(const struct core *core, uint32_t device,
			     uint32_t context)
{
	const struct core_mappings *mappings = core->mappings.items;
	size_t i;

	for (i = 0; i < core->mappings.count; i++) {
		if (mappings[i].device == device &&
		    mappings[i].context == context)
			return true;
	}
	return false;
}

static int memory_read(struct core *core,
		       const struct gtdbg_memory_access *access)
{
	struct gtdbg_memory_range *ranges = (void *)(uintptr_t)access->ranges;
	uint64_t space = space_of(access->device, access->context);
	uint64_t total = 0, done = 0;
	uint32_t i;

	if (!access->count || access->count > GTDBG_MEMORY_RANGES_MAX)
		return -EINVAL;
	for (i = 0; i < access->count; i++) {
		if (ranges[i].len_bytes > GTDBG_MEMORY_BYTES_MAX ||
		    ranges[i].address >= ADDRESS_END)
			return -EINVAL;
		total += ranges[i].len_bytes;
	}
	if (total > GTDBG_MEMORY_BYTES_MAX)
		return -EINVAL;
	for (i = 0; i < access->count; i++) {
		ranges[i].done_bytes = space_read(core, space,
				ranges[i].address,
				(void *)(uintptr_t)ranges[i].buf,
				ranges[i].len_bytes);
		done += ranges[i].done_bytes;
	}
	if (done || !total)
		return done;
	return context_is_known(core, access->device, access->context) ?
	       -EFAULT : -ENOENT;
}

/* The part of a mapping that is at @address or behind; false: there is none. */
static bool mapping_cut(struct gtdbg_memory_mapping *mapping, uint64_t address)
{
	if (mapping->address >= ADDRESS_END || !mapping->len_bytes ||
	    mapping->len_bytes > ADDRESS_END - mapping->address ||
	    mapping->address + mapping->len_bytes <= address)
		return false;
	if (mapping->address < address) {
		mapping->len_bytes -= address - mapping->address;
		mapping->address = address;
	}
	return true;
}

static const struct core_mappings *
mappings_find(const struct core *core, uint32_t device, uint32_t context)
{
	const struct core_mappings *mappings = core->mappings.items;
	size_t i;

	for (i = 0; i < core->mappings.count; i++)
		if (mappings[i].device == device &&
		    mappings[i].context == context)
			return &mappings[i];
	return NULL;
}

static uint64_t listed_offset(const struct core *core,
			      const struct core_mappings *mappings,
			      uint64_t address)
{
	const struct core_listed *listed = &core->listed;

	return listed->mappings == mappings && listed->address == address ?
	       listed->offset : mappings->bytes.offset;
}

static int memory_list(struct core *core, struct gtdbg_memory_list *list)
{
	struct gtdbg_memory_mapping *to = (void *)(uintptr_t)list->mappings;
	const struct core_mappings *mappings;
	struct gtdbg_memory_mapping mapping;
	uint64_t address = list->address, at, end;
	uint32_t count = 0;

	if (address % PAGE_BYTES || address > ADDRESS_END || !list->count)
		return -EINVAL;
	mappings = mappings_find(core, list->device, list->context);
	if (!mappings)
		return -ENOENT;
	at = listed_offset(core, mappings, address);
	end = mappings->bytes.offset + mappings->bytes.len;
	for (; at < end && count < list->count; at += sizeof(mapping)) {
		if (gtdbg_core_file_read(core, at, &mapping, sizeof(mapping)))
			return -EIO;
		/* Whatever the file says: ever on, page by page. */
		if (mapping.address % PAGE_BYTES ||
		    mapping.len_bytes % PAGE_BYTES ||
		    !mapping_cut(&mapping, address))
			continue;
		to[count++] = mapping;
		address = mapping.address + mapping.len_bytes;
	}
	core->listed = (struct core_listed){ mappings, address, at };
	list->address = at < end ? address : ADDRESS_END;
	return count;
}

static int slm_read(struct core *core, const struct gtdbg_slm_access *access)
{
	const struct core_slm *slms = core->slms.items;
	const struct core_thread *thread;
	const struct core_range *bytes;
	uint64_t len = access->len_bytes;
	size_t i;
	int ret;

	thread = thread_find(core, access->device, access->slot,
			     access->generation);
	if (!thread)
		return -ESRCH;
	/* As under a system routine that cannot reach it. */
	if (!thread->slm)
		return -EOPNOTSUPP;
	for (i = 0; i < core->slms.count && slms[i].slm != thread->slm; i++)
		;
	if (i == core->slms.count)
		return -EIO;
	bytes = &slms[i].bytes;
	if (access->offset >= bytes->len)
		return -EFAULT;
	if (len > bytes->len - access->offset)
		len = bytes->len - access->offset;
	ret = gtdbg_core_file_read(core, bytes->offset + access->offset,
				   (void *)(uintptr_t)access->buf, len);
	return ret ? ret : (int)len;
}

/* Into memory of its own, which lives on without the core. */
static int blob_copy(struct core *core, const struct core_range *bytes, int fd)
{
	uint64_t at = 0;
	char *buf = malloc(COPY_BYTES);
	int ret = buf ? 0 : -ENOMEM;

	while (!ret && at < bytes->len) {
		size_t len = bytes->len - at < COPY_BYTES ? bytes->len - at :
							     COPY_BYTES;

		ret = gtdbg_core_file_read(core, bytes->offset + at, buf, len);
		if (!ret && pwrite(fd, buf, len, (off_t)at) != (ssize_t)len)
			ret = -ENOMEM;
		at += len;
	}
	free(buf);
	return ret;
}

static int blob_open(struct core *core, const struct gtdbg_blob_open *request)
{
	const struct core_blob *blobs = core->blobs.items;
	int fd, ret;
	size_t i;

	if (request->kind < GTDBG_BLOB_MODULE_SOURCE ||
	    request->kind > GTDBG_BLOB_KERNEL_ISA)
		return -EOPNOTSUPP;
	for (i = 0; i < core->blobs.count &&
	     (blobs[i].kind != request->kind || blobs[i].id != request->id);
	     i++)
		;
	if (i == core->blobs.count)
		return -ENOENT;
	fd = memfd_create("gtdbg-core", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	ret = blob_copy(core, &blobs[i].bytes, fd);
	if (ret) {
		close(fd);
		return ret;
	}
	fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW |
	      F_SEAL_WRITE);
	return fd;
}

static int core_call(struct gtdbg_session *session, unsigned long command,
		     void *argument)
{
	struct core *core = session->core;

	switch (command) {
	case GTDBG_IOC_THREAD_LIST:
		return thread_list(core, argument);
	case GTDBG_IOC_REGISTER_LIST:
		return register_list(core, argument);
	case GTDBG_IOC_REGISTER_READ:
		return register_read(core, argument);
	case GTDBG_IOC_MEMORY_READ:
		return memory_read(core, argument);
	case GTDBG_IOC_MEMORY_LIST:
		return memory_list(core, argument);
	case GTDBG_IOC_SLM_READ:
		return slm_read(core, argument);
	case GTDBG_IOC_BLOB_OPEN:
		return blob_open(core, argument);
	default:
		return -EPERM;
	}
}

/* As many whole records as fit; none is longer than the buffer. */
static int core_events_read(struct gtdbg_session *session, int timeout_ms)
{
	struct core *core = session->core;
	const char *bytes = core->events.items;
	size_t end = core->events_at;
	struct gtdbg_event event;

	(void)timeout_ms;
	while (end < core->events.count) {
		memcpy(&event, bytes + end, sizeof(event));
		if (end + event.len_bytes - core->events_at >
		    sizeof(session->buffer))
			break;
		end += event.len_bytes;
	}
	session->at = 0;
	session->end = end - core->events_at;
	if (session->end)
		memcpy(session->buffer, bytes + core->events_at, session->end);
	core->events_at = end;
	return session->end > 0;
}

static void core_close(struct gtdbg_session *session)
{
	gtdbg_core_file_fini(session->core);
	free(session->core);
}

static const struct session_peer core_peer = {
	.call = core_call,
	.events_read = core_events_read,
	.close = core_close,
};

int gtdbg_core_open(int fd, struct gtdbg_session **out)
{
	struct gtdbg_session *session = calloc(1, sizeof(*session));
	struct core *core = malloc(sizeof(*core));
	int ret = session && core ? gtdbg_core_file_init(core, fd) : -ENOMEM;

	if (ret) {
		free(session);
		free(core);
		return ret;
	}
	session->peer = &core_peer;
	session->core = core;
	session->fd = core->fd;
	*out = session;
	return 0;
}

const char *gtdbg_core_damage(struct gtdbg_session *session, size_t index)
{
	return session->core && index < session->core->damage_count ?
	       session->core->damages[index] : NULL;
}

uint64_t gtdbg_core_absent(struct gtdbg_session *session, uint64_t *mapped_out)
{
	const struct core *core = session->core;

	*mapped_out = core ? core->mapped : 0;
	return core && core->mapped > core->loaded ?
	       core->mapped - core->loaded : 0;
}

int gtdbg_core_buffer_read(struct gtdbg_session *session, size_t index,
			   struct gtdbg_core_buffer *out)
{
	const struct core *core = session->core;
	struct gtdbg_core_buffer buffer;

	if (!core || index >= core->buffers.len / sizeof(buffer))
		return -ENOENT;
	if (gtdbg_core_file_read(core, core->buffers.offset +
				 index * sizeof(buffer), &buffer,
				 sizeof(buffer)))
		return -EIO;
	if ((buffer.kind != GTDBG_CORE_BUFFER_CL &&
	     buffer.kind != GTDBG_CORE_BUFFER_SVM &&
	     buffer.kind != GTDBG_CORE_BUFFER_USM) || !buffer.len_bytes ||
	    buffer.address >= ADDRESS_END ||
	    buffer.len_bytes > ADDRESS_END - buffer.address)
		return -EINVAL;
	*out = buffer;
	return 0;
}

static bool source_is(const struct core *core, const struct core_source *source,
		      const char *path)
{
	char name[CORE_PATH_MAX];

	return strlen(path) == source->path.len &&
	       !gtdbg_core_file_read(core, source->path.offset, name,
				     source->path.len) &&
	       !memcmp(name, path, source->path.len);
}

int gtdbg_core_source_read(struct gtdbg_session *session, const char *path,
			   char **text_out)
{
	const struct core *core = session->core;
	const struct core_source *source = core ? core->sources.items : NULL;
	size_t count = core ? core->sources.count : 0;
	char *text;
	int ret;

	while (count && !source_is(core, source, path)) {
		source++;
		count--;
	}
	if (!count)
		return -ENOENT;
	text = malloc(source->text.len + 1);
	if (!text)
		return -ENOMEM;
	ret = gtdbg_core_file_read(core, source->text.offset, text,
				   source->text.len);
	if (ret) {
		free(text);
		return ret;
	}
	text[source->text.len] = 0;
	*text_out = text;
	return 0;
}
