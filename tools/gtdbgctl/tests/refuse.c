// SPDX-License-Identifier: MIT
/*
 * Preloaded, it cuts the last instruction off BPF programs on raw tracepoints, so that
 * the kernel's verifier refuses them, for trace.sh.
 */
#include <dlfcn.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARGS 6

long syscall(long number, ...)
{
	long (*real)(long number, ...) = dlsym(RTLD_NEXT, "syscall");
	union bpf_attr *attr;
	long arg[ARGS];
	va_list args;
	int i;

	va_start(args, number);
	for (i = 0; i < ARGS; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	attr = (union bpf_attr *)arg[1];
	if (number != SYS_bpf || arg[0] != BPF_PROG_LOAD ||
	    attr->prog_type != BPF_PROG_TYPE_RAW_TRACEPOINT || attr->insn_cnt < 10)
		return real(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	attr->insn_cnt--;
	i = real(number, arg[0], arg[1], arg[2]);
	/* It may be tried again. */
	attr->insn_cnt++;
	return i;
}
