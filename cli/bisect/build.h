// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The kernel of a point, in its usual layout and in others. */
#include "cli/bisect/space.h"
#include "cli/stages.h"

/*
 * Build a point, or find its build, as lab_build(). A layout other than 0 moves the code
 * and changes none of it: the tree gets a gap of that layout's size before the code of
 * init/main.c, which is linked first. So it is a commit of its own, and no cache, journal
 * or proof takes it for another one; one object is compiled and the image linked again.
 */
_must_check_ int point_build(struct lab *l, const struct point *pt, unsigned int layout,
			     struct kernel *ret, struct err *e);

/* Whether commits of this tree have layouts. */
bool point_has_layouts(struct repo *r, const struct oid *commit);

/* Bytes of the gap of a layout; 0 for layout 0. A pure function, for tests. */
unsigned int layout_gap(unsigned int layout);
