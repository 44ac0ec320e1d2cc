/* SPDX-License-Identifier: MIT */
/* Messages on images: the sampler, and the data port's typed accesses. */
#ifndef VGT_SAMPLER_H
#define VGT_SAMPLER_H

#include "port/message.h"

vgt_message_fn vgt_sampler_message;
vgt_message_fn vgt_sampler_typed_read;
vgt_message_fn vgt_sampler_typed_write;

#endif
