// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How likely a commit is to be the culprit before anything is measured, by the paths it
 * touches. The weights are proposals: a wrong one costs boots, not the answer, since the
 * engine raises each to 1e-3 and excludes nothing.
 */
#include "cli/bisect/space.h"
#include "core/arch/arch.h"

/*
 * The weight of a commit with these paths: 20 when one of them is KVM's, 0.05 when none
 * can reach the code of a kernel of that architecture (documentation, tools, other architectures), else 1; a
 * merge has 0.3 of that.
 */
double prior_weight(const struct arch *a, const struct strv *paths, bool merge);

/* Whether nothing in these paths can change what a kernel of that architecture does. */
bool prior_is_away(const struct arch *a, const struct strv *paths);

/*
 * Set s->weight from what each of its commits touches. Of more than 20,000 points none is
 * looked at: looking would take longer than a boot, and their priors stay equal.
 */
_must_check_ int prior_from_paths(const struct arch *a, struct repo *r, struct space *s,
				  struct err *e);
