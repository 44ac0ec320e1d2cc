// SPDX-License-Identifier: MIT
/*
 * Writes events 0, 1, 2... of many lengths without a GPU, for perfetto.sh.
 * usage: perfetto COUNT|endless|full FILE
 */
#include "../perfetto.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define ROW 1
#define FLUSH_EVENTS 100
#define PAUSE_US 1000 /* else there are gigabytes when somebody looks */
#define TEXT_MAX 5000 /* some are too long to be written */

static void event(struct perfetto *perfetto, uint64_t number)
{
	static char text[TEXT_MAX + 1];
	/* Each tenth is of any length. */
	size_t len = number % 10 ? number % 50 : number * 37 % TEXT_MAX;

	memset(text, 'x', len);
	text[len] = 0;
	perfetto_event(perfetto, PERFETTO_INSTANT, ROW, 1 + number, "event");
	perfetto_number(perfetto, "number", number);
	perfetto_text(perfetto, "text", text);
	perfetto_event_end(perfetto);
}

int main(int argc, char **argv)
{
	const struct rlimit limit = { 5 * PERFETTO_PAGE + 1000, RLIM_INFINITY };
	static struct perfetto perfetto;
	uint64_t count, i;
	int fd, ret;

	if (argc != 3)
		return 2;
	count = strtoull(argv[1], NULL, 0) ?: UINT64_MAX;
	if (!strcmp(argv[1], "full")) {
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
	}
	fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
	perfetto_begin(&perfetto, fd);
	perfetto_row(&perfetto, ROW, 0, "row");
	for (i = 0; i < count && !perfetto.error; i++) {
		event(&perfetto, i);
		if (i % FLUSH_EVENTS)
			continue;
		perfetto_flush(&perfetto);
		usleep(PAUSE_US);
	}
	ret = perfetto_flush(&perfetto);
	if (ret)
		fprintf(stderr, "perfetto: %s\n", strerror(-ret));
	return ret ? 1 : 0;
}
