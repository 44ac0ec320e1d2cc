// SPDX-License-Identifier: MIT
/*
 * Instructions are decoded by Intel's libiga64, if the machine has it. It is
 * opened at run time and once per process, so that the library has no
 * dependency that most users of symbols could not meet. Without it there is no
 * disassembly, and what needs to read code fails rather than guess.
 */
#include "kv.h"

#include "gtdbg_symbols.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define KV_LIBRARY	"libiga64.so.1"
#define KV_PLATFORM_XE	0x01000000

static struct gtdbg_kv kv_calls;
static bool kv_is_loaded;
static pthread_once_t kv_once = PTHREAD_ONCE_INIT;

#define KV_CALL(name) { "kv_" #name, offsetof(struct gtdbg_kv, name) }

static const struct {
	const char *name;
	size_t offset;
} kv_names[] = {
	KV_CALL(create),
	KV_CALL(delete),
	KV_CALL(get_inst_size),
	KV_CALL(get_inst_syntax),
	KV_CALL(get_inst_targets),
	KV_CALL(get_opcode),
	KV_CALL(get_execution_size),
	KV_CALL(get_has_destination),
	KV_CALL(get_destination_register),
	KV_CALL(get_destination_sub_register),
	KV_CALL(get_destination_data_type),
	KV_CALL(get_destination_register_type),
	KV_CALL(get_destination_register_kind),
	KV_CALL(get_destination_region),
	KV_CALL(get_number_sources),
	KV_CALL(get_source_register),
	KV_CALL(get_source_sub_register),
	KV_CALL(get_source_data_type),
	KV_CALL(get_source_register_type),
	KV_CALL(get_source_register_kind),
	KV_CALL(get_source_region),
	KV_CALL(get_source_immediate),
	KV_CALL(get_source_modifier),
	KV_CALL(get_message_len),
	KV_CALL(get_predicate),
	KV_CALL(get_channel_offset),
};

static void kv_load(void)
{
	void *library = dlopen(KV_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	size_t i;

	if (!library)
		return;
	for (i = 0; i < sizeof(kv_names) / sizeof(kv_names[0]); i++) {
		void *call = dlsym(library, kv_names[i].name);

		if (!call) {
			dlclose(library);
			return;
		}
		memcpy((char *)&kv_calls + kv_names[i].offset, &call,
		       sizeof(call));
	}
	/* Never closed: views may live until the process ends. */
	kv_is_loaded = true;
}

int gtdbg_code_create(const void *bytes, size_t len_bytes,
		      struct gtdbg_code **out)
{
	struct gtdbg_code *code;
	char errors[4096];
	int status;

	pthread_once(&kv_once, kv_load);
	if (!kv_is_loaded)
		return -ENOSYS;
	code = calloc(1, sizeof(*code));
	if (!code)
		return -ENOMEM;
	code->kv = &kv_calls;
	code->len_bytes = len_bytes;
	/* Decode errors leave a usable view in which bad places are illegal. */
	code->view = kv_calls.create(KV_PLATFORM_XE, bytes, len_bytes, &status,
				     errors, sizeof(errors), 0);
	if (!code->view) {
		free(code);
		return -EINVAL;
	}
	*out = code;
	return 0;
}

void gtdbg_code_destroy(struct gtdbg_code *code)
{
	if (!code)
		return;
	code->kv->delete(code->view);
	free(code);
}

uint32_t gtdbg_code_size(const struct gtdbg_code *code, uint32_t offset_bytes)
{
	int32_t size;

	if (offset_bytes >= code->len_bytes)
		return 0;
	size = code->kv->get_inst_size(code->view, offset_bytes);
	return size > 0 ? size : 0;
}

/* The decoder aligns its columns; one space between words reads better. */
static void text_squeeze(char *text)
{
	char *to = text;
	const char *from;

	for (from = text; *from; from++) {
		char c = *from == '\t' || *from == '\n' ? ' ' : *from;

		if (c == ' ' && (to == text || to[-1] == ' '))
			continue;
		*to++ = c;
	}
	while (to > text && to[-1] == ' ')
		to--;
	*to = 0;
}

int gtdbg_code_text(const struct gtdbg_code *code, uint32_t offset_bytes,
		    char *text, size_t capacity)
{
	if (!capacity)
		return -EINVAL;
	if (!gtdbg_code_size(code, offset_bytes))
		return -ENOENT;
	code->kv->get_inst_syntax(code->view, offset_bytes, text, capacity, 0,
				  NULL, NULL);
	text[capacity - 1] = 0;
	text_squeeze(text);
	return 0;
}
