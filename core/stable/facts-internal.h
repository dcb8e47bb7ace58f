// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What facts.c and facts-open.c share. */
#include "core/stable/branches.h"
#include "core/stable/facts.h"

struct facts_kept {
	struct facts_commit commit;
	char *patch_id;
	bool patch_id_known;
};

struct facts_branch {
	char *name, *version;
	struct stable_index *index;
};

struct stable_facts {
	struct mainline where;
	struct stable_index *mainline, *tree;
	struct facts_branch *newer;
	size_t nr_newer;
	void *commits; /* of struct facts_kept, for tsearch() */
};
