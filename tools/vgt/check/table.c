// SPDX-License-Identifier: MIT
#include "check/table.h"

#include "check/argument.h"
#include "check/kernel.h"
#include "check/shadow.h"
#include "check/written.h"
#include "eu/eu.h"
#include "gt/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a program may say. */
#define PIECES_MAX (1U << 20)
/* Buffers that lie in others' memory: made of the same memory of the program. */
#define OVERLAPS 16

struct vgt_check *vgt_check_create(const struct vgt_memory *memory)
{
	struct vgt_check *check = calloc(1, sizeof(*check));

	if (!check)
		return NULL;
	if (vgt_check_mode & VGT_CHECK_RACES) {
		check->shadow = vgt_check_shadow_create();
		if (!check->shadow) {
			free(check);
			return NULL;
		}
	}
	if (vgt_check_mode & VGT_CHECK_UNINIT) {
		check->written = vgt_check_written_create();
		if (!check->written) {
			vgt_check_shadow_destroy(check->shadow);
			free(check);
			return NULL;
		}
	}
	check->memory = memory;
	check->generation = 1;
	pthread_mutex_init(&check->lock, NULL);
	return check;
}

void vgt_check_destroy(struct vgt_check *check)
{
	struct vgt_check_kernel *kernel;

	if (!check)
		return;
	while (check->kernels) {
		kernel = check->kernels;
		check->kernels = kernel->next;
		free(kernel);
	}
	vgt_check_argument_fini(check);
	pthread_mutex_destroy(&check->lock);
	vgt_check_shadow_destroy(check->shadow);
	vgt_check_written_destroy(check->written);
	free(check->piece);
	free(check);
}

/* Index of the first piece behind @phys. */
static uint32_t piece_behind(const struct vgt_check_piece *piece,
			     uint32_t count, uint64_t phys)
{
	uint32_t low = 0, high = count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (piece[middle].phys > phys)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static int room_make_locked(struct vgt_check *check)
{
	uint32_t capacity = check->capacity ? 2 * check->capacity : 64;
	struct vgt_check_piece *array;

	if (check->count < check->capacity)
		return 0;
	if (capacity > PIECES_MAX)
		return -ENOSPC;
	array = realloc(check->piece, capacity * sizeof(*array));
	if (!array)
		return -ENOMEM;
	check->piece = array;
	check->capacity = capacity;
	return 0;
}

int vgt_check_buffer_add(struct vgt_check *check,
			 const struct vgt_check_piece *piece)
{
	struct vgt_check_piece *at;
	int ret;

	if (!check)
		return 0;
	if (!piece->bytes || piece->phys >= VGT_MEMORY_BYTES ||
	    piece->bytes > VGT_MEMORY_BYTES - piece->phys ||
	    piece->offset > piece->whole_bytes ||
	    piece->bytes > piece->whole_bytes - piece->offset)
		return -EINVAL;
	pthread_mutex_lock(&check->lock);
	ret = room_make_locked(check);
	if (!ret) {
		at = check->piece + piece_behind(check->piece, check->count,
						 piece->phys);
		memmove(at + 1, at, (check->piece + check->count - at) *
			sizeof(*at));
		*at = *piece;
		if (piece->fresh && check->written)
			vgt_check_written_clear(check->written, piece->phys,
						piece->bytes);
		check->count++;
		atomic_fetch_add(&check->generation, 1);
	}
	pthread_mutex_unlock(&check->lock);
	return ret;
}

void vgt_check_buffer_remove(struct vgt_check *check, bool svm,
			     uint32_t number)
{
	uint32_t kept = 0;

	if (!check)
		return;
	pthread_mutex_lock(&check->lock);
	for (uint32_t i = 0; i < check->count; i++)
		if (check->piece[i].number != number ||
		    check->piece[i].svm != svm)
			check->piece[kept++] = check->piece[i];
	check->count = kept;
	vgt_check_argument_remove_locked(check, svm, number);
	atomic_fetch_add(&check->generation, 1);
	pthread_mutex_unlock(&check->lock);
}

static void piece_written(struct vgt_check *check,
			  struct vgt_check_piece *piece, uint64_t offset,
			  uint64_t bytes)
{
	uint64_t end = bytes < UINT64_MAX - offset ? offset + bytes :
						     UINT64_MAX;
	uint64_t piece_end = piece->offset + piece->bytes;

	if (offset <= piece->offset && end >= piece_end) {
		piece->fresh = false;
		atomic_fetch_add(&check->generation, 1);
		return;
	}
	if (offset < piece->offset)
		offset = piece->offset;
	if (end > piece_end)
		end = piece_end;
	if (offset < end)
		vgt_check_written_set(check->written, piece->phys + offset -
				      piece->offset, end - offset);
}

void vgt_check_buffer_written(struct vgt_check *check, uint32_t number,
			      uint64_t offset, uint64_t bytes)
{
	if (!check || !check->written)
		return;
	pthread_mutex_lock(&check->lock);
	for (uint32_t i = 0; i < check->count; i++)
		if (check->piece[i].number == number &&
		    !check->piece[i].svm && check->piece[i].fresh)
			piece_written(check, &check->piece[i], offset, bytes);
	pthread_mutex_unlock(&check->lock);
}

static bool table_copy(struct vgt_check_table *table, struct vgt_check *check)
{
	struct vgt_check_piece *array;

	pthread_mutex_lock(&check->lock);
	array = realloc(table->piece, (check->count + 1) * sizeof(*array));
	if (array) {
		if (check->count)
			memcpy(array, check->piece,
			       check->count * sizeof(*array));
		table->piece = array;
		table->count = check->count;
		table->last = 0;
		table->generation = check->generation;
		table->fresh = false;
		for (uint32_t i = 0; i < check->count; i++)
			table->fresh |= array[i].fresh;
	}
	pthread_mutex_unlock(&check->lock);
	return array;
}

struct vgt_check_table *vgt_check_table_get(struct vgt_worker *worker)
{
	struct vgt_check *check = worker->device->check;
	struct vgt_check_table *table = worker->check;

	if (!table) {
		table = calloc(1, sizeof(*table));
		if (!table)
			return NULL;
		worker->check = table;
	}
	if (table->generation == atomic_load(&check->generation) ||
	    table_copy(table, check))
		return table;
	return NULL;
}

void vgt_check_forget(struct vgt_check_table *table)
{
	if (!table)
		return;
	vgt_check_answers_fini(&table->answers);
	free(table->piece);
	free(table);
}

bool vgt_check_phys_find(struct vgt_eu_thread *thread, uint64_t va,
			 uint64_t *phys_out)
{
	const struct vgt_memory *memory = &thread->worker->device->memory;
	const uint8_t *host = vgt_tlb_host(&thread->worker->tlb, va,
					   VGT_ACCESS_READ);

	if (!host)
		return false;
	*phys_out = host - memory->base;
	return true;
}

static enum vgt_check_where piece_where(const struct vgt_check_piece *piece,
					uint64_t phys)
{
	uint64_t end = piece->phys + piece->bytes;

	if (phys - piece->phys < piece->bytes)
		return VGT_CHECK_INSIDE;
	if (piece->padded && phys >= end &&
	    phys / VGT_PAGE_BYTES == (end - 1) / VGT_PAGE_BYTES)
		return VGT_CHECK_PADDING;
	return VGT_CHECK_UNKNOWN;
}

enum vgt_check_where
vgt_check_table_find(struct vgt_check_table *table, uint64_t phys,
		     const struct vgt_check_piece **piece_out)
{
	enum vgt_check_where where, best = VGT_CHECK_UNKNOWN;
	uint32_t i;

	if (table->last < table->count) {
		*piece_out = &table->piece[table->last];
		if (piece_where(*piece_out, phys) == VGT_CHECK_INSIDE)
			return VGT_CHECK_INSIDE;
	}
	i = piece_behind(table->piece, table->count, phys);
	for (uint32_t n = 0; i && n < OVERLAPS; n++) {
		where = piece_where(&table->piece[--i], phys);
		if (where == VGT_CHECK_UNKNOWN)
			continue;
		table->last = i;
		*piece_out = &table->piece[i];
		best = where;
		if (where == VGT_CHECK_INSIDE)
			break;
	}
	return best;
}
