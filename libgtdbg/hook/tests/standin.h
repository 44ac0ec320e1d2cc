/* SPDX-License-Identifier: MIT */
/* What client.c calls of the hook besides, and results of tests, in one program each. */
#ifndef GTDBG_HOOK_TESTS_STANDIN_H
#define GTDBG_HOOK_TESTS_STANDIN_H

#include "../hook.h"

#include <stdbool.h>
#include <stdio.h>

static struct gtdbg_hook_config config = { .is_active = true };
static bool is_marked;
static int said;	/* what the program was told of: an error, or 0 */
static int count, failed;

static void result(bool is_good, const char *name)
{
	printf("%s %d - %s\n", is_good ? "ok" : "not ok", ++count, name);
	failed |= !is_good;
}

static void expect_at(int line, bool is_so)
{
	if (is_so)
		return;
	fprintf(stderr, "# line %d: not so\n", line);
	failed = 1;
}
#define expect(is_so) expect_at(__LINE__, is_so)

const struct gtdbg_hook_config *gtdbg_hook_config_get(void)
{
	return &config;
}

/* Only the first one is heard. */
void gtdbg_hook_complain(int ret, const char *what)
{
	(void)what;
	if (!said)
		said = ret;
}

bool gtdbg_hook_sip_is_marked(const struct gtdbg_hook_config *unused)
{
	(void)unused;
	return is_marked;
}

bool gtdbg_hook_sip_is_ours(const struct gtdbg_hook_config *unused)
{
	(void)unused;
	return is_marked;
}

int gtdbg_hook_sip_write(const struct gtdbg_hook_config *unused,
			 uint64_t token, bool is_armed)
{
	(void)unused;
	(void)token;
	(void)is_armed;
	return 0;
}

void gtdbg_hook_sip_forget(void)
{
}

#endif
