// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How likely a commit is to be the culprit before anything is measured, by the paths it
 * touches. The weights are proposals: a wrong one costs boots, not the answer, since the
 * engine raises each to 1e-3 and excludes nothing.
 */
#include "cli/bisect/space.h"

/*
 * The weight of a commit with these paths: 20 when one of them is KVM's, 0.05 when none
 * can reach an x86 kernel's code (documentation, tools, other architectures), else 1; a
 * merge has 0.3 of that.
 */
double prior_weight(const struct strv *paths, bool merge);

/* Set s->weight from what each of its commits touches. */
_must_check_ int prior_from_paths(struct repo *r, struct space *s, struct err *e);
