// SPDX-License-Identifier: MIT
#include "hook.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_FILE "/etc/gtdbg.conf"

static struct gtdbg_hook_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

static void set_text(char *to, size_t capacity, const char *value)
{
	if (value && strlen(value) < capacity)
		strcpy(to, value);
}

static void config_set(const char *key, const char *value)
{
	if (strcmp(key, "active") == 0)
		config.is_active = strcmp(value, "1") == 0 ||
				   strcmp(value, "yes") == 0;
	else if (strcmp(key, "wait_ms") == 0)
		config.wait_ms = strtoull(value, NULL, 10);
	else if (strcmp(key, "sip") == 0)
		set_text(config.sip, sizeof(config.sip), value);
	else if (strcmp(key, "vgtd") == 0)
		set_text(config.vgtd, sizeof(config.vgtd), value);
}

static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = 0;
	return text;
}

/* Lines "key = value"; "#" starts a comment. */
static void config_read_file(void)
{
	FILE *file = fopen(CONFIG_FILE, "re");
	char line[4200], *equals;

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "#")] = 0;
		equals = strchr(line, '=');
		if (!equals)
			continue;
		*equals = 0;
		config_set(trim(line), trim(equals + 1));
	}
	fclose(file);
}

static void config_read(void)
{
	const char *value = getenv("GTDBG");

	config_read_file();
	if (value)
		config_set("active", value);
	value = getenv("GTDBG_WAIT_MS");
	if (value)
		config_set("wait_ms", value);
	set_text(config.notify, sizeof(config.notify), getenv("GTDBG_NOTIFY"));
	set_text(config.sip, sizeof(config.sip), getenv("GTDBG_SIP"));
	set_text(config.vgtd, sizeof(config.vgtd), getenv("GTDBG_VGTD"));
	set_text(config.sip_copy, sizeof(config.sip_copy),
		 getenv("LoadBinarySipFromFile"));
	value = getenv("TbxPort");
	config.tbx_port = value ? atoi(value) : 0;
	value = getenv("GTDBG_OPTIMIZE");
	config.optimize = value && strcmp(value, "1") == 0;
}

const struct gtdbg_hook_config *gtdbg_hook_config_get(void)
{
	pthread_once(&config_once, config_read);
	return &config;
}

void gtdbg_hook_complain(int ret, const char *what)
{
	static int said;

	if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
		return;
	fprintf(stderr, "gtdbg: not debugging this program: %s: %s\n", what,
		strerror(-ret));
}
