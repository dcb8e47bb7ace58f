// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How fast the upstream index of a branch is made, and what is asked of it answered:
 * stable-index DIR REV [COMMITS], the newest COMMITS of which are looked up.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/git/commit-walk.h"
#include "core/stable/lookup.h"

static double cpu_seconds(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

static void report(const char *what, size_t nr, uint64_t since_ms, double since_cpu)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	printf("%s: %zu, %.2f s, %.2f s of processor, peak %ld KiB\n", what, nr,
	       (double)(clock_ms() - since_ms) / 1e3, cpu_seconds() - since_cpu,
	       use.ru_maxrss);
}

static int ask(struct stable_index *ix, const struct oid *oid, bool diff, struct err *e)
{
	_cleanup_stable_hits_ struct stable_hits fixes = { 0 }, reverts = { 0 },
						 series = { 0 };
	_cleanup_stable_commit_ struct stable_commit c = { 0 };
	_cleanup_free_ char *id = NULL;

	if (diff)
		return stable_index_patch_id(ix, oid, &id, e);
	if (stable_index_get(ix, oid, &c, e) < 0 ||
	    stable_index_fixes(ix, oid, &fixes, e) < 0 ||
	    stable_index_reverts(ix, oid, &reverts, e) < 0)
		return -(int)e->code;
	return stable_index_series(ix, oid, &series, e);
}

/* Along first parents from the tip. */
static int ask_all(struct stable_index *ix, uint64_t nr, bool diff, struct err *e)
{
	struct oid at = stable_index_state(ix)->tip;

	for (uint64_t i = 0; i < nr; i++) {
		_cleanup_commit_text_ struct commit_text c = { 0 };
		int r = commit_text_read(stable_index_repo(ix), &at, &c, e);

		if (r <= 0 || ask(ix, &at, diff, e) < 0)
			return r;
		if (!c.nr_parents)
			return 0;
		at = c.parents[0];
	}
	return 0;
}

int main(int argc, char **argv)
{
	_cleanup_stable_index_ struct stable_index *ix = NULL;
	_cleanup_repo_ struct repo *r = NULL;
	_cleanup_err_ struct err e = { 0 };
	uint64_t start = clock_ms(), nr = 0;
	double cpu = cpu_seconds();

	if (argc < 3 || (argc > 3 && !parse_u64(argv[3], &nr)))
		return 129;
	if (repo_open(argv[1], &r, &e) < 0 ||
	    stable_index_open(r, &(struct stable_index_opts){ .rev = argv[2] }, &ix, &e) <
		    0) {
		fprintf(stderr, "%s\n", e.frame[0]);
		return 1;
	}
	report("index", stable_index_state(ix)->added, start, cpu);
	for (int diff = 0; nr && diff < 2; diff++) {
		start = clock_ms();
		cpu = cpu_seconds();
		if (ask_all(ix, nr, diff, &e) < 0)
			return 1;
		report(diff ? "patch-ids" : "look-ups", nr, start, cpu);
	}
	return 0;
}
