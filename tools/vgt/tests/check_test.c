// SPDX-License-Identifier: MIT
/*
 * Checkers look at messages before the data port does, so at whatever a kernel has
 * made: descriptors of any bits, payloads that are too short, addresses anywhere. Then
 * they look at the code that follows, which may be anything as well.
 */
#include "check/check.h"
#include "check/written.h"
#include "engine_rig.h"
#include "eu/handler.h"
#include "eu/icache.h"
#include "eu/inst.h"
#include "message_rig.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 200000
#define CODE_BYTES 8192
/* Behind that lies code that is known. */
#define DESCRIPTORS_IP CODE_BYTES
#define ZEROS_IP (CODE_BYTES + 4096)
#define KERNELS_IP (CODE_BYTES + 8192)
#define BLOCK_IP (CODE_BYTES + 12288)
#define PAGES_IP (CODE_BYTES + 16384)

/* Where reports go. */
static char found[32];

/* Halves of the memory are buffers: the runtime's pages have no order. */
static void buffers_note(struct rig *rig)
{
	for (uint32_t i = 0; i < RIG_PAGES; i += 2) {
		uint8_t *host = rig_at(rig, RIG_VA + i * 4096);
		struct vgt_check_piece piece = {
			.phys = host - rig->device->memory.base,
			.bytes = 4096 - i, .whole_bytes = 4096 - i,
			.number = i + 1, .svm = i % 4, .padded = true,
			.fresh = i % 8 == 0,
		};

		vgt_check_buffer_add(rig->device->check, &piece);
	}
}

/* What the rig leaves open, as it has no walkers. */
static void launch(struct rig *rig)
{
	rig->walker.simd = 16;
	rig->walker.threads = 2;
	rig->walker.right_mask = 0xffff;
	rig->walker.slm_bytes = 4096;
	rig->walker.payload = RIG_VA;
	rig->walker.cross_grfs = 3;
	rig->walker.per_thread_grfs = 3;
	for (uint32_t d = 0; d < 3; d++)
		rig->walker.end[d] = 3;
	rig->group.count = 2;
	rig->thread->enabled = 0xffff;
}

/* Code is in the memory, too, from its beginning on. */
static void code_put(struct rig *rig, uint32_t ip, const void *code,
		     size_t bytes)
{
	rig->walker.state.instruction_base = RIG_VA;
	for (size_t i = 0; i < bytes; i++) {
		rig->model[ip + i] = ((const uint8_t *)code)[i];
		*rig_at(rig, RIG_VA + ip + i) = rig->model[ip + i];
	}
}

/*
 * Instructions of which anything but the operation is random: what moves and computes,
 * sends, and branches.
 */
static void code_make(struct rig *rig)
{
	static const uint8_t op[] = {
		0x61, 0x61, 0x61, 0x61, 0x62, 0x40, 0x65, 0x66, 0x69, 0x70,
		0x31, 0x31, 0x20, 0x22, 0x24, 0x25, 0x2e, 0x2f,
	};
	uint32_t code[CODE_BYTES / 4];

	for (uint32_t i = 0; i < CODE_BYTES / 4; i++) {
		code[i] = rig_random();
		if (i % 4 == 0)
			code[i] = op[rig_below(sizeof(op))] |
				  (code[i] & 0x1fffff00);
		/* A branch leads somewhere here, and a type is one that there is. */
		else if (i % 4 > 1)
			code[i] &= 0x1ff0;
	}
	code_put(rig, 0, code, sizeof(code));
}

/* Exactly as long as it says, so that sanitizers see who reads on. */
static uint8_t *payload_make(uint32_t grfs)
{
	uint32_t bytes = grfs * VGT_GRF_BYTES;
	uint8_t *payload = malloc(bytes + !bytes);

	for (uint32_t i = 0; payload && i < bytes; i += 4) {
		uint32_t value = rig_random();

		/* Many of them near the memory or at its beginning. */
		if (rig_below(4))
			value = rig_below(2) ? rig_below(RIG_BYTES + 64) :
				(uint32_t)RIG_VA + rig_below(RIG_BYTES);
		if (!rig_below(3))
			value = 0;
		memcpy(payload + i, &value, sizeof(value));
	}
	return payload;
}

static void message_check(struct rig *rig)
{
	static const uint8_t bti[] = { RIG_BUFFER_BTI, 252, 253, 254, 255, 9 };
	struct vgt_inst inst = {
		.ip = rig_below(CODE_BYTES / 16) * 16,
		.bytes = 16,
		.nomask = rig_below(3) ? 0 : UINT32_MAX,
		.pred = rig_below(3),
		.chan = rig_below(3) * 8,
		.exec_size = 1U << rig_below(6),
	};
	struct vgt_message message = {
		.sfid = rig_below(2) ? VGT_SFID_DC0 : VGT_SFID_DC1,
		.desc = rig_random(),
		.lanes = rig_random(),
		.exec_size = inst.exec_size,
		.exlen = rig_below(32),
	};
	uint8_t *src0, *src1;

	message.desc = (message.desc & ~0xffU) | bti[rig_below(sizeof(bti))];
	message.mlen = message.desc >> 25 & 15;
	message.rlen = message.desc >> 20 & 31;
	inst.dst.offset = rig_below(128 - message.rlen) * VGT_GRF_BYTES;
	inst.dst.kind = VGT_OPERAND_REG;
	if (rig_below(4))
		message.dst = rig->thread->reg + inst.dst.offset;
	src0 = payload_make(message.mlen);
	src1 = payload_make(message.exlen);
	message.src0 = src0;
	message.src1 = src1;
	rig->thread->ip = inst.ip;
	if (src0 && src1)
		vgt_check_message(rig->thread, &inst, &message);
	free(src0);
	free(src1);
}

static uint32_t lines_with(const char *path, const char *text)
{
	FILE *file = fopen(path, "r");
	uint32_t times = 0;
	char line[2048];

	while (file && fgets(line, sizeof(line), file))
		times += !!strstr(line, text);
	if (file)
		fclose(file);
	return times;
}

/* How many lines of JSON have @text? */
static uint32_t times_found(const char *text)
{
	return lines_with(found, text);
}

static bool is_found(const char *text)
{
	return times_found(text);
}

static void test_random(struct rig *rig)
{
	for (uint32_t i = 0; i < ROUNDS; i++) {
		uint32_t thread = rig_below(2);

		rig->group.thread[thread] = rig->thread;
		rig->group.thread[!thread] = NULL;
		rig->group.id[0] = rig_below(3);
		if (!rig_below(64))
			vgt_check_barrier(rig->thread, rig_below(2));
		if (!rig_below(1000))
			rig->walker.serial++;
		message_check(rig);
	}
	tap_result(rig_memory_matches(rig), "checkers change nothing", NULL);
	tap_result(is_found("\"check\":\"bounds\"") &&
		   is_found("\"check\":\"races\"") &&
		   is_found("\"check\":\"uninit\"") &&
		   is_found("\"kind\":\"local\"") &&
		   is_found("\"kind\":\"buffer\""),
		   "and find something", NULL);
}

static void text_put(struct rig *rig, uint32_t ip, const char *text)
{
	size_t bytes;
	uint8_t *code = engine_assemble(text, "-Xauto-deps", &bytes);

	if (code)
		code_put(rig, ip, code, bytes);
	free(code);
}

static void inst_run(struct rig *rig, uint32_t ip)
{
	const struct vgt_inst *inst = vgt_icache_fetch(rig->thread, ip);

	rig->group.thread[0] = rig->thread;
	rig->group.thread[1] = NULL;
	if (inst)
		inst->exec(rig->thread, inst);
}

/* Has @check said anything of the instruction at @ip? */
static bool is_said(const char *check, uint32_t ip)
{
	char text[100];

	sprintf(text, "{\"check\":\"%s\",\"kernel\":\"\",\"offset\":%u,", check, ip);
	return is_found(text);
}

/* What a lane's address is: @step from one to the next. */
static void addresses_set(struct rig *rig, uint32_t grf, uint32_t first,
			  uint32_t step)
{
	for (uint32_t i = 0; i < 16; i++)
		vgt_store32(rig->thread->reg + grf * VGT_GRF_BYTES + 4 * i,
			    first + i * step);
}

#define EOT "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n"
#define READ_XY 0x04405cfe
#define READ_XYZW 0x048050fe

/* Of one descriptor nobody reads what is outside, of the other somebody does. */
static void test_descriptors(struct rig *rig)
{
	rig->walker.serial++;
	text_put(rig, DESCRIPTORS_IP,
		 "send.dc1 (16|M0) r10 r2 null 0x0 a0.0\n"
		 "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r16.0<8;8,1>:d\n"
		 EOT);
	vgt_store32(rig->thread->reg + VGT_REG_A0, READ_XY);
	addresses_set(rig, 2, 4096 - 4, 0);
	inst_run(rig, DESCRIPTORS_IP);
	rig_ok(!is_said("bounds", DESCRIPTORS_IP),
	       "what nobody reads may be outside");
	addresses_set(rig, 2, 4096 - 12, 0);
	vgt_store32(rig->thread->reg + VGT_REG_A0, READ_XYZW);
	inst_run(rig, DESCRIPTORS_IP);
	rig_ok(is_said("bounds", DESCRIPTORS_IP),
	       "but by another descriptor in the register somebody does");
}

/* Between a vector's load and its store. */
static void test_zeros(struct rig *rig)
{
	rig->walker.serial++;
	text_put(rig, ZEROS_IP,
		 "send.dc1 (16|M0) r10 r2 null 0x0 0x048050fe\n"
		 "mov (16|M0) r12.0<1>:d 7:w\n"
		 "send.dc1 (16|M0) null r4 null 0x80 0x04025efe\n"
		 "send.dc1 (16|M0) null r2 r10 0x200 0x040250fe\n"
		 "mov (16|M0) r10.0<1>:d 0:w\n"
		 "mov (16|M0) r14.0<1>:d 0:w\n"
		 "mov (16|M0) r16.0<1>:d 0:w\n"
		 EOT);
	addresses_set(rig, 2, 0, 16);
	addresses_set(rig, 4, 2048, 4);
	inst_run(rig, ZEROS_IP);
	rig_ok(!is_said("uninit", ZEROS_IP),
	       "zeros of the null register may be stored");
}

/* The last page's buffer has 14 bytes less, which lie in the middle. */
static void test_block(struct rig *rig)
{
	uint8_t *address = rig->thread->reg + 2 * VGT_GRF_BYTES;
	uint32_t end = RIG_VA + 15 * 4096;

	rig->walker.serial++;
	text_put(rig, BLOCK_IP,
		 "(W) send.dc1 (16|M0) r10 r2 null 0x0 0x022d03ff\n"
		 "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r10.0<8;8,1>:d\n"
		 EOT);
	vgt_store32(address + 4, 0);
	vgt_store32(address, end - 128);
	inst_run(rig, BLOCK_IP);
	rig_ok(!is_said("bounds", BLOCK_IP), "a block may end in a buffer");
	vgt_store32(address, end - 32);
	inst_run(rig, BLOCK_IP);
	rig_ok(is_said("bounds", BLOCK_IP),
	       "but not behind what is left of its page");
}

static void kernel_put(struct rig *rig, uint32_t ip, const char *name,
		       const char *text)
{
	struct vgt_check_source source = {
		.name = name, .line = "", .local = "", .names = "",
	};
	uint8_t *code = engine_assemble(text, "-Xauto-deps", &source.code_bytes);

	if (!code)
		return;
	source.code = code;
	vgt_check_kernel_add(rig->device->check, &source);
	code_put(rig, ip, code, source.code_bytes);
	free(code);
	vgt_icache_invalidate(rig->walker.icache);
	rig->walker.serial++;
	rig->walker.kernel = ip;
}

/* Of the first page, which is a buffer, half is written; of the second nothing. */
static void test_pages(struct rig *rig)
{
	static const char said[] = "\"uninit\",\"kernel\":\"pages\"";
	uint8_t *host = rig_at(rig, RIG_VA + 4096);
	struct vgt_check_piece second = {
		.phys = host - rig->device->memory.base,
		.bytes = 4096, .whole_bytes = 4096, .number = 2, .fresh = true,
	};
	uint8_t *address = rig->thread->reg + 2 * VGT_GRF_BYTES;

	vgt_check_buffer_add(rig->device->check, &second);
	vgt_check_buffer_written(rig->device->check, 1, 2048, 2048);
	kernel_put(rig, PAGES_IP, "pages",
		   "(W) send.dc1 (16|M0) r10 r2 null 0x0 0x022d03ff\n"
		   "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r10.0<8;8,1>:d\n"
		   EOT);
	vgt_store32(address + 4, 0);
	vgt_store32(address, RIG_VA + 4096 - 32);
	inst_run(rig, PAGES_IP);
	rig_ok(!is_found(said), "a block may begin with what is there");
	vgt_store32(address, RIG_VA + 4096);
	inst_run(rig, PAGES_IP);
	rig_ok(is_found(said), "but not have nothing of that");
	rig->walker.kernel = 0;
	vgt_check_buffer_remove(rig->device->check, false, 2);
}

/* It loads what is behind the end of local memory, and adds @number. */
static void kernel_run(struct rig *rig, const char *name, uint32_t number)
{
	char text[300];

	sprintf(text, "send.dc1 (16|M0) r10 r2 null 0x0 0x04405cfe\n"
		"add (16|M0) r20.0<1>:d r10.0<8;8,1>:d %u:w\n" EOT, number);
	kernel_put(rig, KERNELS_IP, name, text);
	addresses_set(rig, 2, 8192, 8);
	inst_run(rig, KERNELS_IP);
	rig->walker.kernel = 0;
}

/* One after the other is at the same address. */
static void test_kernels(struct rig *rig)
{
	static const char first[] = "\"bounds\",\"kernel\":\"first\"";
	static const char second[] = "\"bounds\",\"kernel\":\"second\"";

	kernel_run(rig, "first", 1);
	kernel_run(rig, "second", 2);
	rig_ok(times_found(first) == 1 && times_found(second) == 1,
	       "a kernel in another one's place is looked at as well");
	kernel_run(rig, "first", 1);
	kernel_run(rig, "second", 2);
	rig_ok(times_found(first) == 1 && times_found(second) == 1,
	       "and nothing is said of a kernel twice");
}

/* Where nobody has told of a kernel, and so that each place is another one. */
static void places_fill(struct rig *rig, uint32_t count)
{
	const struct vgt_inst *inst = vgt_icache_fetch(rig->thread, KERNELS_IP);

	addresses_set(rig, 2, 8192, 8);
	for (uint32_t i = 0; inst && i < count; i++) {
		rig->walker.state.instruction_base = (uint64_t)i << 32;
		inst->exec(rig->thread, inst);
	}
	rig->walker.state.instruction_base = RIG_VA;
}

/* As many as a device has room for, and some; what is said is in a file meanwhile. */
static void test_places(struct rig *rig)
{
	static const char said[] = "of more than 2048 places nothing is said";
	struct vgt_check *check = rig->device->check;
	char path[] = "/tmp/vgt-places-XXXXXX";
	int fd = mkstemp(path);
	uint32_t places;

	if (fd < 0 || !freopen(path, "w", stderr)) {
		tap_result(false, "make a file", NULL);
		return;
	}
	rig->device->check = vgt_check_create(&rig->device->memory);
	places_fill(rig, 2100);
	vgt_check_destroy(rig->device->check);
	fflush(stderr);
	rig_ok(lines_with(path, said) == 1,
	       "that there are too many places is said once");
	places = times_found("\"bounds\"");
	rig->device->check = vgt_check_create(&rig->device->memory);
	places_fill(rig, 2);
	vgt_check_destroy(rig->device->check);
	rig->device->check = check;
	rig_ok(times_found("\"bounds\"") == places + 2,
	       "and goes for one device");
	close(fd);
	unlink(path);
	if (!freopen("/dev/null", "w", stderr))
		abort();
}

/* Of a part of two pages, and then of more than there are. */
static void test_written(void)
{
	struct vgt_check_written *written = vgt_check_written_create();

	if (written) {
		vgt_check_written_set(written, 4096, 3 * 4096);
		vgt_check_written_clear(written, 8192 - 16, 32);
	}
	rig_ok(written &&
	       vgt_check_written_count(written, 4096, 4096) == 4096 - 16 &&
	       vgt_check_written_count(written, 8192, 4096) == 4096 - 16 &&
	       vgt_check_written_count(written, 8192, 16) == 0,
	       "of memory that is another one's nothing is written");
	if (written)
		vgt_check_written_clear(written, 8192 + 32, 1 << 30);
	rig_ok(written &&
	       vgt_check_written_count(written, 8192, 4096) == 16 &&
	       vgt_check_written_count(written, 12288, 4096) == 0,
	       "nor of more of it than there was");
	vgt_check_written_destroy(written);
}

int main(void)
{
	struct rig *rig;
	int fd;

	strcpy(found, "/tmp/check_test.XXXXXX");
	fd = mkstemp(found);
	/* What is found is said; here it is asked for. */
	if (fd < 0 || !freopen("/dev/null", "w", stderr) ||
	    vgt_check_start(VGT_CHECK_BOUNDS | VGT_CHECK_RACES |
			    VGT_CHECK_UNINIT, found)) {
		tap_result(false, "start the checkers", NULL);
		return tap_finish();
	}
	rig = rig_create();
	if (!rig) {
		tap_result(false, "make a device", NULL);
		return tap_finish();
	}
	rig_fill(rig);
	launch(rig);
	buffers_note(rig);
	test_descriptors(rig);
	test_zeros(rig);
	test_block(rig);
	test_pages(rig);
	test_kernels(rig);
	test_places(rig);
	test_written();
	code_make(rig);
	test_random(rig);
	vgt_check_group_destroy(rig->group.check);
	vgt_check_forget(rig->worker->check);
	rig_destroy(rig);
	close(fd);
	unlink(found);
	return tap_finish();
}
