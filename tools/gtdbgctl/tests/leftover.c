// SPDX-License-Identifier: MIT
/*
 * Whose request runs, by texts as i915_request_show() and intel_engine_dump() of Linux 6.12
 * print them. Programs choose the names in them.
 */
#include "../leftover.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENGINE "rcs0\n\tAwake? 2\n\tBarriers?: no\n"
#define RUNS "\t\tActive[0]:  ccid:00000010!, ring:{start:0061b000, hwsp:fefe8140, " \
	     "seqno:00000003, runtime:17ms}, rq:  E 1c:4-  @ 523ms: "
#define PENDS "\t\tPending[0]: ccid:00000010!, rq:  E 1c:4-  @ 523ms: "
#define QUEUED "\t\tQ  24:2-  @ 10ms: "

static const struct {
	const char *name, *text;
	pid_t pid;
	enum leftover_place place;
} cases[] = {
	{ "a closed context that runs", ENGINE RUNS "compute<417>\n", 417, LEFTOVER_RUNS },
	{ "one that is not closed", ENGINE RUNS "compute[417]\n", 417, LEFTOVER_NONE },
	{ "another process's", ENGINE RUNS "compute<1417>\n", 417, LEFTOVER_NONE },
	{ "one that waits", ENGINE QUEUED "compute<417>\n", 417, LEFTOVER_QUEUED },
	{ "one that comes next", ENGINE PENDS "compute<417>\n", 417, LEFTOVER_QUEUED },
	{ "one that waits behind another one", ENGINE RUNS "other[99]\n" QUEUED "compute<417>\n",
	  417, LEFTOVER_QUEUED },
	{ "on no engine", RUNS "compute<417>\n", 417, LEFTOVER_QUEUED },
	{ "a number that the driver's room cuts", ENGINE RUNS "fifteen letters<4194303\n",
	  4194303, LEFTOVER_RUNS },
	{ "a short one is never cut", ENGINE RUNS "compute<417\n", 417, LEFTOVER_NONE },
	{ "it may be among those without a line",
	  ENGINE RUNS "other[99]\n\t\t...skipping 3 queued requests...\n", 417,
	  LEFTOVER_QUEUED },
	{ "a name like the beginning of what runs",
	  ENGINE RUNS "other[99]\n" QUEUED "\n\t\tActive[0]:<417>\n", 417, LEFTOVER_QUEUED },
	{ "a name with an engine in it",
	  ENGINE "\na0\n\tAwake? 1\n[99]\n" RUNS "other[99]\n", 417, LEFTOVER_NONE },
	{ "a name like another process's number", ENGINE RUNS "<417>\n[99]\n" PENDS "other[98]\n",
	  417, LEFTOVER_NONE },
	{ "a name like that and like a time", ENGINE RUNS "<417>\n @ 12ms: [4194303]\n", 417,
	  LEFTOVER_NONE },
	{ "a name like that, and a number that is cut", ENGINE RUNS "<417>\n12345678<4194303\n",
	  417, LEFTOVER_NONE },
	{ "one that another request follows", ENGINE RUNS "compute<417>\n" QUEUED "a[1]\n", 417,
	  LEFTOVER_RUNS },
	{ "one that the engine's next line follows", ENGINE RUNS "compute<417>\nHWSP:\n", 417,
	  LEFTOVER_RUNS },
	{ "nothing", "", 417, LEFTOVER_NONE },
};

int main(void)
{
	const int count = sizeof(cases) / sizeof(cases[0]);
	char engine[LEFTOVER_ENGINE_BYTES];
	enum leftover_place place;
	int failed = 0;
	FILE *info;
	bool ok;

	printf("TAP version 13\n1..%d\n", count);
	for (int i = 0; i < count; i++) {
		info = fmemopen((void *)cases[i].text, strlen(cases[i].text),
				"r");
		if (!info)
			abort();
		place = leftover_search(info, cases[i].pid, engine);
		fclose(info);
		ok = place == cases[i].place &&
		     (place != LEFTOVER_RUNS || !strcmp(engine, "rcs0"));
		printf("%sok %d - %s\n", ok ? "" : "not ", i + 1, cases[i].name);
		if (!ok)
			printf("# %d, engine \"%s\"\n", place, engine);
		failed |= !ok;
	}
	return failed;
}
