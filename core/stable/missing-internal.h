// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the files that look for missing fixes share. */
#include "core/stable/missing.h"

/* Fixes whose prerequisites are looked for; each may cost a walk through history. */
#define MISSING_MAX_NEEDS 200

/* Try it on the tip of the tree: why, reason and needs. seek: look for prerequisites. */
_must_check_ int missing_try(const struct missing_opts *o, bool seek,
			     struct missing_fix *f, struct err *e);

/* Take over what the mail says of it, where trying it did not tell more. */
_must_check_ int missing_believe(const struct missing_opts *o, struct missing_fix *f,
				 struct err *e);

void missing_add_need(struct missing_need **v, size_t *nr, const struct oid *oid,
		      const char *subject);
