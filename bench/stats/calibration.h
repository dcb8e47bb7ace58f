// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How well a target repeats: one kernel in several layouts of its code, several boots of
 * each, several runs in each boot. Nested analysis of variance on the logs, the boot's
 * and not the run's figures deciding:
 *
 * run_sd    of runs around their boot's mean
 * boot_sd   of boots' means around their layout's: what a comparison of two boots of one
 *	     build rests on. It holds the boot's own effect and what its runs leave of
 *	     theirs, run_sd / sqrt(runs); never less than that.
 * build_sd  of layouts beyond what boots explain: sqrt(max(0, V(layout means) -
 *	     boot_sd^2 / boots))
 */
#include "bench/bench.h"
#include "core/store/calibrations.h"

/*
 * Fill what the samples of nr layouts tell about benchmark and cell; time, seconds and
 * run are the caller's. ERR_UNDECIDED when no layout has two proven boots; ERR_USAGE as
 * compare_cell(). Unequal numbers of boots are allowed.
 */
_must_check_ int calibration_of(const struct benchmark *b, const struct cell *c,
				const struct samples *layouts, size_t nr,
				struct calibration *ret, struct err *e);
