// SPDX-License-Identifier: MIT
#include "eu/kv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define KV_VERSION "1.1.0"

int vgt_kv_check(void)
{
	return strcmp(iga_version_string(), KV_VERSION) ? -ENOEXEC : 0;
}

/* The decoder writes columns; one blank between words is enough here. */
static void squeeze(const char *text, char *buf, size_t cap)
{
	size_t n = 0;

	for (; *text && n + 1 < cap; text++)
		if (*text != ' ' || (n && text[1] != ' ' && text[1]))
			buf[n++] = *text;
	buf[n] = '\0';
}

void vgt_kv_text(const void *code, size_t len_bytes, char *buf, size_t cap)
{
	char text[256];
	struct kv *kv;

	snprintf(buf, cap, "not decodable");
	kv = kv_create(KV_PLATFORM_GEN12LP, code, len_bytes, NULL, NULL, 0, 0);
	if (!kv)
		return;
	if (kv_get_inst_size(kv, 0) > 0) {
		kv_get_inst_syntax(kv, 0, text, sizeof(text), 0, NULL, NULL);
		squeeze(text, buf, cap);
	}
	kv_delete(kv);
}
