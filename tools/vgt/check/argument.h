/* SPDX-License-Identifier: MIT */
/*
 * Which buffers a program has given its kernels, and what these call them. A kernel
 * may be given one buffer for several of its arguments, in one launch or one after
 * the other: then all of them are named.
 */
#ifndef VGT_CHECK_ARGUMENT_H
#define VGT_CHECK_ARGUMENT_H

#include "check/check.h"

#define VGT_CHECK_ARGUMENTS 4 /* of one buffer that are named */
#define VGT_CHECK_ARGUMENT_BYTES 64

/* Copies their names; returns how many there are. */
uint32_t vgt_check_argument_find(struct vgt_check *check, const char *kernel,
				 bool svm, uint32_t number,
				 char out[VGT_CHECK_ARGUMENTS]
					 [VGT_CHECK_ARGUMENT_BYTES]);

/* Those of a buffer that is gone. */
void vgt_check_argument_remove_locked(struct vgt_check *check, bool svm,
				      uint32_t number);

/* At the end of @check. */
void vgt_check_argument_fini(struct vgt_check *check);

#endif
