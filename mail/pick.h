// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Which patches of a series are wanted: "1-3,5,-1,_,*nested*". */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/base/strv.h"

struct pick_range {
	int from, to; /* numbers of patches; negative ones count from the last, -1 */
};

struct pick {
	bool named; /* "_": the mail named, alone */
	struct pick_range *v;
	size_t nr;
	struct strv globs; /* over titles, letters of either case being the same */
};

/* Read a list; ERR_USAGE names the part that is none. "5-" is from 5 on. */
_must_check_ int pick_parse(const char *text, struct pick *ret, struct err *e);

/* Whether the patch is in the list; total is the number of the last patch. */
bool pick_has(const struct pick *p, int number, int total, const char *title);

/* The first single number of the list beyond 1..total or not in numbers, 0 when none. */
int pick_absent(const struct pick *p, const int *numbers, size_t nr, int total);

void pick_release(struct pick *p);
#define _cleanup_pick_ _cleanup_(pick_release)
