/* SPDX-License-Identifier: MIT */
/* Media block messages: a rectangle of an image's bytes, in rows, from or to GRFs. */
#ifndef VGT_MEDIA_H
#define VGT_MEDIA_H

#include "port/message.h"

vgt_message_fn vgt_media_block_read;
vgt_message_fn vgt_media_block_write;

#endif
