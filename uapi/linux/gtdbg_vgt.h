/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * gtdbg: how a process offers a virtual GT to the module.
 *
 * The server opens /dev/gtdbg-vgt, once for each GT, and offers it. From then
 * on the module uses the GT through three things, and trusts none of them:
 *
 * - physical memory: the memfd of the offer, offset = physical address. The
 *   module never makes it allocate pages: what is a hole reads as zero and
 *   cannot be written;
 * - the window: mmap() of the descriptor, MAP_SHARED, offset 0, length
 *   GTDBG_VGT_WINDOW_BYTES, zeroed. The server stores the values of registers
 *   there, and the module reads them there without asking;
 * - requests: a register write of the module is queued. The server reads
 *   requests with read() (poll() gives POLLIN), carries them out in order,
 *   updates the window, and then acknowledges with write().
 *
 * Registers that the module reads, by their hardware offsets (Gen12LP):
 * 0x0d84 and 0x130044 (forcewake acknowledgements), 0x2240 (address of the
 * running context in bits 31:12, bit 0: valid; when the engine idles the
 * address of the last one stays and bit 0 is clear), 0x2034 (bits 20:2: where the
 * command streamer is in the ring), 0x2074 and 0x205c (the address, low and high,
 * of the command in a batch that it executes), 0x206c (bits 17:16: no thread of a
 * launch is running, nor will one be started), 0x2358 and 0x235c (time stamp, no
 * older than the last request that is acknowledged),
 * 0xcec4, 0xceb8 and 0xcebc (page faults, below), 0x20d8, and in the
 * banks 0xe400 (TD_CTL), 0xe470 and 0xe474 (attention).
 *
 * Registers that it writes: 0xa278 and 0xa188 (forcewake), 0xe400 (TD_CTL),
 * 0xe490 and 0xe494 (attention clear), 0x20d8 (masked; bit 6 drops cached
 * instructions), 0xcec4 (0 takes back a fault).
 *
 * A page fault is reported as by the hardware: the first one is latched in
 * 0xceb8 (address bits 43:12), 0xcebc (bits 3:0: address bits 47:44) and then
 * 0xcec4 (bit 0 valid, 2:1 type, 10:3 source, 14:12 engine), and stays until the
 * module writes 0 to 0xcec4.
 *
 * The offer ends when the descriptor is closed: the module then reports a lost
 * device. It does the same if a request is not acknowledged within
 * GTDBG_VGT_TIMEOUT_NS, or if it is waited for so long again and again. Then it
 * queues what leaves the GT in order, and takes it back when all requests are
 * acknowledged. poll() gives POLLHUP when it does not use the GT any more.
 */
#ifndef _UAPI_LINUX_GTDBG_VGT_H
#define _UAPI_LINUX_GTDBG_VGT_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define GTDBG_VGT_IOC_TYPE 0xe7

#define GTDBG_VGT_TIMEOUT_NS 5000000000ULL

/*
 * The window. Plain registers lie at their hardware offset. Steered ones
 * (0xe400 to 0xe4ff) lie in a bank of each sub-slice: register r of
 * (slice, subslice) at GTDBG_VGT_WINDOW_BANK(slice, subslice) + r - 0xe400.
 */
#define GTDBG_VGT_WINDOW_REGISTERS_END 0x140000
#define GTDBG_VGT_WINDOW_STEERED_FIRST 0xe400
#define GTDBG_VGT_WINDOW_STEERED_END 0xe500
#define GTDBG_VGT_WINDOW_SLICES 4
#define GTDBG_VGT_WINDOW_SUBSLICES 8
#define GTDBG_VGT_WINDOW_BANK(slice, subslice)  \
	(GTDBG_VGT_WINDOW_REGISTERS_END +       \
	 ((slice) * GTDBG_VGT_WINDOW_SUBSLICES + (subslice)) * 0x100)
#define GTDBG_VGT_WINDOW_BYTES                  \
	(GTDBG_VGT_WINDOW_REGISTERS_END +       \
	 GTDBG_VGT_WINDOW_SLICES * GTDBG_VGT_WINDOW_SUBSLICES * 0x100)

/**
 * struct gtdbg_vgt_offer - argument of GTDBG_VGT_IOC_OFFER
 * @flags: in: must be zero
 * @platform: in: GTDBG_PLATFORM_* (linux/gtdbg.h)
 * @client_fd: in: descriptor of the client (linux/gtdbg.h) whose work the GT
 *             runs; may be closed afterwards
 * @memory_fd: in: memfd of physical memory; may be closed afterwards
 * @memory_bytes: in: size of physical memory, a multiple of 4096
 * @ggtt_address: in: physical address of the global translation table, entries
 *                of 8 bytes
 * @ggtt_entries: in: number of its entries, at most 2^20
 * @slices: in: 1 to GTDBG_VGT_WINDOW_SLICES
 * @subslices: in: of a slice, 1 to GTDBG_VGT_WINDOW_SUBSLICES
 * @eus: in: of a sub-slice, 1 to 16
 * @threads: in: of an EU, 1 to 8
 * @__reserved: in: must be zero
 *
 * Returns the id of the device, 1 or more. Whose GT it is, is proved by the
 * client's descriptor, which only the client itself hands out, or who may trace
 * it takes. When the client ends, or executes another program, the GT runs no
 * one's work any more. Topologies that the platform cannot have are EINVAL, and
 * so is a descriptor that no client has registered with. EBUSY: this descriptor
 * has offered one already. ESRCH: the client has ended. EPERM: the memory is
 * sealed against writing. EBADF: not an open memfd, or not an open /dev/gtdbg.
 * EOPNOTSUPP: unknown platform. EDQUOT: too many devices of this user, or of
 * this client, or too many bytes (gtdbg_info.client_bytes_max).
 */
struct gtdbg_vgt_offer {
	__u32 flags;
	__u32 platform;
	__s32 client_fd;
	__s32 memory_fd;
	__u64 memory_bytes;
	__u64 ggtt_address;
	__u32 ggtt_entries;
	__u32 slices;
	__u32 subslices;
	__u32 eus;
	__u32 threads;
	__u32 __reserved;
};
#define GTDBG_VGT_IOC_OFFER \
	_IOW(GTDBG_VGT_IOC_TYPE, 0x60, struct gtdbg_vgt_offer)

/* The register is steered: to slice and subslice, or to all of them. */
#define GTDBG_VGT_REQUEST_F_STEERED (1U << 0)
#define GTDBG_VGT_REQUEST_F_MULTICAST (1U << 1)

/**
 * struct gtdbg_vgt_request - what read() gives: a register write
 * @seqno: number of the request, rising by one
 * @offset: register
 * @value: value to write
 * @flags: GTDBG_VGT_REQUEST_F_*
 * @slice: with GTDBG_VGT_REQUEST_F_STEERED
 * @subslice: with GTDBG_VGT_REQUEST_F_STEERED
 *
 * read() returns as many as wait and fit, EINVAL if not even one can fit, EAGAIN
 * with O_NONBLOCK if none waits.
 */
struct gtdbg_vgt_request {
	__u64 seqno;
	__u32 offset;
	__u32 value;
	__u32 flags;
	__u16 slice;
	__u16 subslice;
};

/**
 * struct gtdbg_vgt_ack - what write() takes
 * @seqno: all requests up to this one are carried out
 *
 * EINVAL: wrong length, or no such request was read.
 */
struct gtdbg_vgt_ack {
	__u64 seqno;
};

#endif
