// SPDX-License-Identifier: MIT
#include "engine_rig.h"

#include "eu/handler.h"
#include "eu/icache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CODE_MAX (4 << 20)

static uint8_t *read_code(const char *path, size_t *bytes_out)
{
	FILE *file = fopen(path, "r");
	uint8_t *code = calloc(1, CODE_MAX);

	if (!file || !code)
		abort();
	*bytes_out = fread(code, 1, CODE_MAX, file);
	fclose(file);
	return code;
}

uint8_t *engine_assemble(const char *text, const char *option,
			 size_t *bytes_out)
{
	char folder[] = "/tmp/vgt-asm-XXXXXX";
	char source[64], binary[64], command[300];
	uint8_t *code = NULL;
	FILE *file;

	if (!mkdtemp(folder))
		return NULL;
	snprintf(source, sizeof(source), "%s/text.asm", folder);
	snprintf(binary, sizeof(binary), "%s/text.bin", folder);
	file = fopen(source, "w");
	if (!file)
		abort();
	fputs(text, file);
	fclose(file);
	snprintf(command, sizeof(command), "iga64 -a -p=12p1 %s %s -o %s 1>&2",
		 option, source, binary);
	if (!system(command))
		code = read_code(binary, bytes_out);
	unlink(source);
	unlink(binary);
	rmdir(folder);
	return code;
}

struct engine_rig *engine_rig_create(const uint8_t *code, size_t bytes,
				     bool slow)
{
	struct engine_rig *rig;

	rig = aligned_alloc(64, (sizeof(*rig) + 63) / 64 * 64);
	if (!rig)
		abort();
	memset(rig, 0, sizeof(*rig));
	vgt_handler_slow(slow);
	rig->walker.icache = vgt_icache_create();
	rig->group.walker = &rig->walker;
	rig->thread.group = &rig->group;
	rig->thread.worker = &rig->worker;
	vgt_icache_load(rig->walker.icache, 0, code, bytes);
	return rig;
}

void engine_rig_destroy(struct engine_rig *rig)
{
	vgt_icache_reader_fini(&rig->worker.reader);
	vgt_icache_destroy(rig->walker.icache);
	free(rig);
}

void engine_thread_load(struct vgt_eu_thread *thread,
			const struct model_state *state, uint32_t ip)
{
	uint32_t cr0 = 0x4c0 | state->rounding << 4;

	memset(thread->reg, 0, sizeof(thread->reg));
	memcpy(thread->reg + VGT_REG_GRF, state->grf, sizeof(state->grf));
	memcpy(thread->reg + VGT_REG_ACC, state->acc, sizeof(state->acc));
	memcpy(thread->reg + VGT_REG_A0, state->a0, sizeof(state->a0));
	memcpy(thread->reg + VGT_REG_F, &state->flags, 8);
	memcpy(thread->reg + VGT_REG_CR, &cr0, 4);
	thread->acc_wide = 0;
	thread->acc_signed = 0;
	thread->mxcsr = vgt_eu_float_mode(thread);
	thread->dispatch_mask = UINT32_MAX;
	thread->call_mask = UINT32_MAX;
	thread->enabled = state->enabled;
	thread->waits = 0;
	thread->instructions = 0;
	thread->status = VGT_EU_YIELD;
	thread->ip = ip;
}

void engine_rig_load(struct engine_rig *rig, const struct model_state *state,
		     uint32_t ip)
{
	engine_thread_load(&rig->thread, state, ip);
}
