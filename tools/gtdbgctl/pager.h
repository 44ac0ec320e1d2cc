/* SPDX-License-Identifier: MIT */
#ifndef GTDBGCTL_PAGER_H
#define GTDBGCTL_PAGER_H

/* From here on stdout stops after each screenful and asks whether to go on. */
void pager_open(void);
/* The screen begins anew, and what the user did not want to see ends. */
void pager_reset(void);

#endif
