/* SPDX-License-Identifier: MIT */
/* What checkers have to say, once for each place in the code. */
#ifndef VGT_CHECK_REPORT_H
#define VGT_CHECK_REPORT_H

#include "check/argument.h"
#include "check/place.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vgt_check_access;
struct vgt_check_kernel;
struct vgt_eu_thread;
struct vgt_inst;

enum vgt_check_memory {
	VGT_CHECK_NOWHERE = 1, /* not mapped */
	VGT_CHECK_NULL = 2, /* an argument that is NULL */
	VGT_CHECK_BUFFER = 3,
	VGT_CHECK_SVM = 4,
	VGT_CHECK_SURFACE = 5, /* of a buffer that nobody has told us of */
	VGT_CHECK_LOCAL = 6,
};

struct vgt_check_report {
	uint32_t check; /* VGT_CHECK_* */
	const char *access; /* "read", "write", "atomic operation" */
	uint32_t bytes;
	uint32_t ip; /* of the instruction */
	const struct vgt_check_kernel *kernel; /* NULL: it is not known */
	struct vgt_check_item item;

	enum vgt_check_memory memory;
	uint32_t number; /* of a buffer, from 1; of a surface */
	uint64_t whole_bytes;
	int64_t offset; /* in it; NOWHERE: the address */
	/* What it is called, if that is known: several, if a buffer is given twice. */
	char variable[VGT_CHECK_ARGUMENTS][VGT_CHECK_ARGUMENT_BYTES];
	uint32_t variables;

	/* The other one of a race. */
	const char *other_access; /* NULL: there is none */
	uint32_t other_ip;
	struct vgt_check_item other;
};

/* For the lane @lane of what @thread does at @inst. */
void vgt_check_report_init(struct vgt_check_report *report, uint32_t check,
			   struct vgt_eu_thread *thread,
			   const struct vgt_inst *inst,
			   const struct vgt_check_access *access,
			   uint32_t lane);

/* False: this place has been reported. Cheap. */
bool vgt_check_report_wanted(uint32_t check,
			     const struct vgt_eu_thread *thread, uint32_t ip);

/* Print it, unless its place has been printed meanwhile. */
void vgt_check_report_print(struct vgt_check_report *report,
			    struct vgt_eu_thread *thread);

/* Whole lines for that file alone, together. If that fails, it is said once. */
void vgt_check_report_lines(const char *lines, size_t len);

int vgt_check_report_open(const char *path);

#endif
