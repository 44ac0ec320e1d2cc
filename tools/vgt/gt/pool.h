/* SPDX-License-Identifier: MIT */
/*
 * The EUs of a device: hardware thread slots, and the host threads (workers)
 * that run what is in them. A worker takes a group, runs it to its end and
 * takes the next one, in the same slots. A group whose threads all wait for
 * the host is parked and keeps its slots; the worker goes on with other
 * groups, so all slots can be stopped at once.
 */
#ifndef VGT_POOL_H
#define VGT_POOL_H

#include <stdbool.h>
#include <stdint.h>

struct vgt_device;
struct vgt_eu_thread;
struct vgt_pool;
struct vgt_walker;
struct vgt_worker;

/* What the EUs did so far. */
struct vgt_pool_totals {
	uint64_t walkers;
	uint64_t instructions;
	uint64_t run_ns; /* wall time of walkers */
};

int vgt_pool_create(struct vgt_device *device, struct vgt_pool **pool_out);
/* No walker may be running. */
void vgt_pool_destroy(struct vgt_pool *pool);

/* Worker 0 belongs to the device's own thread. */
struct vgt_worker *vgt_pool_worker(struct vgt_pool *pool, uint32_t index);

/*
 * Run all groups of @walker from its first on; the caller is worker 0. Returns 0,
 * -ECANCELED if the device died, or -EAGAIN if others are to run: then only groups
 * before *@next_out ran.
 */
int vgt_pool_run(struct vgt_pool *pool, const struct vgt_walker *walker,
		 uint64_t *next_out);

/*
 * Something that a parked group may wait for has happened: a thread's
 * notified or pending flags were set, or the device is dead. Any host thread.
 */
void vgt_pool_wake(struct vgt_device *device);

/*
 * The EU thread that runs in hardware slot @slot (eu.h), or NULL. It may end
 * at any time; what it points to stays readable as long as the device.
 */
struct vgt_eu_thread *vgt_pool_thread(struct vgt_device *device,
				      uint32_t slot);

void vgt_pool_totals(struct vgt_pool *pool, struct vgt_pool_totals *out);

/* For group.c. */
struct vgt_eu_thread *vgt_pool_slot(struct vgt_pool *pool, uint32_t slot);
void vgt_pool_resident(struct vgt_pool *pool, uint32_t slot, bool resident);
void vgt_pool_count(struct vgt_worker *worker, uint64_t instructions);
/* False, after vgt_device_fail(), if the watchdog's time is over. */
bool vgt_pool_patience(struct vgt_pool *pool,
		       const struct vgt_eu_thread *thread);

#endif
