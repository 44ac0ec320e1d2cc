// SPDX-License-Identifier: MIT
#include "suite.h"

const struct kt_group kt_groups[] = {
	{ "arith", kt_arith, NULL },
	{ "wide", kt_wide, NULL },
	{ "convert", kt_convert, NULL },
	{ "float", kt_float, NULL },
	{ "math", kt_math, NULL },
	{ "flow", kt_flow, NULL },
	{ "call", kt_call, NULL },
	{ "memory", kt_memory, NULL },
	{ "place", kt_place, NULL },
	{ "local", kt_local, NULL },
	{ "atomic", kt_atomic, NULL },
	{ "chain", kt_chain, NULL },
	{ "range", kt_range, NULL },
	{ "collective", kt_collective, "-cl-std=CL3.0" },
	{ "scan", kt_scan, "-cl-std=CL3.0" },
	{ "subgroup", kt_subgroup, NULL },
	{ "block", kt_block, NULL },
	{ "image", kt_image, NULL },
	{ "layers", kt_layers, NULL },
	{ "levels", kt_levels, "-cl-std=CL2.0" },
	{ "media", kt_media, NULL },
	{ "command", kt_command, NULL },
	{},
};
