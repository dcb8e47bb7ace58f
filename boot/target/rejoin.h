// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What a later kiln needs to go on with a boot that runs on a machine of its own, when
 * this one dies. It lies beside the boot's console, from just before the jump until the
 * result is known, or until something was asked of the machine that is not asked again in
 * the same way.
 */
#include "boot/target/boot.h"
#include "core/base/err.h"
#include "core/base/strv.h"

/* Caller-owned. */
struct rejoin {
	char *token, *base_boot_id;
	char *load;	    /* how it was loaded: "-s" */
	struct strv guests; /* tokens of the tasks, one each */
};

/* Digest of all that decides what a boot does and how its results are named; qemu as in
 * struct boot_result. Owned. */
_must_check_ int rejoin_digest(const struct boot_spec *spec, const char *qemu, char **ret,
			       struct err *e);

/* Keep it for the boot with that console. */
_must_check_ int rejoin_write(const char *console, const char *digest,
			      const struct rejoin *r, struct err *e);

/* Read it back: false when there is none, or it is of a boot that does something else. */
_must_check_ bool rejoin_read(const char *console, const char *digest,
			      struct rejoin *ret);

/* There is nothing to go on with any more. */
void rejoin_forget(const char *console);

void rejoin_release(struct rejoin *r);
#define _cleanup_rejoin_ _cleanup_(rejoin_release)
