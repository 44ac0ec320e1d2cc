// SPDX-License-Identifier: MIT
/*
 * Signals. Ctrl-C is for the GPU threads; a signal that ends other programs
 * makes the tool quit, so that it leaves nothing behind. Both end every wait.
 */
#include "debugger.h"

#include <stddef.h>

volatile sig_atomic_t wait_is_interrupted;
volatile sig_atomic_t wait_is_ended;
bool (*wait_serve)(int fd, int timeout_ms);
bool (*wait_hand_on)(int fd);

static void on_signal(int signal)
{
	if (signal != SIGINT)
		wait_is_ended = signal;
	wait_is_interrupted = 1;
}

/* Without SA_RESTART, so that a wait for events ends. */
void interrupt_catch(void)
{
	static const int ends[] = { SIGHUP, SIGPIPE, SIGTERM };
	struct sigaction action = { .sa_handler = on_signal }, old;
	size_t i;

	sigaction(SIGINT, &action, NULL);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		/* What is ignored stays so, as nohup wants it. */
		if (!sigaction(ends[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			sigaction(ends[i], &action, NULL);
	}
}
