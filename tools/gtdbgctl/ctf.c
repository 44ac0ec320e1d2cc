// SPDX-License-Identifier: MIT
#include "ctf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000ull
#define MAGIC 0xc1fc1fc1
#define EVENT_HEADER_BYTES 10

/* Offsets in a packet of what is known last. */
#define AT_BEGIN 32
#define AT_END 40
#define AT_CONTENT 48
#define AT_DISCARDED 72

struct ctf_stream {
	struct ctf_stream *next;
	char file[32];
	uint32_t class, instance;
	bool has_discarded;
	uint64_t sequence;	/* of its packets */
	uint64_t last_ns;	/* of its last event */
	uint64_t discarded, written_discarded;
	size_t len;		/* of the packet, 0: none is begun */
	uint8_t packet[CTF_PACKET_BYTES];
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void uuid_text(const uint8_t uuid[16], char out[37])
{
	int i;

	for (i = 0; i < 16; i++)
		out += sprintf(out, "%s%02x", i > 2 && i < 11 && !(i % 2) ?
			       "-" : "", uuid[i]);
}

/* Two traces of one boot have the same clock. */
static void boot_text(char out[37])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");

	*out = 0;
	if (file && !fgets(out, 37, file))
		*out = 0;
	if (file)
		fclose(file);
}

static void put_types(FILE *to)
{
	static const struct {
		const char *name, *rest;
	} types[] = {
		{ "u8", "size = 8" },
		{ "u16", "size = 16" },
		{ "u32", "size = 32" },
		{ "x32", "size = 32; base = 16" },
		{ "i32", "size = 32; signed = true" },
		{ "u64", "size = 64" },
		{ "x64", "size = 64; base = 16" },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		fprintf(to, "typealias integer { align = 8; %s; } := %s;\n",
			types[i].rest, types[i].name);
}

static void put_clock(FILE *to)
{
	uint64_t before = clock_ns(CLOCK_MONOTONIC);
	uint64_t real = clock_ns(CLOCK_REALTIME);
	uint64_t after = clock_ns(CLOCK_MONOTONIC);
	char boot[37];

	boot_text(boot);
	fprintf(to, "\nclock {\n\tname = \"monotonic\";\n");
	if (*boot)
		fprintf(to, "\tuuid = \"%s\";\n", boot);
	fprintf(to, "\tdescription = \"CLOCK_MONOTONIC\";\n\tfreq = %llu;\n",
		NS_PER_S);
	fprintf(to, "\toffset = %llu;\n};\n\n", (unsigned long long)
		(real - before - (after - before) / 2));
	fputs("typealias integer { align = 8; size = 64; "
	      "map = clock.monotonic.value; } := ns;\n", to);
}

static void put_environment(FILE *to, const char *version)
{
	struct utsname name;

	fprintf(to, "\nenv {\n\ttracer_name = \"gtdbgctl\";\n");
	fprintf(to, "\ttracer_version = \"%s\";\n", version);
	if (!uname(&name) && !strpbrk(name.nodename, "\"\\\n")) {
		fprintf(to, "\thostname = \"%s\";\n", name.nodename);
		fprintf(to, "\tkernel_release = \"%s\";\n", name.release);
	}
	fputs("};\n", to);
}

static void put_trace(FILE *to, const uint8_t uuid[16])
{
	char text[37];

	uuid_text(uuid, text);
	fprintf(to, "\ntrace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"%s\";\n",
		text);
	fputs("\tbyte_order = le;\n"
	      "\tpacket.header := struct {\n"
	      "\t\tu32 magic;\n\t\tu8 uuid[16];\n"
	      "\t\tu32 stream_id;\n\t\tu64 stream_instance_id;\n\t};\n};\n", to);
}

/*
 * What it is made in may be anybody's, who may put another one in its place: it is one
 * of ours that nobody else has anything in.
 */
static int folder_create(const char *name)
{
	struct stat stat;
	int fd, ret = 0;

	if (mkdir(name, 0700))
		return -errno;
	fd = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &stat))
		ret = -errno;
	else if (stat.st_uid != geteuid() || stat.st_mode & 077)
		ret = -EEXIST;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

int ctf_init(struct ctf *ctf, const char *folder, const char *version)
{
	*ctf = (struct ctf){ .folder = folder_create(folder) };
	if (ctf->folder < 0)
		return ctf->folder;
	ctf->metadata = open_memstream(&ctf->text, &ctf->text_bytes);
	if (!ctf->metadata) {
		ctf_fini(ctf);
		return -ENOMEM;
	}
	if (getrandom(ctf->uuid, sizeof(ctf->uuid), 0) < 0)
		memcpy(ctf->uuid, &(uint64_t){ clock_ns(CLOCK_REALTIME) }, 8);
	ctf->uuid[6] = (ctf->uuid[6] & 0x0f) | 0x40;
	ctf->uuid[8] = (ctf->uuid[8] & 0x3f) | 0x80;
	fputs("/* CTF 1.8 */\n\n", ctf->metadata);
	put_types(ctf->metadata);
	put_trace(ctf->metadata, ctf->uuid);
	put_environment(ctf->metadata, version);
	put_clock(ctf->metadata);
	return 0;
}

void ctf_fini(struct ctf *ctf)
{
	struct ctf_stream *next;

	for (; ctf->streams; ctf->streams = next) {
		next = ctf->streams->next;
		free(ctf->streams);
	}
	if (ctf->metadata)
		fclose(ctf->metadata);
	free(ctf->text);
	if (ctf->folder >= 0)
		close(ctf->folder);
}

void ctf_class(struct ctf *ctf, const struct ctf_class *class)
{
	fprintf(ctf->metadata, "\nstream {\n\tid = %u;\n"
		"\tevent.header := struct {\n"
		"\t\tu16 id;\n\t\tns timestamp;\n\t};\n"
		"\tpacket.context := struct {\n"
		"\t\tns timestamp_begin;\n\t\tns timestamp_end;\n"
		"\t\tu64 content_size;\n\t\tu64 packet_size;\n"
		"\t\tu64 packet_seq_num;\n%s\t};\n",
		class->id,
		class->has_discarded ? "\t\tu64 events_discarded;\n" : "");
	if (class->context)
		fprintf(ctf->metadata, "\tevent.context := struct { %s };\n",
			class->context);
	fputs("};\n", ctf->metadata);
}

void ctf_class_event(struct ctf *ctf, const struct ctf_class *class, uint32_t id,
		     const char *name, const char *fields)
{
	fprintf(ctf->metadata, "\nevent {\n\tname = \"%s\";\n\tid = %u;\n"
		"\tstream_id = %u;\n\tfields := struct { %s };\n};\n",
		name, id, class->id, fields);
}

/* At the end of a file of the folder: all of it, or nothing. */
static int file_append(const struct ctf *ctf, const char *file, const void *bytes,
		       size_t len)
{
	int fd = openat(ctf->folder, file, O_WRONLY | O_CREAT | O_APPEND |
			O_CLOEXEC | O_NOFOLLOW, 0600);
	off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	ssize_t written = end < 0 ? -1 : write(fd, bytes, len);
	int ret = 0;

	if (written != (ssize_t)len)
		ret = written < 0 ? -errno : -ENOSPC;
	/* What was there before remains readable. */
	if (written > 0 && ret && ftruncate(fd, end))
		ret = -errno;
	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	return ret;
}

int ctf_metadata_end(struct ctf *ctf)
{
	bool is_bad = fclose(ctf->metadata) || !ctf->text;

	ctf->metadata = NULL;
	ctf->error = is_bad ? -ENOMEM : file_append(ctf, "metadata", ctf->text,
						    ctf->text_bytes);
	return ctf->error;
}

struct ctf_stream *ctf_stream(struct ctf *ctf, const struct ctf_class *class,
			      uint32_t instance, const char *file)
{
	struct ctf_stream *stream = ctf->streams;

	while (stream && (stream->class != class->id ||
			  stream->instance != instance))
		stream = stream->next;
	if (stream)
		return stream;
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return NULL;
	snprintf(stream->file, sizeof(stream->file), "%s", file);
	stream->class = class->id;
	stream->instance = instance;
	stream->has_discarded = class->has_discarded;
	stream->next = ctf->streams;
	ctf->streams = stream;
	return stream;
}

static void fields_put(struct ctf_fields *fields, const void *bytes, size_t len)
{
	if (len > sizeof(fields->bytes) - fields->len)
		return;
	memcpy(fields->bytes + fields->len, bytes, len);
	fields->len += len;
}

void ctf_put32(struct ctf_fields *fields, uint32_t value)
{
	fields_put(fields, &value, sizeof(value));
}

void ctf_put64(struct ctf_fields *fields, uint64_t value)
{
	fields_put(fields, &value, sizeof(value));
}

void ctf_put_text(struct ctf_fields *fields, const char *text)
{
	fields_put(fields, text, strlen(text) + 1);
}

static void put_at(struct ctf_stream *stream, size_t at, const void *bytes,
		   size_t len)
{
	memcpy(stream->packet + at, bytes, len);
}

static void put64_at(struct ctf_stream *stream, size_t at, uint64_t value)
{
	put_at(stream, at, &value, sizeof(value));
}

static void packet_begin(struct ctf *ctf, struct ctf_stream *stream,
			 uint64_t time_ns)
{
	memset(stream->packet, 0, sizeof(stream->packet));
	put_at(stream, 0, &(uint32_t){ MAGIC }, 4);
	put_at(stream, 4, ctf->uuid, 16);
	put_at(stream, 20, &stream->class, 4);
	put64_at(stream, 24, stream->instance);
	put64_at(stream, AT_BEGIN, time_ns);
	put64_at(stream, AT_CONTENT + 8, 8 * CTF_PACKET_BYTES);
	put64_at(stream, AT_CONTENT + 16, stream->sequence);
	stream->last_ns = time_ns;
	stream->len = AT_DISCARDED + (stream->has_discarded ? 8 : 0);
}

static void packet_end(struct ctf *ctf, struct ctf_stream *stream)
{
	put64_at(stream, AT_END, stream->last_ns);
	put64_at(stream, AT_CONTENT, 8 * stream->len);
	if (stream->has_discarded)
		put64_at(stream, AT_DISCARDED, stream->discarded);
	stream->written_discarded = stream->discarded;
	stream->len = 0;
	stream->sequence++;
	if (!ctf->error)
		ctf->error = file_append(ctf, stream->file, stream->packet,
					 CTF_PACKET_BYTES);
}

uint64_t ctf_last_ns(const struct ctf_stream *stream)
{
	return stream->last_ns;
}

void ctf_event(struct ctf *ctf, struct ctf_stream *stream, uint32_t id,
	       uint64_t time_ns, const struct ctf_fields *fields)
{
	size_t len = EVENT_HEADER_BYTES + fields->len;

	if (time_ns < stream->last_ns)
		time_ns = stream->last_ns;
	if (stream->len && stream->len + len > CTF_PACKET_BYTES)
		packet_end(ctf, stream);
	if (!stream->len)
		packet_begin(ctf, stream, time_ns);
	put_at(stream, stream->len, &(uint16_t){ (uint16_t)id }, 2);
	put64_at(stream, stream->len + 2, time_ns);
	put_at(stream, stream->len + EVENT_HEADER_BYTES, fields->bytes,
	       fields->len);
	stream->len += len;
	stream->last_ns = time_ns;
}

void ctf_discard(struct ctf *ctf, struct ctf_stream *stream, uint64_t count,
		 uint64_t time_ns)
{
	stream->discarded = count;
	/* A packet says it, if there is an event for it or not. */
	if (!stream->len && (count != stream->written_discarded ||
			     !stream->sequence))
		packet_begin(ctf, stream, time_ns > stream->last_ns ?
			     time_ns : stream->last_ns);
}

int ctf_flush(struct ctf *ctf)
{
	struct ctf_stream *stream = ctf->streams;

	for (; stream; stream = stream->next)
		if (stream->len)
			packet_end(ctf, stream);
	return ctf->error;
}
