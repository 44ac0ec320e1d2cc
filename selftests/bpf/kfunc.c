// SPDX-License-Identifier: GPL-2.0-only
/* What BPF programs ask the module about a stopped thread. */
#include <errno.h>
#include <string.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <linux/gtdbg_sip.h>

#include "../harness.h"
#include "../target.h"
#include "kfunc.skel.h"

#define SECOND_IP (PEER_KERNEL_IP + 16)
#define SLOT 10
#define VALUE 0x12345678

FIXTURE(kfunc)
{
	struct target target;
	struct kfunc_bpf *bpf;
};

/* Before 6.9 the module has no such functions. */
static bool kernel_has_them(void)
{
	struct utsname name;
	int major, minor;

	return !uname(&name) &&
	       sscanf(name.release, "%d.%d", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 9)) &&
	       access("/sys/kernel/btf/gtdbg", R_OK) == 0;
}

FIXTURE_SETUP(kfunc)
{
	if (access("/dev/gtdbg-vgt", F_OK))
		SKIP(return, "no /dev/gtdbg-vgt: load the module");
	if (!kernel_has_them())
		SKIP(return, "kernel older than 6.9, or without type information");
	ASSERT_EQ(0, target_start(&self->target, RIG_ALL_EVENTS, 0));
	ASSERT_EQ(0, target_engage(&self->target));
	self->bpf = kfunc_bpf__open_and_load();
	ASSERT_NE(NULL, self->bpf);
	self->bpf->bss->pid = getpid();
	self->bpf->bss->set = GTDBG_REGISTER_GRF;
	self->bpf->bss->offset = 10 * 32;
	self->bpf->bss->address = PEER_DYNAMIC;
	ASSERT_EQ(0, kfunc_bpf__attach(self->bpf));
}

FIXTURE_TEARDOWN(kfunc)
{
	if (!self->bpf)
		return;
	kfunc_bpf__destroy(self->bpf);
	target_stop(&self->target);
}

/* A thread stops at the breakpoint, with VALUE in r10.1; who is told, is. */
static int stop_one(struct target *target, uint32_t slot)
{
	static const uint32_t value = VALUE;
	const struct gtdbg_event_thread_stop *stop;
	struct rig_event event;
	int ret;

	memcpy(peer_at(&target->peer, PEER_SAVE_AREA + GTDBG_SIP_SLOT_OFFSET +
		       slot * GTDBG_SIP_SLOT_BYTES + 10 * 32 + 4),
	       &value, sizeof(value));
	peer_stop(&target->peer, slot, SECOND_IP, PEER_BREAK);
	ret = rig_next(&target->rig, GTDBG_EVENT_THREAD_STOP, &event);
	stop = event.payload;
	return ret ? ret : (int)stop->thread.slot;
}

TEST_F(kfunc, registers_and_memory_are_read)
{
	uint8_t pattern[64];

	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = 3 * i + 1;
	memcpy(peer_at(&self->target.peer, PEER_DYNAMIC), pattern,
	       sizeof(pattern));
	EXPECT_EQ(SLOT, stop_one(&self->target, SLOT));
	EXPECT_EQ(1, self->bpf->bss->asked);
	EXPECT_EQ(0, self->bpf->bss->register_ret);
	EXPECT_EQ(VALUE, self->bpf->bss->registers[1]);
	EXPECT_EQ(0, self->bpf->bss->memory_ret);
	EXPECT_EQ(0, memcmp(pattern, self->bpf->bss->memory, sizeof(pattern)));
}

TEST_F(kfunc, kernel_has_its_name)
{
	EXPECT_EQ(SLOT, stop_one(&self->target, SLOT));
	EXPECT_EQ(strlen("compute"), (size_t)self->bpf->bss->name_ret);
	EXPECT_STREQ("compute", self->bpf->bss->name);
	EXPECT_EQ(-E2BIG, self->bpf->bss->short_ret);
	EXPECT_STREQ("com", self->bpf->bss->short_name);
}

/* The thread has hit a breakpoint there, which is not the program's code. */
TEST_F(kfunc, code_is_without_breakpoints)
{
	uint8_t code[PEER_KERNEL_BYTES];

	peer_code(code, PEER_COOKIE);
	self->bpf->bss->address = PEER_CODE;
	EXPECT_NE(0, memcmp(code, peer_at(&self->target.peer, PEER_CODE), 64));
	EXPECT_EQ(SLOT, stop_one(&self->target, SLOT));
	EXPECT_EQ(0, self->bpf->bss->memory_ret);
	EXPECT_EQ(0, memcmp(code, self->bpf->bss->memory, 64));
}

TEST_F(kfunc, what_is_not_there_is_an_error_and_zeroes)
{
	static const uint8_t zeroes[64];

	memset(self->bpf->bss->memory, 0x55, 64);
	memset(self->bpf->bss->registers, 0x55, 8);
	/* The next page is not mapped. */
	self->bpf->bss->address = PEER_DYNAMIC + 4096 - 63;
	self->bpf->bss->offset = 4096 - 4;
	EXPECT_EQ(SLOT, stop_one(&self->target, SLOT));
	EXPECT_EQ(-EFAULT, self->bpf->bss->memory_ret);
	EXPECT_EQ(0, memcmp(zeroes, self->bpf->bss->memory, 64));
	EXPECT_EQ(-EINVAL, self->bpf->bss->register_ret);
	EXPECT_EQ(0, memcmp(zeroes, self->bpf->bss->registers, 8));
	self->bpf->bss->set = 999;
	self->bpf->bss->offset = 0xfffffffc;
	EXPECT_EQ(SLOT + 1, stop_one(&self->target, SLOT + 1));
	EXPECT_EQ(-EOPNOTSUPP, self->bpf->bss->register_ret);
}

TEST_F(kfunc, program_decides)
{
	uint64_t resumes = self->target.peer.resumes;

	self->bpf->bss->answer = GTDBG_VERDICT_RUN;
	peer_stop(&self->target.peer, SLOT, SECOND_IP, PEER_BREAK);
	EXPECT_TRUE(peer_wait_resumes(&self->target.peer, resumes + 1));
	self->bpf->bss->answer = GTDBG_VERDICT_REPORT;
	EXPECT_EQ(SLOT + 1, stop_one(&self->target, SLOT + 1));
	EXPECT_EQ(2, self->bpf->bss->asked);
}

/* Only the tracepoint's own argument will do, and only room that there is. */
TEST_F(kfunc, verifier_refuses_what_is_made_up)
{
	struct kfunc_bpf *bpf;

	for (int i = 0; i < 2; i++) {
		bpf = kfunc_bpf__open();
		ASSERT_NE(NULL, bpf);
		bpf_program__set_autoload(i ? bpf->progs.forge :
					      bpf->progs.overrun, true);
		bpf_program__set_autoload(bpf->progs.ask, false);
		EXPECT_NE(0, kfunc_bpf__load(bpf));
		kfunc_bpf__destroy(bpf);
	}
}

TEST_HARNESS_MAIN
