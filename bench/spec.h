// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A benchmark as it is asked for: NAME[:key=value,...]. */
#include "bench/bench.h"
#include "core/base/cfg.h"

/*
 * Find the benchmark, in cfg's [benchmark "NAME"] sections (may be NULL) where it is not
 * kiln's own, and choose its parameters. The result's name has those that are not the
 * default, in the order of their table, in one spelling: equal names mean equal work.
 * ERR_USAGE for an unknown name, key or value, naming what there is; ERR_CONFIG as
 * bench_own(). The result is the caller's.
 */
_must_check_ int bench_open(const char *spec, const struct cfg *cfg,
			    struct benchmark **ret, struct err *e);

/* The same for an architecture, with the levels it has; a NULL spec is what it measures
 * unless told. ERR_USAGE for another one's benchmark. NULL arch: whichever has it. */
_must_check_ int bench_open_for(const struct arch *a, const char *spec,
				const struct cfg *cfg, struct benchmark **ret,
				struct err *e);

void bench_free(struct benchmark *b);
DEFINE_FREEP(bench_free, struct benchmark *)
#define _cleanup_bench_ _cleanup_(bench_freep)
