// SPDX-License-Identifier: MIT
#include "kv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define KV_VERSION "1.1.0"

int vgt_kv_check(void)
{
	return strcmp(iga_version_string(), KV_VERSION) ? -ENOEXEC : 0;
}

void vgt_kv_text(const void *code, size_t len_bytes, char *buf, size_t cap)
{
	struct kv *kv;

	snprintf(buf, cap, "not decodable");
	kv = kv_create(KV_PLATFORM_GEN12LP, code, len_bytes, NULL, NULL, 0, 0);
	if (!kv)
		return;
	if (kv_get_inst_size(kv, 0) > 0)
		kv_get_inst_syntax(kv, 0, buf, cap, 0, NULL, NULL);
	kv_delete(kv);
}
