/* SPDX-License-Identifier: MIT */
/*
 * The Common Trace Format 1.8, as LTTng lays it out: a folder with a file of text,
 * "metadata", which says how the other files, the streams, are to be read. A stream is
 * a sequence of packets, in which the times of events do not go back.
 *
 * A packet is a page, at a multiple of its size: the kernel takes a write page by page,
 * so whatever ends the writer, there is all of a packet or nothing. No file stays open,
 * as there may be thousands.
 *
 * Written by hand: libbabeltrace2 writes the metadata at the end, which a crash leaves
 * out, and what barectf generates has the clock's offset in it when it is built.
 */
#ifndef GTDBGCTL_CTF_H
#define GTDBGCTL_CTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CTF_PACKET_BYTES 4096
#define CTF_EVENT_BYTES 352 /* at most, without its header: what a thread wrote */

struct ctf_stream;

struct ctf {
	int folder;	/* its descriptor */
	FILE *metadata;	/* in memory; NULL: it is written */
	char *text;
	size_t text_bytes;
	uint8_t uuid[16];
	struct ctf_stream *streams;
	int error;	/* the first one in writing, negative */
};

/*
 * Makes the folder, its owner's only, and begins the metadata; -EEXIST if there is
 * something of that name. Times are CLOCK_MONOTONIC.
 */
int ctf_init(struct ctf *ctf, const char *folder, const char *version);
void ctf_fini(struct ctf *ctf);

/*
 * The metadata, before there is a stream: classes of streams and of their events.
 * Fields are what stands between "struct {" and "}", in integers named u32, x32, u64,
 * x64 and i32, x being hexadecimal, and strings.
 */
struct ctf_class {
	uint32_t id;
	bool has_discarded;	/* packets say how many events were not recorded */
	const char *context;	/* fields of every event, NULL: none */
};

void ctf_class(struct ctf *ctf, const struct ctf_class *class);
void ctf_class_event(struct ctf *ctf, const struct ctf_class *class, uint32_t id,
		     const char *name, const char *fields);
int ctf_metadata_end(struct ctf *ctf);

/* The stream of that class and instance, made if it is new; NULL: no memory. */
struct ctf_stream *ctf_stream(struct ctf *ctf, const struct ctf_class *class,
			      uint32_t instance, const char *file);

/* What an event carries, its context first, and no more than there is room for. */
struct ctf_fields {
	size_t len;
	uint8_t bytes[CTF_EVENT_BYTES];
};

void ctf_put32(struct ctf_fields *fields, uint32_t value);
void ctf_put64(struct ctf_fields *fields, uint64_t value);
void ctf_put_text(struct ctf_fields *fields, const char *text);

/* The time of its last event. */
uint64_t ctf_last_ns(const struct ctf_stream *stream);

/* A time before that of the stream's last event becomes that. */
void ctf_event(struct ctf *ctf, struct ctf_stream *stream, uint32_t id,
	       uint64_t time_ns, const struct ctf_fields *fields);

/* So many events, in all, were not recorded until @time_ns. */
void ctf_discard(struct ctf *ctf, struct ctf_stream *stream, uint64_t count,
		 uint64_t time_ns);

/* Now it is all in the files: 0, or a negative errno if it is not. */
int ctf_flush(struct ctf *ctf);

#endif
