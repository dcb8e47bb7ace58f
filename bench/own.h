// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The user's own benchmarks:
 *
 *	[benchmark "NAME"]
 *		command = PATH [ARG...]   a static program, or a script with its "#!" line
 *		unit = UNIT               that its lines carry
 *		level = L0 | L1           where it runs; default L1
 *		better = higher | lower   default higher
 *		warmup = N                first lines to drop; default 0
 *		timeout = DURATION        host time; default 300s
 *
 * The command prints lines "NAME VALUE UNIT", at least two after the warm-up.
 */
#include "bench/bench.h"
#include "core/base/cfg.h"

/*
 * 1 and a benchmark for bench_free(), 0 when there is no such section, or ERR_CONFIG
 * naming the key that is missing or malformed.
 */
_must_check_ int bench_own(const char *name, const struct cfg *cfg,
			   struct benchmark **ret, struct err *e);
