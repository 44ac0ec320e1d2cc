/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef _UAPI_LINUX_GTDBG_H
#define _UAPI_LINUX_GTDBG_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define GTDBG_UAPI_VERSION 1
#define GTDBG_IOC_TYPE 0xE7

/**
 * struct gtdbg_info - argument of GTDBG_IOC_INFO
 * @flags: in: must be zero
 * @uapi_version: out: GTDBG_UAPI_VERSION of the module
 * @features: out: GTDBG_FEATURE_* that the module carries out
 * @build_id: out: hash of the module's sources, a string
 * @__reserved: in: must be zero
 *
 * Works on every descriptor of the module.
 */
struct gtdbg_info {
	__u32 flags;
	__u32 uapi_version;
	__u64 features;
	char build_id[32];
	__u64 __reserved[2];
};
#define GTDBG_IOC_INFO _IOWR(GTDBG_IOC_TYPE, 0x01, struct gtdbg_info)

#endif
