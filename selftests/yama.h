/* SPDX-License-Identifier: GPL-2.0-only */
/* Yama's setting of who may trace whom. */
#ifndef YAMA_H
#define YAMA_H

#include <stdbool.h>

/* 0 to 3, or -1 if this kernel has no Yama. */
int yama_scope(void);

/* 3 is for ever. */
bool yama_set_scope(int scope);

#endif
