/* SPDX-License-Identifier: MIT */
/* Block messages: one address in a header, contiguous bytes from or to GRFs. */
#ifndef VGT_BLOCK_H
#define VGT_BLOCK_H

#include "port/message.h"

vgt_message_fn vgt_block_oword_read;
vgt_message_fn vgt_block_oword_write;
vgt_message_fn vgt_block_a64_read;
vgt_message_fn vgt_block_a64_write;
vgt_message_fn vgt_block_scratch;

#endif
