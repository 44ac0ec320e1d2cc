/* SPDX-License-Identifier: MIT */
/* Lines on standard error, each whole, whichever thread writes it. */
#ifndef VGT_LOG_H
#define VGT_LOG_H

enum vgt_log_level {
	VGT_LOG_ERROR = 1,
	VGT_LOG_WARN = 2,
	VGT_LOG_INFO = 3,
	VGT_LOG_DEBUG = 4,
};

/* Level of @name, or 0 if there is none of that name. */
enum vgt_log_level vgt_log_level_find(const char *name);

/* Lines above @level are not written. Default: VGT_LOG_WARN. */
void vgt_log_level_set(enum vgt_log_level level);

void __attribute__((format(printf, 2, 3)))
vgt_log(enum vgt_log_level level, const char *format, ...);

#endif
