// SPDX-License-Identifier: MIT
/*
 * When a device is offered to the kernel module, and when no more. The offer is made here:
 * the module need not be there.
 */
#include "gt/device.h"
#include "host/log.h"
#include "host/offer.h"
#include "host/server.h"
#include "node.h"
#include "tap.h"

#include <stdatomic.h>
#include <unistd.h>

/* Only a hang reaches these. */
#define LOOKS 300000 /* of a millisecond */
#define GONE_S 300

struct vgt_offer {
	_Atomic unsigned int begun, made, ended;
	_Atomic unsigned int none; /* that a device ended without one */
};

static struct vgt_offer offers;

static bool comes(_Atomic unsigned int *count)
{
	for (int i = 0; i < LOOKS && !atomic_load(count); i++)
		usleep(1000);
	return atomic_load(count);
}

/* It takes until somebody ends the device. */
int vgt_offer_create(struct vgt_device *device, struct vgt_offer **offer_out)
{
	(void)device;
	atomic_fetch_add(&offers.begun, 1);
	comes(&offers.none);
	atomic_fetch_add(&offers.made, 1);
	*offer_out = &offers;
	return 0;
}

void vgt_offer_destroy(struct vgt_offer *offer)
{
	atomic_fetch_add(offer ? &offers.ended : &offers.none, 1);
}

static void test_hangup(void)
{
	struct node node;
	bool ok;

	node_open(&node);
	node_batch(&node, 0, 1);
	ok = comes(&offers.begun);
	node_close(&node);
	ok = node_are_gone(GONE_S) && ok;
	tap_result(ok && offers.made == 1 && offers.ended == 1,
		   "a program that ends while its device is offered", NULL);
}

int main(void)
{
	struct vgt_options options = { .threads = 1, .offer = true };

	vgt_log_level_set(VGT_LOG_ERROR);
	if (vgt_server_create(&options, NULL, 0, &node_server)) {
		tap_result(false, "start a server", NULL);
		return tap_finish();
	}
	test_hangup();
	vgt_server_destroy(node_server);
	return tap_finish();
}
