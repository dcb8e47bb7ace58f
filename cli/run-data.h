// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What the store has of a run, whole, and the small facts by which a finished run can be
 * told again without its command: which commits were the sides, what they are called.
 */
#include "bench/stats/compare.h"
#include "core/store/run.h"

struct run_data {
	struct run *run; /* owned */
	struct strv facts, journal;
	struct build_record *builds;
	struct boot_record *boots;
	struct samples samples;
	size_t nr_builds, nr_boots;
};

/* The run by id, unique prefix or "last". */
_must_check_ int run_data_load(struct store *s, const char *id, struct run_data *ret,
			       struct err *e);
void run_data_release(struct run_data *d);

/* A fact, borrowed; NULL when the run has none of that name. */
const char *run_data_fact(const struct run_data *d, const char *key);

/* Which cell the boot measured in, as its samples say: "npt"; "" when it has none. */
const char *run_data_paging(const struct run_data *d, const char *token);

/* Keep the title of a commit that was built. */
_must_check_ int run_keep_subject(struct run *r, const struct oid *commit,
				  const char *subject, struct err *e);

/* That title, borrowed; "" when it is not known. */
const char *run_data_subject(const struct run_data *d, const struct oid *commit);

/* The two kernels of a comparison, and with what their numbers are computed, but for the
 * noise, which each row has its own of. */
struct run_sides {
	struct oid base, patched;
	struct compare_opts opts;
};
_must_check_ int run_keep_sides(struct run *r, const struct run_sides *sides,
				struct err *e);

_must_check_ int run_keep_noise(struct run *r, const char *benchmark,
				const struct cell *cell, const struct known_noise *n,
				struct err *e);

/* false when the run compared nothing, or what it remembers is damaged. */
bool run_data_sides(const struct run_data *d, struct run_sides *ret);
bool run_data_noise(const struct run_data *d, const char *benchmark,
		    const struct cell *cell, struct known_noise *ret);
