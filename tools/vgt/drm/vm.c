// SPDX-License-Identifier: MIT
#include "drm/vm.h"

#include "drm/drm.h"
#include "drm/object.h"
#include "gt/device.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES 512
#define LEVELS 4
#define PRESENT_WRITABLE 3ULL

static _Atomic uint64_t *entry_at(struct vgt_drm *drm,
				  const struct vgt_table *table, uint32_t index)
{
	return vgt_memory_at(&drm->device->memory, table->phys + 8 * index, 8);
}

static struct vgt_table *table_create(struct vgt_drm *drm, bool last)
{
	struct vgt_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	if (!last) {
		table->child = calloc(ENTRIES, sizeof(*table->child));
		if (!table->child)
			goto err_free;
	}
	if (vgt_drm_memory_take(drm, VGT_PAGE_BYTES, &table->phys))
		goto err_child;
	return table;

err_child:
	free(table->child);
err_free:
	free(table);
	return NULL;
}

static void table_destroy(struct vgt_drm *drm, struct vgt_table *table)
{
	if (!table)
		return;
	for (uint32_t i = 0; table->child && i < ENTRIES; i++)
		table_destroy(drm, table->child[i]);
	vgt_drm_memory_give(drm, table->phys, VGT_PAGE_BYTES);
	free(table->child);
	free(table);
}

/* The last table for @va, made unless it is there; NULL: no memory. */
static struct vgt_table *table_find(struct vgt_drm *drm, struct vgt_vm *vm,
				    uint64_t va)
{
	struct vgt_table *table = vm->top, **child;
	uint32_t index;

	for (int level = LEVELS - 1; level; level--) {
		index = va >> (12 + 9 * level) & (ENTRIES - 1);
		child = &table->child[index];
		if (!*child) {
			*child = table_create(drm, level == 1);
			if (!*child)
				return NULL;
			atomic_store(entry_at(drm, table, index),
				     (*child)->phys | PRESENT_WRITABLE);
		}
		table = *child;
	}
	return table;
}

static uint32_t last_index(uint64_t va)
{
	return va >> 12 & (ENTRIES - 1);
}

static void pages_clear(struct vgt_drm *drm, struct vgt_vm *vm, uint64_t va,
			uint64_t end)
{
	struct vgt_table *table = NULL;

	for (; va < end; va += VGT_PAGE_BYTES) {
		if (!table || !last_index(va))
			table = table_find(drm, vm, va);
		if (table)
			atomic_store(entry_at(drm, table, last_index(va)), 0);
	}
}

static int piece_set(struct vgt_drm *drm, struct vgt_vm *vm, uint64_t va,
		     uint64_t phys, uint64_t len_bytes)
{
	uint64_t end = va + len_bytes;
	struct vgt_table *table = NULL;

	for (; va < end; va += VGT_PAGE_BYTES, phys += VGT_PAGE_BYTES) {
		if (!table || !last_index(va))
			table = table_find(drm, vm, va);
		if (!table)
			return -ENOMEM;
		atomic_store(entry_at(drm, table, last_index(va)),
			     phys | PRESENT_WRITABLE);
	}
	return 0;
}

static int pages_set(struct vgt_drm *drm, struct vgt_vm *vm,
		     const struct vgt_object *object, uint64_t va)
{
	const struct vgt_piece *piece;
	int ret = 0;

	if (!object->piece)
		return piece_set(drm, vm, va, object->phys, object->bytes);
	for (uint32_t i = 0; i < object->pieces && !ret; i++) {
		piece = &object->piece[i];
		ret = piece_set(drm, vm, va, piece->object->phys +
				piece->offset, piece->bytes);
		va += piece->bytes;
	}
	return ret;
}

/* Index of the first binding that ends after @va. */
static uint32_t binding_find(const struct vgt_vm *vm, uint64_t va)
{
	uint32_t low = 0, high = vm->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (vm->binding[middle].end > va)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Those from @first to @end: all at once, as there may be a hundred thousand. */
static void bindings_remove(struct vgt_drm *drm, struct vgt_vm *vm,
			    uint32_t first, uint32_t end)
{
	struct vgt_binding *binding = vm->binding;

	if (first == end)
		return;
	for (uint32_t i = first; i < end; i++) {
		pages_clear(drm, vm, binding[i].first, binding[i].end);
		binding[i].object->bound--;
	}
	memmove(&binding[first], &binding[end],
		(vm->count - end) * sizeof(*binding));
	vm->count -= end - first;
	vgt_device_remapped(drm->device);
}

static int binding_add(struct vgt_vm *vm, uint32_t index,
		       struct vgt_object *object, uint64_t va)
{
	uint32_t capacity = vm->capacity ? 2 * vm->capacity : 64;
	struct vgt_binding *array;

	if (vm->count == vm->capacity) {
		array = realloc(vm->binding, capacity * sizeof(*array));
		if (!array)
			return -ENOMEM;
		vm->binding = array;
		vm->capacity = capacity;
	}
	array = &vm->binding[index];
	memmove(array + 1, array, (vm->count - index) * sizeof(*array));
	vm->count++;
	array->first = va;
	array->end = va + object->bytes;
	array->object = object;
	object->bound++;
	return 0;
}

/* What would have to go for @object to be at @va is in use. */
static bool is_in_use(const struct vgt_drm *drm, const struct vgt_vm *vm,
		      const struct vgt_object *object, uint64_t va)
{
	const struct vgt_binding *binding;

	for (uint32_t i = 0; object->bound && i < vm->count; i++)
		if (vm->binding[i].object == object &&
		    !vgt_object_is_idle(drm, object))
			return true;
	for (uint32_t i = binding_find(vm, va); i < vm->count; i++) {
		binding = &vm->binding[i];
		if (binding->first >= va + object->bytes)
			break;
		if (!vgt_object_is_idle(drm, binding->object))
			return true;
	}
	return false;
}

int vgt_vm_bind(struct vgt_drm *drm, struct vgt_vm *vm,
		struct vgt_object *object, uint64_t va)
{
	uint32_t index, end;
	int ret;

	va &= VGT_VA_MASK;
	if (va % VGT_PAGE_BYTES || object->bytes > VGT_VA_MASK - va)
		return -EINVAL;
	index = binding_find(vm, va);
	if (index < vm->count && vm->binding[index].object == object &&
	    vm->binding[index].first == va)
		return 0;
	if (is_in_use(drm, vm, object, va))
		return -EAGAIN;
	vgt_vm_unbind(drm, vm, object);
	index = end = binding_find(vm, va);
	while (end < vm->count && vm->binding[end].first < va + object->bytes)
		end++;
	bindings_remove(drm, vm, index, end);
	ret = binding_add(vm, index, object, va);
	if (ret)
		return ret;
	ret = pages_set(drm, vm, object, va);
	if (ret)
		bindings_remove(drm, vm, index, index + 1);
	return ret;
}

void vgt_vm_unbind(struct vgt_drm *drm, struct vgt_vm *vm,
		   struct vgt_object *object)
{
	if (!object->bound)
		return;
	for (uint32_t i = 0; i < vm->count; i++) {
		if (vm->binding[i].object == object) {
			bindings_remove(drm, vm, i, i + 1);
			return;
		}
	}
}

int vgt_vm_create(struct vgt_drm *drm, struct vgt_vm **vm_out)
{
	struct vgt_vm *vm = calloc(1, sizeof(*vm));

	if (!vm)
		return -ENOMEM;
	vm->top = table_create(drm, false);
	if (!vm->top) {
		free(vm);
		return -ENOMEM;
	}
	vm->users = 1;
	vm->next = drm->vms;
	drm->vms = vm;
	*vm_out = vm;
	return 0;
}

void vgt_vm_put(struct vgt_drm *drm, struct vgt_vm *vm)
{
	struct vgt_vm **link = &drm->vms;

	if (!vm || --vm->users)
		return;
	while (*link != vm)
		link = &(*link)->next;
	*link = vm->next;
	table_destroy(drm, vm->top);
	vgt_device_remapped(drm->device);
	free(vm->binding);
	free(vm);
}
