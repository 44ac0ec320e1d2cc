// SPDX-License-Identifier: MIT
/*
 * usage: no_code PROGRAM [ARGUMENT]...: runs PROGRAM where the system refuses to make
 * memory executable, as hardened ones do. Ends with 4 where that cannot be had.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIELD(name) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))

/* Libraries are mapped with their code executable, by mmap(). */
static struct sock_filter filter[] = {
	FIELD(nr),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 0, 3),
	FIELD(args[2]),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

int main(int argc, char **argv)
{
	const struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]), .filter = filter,
	};

	if (argc < 2) {
		fprintf(stderr, "usage: no_code PROGRAM [ARGUMENT]...\n");
		return 2;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("no_code: seccomp");
		return 4;
	}
	execv(argv[1], argv + 1);
	perror(argv[1]);
	return 1;
}
