// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the files of the upstream index share. */
#include "core/stable/index.h"
#include "core/store/line.h"
#include "core/store/patch-ids.h"

struct stable_index {
	struct repo *r;
	struct stable_index *mainline; /* NULL in mainline's own */
	struct line *line;
	struct patch_ids *patch_ids;
	char *path; /* of the line's file */
	struct stable_index_state state;
};

/* Bring the file up to the tip, under the lock of whoever calls. */
_must_check_ int stable_index_update(struct stable_index *ix, const struct oid *tip,
				     const struct progress *p, struct err *e);
