// SPDX-License-Identifier: MIT
#include "hook.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gtdbg_hook_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

static void set_text(char *to, size_t capacity, const char *value)
{
	if (value && strlen(value) < capacity)
		strcpy(to, value);
}

/* False: there is no such setting, or it has no such value. */
static bool config_set(const char *key, const char *value)
{
	char *end = "";

	if (strcmp(key, "active") == 0)
		config.is_active = strcmp(value, "1") == 0 ||
				   strcmp(value, "yes") == 0;
	else if (strcmp(key, "wait_ms") == 0)
		config.wait_ms = strtoull(value, &end, 10);
	else if (strcmp(key, "sip") == 0)
		set_text(config.sip, sizeof(config.sip), value);
	else if (strcmp(key, "vgtd") == 0)
		set_text(config.vgtd, sizeof(config.vgtd), value);
	else
		return false;
	return !*end;
}

static enum gtdbg_hook_stock stock_parse(const char *value)
{
	if (value && strcmp(value, "bindful") == 0)
		return GTDBG_HOOK_STOCK_BINDFUL;
	if (value && strcmp(value, "bindless") == 0)
		return GTDBG_HOOK_STOCK_BINDLESS;
	return GTDBG_HOOK_STOCK_NONE;
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

/* A line "key = value"; "#" starts a comment. */
static bool config_read_line(char *line)
{
	char *equals;

	line[strcspn(line, "#")] = 0;
	if (!*trim(line))
		return true;
	equals = strchr(line, '=');
	if (!equals)
		return false;
	*equals = 0;
	return config_set(trim(line), trim(equals + 1));
}

static void config_read_file(void)
{
	FILE *file = fopen(GTDBG_HOOK_CONFIG_FILE, "re");
	unsigned int number = 0;
	char *line = NULL;
	size_t size = 0;

	if (!file)
		return;
	while (getline(&line, &size, file) >= 0) {
		number++;
		if (!config_read_line(line) && !config.bad_line)
			config.bad_line = number;
	}
	free(line);
	fclose(file);
}

static void config_read(void)
{
	const char *value = secure_getenv("GTDBG");

	config_read_file();
	if (value)
		config_set("active", value);
	if (value && !config.is_active)
		config.bad_line = 0;
	value = secure_getenv("GTDBG_WAIT_MS");
	if (value)
		config_set("wait_ms", value);
	set_text(config.notify, sizeof(config.notify), secure_getenv("GTDBG_NOTIFY"));
	set_text(config.sip, sizeof(config.sip), secure_getenv("GTDBG_SIP"));
	config.stock = stock_parse(secure_getenv("GTDBG_SIP_STOCK"));
	set_text(config.vgtd, sizeof(config.vgtd), secure_getenv("GTDBG_VGTD"));
	set_text(config.sip_copy, sizeof(config.sip_copy),
		 secure_getenv("LoadBinarySipFromFile"));
	set_text(config.sip_folder, sizeof(config.sip_folder),
		 secure_getenv("GTDBG_SIP_FOLDER"));
	value = secure_getenv("TbxPort");
	config.tbx_port = value ? atoi(value) : 0;
	value = secure_getenv("GTDBG_OPTIMIZE");
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
