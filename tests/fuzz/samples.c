// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines of a benchmark program, from inside an untrusted guest, through to a verdict. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stats/compare.h"
#include "core/base/alloc.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void split(const char *text, struct strv *ret)
{
	for (const char *p = text; *p;) {
		size_t n = strcspn(p, "\n");

		strv_take(ret, xstrndup(p, n));
		p += n + (p[n] == '\n');
	}
}

static void complete(struct samples *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		s->v[i].token = xasprintf("t%zu", i % 2);
		s->v[i].l0 = xstrdup("npt");
		s->v[i].l1 = xstrdup("npt");
		s->v[i].clock = xstrdup("virtual");
		s->v[i].proven = true;
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const struct compare_opts opts = { .same_within = 0.002,
						  .noise = { .boot_sd = 0.0005 },
						  .confidence = 0.95 };
	const struct benchmark *b = bench_find("cpuid_rate");
	_cleanup_samples_ struct samples s = SAMPLES_INIT;
	_cleanup_free_ char *text = xstrndup((const char *)data, size);
	_cleanup_strv_ struct strv lines = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct comparison c;

	split(text, &lines);
	if (bench_parse(b, &lines, &s, &e) < 0) {
		if (s.nr || !e.nr)
			abort();
		return 0;
	}
	complete(&s);
	if (compare_cell(b, cell_at(NULL, 0), &s, &s, &opts, &c, &e) < 0 || c.change != 0)
		abort(); /* what was parsed can be compared, and equals itself */
	return 0;
}
