// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Every patch of a series or range, built and, if asked, booted: `kiln build --each`. */
#include "cli/bisect/range.h"
#include "cli/stages.h"

struct each_opts {
	struct cli_source_opts source;
	struct cli_base_opts base;
	bool each, boot, stop;
};

/* What became of one patch. */
enum each_verdict {
	EACH_OK,
	EACH_SAME,    /* the kernel before it, byte for byte: neither booted nor judged */
	EACH_BROKEN,  /* it does not build or boot, and the base does */
	EACH_UNKNOWN, /* it does not, and neither does the base; or no answer came */
	EACH_LEFT,    /* not looked at: the work stopped before it */
};

struct each_patch {
	struct kernel kernel;
	struct shots shots; /* one, where it was booted */
	const char *subject;
	enum each_verdict verdict;
};

/* In place: shots point at kernels, so it is not copied. Zeroed before use. */
struct each {
	struct bisect_range range;
	struct each_patch *v; /* the base, then the patches in order */
	size_t nr;
	bool boots;
};

struct each_query {
	struct ctx *c;
	struct run *run;
	const struct each_opts *o;
	struct stage_opts *stage; /* build.arch is left there where the series says it */
	const char *what;	  /* "A..B" or the source of a series */
};

/*
 * Do it, as steps of the run. A base that is broken itself leaves no patch to blame: it
 * is asked when the first patch fails. Errors are the environment's, or those of reading
 * the series.
 */
_must_check_ int each_run(const struct each_query *q, struct each *ret, struct err *e);

/* 1 when a patch is broken, else 125 when one is unknown, else 0. */
int each_exit_code(const struct each *r);

/* A line per patch, causes below; or the document. */
void each_print(const struct each *r, const char *run);
void each_print_json(const struct each *r, const char *run);

const char *each_verdict_name(enum each_verdict v);

void each_release(struct each *r);
