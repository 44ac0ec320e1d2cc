/* SPDX-License-Identifier: MIT */
/*
 * What QEMU's x-pci-proxy-dev says over its socket: a head, a payload whose size the
 * command decides, and descriptors. The other end is not believed: a message is
 * whole and of the right size, or none.
 */
#ifndef VGT_PCI_PROXY_H
#define VGT_PCI_PROXY_H

#include <stdbool.h>
#include <stdint.h>

#define VGT_PROXY_REGIONS 8

enum vgt_proxy_command {
	VGT_PROXY_SYNC_SYSMEM = 0, /* the machine's memory changed */
	VGT_PROXY_RET = 1, /* an answer */
	VGT_PROXY_CONFIG_WRITE = 2,
	VGT_PROXY_CONFIG_READ = 3,
	VGT_PROXY_BAR_WRITE = 4,
	VGT_PROXY_BAR_READ = 5,
	VGT_PROXY_SET_IRQFD = 6, /* for KVM: of no use here */
	VGT_PROXY_DEVICE_RESET = 7,
};

struct vgt_proxy_sysmem {
	uint64_t phys[VGT_PROXY_REGIONS];
	uint64_t len_bytes[VGT_PROXY_REGIONS];
	uint64_t offset[VGT_PROXY_REGIONS]; /* in the descriptor's file */
};

struct vgt_proxy_config {
	uint32_t offset, value;
	int32_t len_bytes;
};

struct vgt_proxy_bar {
	uint64_t address; /* of the machine */
	uint64_t value;
	uint32_t len_bytes;
	uint8_t memory; /* else: an I/O port */
	uint8_t reserved[3];
};

struct vgt_proxy_message {
	enum vgt_proxy_command command;
	union {
		struct vgt_proxy_sysmem sysmem;
		struct vgt_proxy_config config;
		struct vgt_proxy_bar bar;
	};
	int fd[VGT_PROXY_REGIONS];
	uint32_t fds;
};

/*
 * The next message. Returns 1, 0 if the other end has closed, or -EPROTO with the
 * reason in @error. Descriptors are the caller's after a 1:
 * vgt_proxy_message_fini() closes them.
 */
int vgt_proxy_receive(int socket, struct vgt_proxy_message *message,
		      char error[128]);
void vgt_proxy_message_fini(struct vgt_proxy_message *message);

/* Does it want an answer? */
bool vgt_proxy_answered(const struct vgt_proxy_message *message);
int vgt_proxy_answer(int socket, uint64_t value);

#endif
