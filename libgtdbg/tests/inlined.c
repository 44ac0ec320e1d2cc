// SPDX-License-Identifier: MIT
/*
 * Optimised code, in which all functions of tests/inlined.cl are merged into
 * the kernels. What has a value where follows from the text: nothing before it
 * is computed, and no number where it cannot be known.
 */
#include "support/kernel_file.h"
#include "support/tap.h"

#include <errno.h>
#include <string.h>

#define FRAMES_MAX 8

static struct gtdbg_symbols *symbols;
static struct kernel_file_state state = { 0x1000, 1 };
static struct gtdbg_frame frames[FRAMES_MAX];
static int frame_count;

static uint64_t line_pc(uint32_t line)
{
	uint64_t pc = 0;

	gtdbg_line_addresses(symbols, NULL, line, NULL, &pc, 1);
	return pc;
}

static void stand(uint64_t pc)
{
	struct gtdbg_machine machine = kernel_file_machine(&state);

	frame_count = gtdbg_frame_unwind(symbols, &machine, pc, ~0u, 0, frames,
					 FRAMES_MAX);
}

static int locate(int frame, const char *name, uint32_t lane,
		  struct gtdbg_location *out)
{
	struct gtdbg_machine machine = kernel_file_machine(&state);
	struct gtdbg_variable variable;
	int ret = gtdbg_variable_find(symbols, &frames[frame], name,
				      &variable);

	return ret ? ret : gtdbg_variable_locate(symbols, &frames[frame],
						 &variable, &machine, lane,
						 out);
}

static bool frame_is(int number, const char *function, uint32_t line,
		     bool is_inlined)
{
	const struct gtdbg_frame *frame = &frames[number];

	return frame->function && strcmp(frame->function, function) == 0 &&
	       frame->line == line && frame->is_inlined == is_inlined &&
	       frame->level == (uint32_t)number && frame->file &&
	       strstr(frame->file, "inlined.cl");
}

static void test_frames(void)
{
	stand(line_pc(5));
	tap_check(frame_count == 3 && frame_is(0, "deeper", 5, true) &&
		  frame_is(1, "shallow", 10, true) &&
		  frame_is(2, "inlined", 17, false),
		  "two merged functions are frames, at the lines of the calls");
	stand(line_pc(11));
	tap_check(frame_count == 2 && frame_is(0, "shallow", 11, true),
		  "behind the inner call there is one frame less");
	stand(line_pc(16));
	tap_check(frame_count == 1 && frame_is(0, "inlined", 16, false),
		  "before the calls there is the kernel alone");
}

static void test_scopes(void)
{
	struct gtdbg_location out, other;
	uint32_t three = 0;

	stand(line_pc(5));
	tap_check(!locate(0, "a", 0, &out) && !locate(1, "a", 0, &other) &&
		  memcmp(out.value, other.value, 4),
		  "each frame has its own variable of a name");
	tap_check(locate(0, "b", 0, &out) == -ENOENT &&
		  locate(0, "item", 0, &out) == -ENOENT &&
		  locate(2, "sum", 0, &out) == -ENOENT,
		  "a frame does not see those of others");
	tap_check(!locate(1, "b", 0, &out) &&
		  out.kind == GTDBG_LOCATION_VALUE && out.value_len_bytes >= 4,
		  "an argument that is a number has no place");
	memcpy(&three, out.value, 4);
	tap_check(three == 3, "but its value");
}

static void test_liveness(void)
{
	struct gtdbg_location out;
	uint64_t base;
	size_t len;

	gtdbg_symbols_text(symbols, &base, &len);
	stand(base);
	tap_check(locate(0, "item", 0, &out) == -EAGAIN &&
		  locate(0, "result", 0, &out) == -EAGAIN,
		  "nothing has a value where the kernel begins");
	tap_check(locate(0, "out", 0, &out) == -ENODATA,
		  "a parameter that became part of an address never has one");
	stand(line_pc(5));
	tap_check(!locate(2, "value", 0, &out) &&
		  !locate(2, "value", 31, &out),
		  "a value that is used later is there in all lanes");
	tap_check(locate(2, "result", 0, &out) == -EAGAIN,
		  "one that is made later is not");
	stand(line_pc(19));
	tap_check(locate(0, "item", 0, &out) == -ESTALE &&
		  locate(0, "result", 0, &out) == -ESTALE,
		  "values behind their last use are stale");
}

/* The multiplication stands behind the place where its list begins. */
static void test_late_definition(void)
{
	struct gtdbg_location out;
	bool was_seen = false;
	uint64_t pc;

	for (pc = line_pc(16); pc < line_pc(5); pc += 8) {
		stand(pc);
		if (frame_count == 3 && frames[0].line == 3 &&
		    !locate(0, "twofold", 0, &out))
			was_seen = true;
	}
	tap_check(!was_seen, "a sum has no value in the line that makes it");
	stand(line_pc(5));
	tap_check(!locate(0, "twofold", 0, &out) &&
		  !locate(0, "twofold", 31, &out),
		  "it has one behind that, in all lanes");
}

/*
 * In the loop of tests/inlined.cl the counter goes up before the store, though
 * the text says that it does behind it; the sum is made where the text says so.
 */
static void test_moved_update(void)
{
	struct gtdbg_location out;
	int ret;

	gtdbg_symbols_destroy(symbols);
	symbols = kernel_file_symbols("inlined.cl", KERNEL_FILE_OPTIMIZED,
				      "loop");
	stand(line_pc(31));
	tap_check(!locate(0, "sum", 0, &out),
		  "a sum has a value behind the addition");
	ret = locate(0, "i", 0, &out);
	tap_check(ret == -ESTALE, "a counter that may have gone up has none");
}

static void test_two_calls(void)
{
	uint64_t pcs[4] = { 0 };
	uint32_t line;

	gtdbg_symbols_destroy(symbols);
	symbols = kernel_file_symbols("inlined.cl", KERNEL_FILE_OPTIMIZED,
				      "both");
	tap_check(gtdbg_line_addresses(symbols, NULL, 5, NULL, pcs, 4) == 2 &&
		  pcs[0] != pcs[1],
		  "a line of a function merged twice has two addresses");
	stand(pcs[0]);
	tap_check(frame_is(0, "deeper", 5, true) &&
		  frame_is(1, "both", 23, false), "one for each call");
	tap_check(gtdbg_line_addresses(symbols, NULL, 2, &line, pcs, 4) == 2 &&
		  line > 2 && line < 7,
		  "a line without code stands for a later one in each");
	tap_check(gtdbg_line_addresses(symbols, NULL, 8, NULL, pcs, 4) ==
		  -ENOENT, "but for none where no function is");
}

int main(void)
{
	puts("TAP version 13");
	symbols = kernel_file_symbols("inlined.cl", KERNEL_FILE_OPTIMIZED,
				      "inlined");
	tap_check(gtdbg_symbols_simd_width(symbols, 0) == 32,
		  "optimised code has 32 lanes");
	test_frames();
	test_scopes();
	test_liveness();
	test_late_definition();
	test_two_calls();
	test_moved_update();
	gtdbg_symbols_destroy(symbols);
	return tap_end();
}
