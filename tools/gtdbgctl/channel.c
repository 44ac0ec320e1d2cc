// SPDX-License-Identifier: MIT
#include "channel.h"

#include "field.h"
#include "wait.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD_MAX	4096
#define MESSAGE_MAX	(16u << 20)
#define CHUNK		65536
#define REST_CHUNKS	64	/* of who has gone */
#define NESTING_MAX	64
#define DRAIN_READS	32	/* more than any pipe holds */
#define SIGNAL_MS	200	/* until one is seen that came just before a wait */

/* The tool's own words, as glibc's streams hand them on. */
static ssize_t console_write(void *cookie, const char *bytes, size_t len)
{
	channel_output(cookie, "console", bytes, len);
	return len;
}

static ssize_t error_write(void *cookie, const char *bytes, size_t len)
{
	channel_output(cookie, "stderr", bytes, len);
	return len;
}

static FILE *words_open(struct channel *channel, cookie_write_function_t *write)
{
	FILE *file = fopencookie(channel, "w",
				 (cookie_io_functions_t){ .write = write });

	if (file)
		setvbuf(file, NULL, _IOLBF, BUFSIZ);
	return file;
}

/* @fd becomes a pipe's end to write to. */
static int stream_init(struct stream *stream, int fd, const char *category)
{
	int ends[2], ret = 0;

	stream->fd = -1;
	stream->category = category;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	if (dup2(ends[1], fd) < 0)
		ret = -errno;
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	stream->fd = ends[0];
	return ret;
}

int channel_init(struct channel *channel, int in, int out)
{
	FILE *console, *error;
	int ret;

	*channel = (struct channel){ .in = in, .out = out };
	fflush(stdout);
	ret = stream_init(&channel->streams[0], STDOUT_FILENO, "stdout");
	if (!ret)
		ret = stream_init(&channel->streams[1], STDERR_FILENO,
				  "stderr");
	if (ret)
		return ret;
	console = words_open(channel, console_write);
	error = words_open(channel, error_write);
	if (!console || !error)
		return -ENOMEM;
	stdout = console;
	stderr = error;
	return 0;
}

void channel_fini(struct channel *channel)
{
	fflush(stdout);
	fflush(stderr);
	channel->is_closed = true;
	close(channel->in);
	if (channel->out != channel->in)
		close(channel->out);
	free(channel->bytes);
	channel->bytes = NULL;
}

static void receive(struct channel *channel)
{
	size_t wanted = channel->len + CHUNK;
	ssize_t ret;
	char *bytes;

	if (channel->capacity < wanted) {
		bytes = realloc(channel->bytes, wanted);
		if (!bytes) {
			channel->is_closed = true;
			return;
		}
		channel->bytes = bytes;
		channel->capacity = wanted;
	}
	ret = read(channel->in, channel->bytes + channel->len, CHUNK);
	if (ret > 0)
		channel->len += ret;
	else if (!ret || errno != EINTR)
		channel->is_closed = true;
}

/* What was sent before who sent it has gone. */
static void rest_receive(struct channel *channel)
{
	struct pollfd rest = { .fd = channel->in, .events = POLLIN };
	int i;

	for (i = 0; i < REST_CHUNKS && !channel->is_closed &&
	     poll(&rest, 1, 0) > 0; i++)
		receive(channel);
	channel->is_closed = true;
}

/* An editor that does not read keeps nobody from ending the tool. */
static void write_all(struct channel *channel, const char *bytes, size_t len)
{
	struct pollfd room = { .fd = channel->out, .events = POLLOUT };

	while (len && !channel->is_closed) {
		/* What there is room for does not wait. */
		size_t part = len < PIPE_BUF ? len : PIPE_BUF;
		ssize_t ret;

		if (poll(&room, 1, SIGNAL_MS) <= 0) {
			channel->is_closed = wait_is_ended;
			continue;
		}
		ret = write(channel->out, bytes, part);
		if (ret < 0 && errno != EINTR && errno != EAGAIN)
			rest_receive(channel);
		if (ret > 0) {
			bytes += ret;
			len -= ret;
		}
	}
}

void channel_send(struct channel *channel, struct json_object *message)
{
	const char *text;
	char head[64];
	size_t len;

	field_add_number(message, "seq", ++channel->seq);
	text = json_object_to_json_string_length(message,
			JSON_C_TO_STRING_PLAIN |
			JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	snprintf(head, sizeof(head), "Content-Length: %zu\r\n\r\n", len);
	write_all(channel, head, strlen(head));
	write_all(channel, text, len);
	json_object_put(message);
}

void channel_event(struct channel *channel, const char *name,
		   struct json_object *body)
{
	struct json_object *message = json_object_new_object();

	field_add_text(message, "type", "event");
	field_add_text(message, "event", name);
	if (body)
		json_object_object_add(message, "body", body);
	channel_send(channel, message);
}

void channel_output(struct channel *channel, const char *category,
		    const char *bytes, size_t len)
{
	struct json_object *body;

	if (!len || channel->is_closed)
		return;
	body = json_object_new_object();
	field_add_text(body, "category", category);
	field_add_bytes(body, "output", bytes, len);
	channel_event(channel, "output", body);
}

/* Characters that are whole; the rest waits for more. False: nothing is there. */
static bool stream_read(struct channel *channel, struct stream *stream)
{
	char bytes[CHUNK];
	size_t len = stream->rest_len;
	ssize_t ret;

	memcpy(bytes, stream->rest, len);
	ret = read(stream->fd, bytes + len, sizeof(bytes) - len);
	if (ret <= 0)
		return false;
	len += ret;
	stream->rest_len = text_incomplete(bytes, len);
	len -= stream->rest_len;
	memcpy(stream->rest, bytes + len, stream->rest_len);
	channel_output(channel, stream->category, bytes, len);
	return true;
}

void channel_drain(struct channel *channel)
{
	size_t i, reads;

	/* Whoever has the other end may write for ever. */
	for (i = 0; i < 2; i++) {
		for (reads = 0; reads < DRAIN_READS &&
		     stream_read(channel, &channel->streams[i]); reads++)
			;
	}
}

bool channel_poll(struct channel *channel, int fd, int timeout_ms)
{
	struct pollfd wait[4] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = channel->is_closed ? -1 : channel->in,
		  .events = POLLIN },
		{ .fd = channel->streams[0].fd, .events = POLLIN },
		{ .fd = channel->streams[1].fd, .events = POLLIN },
	};
	int ret = poll(wait, 4, timeout_ms);

	if (ret <= 0)
		return ret < 0;
	if (wait[1].revents)
		receive(channel);
	if (wait[2].revents)
		stream_read(channel, &channel->streams[0]);
	if (wait[3].revents)
		stream_read(channel, &channel->streams[1]);
	return wait[1].revents || wait[2].revents || wait[3].revents;
}

/* Where messages begin is not known any more. */
static struct json_object *stream_broken(struct channel *channel,
					 const char *why)
{
	fprintf(stderr, "gtdbgctl: dap: %s\n", why);
	channel->is_closed = true;
	channel->is_broken = true;
	return NULL;
}

/* Of a head, which ends with a NUL; -1 if it has none that is right. */
static long content_length(const char *head)
{
	static const char name[] = "Content-Length:";
	const char *line = head;
	char *end;
	long len;

	while (line) {
		if (strncasecmp(line, name, sizeof(name) - 1) == 0) {
			line += sizeof(name) - 1;
			line += strspn(line, " \t");
			len = *line >= '0' && *line <= '9' ?
			      strtol(line, &end, 10) : -1;
			return len >= 0 && len <= MESSAGE_MAX &&
			       (!*end || *end == '\r') ? len : -1;
		}
		line = strstr(line, "\r\n");
		line += line ? 2 : 0;
	}
	return -1;
}

static struct json_object *message_parse(const char *bytes, size_t len)
{
	struct json_tokener *tokener = json_tokener_new_ex(NESTING_MAX);
	struct json_object *message;

	if (!tokener)
		return NULL;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT |
			       JSON_TOKENER_VALIDATE_UTF8);
	message = json_tokener_parse_ex(tokener, bytes, (int)len);
	if (message && json_tokener_get_parse_end(tokener) != len) {
		json_object_put(message);
		message = NULL;
	}
	if (!message)
		fprintf(stderr, "gtdbgctl: dap: a message is no JSON: %s\n",
			json_tokener_error_desc(json_tokener_get_error(tokener)));
	json_tokener_free(tokener);
	return message;
}

struct json_object *channel_next(struct channel *channel)
{
	struct json_object *message = NULL;
	size_t head_len, whole;
	char *end;
	long len;

	while (!message && !channel->is_broken && channel->len) {
		end = memmem(channel->bytes, channel->len, "\r\n\r\n", 4);
		if (!end)
			return channel->len <= HEAD_MAX ? NULL :
			       stream_broken(channel, "a message's head does not end");
		*end = 0;
		head_len = end - channel->bytes + 4;
		len = head_len > HEAD_MAX ? -1 :
		      content_length(channel->bytes);
		if (len < 0)
			return stream_broken(channel, "a message's head has no length that can be used");
		*end = '\r';
		whole = head_len + len;
		if (channel->len < whole)
			return NULL;
		message = message_parse(channel->bytes + head_len, len);
		channel->len -= whole;
		memmove(channel->bytes, channel->bytes + whole, channel->len);
	}
	return message;
}

void capture_begin(struct capture *capture, FILE **stream)
{
	capture->stream = stream;
	capture->saved = *stream;
	capture->text = NULL;
	fflush(*stream);
	capture->file = open_memstream(&capture->text, &capture->len);
	if (capture->file)
		*stream = capture->file;
}

char *capture_end(struct capture *capture)
{
	*capture->stream = capture->saved;
	if (capture->file)
		fclose(capture->file);
	return capture->text;
}
