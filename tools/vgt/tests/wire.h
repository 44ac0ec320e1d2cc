/* SPDX-License-Identifier: MIT */
/*
 * The runtime's side of the wire, made by hand: messages as bytes, and a
 * client that sets up rings, page tables and batch buffers as the runtime
 * does, so that tests can also do what the runtime never would.
 */
#ifndef VGT_TESTS_WIRE_H
#define VGT_TESTS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_MESSAGE_MAX 8192

/* GPU addresses that wire_start() maps, and where they lie. */
#define WIRE_TAG_VA 0x7f0000001000ULL
#define WIRE_TAG_PHYS 0x30000U
#define WIRE_BATCH_VA 0x7f0000010000ULL /* four pages */
#define WIRE_BATCH_PHYS 0x40000U

/* Messages. Each returns its length. */
size_t wire_mmio(uint8_t *out, uint32_t trans_id, bool write, uint32_t reg,
		 uint32_t value);
size_t wire_gtt(uint8_t *out, uint32_t trans_id, uint32_t index,
		uint64_t entry);
size_t wire_write(uint8_t *out, uint32_t trans_id, uint64_t phys,
		  const void *data, uint32_t len_bytes);
size_t wire_read(uint8_t *out, uint32_t trans_id, uint64_t phys,
		 uint32_t len_bytes);
size_t wire_control(uint8_t *out, uint32_t trans_id);

struct wire {
	int socket;
	uint32_t trans_id;
	uint32_t tail; /* of the ring */
};

/* Connect to a server on this machine; -1 if that fails. */
int wire_open(struct wire *wire, uint16_t port);
void wire_close(struct wire *wire);
/* False once the server has closed the connection. */
bool wire_send(struct wire *wire, const void *bytes, size_t len_bytes);
/* True if the server closes the connection within some seconds. */
bool wire_closed(struct wire *wire);

bool wire_put(struct wire *wire, uint64_t phys, const void *data,
	      uint32_t len_bytes);
bool wire_get(struct wire *wire, uint64_t phys, void *data,
	      uint32_t len_bytes);
bool wire_reg_write(struct wire *wire, uint32_t reg, uint32_t value);
bool wire_reg_read(struct wire *wire, uint32_t reg, uint32_t *value);

/* GGTT, context image, and the pages of tag and batch buffers. */
void wire_start(struct wire *wire);
void wire_map(struct wire *wire, uint64_t va, uint64_t phys);
/* Make the ring call the batch buffer at @va. */
void wire_submit(struct wire *wire, uint64_t va);
/* Put dwords into the batch buffers, at @dword from their start. */
void wire_batch(struct wire *wire, uint32_t dword, const uint32_t *commands,
		uint32_t count);
/* A batch buffer that only writes @tag; then wait for it. */
bool wire_ping(struct wire *wire, uint32_t tag);
bool wire_wait_tag(struct wire *wire, uint32_t tag);

#endif
