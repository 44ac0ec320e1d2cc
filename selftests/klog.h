/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands in the kernel's log: above all reports (warnings, oopses, what a sanitiser found). */
#ifndef KLOG_H
#define KLOG_H

#include <stdbool.h>

struct klog {
	int fd;
	char report[1024];
};

/* Look at what is logged from now on. */
int klog_open(struct klog *log);
void klog_close(struct klog *log);

/* The first report since the last call, one line; "": there is none. */
const char *klog_report(struct klog *log);

/* Has a line since the last call of either @text in it? */
bool klog_has(struct klog *log, const char *text);

#endif
