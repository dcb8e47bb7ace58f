// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the user may name as a kernel's configuration, fragments aside. */
#include "core/base/base.h"
#include "core/base/err.h"

/* One of target and file is set. Owned. */
struct config_source {
	char *target; /* of make: "tinyconfig", "x86_64_defconfig" */
	char *file;   /* path of a whole configuration */
	char *lsmod;  /* path of a list of the modules it may keep, else NULL */
};

/*
 * "tinyconfig", "defconfig" and what ends in "_defconfig" are targets of make. "running"
 * is the configuration of the kernel that runs here, "localmodconfig" the same without
 * modules that are not loaded; both are kept in the cache under the digest of their text,
 * so that equal ones are one. Anything else is the path of a file. ERR_NOT_FOUND when the
 * running kernel does not show its configuration.
 */
_must_check_ int config_source(const char *word, struct config_source *ret,
			       struct err *e);

void config_source_release(struct config_source *s);
#define _cleanup_config_source_ _cleanup_(config_source_release)
