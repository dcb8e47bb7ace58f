// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bench/claims/quantity.h"
#include "core/base/alloc.h"
#include "core/base/buf.h"

enum { MAX_METRIC = 60, MAX_RUNS = 1000000 };

/* clang-format off */
static const char *const change_words[] = {
	"change", "diff", "difference", "delta", "improvement", "gain", "speedup",
	"regression", "impr", "improv", "vs", "reduction", "chg", "increase", NULL
};
static const char *const base_words[] = {
	"base", "baseline", "before", "without", "w/o", "vanilla", "old", "current",
	"upstream", "mainline", "unpatched", "unmodified", "orig", "original", "stock",
	"pre", "parent", "no", "master", "prior", NULL
};
static const char *const patched_words[] = {
	"patched", "patch", "patches", "patchset", "series", "new", "after", "with", "w/",
	"fixed", "fix", "optimized", "optimised", "modified", "proposed", "now", "revert",
	"reverted", "post", NULL
};
static const char *const scatter_words[] = {
	"stddev", "std", "dev", "sd", "cv", "stdev", "error", "ci", "variance", "spread",
	"rsd", "min", "max", "p", NULL
};
static const char *const runs_words[] = {
	"n", "nr", "runs", "samples", "iterations", "iters", NULL
};
static const char *const filler_words[] = {
	"the", "this", "kernel", "of", "in", "to", "a", "and", "is", "value", NULL
};
/* clang-format on */

static bool only_word(struct span s, const char *word)
{
	struct span w, rest = s;

	return span_word(&rest, &w) && span_is(w, word) && !span_word(&rest, &w);
}

enum role words_role(struct span h)
{
	struct span w, rest = h;

	if (only_word(h, "l0"))
		return ROLE_L0;
	if (only_word(h, "l1"))
		return ROLE_L1;
	if (only_word(h, "unit") || only_word(h, "units"))
		return ROLE_UNIT;
	if (span_any(h, change_words))
		return ROLE_CHANGE;
	if (span_any(h, scatter_words))
		return ROLE_SCATTER;
	if (span_any(h, base_words))
		return ROLE_BASE;
	if (span_any(h, patched_words))
		return ROLE_PATCHED;
	if (span_word(&rest, &w) && span_in(w, runs_words))
		return ROLE_RUNS;
	return only_word(h, "%") ? ROLE_CHANGE : ROLE_NONE;
}

static bool is_role_word(struct span w)
{
	return span_in(w, change_words) || span_in(w, base_words) ||
	       span_in(w, patched_words) || span_in(w, filler_words) || span_is(w, "%");
}

/* What stands in brackets at the front of s, and s behind it. */
static bool take_bracket(struct span *s, struct span *ret)
{
	char close = s->p[0] == '(' ? ')' : ']';
	const char *end = memchr(s->p, close, s->n);

	if (!strchr("([", s->p[0]) || !end)
		return false;
	*ret = (struct span){ s->p + 1, (size_t)(end - s->p) - 1 };
	*s = span_skip(*s, (size_t)(end - s->p) + 1);
	return true;
}

/* Brackets around a unit, a role, a footnote or a direction are not of the name. */
static bool is_aside(struct span in, struct span *ret_unit)
{
	struct span unit = in, w, rest = in;
	size_t i = 0;

	if (span_starts(unit, "in "))
		unit = span_skip(unit, 3);
	if (unit_known(span_trim(unit))) {
		*ret_unit = span_trim(unit);
		return true;
	}
	if (words_better(in) != CLAIM_UNSAID || words_runs(in))
		return true;
	while (i < in.n && isdigit((unsigned char)in.p[i]))
		i++;
	if (i == in.n)
		return true;
	while (span_word(&rest, &w))
		if (!is_role_word(w))
			return false;
	return true;
}

static void add_word(struct buf *to, struct span w)
{
	if (to->len && w.n)
		buf_addc(to, ' ');
	buf_add(to, w.p, w.n);
}

char *words_metric(struct span h, struct span *ret_unit)
{
	_cleanup_buf_ struct buf name = BUF_INIT;
	struct span in;

	*ret_unit = SPAN_NONE;
	for (h = span_trim(h); h.n; h = span_trim(h)) {
		size_t n = 0;

		if (take_bracket(&h, &in)) {
			if (!is_aside(in, ret_unit))
				add_word(&name, in);
			continue;
		}
		do
			n++;
		while (n < h.n && !strchr(" \t([,;", h.p[n]));
		in = (struct span){ h.p, n };
		while (in.n && strchr(":,;*", in.p[in.n - 1]))
			in.n--;
		if (!is_role_word(in))
			add_word(&name, in);
		h = span_skip(h, n);
	}
	return span_dup((struct span){ buf_str(&name), name.len }, MAX_METRIC);
}

enum claim_better words_better(struct span s)
{
	static const char *const high[] = { "higher",  "bigger", "larger",
					    "greater", "more",	 NULL };
	static const char *const low[] = { "lower", "smaller", "less", "fewer", NULL };
	enum claim_better seen = CLAIM_UNSAID;
	struct span w;
	int since = 0;

	while (span_word(&s, &w)) {
		if (span_in(w, high) || span_in(w, low)) {
			seen = span_in(w, high) ? CLAIM_HIGHER : CLAIM_LOWER;
			since = 0;
		} else if (span_is(w, "better") && seen != CLAIM_UNSAID && since <= 2) {
			return seen;
		}
		since++;
	}
	return CLAIM_UNSAID;
}

enum claim_better words_better_name(struct span s)
{
	static const char *const high[] = { "throughput", "bandwidth", "iops",	 "pps",
					    "tps",	  "rps",       "bogops", NULL };
	static const char *const low[] = { "latency",  "latencies", "overhead", "runtime",
					   "duration", "elapsed",   "cycles",	NULL };
	bool up = span_any(s, high), down = span_any(s, low);

	if (up == down)
		return CLAIM_UNSAID;
	return up ? CLAIM_HIGHER : CLAIM_LOWER;
}

static unsigned int small_number(struct span w)
{
	unsigned int n = 0;

	if (!w.n || w.n > 7)
		return 0;
	for (size_t i = 0; i < w.n; i++) {
		if (!isdigit((unsigned char)w.p[i]))
			return 0;
		n = n * 10 + (unsigned int)(w.p[i] - '0');
	}
	return n <= MAX_RUNS ? n : 0;
}

unsigned int words_runs(struct span s)
{
	static const char *const times[] = { "runs",	"iterations", "repetitions",
					     "samples", "rounds",     NULL };
	struct span w, before = SPAN_NONE;

	for (; span_word(&s, &w); before = w) {
		if (span_in(w, times) && small_number(before))
			return small_number(before);
		if (span_is(w, "n") && span_starts(span_trim(s), "=")) {
			struct span rest = s, nr;

			if (span_word(&rest, &nr) && small_number(nr))
				return small_number(nr);
		}
	}
	return 0;
}

bool words_performance(struct span s)
{
	/* clang-format off */
	static const char *const words[] = {
		"throughput", "latency", "latencies", "performance", "perf", "bandwidth",
		"iops", "pps", "tps", "rps", "speed", "speedup", "overhead", "exits", "exit",
		"vmexit", "vmexits", "hypercalls", "hcalls", "cycles", "instructions", "misses",
		"faults", "runtime", "duration", "benchmark", "benchmarks", "microbenchmark",
		"benchmarking", "score", "ops", "switches", "faster", "slower", "rate", "time",
		"cost", "utilization", "utilisation", "usage", "consumption", "wakeups",
		"ipis", "interrupts", "workload", "workloads", "elapsed", "jitter", NULL
	};
	/* clang-format on */
	return span_any(s, words);
}

bool words_setting(struct span s)
{
	static const char *const words[] = {
		"timeout",    "timeouts",   "limit",	 "limits",    "threshold",
		"thresholds", "default",    "maximum",	 "minimum",   "interval",
		"brightness", "voltage",    "volume",	 "quota",     "version",
		"depth",      "resolution", "frequency", "watermark", "tolerance",
		"margin",     "delay",	    "battery",	 "coverage",  NULL
	};
	return span_any(s, words);
}

const char *words_paging(struct span s)
{
	static const char *const two[] = { "npt", "ept", "tdp", NULL };
	static const char *const shadow[] = { "shadow", NULL };

	if (span_any(s, two))
		return "npt";
	return span_any(s, shadow) ? "shadow" : NULL;
}

struct span words_machine(struct span s)
{
	static const char *const words[] = {
		"milan",	  "rome",	  "naples",	 "genoa",	"bergamo",
		"turin",	  "siena",	  "skylake",	 "cascadelake", "icelake",
		"haswell",	  "broadwell",	  "zen2",	 "zen3",	"zen4",
		"zen5",		  "power8",	  "power9",	 "power10",	"power11",
		"sapphirerapids", "xeon",	  "epyc",	 "ryzen",	"ampere",
		"graviton",	  "threadripper", "sandybridge", NULL
	};
	struct span w;

	while (span_word(&s, &w))
		if (span_in(w, words))
			return w;
	return SPAN_NONE;
}

bool words_emulated(struct span s)
{
	static const char *const words[] = { "tcg", "icount", NULL };

	return span_any(s, words) || span_has(s, "under emulation");
}
