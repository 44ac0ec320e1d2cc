/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's test harness, with a time limit that only a test that hangs
 * reaches: on a busy machine a guest without KVM has a tenth of a processor.
 */
#ifndef SELFTESTS_HARNESS_H
#define SELFTESTS_HARNESS_H

#include "kselftest_harness.h"

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 500 /* seconds */

#endif
