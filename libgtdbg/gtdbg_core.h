/* SPDX-License-Identifier: MIT */
/*
 * The format of gtdbg's core files, version 1: what a debugger knew of a
 * program on a GPU at one moment. gtdbg_core_open() of gtdbg.h reads one, and
 * "gtdbgctl gcore" writes one.
 *
 * It is an ELF file of 64 bits, little-endian, of type ET_CORE and machine
 * EM_INTELGT. The first program header is a PT_NOTE. Its notes have the owner
 * GTDBG_CORE_OWNER and a type GTDBG_CORE_*, and are padded to 4 bytes; what
 * begins each one's descriptor is a struct below, all of whose integers are
 * little-endian too. Unknown types are skipped. In a file that is cut off before
 * its program headers the notes begin right behind the ELF header.
 *
 * A PT_LOAD each is mapped memory of one context: p_vaddr is the GPU address,
 * p_paddr is device << 32 | context. Behind p_filesz bytes there are zeroes up
 * to p_memsz. What a context had mapped and no PT_LOAD holds, was left out.
 *
 * Structs and constants of linux/gtdbg.h are meant as they are there.
 */
#ifndef GTDBG_CORE_H
#define GTDBG_CORE_H

#include "gtdbg.h"

#include <linux/gtdbg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GTDBG_CORE_VERSION	1
#define GTDBG_CORE_OWNER	"gtdbg"

/* Types of notes, none of which another owner uses. */
#define GTDBG_CORE_HEAD	0x67740001	/* struct gtdbg_core_head: the first */
#define GTDBG_CORE_EVENT	0x67740002	/* struct gtdbg_event and its payload */
#define GTDBG_CORE_BLOB	0x67740003	/* struct gtdbg_core_blob */
#define GTDBG_CORE_THREAD	0x67740004	/* struct gtdbg_core_thread */
#define GTDBG_CORE_SLM	0x67740005	/* struct gtdbg_core_slm */
#define GTDBG_CORE_MAPPINGS	0x67740006	/* struct gtdbg_core_mappings */
#define GTDBG_CORE_BUFFERS	0x67740007	/* structs gtdbg_core_buffer */
#define GTDBG_CORE_SOURCE	0x67740008	/* struct gtdbg_core_source */

/**
 * struct gtdbg_core_head - what kind of core file it is
 * @version: GTDBG_CORE_VERSION; it rises if older readers would go wrong
 * @threads: how many notes of threads there are; 0: it does not say
 */
struct gtdbg_core_head {
	__u32 version;
	__u32 threads;
};

/**
 * struct gtdbg_core_blob - source, ELF or code of a module or kernel
 * @kind: GTDBG_BLOB_*
 * @id: id of the module or kernel
 *
 * Its bytes follow, up to the end of the descriptor.
 */
struct gtdbg_core_blob {
	__u32 kind;
	__u32 id;
};

/**
 * struct gtdbg_core_thread - a thread that was stopped or unavailable
 * @info: the thread
 * @slm: number of its work-group's local memory, 0: none, or not known
 * @set_count: sets of registers that were read
 *
 * @set_count structs gtdbg_register_set follow, and then the registers of each
 * set, in this order: count * bytes of them, without padding.
 */
struct gtdbg_core_thread {
	struct gtdbg_thread_info info;
	__u32 slm;
	__u32 set_count;
};

/**
 * struct gtdbg_core_slm - local memory of a work-group
 * @slm: its number in the file, from 1
 * @__reserved: 0
 *
 * Its bytes follow, from offset 0 of the group's memory.
 */
struct gtdbg_core_slm {
	__u32 slm;
	__u32 __reserved;
};

/**
 * struct gtdbg_core_mappings - what a context had mapped, taken or not
 * @device: id of the device
 * @context: id of the context
 *
 * Structs gtdbg_memory_mapping follow, by address.
 */
struct gtdbg_core_mappings {
	__u32 device;
	__u32 context;
};

/**
 * struct gtdbg_core_source - a file of source that a kernel's lines name
 * @path_len_bytes: length of the path
 * @__reserved: 0
 *
 * The path follows as the line table has it, without a zero at its end, and then
 * the text, up to the end of the descriptor.
 */
struct gtdbg_core_source {
	__u32 path_len_bytes;
	__u32 __reserved;
};

#define GTDBG_CORE_BUFFER_CL	1	/* clCreateBuffer() */
#define GTDBG_CORE_BUFFER_SVM	2	/* clSVMAlloc() */
#define GTDBG_CORE_BUFFER_USM	3	/* clDeviceMemAllocINTEL() and the like */

#define GTDBG_CORE_BUFFER_F_RELEASED	(1u << 0)	/* the program has */

/**
 * struct gtdbg_core_buffer - a buffer of the program's
 * @kind: GTDBG_CORE_BUFFER_*
 * @number: of its kind, from 1, as the program has made them
 * @address: where the GPU has it
 * @len_bytes: as the program has asked for
 * @flags: GTDBG_CORE_BUFFER_F_*
 * @__reserved: 0
 *
 * What the program itself has said, which may be wrong.
 */
struct gtdbg_core_buffer {
	__u32 kind;
	__u32 number;
	__u64 address;
	__u64 len_bytes;
	__u32 flags;
	__u32 __reserved;
};

/**
 * gtdbg_core_open() - look at a core file as at a debuggee
 * @fd: the file, for reading; it stays the caller's, who may close it at once
 * @out: the session, to be closed with gtdbg_session_close()
 *
 * The session answers what can be looked at, from the file and from nothing
 * else; what would change something fails with EPERM, as for an observer. So do
 * gtdbg_memory_open(), gtdbg_session_stats(), gtdbg_device_clock(),
 * gtdbg_event_mask(), gtdbg_event_snapshot() and gtdbg_breakpoint_decided(),
 * which no file can answer. Its events are those of the replay when a session attaches, up to
 * GTDBG_EVENT_SYNCED, which is the last. What the file lacks fails with the
 * error that has come nearest, memory with EFAULT.
 *
 * Files are not trusted: see gtdbg_symbols.h. Needs a regular file: EINVAL if it
 * is none, or no core file of gtdbg, and EPROTONOSUPPORT for one of a later
 * version. One that is damaged or cut off is opened for the rest of it; see
 * gtdbg_core_damage().
 */
GTDBG_API int gtdbg_core_open(int fd, struct gtdbg_session **out);

/**
 * gtdbg_core_damage() - what is wrong with a core file, in words
 * @session: a session of gtdbg_core_open()
 * @index: 0 for the first text
 *
 * Returns NULL behind the last, and for other sessions. The text lives as long
 * as the session.
 */
GTDBG_API const char *gtdbg_core_damage(struct gtdbg_session *session,
					size_t index);

/**
 * gtdbg_core_absent() - memory that a context had and its core file does not
 * @session: a session of gtdbg_core_open()
 * @mapped_out: all bytes that were mapped
 *
 * It was left out when the file was written, or is missing now. Returns its
 * bytes; 0 for other sessions.
 */
GTDBG_API uint64_t gtdbg_core_absent(struct gtdbg_session *session,
				     uint64_t *mapped_out);

/**
 * gtdbg_core_buffer_read() - a buffer that the program of a core file had
 * @session: a session of gtdbg_core_open()
 * @index: 0 for the first one
 * @out: it
 *
 * Returns -ENOENT behind the last, and for other sessions; -EINVAL for one that
 * can be none, which others may follow; -EIO if the file has become shorter.
 */
GTDBG_API int gtdbg_core_buffer_read(struct gtdbg_session *session,
				     size_t index,
				     struct gtdbg_core_buffer *out);

/**
 * gtdbg_core_source_read() - the text of a file that a core file has
 * @session: a session of gtdbg_core_open()
 * @path: its path, as the line table has it
 * @text_out: the text, with a zero behind it; to be released with free()
 *
 * Returns -ENOENT if it is not there, and for other sessions; -EIO if the file
 * has become shorter, -ENOMEM.
 */
GTDBG_API int gtdbg_core_source_read(struct gtdbg_session *session,
				     const char *path, char **text_out);

#ifdef __cplusplus
}
#endif

#endif
