// SPDX-License-Identifier: MIT
/*
 * Which lanes a message is executed by: those that run, and of these the ones whose
 * flags its predicate wants. Compilers rarely write such, so the code here is only its
 * text. Without a GPU, for access.sh.
 */
#include "../access.h"
#include "../debugger.h"

#include <stdio.h>
#include <string.h>

#define READ " send.dc1 (8|M8) r20 r8 null 0x0 0x04144eff {$1}"
#define BLOCK " send.dc1 (16|M0) r20 r8 null 0x0 0x02150200 {$1}"

static const char *text;
static uint64_t flags;
static int number, failed;

/* What the rest of the tool and the library have for it. */
struct kernel *thread_kernel(struct debugger *debugger,
			     const struct gtdbg_thread_info *thread)
{
	static struct kernel kernel;

	(void)debugger;
	(void)thread;
	return &kernel;
}

struct gtdbg_code *kernel_code(struct debugger *debugger, struct kernel *kernel)
{
	(void)debugger;
	return (struct gtdbg_code *)kernel;
}

uint32_t gtdbg_code_size(const struct gtdbg_code *code, uint32_t offset_bytes)
{
	(void)code;
	(void)offset_bytes;
	return 16;
}

int gtdbg_code_text(const struct gtdbg_code *code, uint32_t offset_bytes,
		    char *out, size_t capacity)
{
	(void)code;
	(void)offset_bytes;
	snprintf(out, capacity, "%s", text);
	return 0;
}

static int register_read(void *context, uint32_t offset_bytes, void *buf,
			 size_t len)
{
	(void)context;
	memset(buf, (int)offset_bytes, len);
	return 0;
}

const struct gtdbg_machine *gtdbg_stop_machine(struct gtdbg_stop *stop)
{
	static const struct gtdbg_machine machine = {
		.register_read = register_read,
	};

	(void)stop;
	return &machine;
}

int gtdbg_register_read(struct gtdbg_session *session,
			const struct gtdbg_thread_info *thread, uint32_t set,
			uint32_t first, uint32_t count, void *buf,
			size_t len_bytes)
{
	(void)session;
	(void)thread;
	if (set != GTDBG_REGISTER_FLAG || first || count != 2 ||
	    len_bytes != sizeof(flags))
		return -1;
	memcpy(buf, &flags, sizeof(flags));
	return 0;
}

static void check(const char *predicate, const char *message, uint64_t value,
		  uint32_t wanted)
{
	struct debugger debugger = { .thread.exec_mask = 0x7f00 };
	struct access list[ACCESSES_MAX];
	char line[128];
	uint32_t lanes = 0;
	int count;

	snprintf(line, sizeof(line), "%s%s", predicate, message);
	text = line;
	flags = value;
	count = access_list_at(&debugger, 0, list);
	for (int i = 0; i < count; i++)
		lanes |= 1u << list[i].lane;
	failed |= lanes != wanted;
	printf("%s %d - %s: lanes 0x%x of 0x%x\n",
	       lanes == wanted ? "ok" : "not ok", ++number, line, lanes, wanted);
}

static void check_bytes(const char *what, const char *message, uint32_t wanted)
{
	uint32_t bytes = access_bytes(message);

	failed |= bytes != wanted;
	printf("%s %d - %s: %u bytes of %u\n", bytes == wanted ? "ok" : "not ok",
	       ++number, what, bytes, wanted);
}

#define MESSAGE(desc) "send.dc1 (8|M0) null r8 r10 0x40 " desc " {$1}"

int main(void)
{
	puts("TAP version 13");
	check("", READ, 0, 0x7f00);
	check("(W)", READ, 0, 0xff00);
	check("(f0.0)", READ, 0x1234ffffffff05ff, 0x0500);
	check("(~f0.0)", READ, 0x1234ffffffff05ff, 0x7a00);
	check("(f0.1)", READ, 0x1234ffff0a000000, 0x0a00);
	check("(f1.0)", READ, 0x123400f0ffffffff, 0);
	check("(f1.1)", READ, 0x8000ffffffffffff, 0);
	check("(W&f1.0)", READ, 0x8000ffffffff, 0x8000);
	check("(W&f1.1)", READ, 0x8000ffffffffffff, 0x8000);
	check("(f0.0.any4h)", READ, 0x0100, 0x0f00);
	check("(f0.0.all4h)", READ, 0xf100, 0x7000);
	check("(W&~f0.0.any16h)", READ, 1, 0);
	check("(W&~f0.0.any32h)", READ, 1ull << 32, 0xff00);
	check("(f0.0.anyv)", READ, 0, 0x7f00);
	check("", BLOCK, 0, 0x0100);
	check("(f0.0)", BLOCK, 0x00ff, 0);
	check("(f0.0)", BLOCK, 0x0200, 0x0100);
	check_bytes("a dword", MESSAGE("0x04064eff"), 4);
	check_bytes("four dwords", MESSAGE("0x040640ff"), 16);
	check_bytes("the second of four alone", MESSAGE("0x04064dff"), 8);
	check_bytes("none of them", MESSAGE("0x04064fff"), 0);
	check_bytes("a byte", MESSAGE("0x040680ff"), 1);
	check_bytes("eight qwords", MESSAGE("0x04068eff"), 64);
	check_bytes("an atomic operation on a qword", MESSAGE("0x040497ff"), 8);
	check_bytes("an oword", MESSAGE("0x040550ff"), 16);
	check_bytes("a block of hwords", MESSAGE("0x040559ff"), 0);
	check_bytes("a surface", MESSAGE("0x02026efc"), 0);
	printf("1..%d\n", number);
	return failed;
}
