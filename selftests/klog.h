/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports (warnings, oopses, what a sanitiser found) in the kernel's log. */
#ifndef KLOG_H
#define KLOG_H

struct klog {
	int fd;
	char report[1024];
};

/* Look at what is logged from now on. */
int klog_open(struct klog *log);
void klog_close(struct klog *log);

/* The first report since the last call, one line; "": there is none. */
const char *klog_report(struct klog *log);

#endif
