/* SPDX-License-Identifier: MIT */
#ifndef GTDBGCTL_EVENT_H
#define GTDBGCTL_EVENT_H

struct gtdbg_event;

/* What is behind the event's head; NULL if nothing that is known or whole. */
const void *event_payload(const struct gtdbg_event *event);

#endif
