// SPDX-License-Identifier: MIT
#include "wire.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/*
 * Only a server that hangs takes that long. One that counts commands to find a
 * loop needs 7 s of a CPU under ThreadSanitizer, and may get a tenth of one.
 */
#define DEADLINE_S 300

static size_t put_header(uint8_t *out, uint32_t type, uint32_t trans_id,
			 const uint32_t *body, uint32_t dwords)
{
	const uint32_t header[3] = { type, trans_id, 4 * dwords };

	memcpy(out, header, 12);
	memcpy(out + 12, body, 4 * dwords);
	return 12 + 4 * dwords;
}

size_t wire_mmio(uint8_t *out, uint32_t trans_id, bool write, uint32_t reg,
		 uint32_t value)
{
	const uint32_t body[3] = { write ? 9 : 8, reg, value };

	return put_header(out, 0, trans_id, body, 3);
}

size_t wire_gtt(uint8_t *out, uint32_t trans_id, uint32_t index,
		uint64_t entry)
{
	const uint32_t body[4] = { 1, index, entry, entry >> 32 };

	return put_header(out, 2, trans_id, body, 4);
}

size_t wire_write(uint8_t *out, uint32_t trans_id, uint64_t phys,
		  const void *data, uint32_t len_bytes)
{
	const uint32_t body[3] = { phys >> 32 << 24, phys, len_bytes };
	size_t len = put_header(out, 4, trans_id, body, 3);

	memcpy(out + len, data, len_bytes);
	return len + len_bytes;
}

size_t wire_read(uint8_t *out, uint32_t trans_id, uint64_t phys,
		 uint32_t len_bytes)
{
	const uint32_t body[3] = { phys >> 32 << 24, phys, len_bytes };

	return put_header(out, 5, trans_id, body, 3);
}

size_t wire_control(uint8_t *out, uint32_t trans_id)
{
	const uint32_t body = 0x00320002;

	return put_header(out, 11, trans_id, &body, 1);
}

int wire_open(struct wire *wire, uint16_t port)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	uint8_t message[32];

	memset(wire, 0, sizeof(*wire));
	wire->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (wire->socket < 0 ||
	    connect(wire->socket, (struct sockaddr *)&sin, sizeof(sin)))
		return -1;
	wire_send(wire, message, wire_control(message, wire->trans_id++));
	return 0;
}

void wire_close(struct wire *wire)
{
	close(wire->socket);
}

bool wire_send(struct wire *wire, const void *bytes, size_t len_bytes)
{
	const uint8_t *at = bytes;
	ssize_t sent;

	while (len_bytes) {
		sent = send(wire->socket, at, len_bytes, MSG_NOSIGNAL);
		if (sent <= 0)
			return false;
		at += sent;
		len_bytes -= sent;
	}
	return true;
}

/* Receive all of @len_bytes, or false: end of stream or deadline. */
static bool receive(struct wire *wire, uint8_t *to, size_t len_bytes)
{
	struct pollfd wait = { .fd = wire->socket, .events = POLLIN };
	ssize_t got;

	while (len_bytes) {
		if (poll(&wait, 1, DEADLINE_S * 1000) != 1)
			return false;
		got = recv(wire->socket, to, len_bytes, 0);
		if (got <= 0)
			return false;
		to += got;
		len_bytes -= got;
	}
	return true;
}

bool wire_closed(struct wire *wire)
{
	struct pollfd wait = { .fd = wire->socket, .events = POLLIN };
	uint8_t byte[256];

	while (poll(&wait, 1, DEADLINE_S * 1000) == 1)
		if (recv(wire->socket, byte, sizeof(byte), 0) <= 0)
			return true;
	return false;
}

bool wire_put(struct wire *wire, uint64_t phys, const void *data,
	      uint32_t len_bytes)
{
	uint8_t message[WIRE_MESSAGE_MAX];

	return wire_send(wire, message,
			 wire_write(message, wire->trans_id++, phys, data,
				    len_bytes));
}

bool wire_get(struct wire *wire, uint64_t phys, void *data, uint32_t len_bytes)
{
	uint8_t message[32];
	uint32_t header[6];

	if (!wire_send(wire, message, wire_read(message, wire->trans_id, phys,
						len_bytes)) ||
	    !receive(wire, (uint8_t *)header, sizeof(header)))
		return false;
	return header[0] == 6 && header[1] == wire->trans_id++ &&
	       receive(wire, data, len_bytes);
}

bool wire_reg_write(struct wire *wire, uint32_t reg, uint32_t value)
{
	uint8_t message[32];

	return wire_send(wire, message, wire_mmio(message, wire->trans_id++,
						  true, reg, value));
}

bool wire_reg_read(struct wire *wire, uint32_t reg, uint32_t *value)
{
	uint8_t message[32];
	uint32_t response[4];

	if (!wire_send(wire, message, wire_mmio(message, wire->trans_id, false,
						reg, 0)) ||
	    !receive(wire, (uint8_t *)response, sizeof(response)))
		return false;
	*value = response[3];
	return response[0] == 1 && response[1] == wire->trans_id++;
}

static void put_entry(struct wire *wire, uint64_t at, uint64_t target)
{
	uint64_t entry = target | 3;

	wire_put(wire, at, &entry, 8);
}

void wire_map(struct wire *wire, uint64_t va, uint64_t phys)
{
	put_entry(wire, 0x20000000 + (va >> 39) * 8,
		  0x40000000 + (va >> 39) * 4096);
	put_entry(wire, 0x40000000 + (va >> 30) * 8,
		  0x80000000 + (va >> 30) * 4096);
	put_entry(wire, 0x80000000 + (va >> 21) * 8,
		  0x100000000 + (va >> 21) * 4096);
	put_entry(wire, 0x100000000 + (va >> 12) * 8, phys);
}

void wire_start(struct wire *wire)
{
	static const uint32_t context[] = {
		1, 0x1100101b, 0x2244, 0x10001, 0x2034, 0, 0x2030, 0, 0x2038,
		0x2000, 0x203c, 0x3001,
	};
	static const uint32_t pointers[] = { 0x2274, 0, 0x2270, 0x20000000 };
	uint32_t image[1024], i;
	uint8_t message[32];

	for (i = 1; i <= 0x16; i++)
		wire_send(wire, message, wire_gtt(message, wire->trans_id++, i,
						  i * 4096ULL | 1));
	for (i = 0; i < 1024; i++)
		image[i] = 1;
	memcpy(image, context, sizeof(context));
	for (i = 0x0c; i < 0x1e; i += 2) {
		image[i] = 0x2244;
		image[i + 1] = 0x10001;
	}
	image[0x21] = 0x11001011;
	for (i = 0x22; i < 0x30; i += 2) {
		image[i] = 0x228c;
		image[i + 1] = 0;
	}
	memcpy(image + 0x30, pointers, sizeof(pointers));
	wire_put(wire, 0x7000, image, sizeof(image));
	wire_map(wire, WIRE_TAG_VA, WIRE_TAG_PHYS);
	for (i = 0; i < 4; i++)
		wire_map(wire, WIRE_BATCH_VA + 4096 * i,
			 WIRE_BATCH_PHYS + 4096 * i);
	wire->tail = 0;
}

void wire_submit(struct wire *wire, uint64_t va)
{
	const uint32_t ring[4] = { 0x18800101, va, va >> 32, 0 };

	wire_put(wire, 0x2000 + wire->tail, ring, sizeof(ring));
	wire->tail += sizeof(ring);
	wire_put(wire, 0x701c, &wire->tail, 4);
	wire_reg_write(wire, 0x2510, 0x6119);
	wire_reg_write(wire, 0x2514, 0);
	wire_reg_write(wire, 0x2550, 1);
}

void wire_batch(struct wire *wire, uint32_t dword, const uint32_t *commands,
		uint32_t count)
{
	wire_put(wire, WIRE_BATCH_PHYS + 4 * dword, commands, 4 * count);
}

bool wire_wait_tag(struct wire *wire, uint32_t tag)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	uint32_t page[1024], i;

	for (i = 0; i < DEADLINE_S * 500; i++) {
		if (!wire_get(wire, WIRE_TAG_PHYS, page, sizeof(page)))
			return false;
		if (page[0] == tag)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

bool wire_ping(struct wire *wire, uint32_t tag)
{
	const uint32_t commands[] = {
		0x7a000004, 0x00104020, (uint32_t)WIRE_TAG_VA,
		WIRE_TAG_VA >> 32, tag, 0, 0x05000000,
	};

	wire_batch(wire, 0, commands, 7);
	wire_submit(wire, WIRE_BATCH_VA);
	return wire_wait_tag(wire, tag);
}
