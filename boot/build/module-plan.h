// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Which modules of a build a boot loads, and in which order: those the agent needs to be
 * heard and to reach its files, KVM, and what these need in turn. Everything else a
 * configuration makes stays where it is.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct module {
	char *name;	/* "kvm_amd" */
	char *path;	/* of its file */
	char *build_id; /* hex; NULL: it has none */
};

/* In the order in which they can be loaded. Caller-owned. */
struct module_plan {
	struct module *v;
	size_t nr;
};

/*
 * Make it from the folder of a build's modules; NULL is a build without any. guest: for
 * L1, which has neither shares nor a watchdog. What the folder lacks is built in or not
 * configured, but for what another module needs: that is ERR_NOT_FOUND, and so are a
 * module that is not what its file's name says, and a circle of needs.
 */
_must_check_ int module_plan_make(const char *dir, bool guest, struct module_plan *ret,
				  struct err *e);

/*
 * The KVM modules of such a folder with their build-ids, "kvm=BUILD-ID kvm_amd=BUILD-ID",
 * owned by the caller; NULL when there are none. One without a build-id is ERR_NOT_FOUND,
 * as nothing could prove it.
 */
_must_check_ int module_kvm_ids(const char *dir, char **ret, struct err *e);

void module_plan_release(struct module_plan *p);
#define _cleanup_module_plan_ _cleanup_(module_plan_release)
