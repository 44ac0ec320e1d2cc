/* SPDX-License-Identifier: MIT */
/*
 * A client's connection: messages of the Debug Adapter Protocol, both ways. What
 * the program writes, and the tool itself, becomes events of kind "output".
 */
#ifndef GTDBGCTL_CHANNEL_H
#define GTDBGCTL_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_object;

/* The read end of a pipe that the program writes to. */
struct stream {
	int fd;
	const char *category;
	char rest[4];		/* the beginning of a character */
	size_t rest_len;
};

struct channel {
	int in;
	int out;
	bool is_closed;		/* there is no one any more */
	bool is_broken;		/* as what came was no message */
	struct stream streams[2];
	int64_t seq;
	char *bytes;		/* received, and no whole message yet */
	size_t len;
	size_t capacity;
};

/*
 * Takes the descriptors over. From here on standard output and error of this
 * process, and of what it starts, are the channel's; so are stdout and stderr.
 */
int channel_init(struct channel *channel, int in, int out);
void channel_fini(struct channel *channel);

/* Takes the message over. */
void channel_send(struct channel *channel, struct json_object *message);
void channel_event(struct channel *channel, const char *name,
		   struct json_object *body);
void channel_output(struct channel *channel, const char *category,
		    const char *bytes, size_t len);

/*
 * Waits until a descriptor is readable (-1: none) or the client or the program
 * has something to say, which is taken. True if it was one of these.
 */
bool channel_poll(struct channel *channel, int fd, int timeout_ms);
/* What the program has written by now. */
void channel_drain(struct channel *channel);
/* The next message; NULL if there is none that is whole. */
struct json_object *channel_next(struct channel *channel);

/* What is printed in between, as text that the caller frees. */
struct capture {
	FILE **stream;
	FILE *saved;
	FILE *file;
	char *text;
	size_t len;
};

void capture_begin(struct capture *capture, FILE **stream);
char *capture_end(struct capture *capture);

#endif
