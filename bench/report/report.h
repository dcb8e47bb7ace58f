// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Results as plain text fit to paste into a reply: no tabs, at most 76 columns unless a
 * subject is longer, no control characters whatever a mail or a kernel said. All
 * pointers are borrowed for the time of the call.
 */
#include "bench/claims/compare.h"
#include "bench/stats/compare.h"
#include "core/base/buf.h"
#include "core/base/strv.h"
#include "core/bisect/bisect.h"
#include "core/git/apply.h"
#include "core/series/series.h"
#include "core/store/records.h"

/*
 * Append the table of commit messages, one for each benchmark in rows (rows of one
 * benchmark stand together), then interval, boots, runs, adjusted p and verdict of every
 * cell, then the line that says which clock was used. Nothing when nr is 0. Call
 * compare_adjust() first.
 */
void report_table(const struct comparison *rows, size_t nr, bool virtual_clock,
		  struct buf *ret);

/* The cells of these tables for rows of one benchmark, headings first: what was measured,
 * and what that rests on. */
enum { REPORT_VALUE_COLUMNS = 4, REPORT_BASIS_COLUMNS = 6 };
void report_table_cells(const struct comparison *rows, size_t nr, struct strv *values,
			struct strv *basis);

/* The line that says which clock was used. */
const char *report_clock_words(bool virtual_clock);

/* Append what was claimed against what was measured, with the reasons below; nothing when
 * nr is 0.
 */
void report_claims(const struct claim_check *v, size_t nr, struct buf *ret);

/* What is known of a kernel that was measured, and how sure it is that it was this one.
 */
struct report_kernel {
	const char *name; /* "base", "patched" */
	struct oid commit;
	const char *status;   /* of the build */
	const char *reason;   /* why the build failed, else NULL */
	const char *build_id; /* NULL unless built */
	const char *path;     /* "kexec", "firmware"; NULL without boots */
	unsigned int boots, proven;
	unsigned int boot_ids;	   /* different ones among the proven boots */
	const char *boot_failed;   /* status of the first boot that is not proven, or NULL
				    */
	const char *failed_reason; /* its cause, may be NULL */
};

/* Fill from the store's records; boots of other commits in the array are passed over. */
void report_kernel_fill(const char *name, const struct build_record *build,
			const struct boot_record *boots, size_t nr,
			struct report_kernel *ret);

/* A commit as a reader knows it; number is N of N/M, 0 when it is of no series. */
struct report_commit {
	struct oid oid;
	const char *subject;
	int number;
	bool made; /* by kiln: nobody else has this commit */
};

/* The boots of one commit together; boots 0: none. */
struct report_level {
	size_t commit;
	unsigned int boots;
	double mean;
};

struct report_bisect {
	const struct bisect_result *result;
	const struct report_commit *commits; /* as numbered for the engine */
	size_t nr_commits;
	const char *benchmark;
	const struct cell *cell;
	unsigned int boots, builds;
	double seconds;
	struct report_level levels[2]; /* the commit before the culprit, the culprit */
	const char *revert;	       /* what came of it; NULL: not tried */
	const char *implausible;       /* why, else NULL */
	bool proven; /* all of it was measured here, by kernels that proved themselves */
};

/* A triage, as far as it came: parts that were not reached are NULL or 0. */
struct report {
	const char *source; /* as the user gave it */
	const struct series *series;
	const char *onto; /* the base by name: "v6.1.192"; NULL when it has none */
	const struct apply_result *apply;
	const struct report_kernel *kernels;
	size_t nr_kernels;
	const char *accel; /* "kvm", "tcg" */
	bool virtual_clock;
	const struct comparison *rows;
	size_t nr_rows;
	const struct claim_check *claims;
	size_t nr_claims;
	const struct report_bisect *bisect;
};

/* Append the report: the outcome first, then what it rests on. */
void report_text(const struct report *r, struct buf *ret);
