// SPDX-License-Identifier: GPL-2.0-only
#include "event.h"

#include <linux/errno.h>

#include "client.h"
#include "fault.h"
#include "gt.h"
#include "session.h"
#include "submit.h"

int gtdbg_event_masks_check(u64 event_mask, u64 ack_mask, bool observer)
{
	if (event_mask & ~GTDBG_EVENTS_ALL)
		return -EINVAL;
	if (ack_mask & ~(1ULL << GTDBG_EVENT_KERNEL_SUBMIT |
			 1ULL << GTDBG_EVENT_PAGE_FAULT))
		return -EINVAL;
	return observer && ack_mask ? -EINVAL : 0;
}

/* Virtual devices need not be asked, and one that is slow is not waited for. */
static void launches_want(struct gtdbg_session *session)
{
	struct gtdbg_session_gts gts;
	u32 i;

	gtdbg_session_gts_get(session, &gts);
	for (i = 0; i < gts.count; i++) {
		if (!gts.gt[i]->ops->is_shared)
			continue;
		mutex_lock(&gts.gt[i]->lock);
		if (gts.gt[i]->client == session->client)
			gtdbg_submits_want(gts.gt[i]);
		mutex_unlock(&gts.gt[i]->lock);
	}
	gtdbg_session_gts_put(&gts);
}

int gtdbg_ioctl_event_mask(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_event_mask *request = arg;

	if (gtdbg_event_masks_check(request->event_mask, request->ack_mask,
				    session->observer))
		return -EINVAL;
	mutex_lock(&session->client->lock);
	session->event_mask = request->event_mask;
	session->ack_mask = request->ack_mask;
	mutex_unlock(&session->client->lock);
	launches_want(session);
	return 0;
}

int gtdbg_ioctl_event_ack(struct gtdbg_session *session, void *arg)
{
	const struct gtdbg_event_ack *request = arg;
	struct gtdbg_session_gts gts;
	int ret = -ENOENT;
	u32 i;

	if (request->flags || request->__reserved)
		return -EINVAL;
	if (session->observer)
		return -EPERM;
	if (!gtdbg_client_check(session->client))
		return -ESRCH;
	gtdbg_session_gts_get(session, &gts);
	for (i = 0; i < gts.count && ret == -ENOENT; i++) {
		ret = mutex_lock_killable(&gts.gt[i]->lock);
		if (ret)
			break;
		/* It may have executed another program while this waited. */
		ret = -ESRCH;
		if (gtdbg_client_runs(session->client))
			ret = gtdbg_submit_ack(gts.gt[i], request->seqno);
		if (ret == -ENOENT)
			ret = gtdbg_fault_ack(gts.gt[i], request->seqno);
		mutex_unlock(&gts.gt[i]->lock);
	}
	gtdbg_session_gts_put(&gts);
	return ret;
}
