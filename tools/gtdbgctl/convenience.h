/* SPDX-License-Identifier: MIT */
/* The user's own variables: "$name", once something was assigned to it. */
#ifndef GTDBGCTL_CONVENIENCE_H
#define GTDBGCTL_CONVENIENCE_H

struct convenience;
struct debugger;
struct value;

/* NULL if there is none of that name. */
struct convenience *convenience_find(struct debugger *debugger,
				     const char *name);
struct convenience *convenience_create(struct debugger *debugger,
				       const char *name);
/* NULL if it has none yet. */
const struct value *convenience_value(const struct convenience *convenience);
/* Keeps a copy; -1 after saying why not. */
int convenience_set(struct debugger *debugger, struct convenience *convenience,
		    const struct value *value);
void conveniences_fini(struct debugger *debugger);

#endif
