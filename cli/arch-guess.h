// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a series is to be built for, by what it touches. */
#include "cli/cmd.h"
#include "core/series/series.h"

/*
 * Leave in *arch the name of the architecture whose kernels boot and whose source the
 * series touches, and say so; borrowed of a table. One that is there already stays; NULL
 * stays where it touches none or the usual one. ERR_USAGE naming the choices when it
 * touches several.
 */
_must_check_ int arch_guess(const struct ctx *c, const struct series *s, char **arch,
			    struct err *e);
