// SPDX-License-Identifier: MIT
#include "stack.h"

#include <stddef.h>
#include <sys/mman.h>

#define STACK_BYTES (1UL << 20) /* the program's own handlers may run on it */

/* The caller's pointer is in a register that @run leaves as it was. */
static long call(void *end, long (*run)(void *argument), void *argument)
{
	long ret;

	asm volatile("movq %%rsp, %%rbx\n\t"
		     "movq %[end], %%rsp\n\t"
		     "call *%[run]\n\t"
		     "movq %%rbx, %%rsp"
		     : "=a"(ret), "+D"(argument), [end] "+S"(end),
		       [run] "+d"(run)
		     :
		     : "rbx", "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1",
		       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
		       "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
		       "xmm15", "cc", "memory");
	return ret;
}

bool vgt_stack_call(long (*run)(void *argument), void *argument, long *ret_out)
{
	char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	if (stack == MAP_FAILED)
		return false;
	*ret_out = call(stack + STACK_BYTES, run, argument);
	munmap(stack, STACK_BYTES);
	return true;
}
