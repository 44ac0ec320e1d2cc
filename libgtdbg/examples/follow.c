// SPDX-License-Identifier: MIT
/*
 * Watches a process that uses the GPU under gtdbg, until it ends: prints the
 * name of each event, and which kernels are launched. It only looks.
 * usage: follow PID
 */
#include <gtdbg.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int attach(struct gtdbg *gtdbg, int pid, struct gtdbg_session **out)
{
	struct gtdbg_session_attach attach = {
		.flags = GTDBG_SESSION_F_OBSERVER,
		.event_mask = GTDBG_EVENTS_ALL,
	};
	int ret = gtdbg_client_find(pid, &attach.client_fd);

	if (ret)
		return ret;
	ret = gtdbg_session_open(gtdbg, &attach, out);
	close(attach.client_fd);
	return ret;
}

static void show(const struct gtdbg_event *event)
{
	const struct gtdbg_event_kernel_submit *submit;

	printf("%s", gtdbg_event_name(event->kind));
	if (event->kind == GTDBG_EVENT_KERNEL_SUBMIT) {
		submit = gtdbg_event_payload(event, sizeof(*submit));
		if (submit)
			printf(" of kernel %u", submit->kernel);
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	const struct gtdbg_event *event;
	struct gtdbg_session *session;
	struct gtdbg *gtdbg;
	int ret;

	if (argc != 2) {
		fputs("usage: follow PID\n", stderr);
		return 2;
	}
	setlinebuf(stdout);
	ret = gtdbg_open(NULL, &gtdbg);
	if (!ret)
		ret = attach(gtdbg, atoi(argv[1]), &session);
	if (ret) {
		fprintf(stderr, "follow: %s\n", strerror(-ret));
		return 1;
	}
	while ((ret = gtdbg_event_next(session, -1, &event)) == 1 ||
	       ret == -EINTR) {
		if (ret == 1)
			show(event);
	}
	gtdbg_session_close(session);
	gtdbg_close(gtdbg);
	return ret ? 1 : 0;
}
