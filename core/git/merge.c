// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/merge.h"

#include <stdlib.h>

void conflicts_release(struct conflicts *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->v[i].path);
		free(c->v[i].kind);
		free(c->v[i].base.path);
		free(c->v[i].ours.path);
		free(c->v[i].theirs.path);
	}
	free(c->v);
	*c = (struct conflicts){ 0 };
}
