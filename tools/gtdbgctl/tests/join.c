// SPDX-License-Identifier: MIT
/*
 * Records of a print that takes two of them, as a thread's passes may bring them,
 * without a GPU: whole ones are printed, and what is left over is counted.
 */
#include "../debugger.h"
#include "../message.h"
#include "../record.h"

#include <stdlib.h>
#include <string.h>

#define VALUES (GTDBG_RECORD_VALUES + 1)
#define TAG 8	/* of the first record of a pass */

/* One of a thread's: its value is its number in the row. */
struct piece {
	uint32_t context;
	uint32_t index;		/* in its pass */
	uint16_t turn;
	uint8_t lanes;
};

static char *args[MESSAGE_ARGS_MAX] = { "a", "b", "c", "d" };
static struct message message = { .count = VALUES };
static char printed[64];
static int count, failures;

/*
 * What the rest of the tool has for it, and the library
 */

int gtdbg_record_compile(struct gtdbg_symbols *symbols, uint64_t pc,
			 struct gtdbg_capture *captures, size_t number,
			 const char *condition, uint32_t tag, void *program,
			 size_t capacity, char *why, size_t why_bytes)
{
	(void)symbols, (void)pc, (void)condition, (void)tag, (void)program;
	(void)capacity, (void)why, (void)why_bytes;
	for (uint32_t i = 0; i < number; i++) {
		captures[i].first = i;
		captures[i].count = 1;
	}
	return 1;
}

void thread_print_name(struct debugger *debugger,
		       const struct gtdbg_thread_info *thread, int lane)
{
	(void)debugger, (void)thread, (void)lane;
}

void message_print_operands(const struct message *what,
			    const struct operand *operands)
{
	size_t len = strlen(printed);

	snprintf(printed + len, sizeof(printed) - len, "%d%d ",
		 (int)operands[0].bits, (int)operands[what->count - 1].bits);
}

/*
 * The test
 */

static void piece_read(struct debugger *debugger, const struct piece *piece,
		       uint32_t number)
{
	struct {
		struct gtdbg_event event;
		struct gtdbg_event_thread_record head;
		struct gtdbg_thread_record record;
	} one = {
		.event.len_bytes = sizeof(one),
		.event.kind = GTDBG_EVENT_THREAD_RECORD,
		.head = {
			.device = 1, .context = piece->context, .count = 1,
			.record_len_bytes = sizeof(one.record),
		},
		.record = {
			.slot = 5, .tag = TAG + piece->index,
			.lanes = piece->lanes, .turn = piece->turn,
		},
	};

	for (uint32_t i = 0; i < GTDBG_RECORD_VALUES; i++)
		one.record.value[i][0] = number;
	records_print(debugger, &one.event);
}

/* @pieces end with no lanes; @lines and @said are what is printed. */
static void check(const char *name, const struct piece *pieces,
		  const char *lines, const char *said)
{
	struct breakpoint breakpoint = { .message = &message };
	struct debugger debugger = {
		.breakpoints = &breakpoint, .next_tag = TAG - 1,
	};
	FILE *was = stderr;
	char *text = NULL;
	size_t len = 0;
	bool ok;

	*printed = 0;
	stderr = open_memstream(&text, &len);
	record_compile(&debugger, &breakpoint, NULL, 0, NULL, 0);
	for (uint32_t i = 0; pieces[i].lanes; i++)
		piece_read(&debugger, &pieces[i], i + 1);
	records_end(&debugger);
	records_end(&debugger);
	fclose(stderr);
	stderr = was;
	record_forget(&breakpoint);
	ok = !strcmp(printed, lines) && !strcmp(text, said);
	printf("%sok %d - %s\n", ok ? "" : "not ", ++count, name);
	if (!ok)
		printf("# %s: %s\n", printed, text);
	failures += !ok;
	free(text);
}

#define SAID(number) \
	"gtdbgctl: " number " not printed: there are no others of the same pass\n"

int main(void)
{
	const struct piece whole[] = {
		{ 1, 0, 0, 1 }, { 1, 1, 1, 1 }, { 1, 0, 2, 1 }, { 1, 1, 3, 1 },
		{ 0 }
	};
	const struct piece lanes[] = {
		{ 1, 0, 0, 1 }, { 1, 1, 1, 3 }, { 1, 0, 0, 1 }, { 1, 1, 1, 1 },
		{ 0 }
	};
	const struct piece first[] = {
		{ 1, 0, 0, 1 }, { 1, 0, 0, 1 }, { 1, 1, 1, 1 }, { 0 }
	};
	const struct piece second[] = {
		{ 1, 0, 0, 1 }, { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { 0 }
	};
	const struct piece last[] = {
		{ 1, 0, 0, 1 }, { 1, 1, 1, 1 }, { 1, 0, 0, 1 }, { 0 }
	};
	const struct piece contexts[] = {
		{ 1, 0, 0, 1 }, { 2, 0, 0, 1 }, { 1, 1, 1, 1 }, { 2, 1, 1, 1 },
		{ 0 }
	};

	memcpy(message.args, args, sizeof(args));
	puts("TAP version 13");
	check("two records are a print", whole, "12 34 ", "");
	check("of other lanes they are none, which is said", lanes, "34 ",
	      SAID("2 records are"));
	check("a first one alone is counted", first, "23 ",
	      SAID("1 record is"));
	check("so is a second one", second, "12 ", SAID("1 record is"));
	check("and what is left at the end", last, "12 ", SAID("1 record is"));
	check("each context has its own", contexts, "13 24 ", "");
	printf("1..%d\n", count);
	return failures ? 1 : 0;
}
