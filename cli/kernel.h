// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/store/records.h"

/* A commit with the kernel built from it. */
struct kernel {
	struct oid commit;
	char *subject;
	char *variant; /* build_variant() of its configuration */
	struct build_record build;
};
void kernel_release(struct kernel *k);

/* The kernel in the names of steps: its commit, and its configuration where that is the
 * caller's. Two kernels of one run never share one. Owned by the caller. */
_must_check_ char *kernel_name(const struct kernel *k);
