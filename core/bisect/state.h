// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside core/bisect only: the engine's state. All of it follows from what was told. */
#include "core/bisect/posterior.h"

#define COMMIT_UNTESTABLE 1u
#define COMMIT_BUILT 2u
#define COMMIT_TESTED 4u

struct bisect {
	struct bisect_opts o;
	struct graph graph;
	double *weight;
	/* With first_parent, else NULL: which first parent of the bad end brings each
	 * commit in; commits of the open one may be booted beside the first parents. */
	size_t *cell, open_cell;
	struct noise_grid grid;
	struct data data;
	struct groups groups;
	size_t *tested, nr_tested; /* the commits, in the order they came */
	unsigned char *flags, *stage;
	unsigned int builds;
	double seconds; /* spent, by costs */

	struct posterior post;
	double *p; /* of each commit, no change aside */
	double *f; /* share of p among ancestors and self */
	struct bisect_result res;
	size_t *set;
	struct bisect_move move;
	size_t split; /* a commit that divides what is sure; graph.nr: nothing is */
};

static inline size_t bad_end(const struct bisect *b)
{
	return b->graph.nr - 1;
}

static inline bool testable(const struct bisect *b, size_t k)
{
	return !(b->flags[k] & COMMIT_UNTESTABLE);
}

static inline bool tested(const struct bisect *b, size_t k)
{
	return b->flags[k] & COMMIT_TESTED;
}

/* After each event: what is known, and what to do next. */
void decide(struct bisect *b);

/* choice.c: the boot that buys most. */
void choose(const struct bisect *b, struct bisect_move *ret);

/* Candidates for the next boot, at most MAX_CANDIDATES; returns how many. */
#define MAX_CANDIDATES 24
size_t candidates(const struct bisect *b, size_t *ret);

/* Whether commit may be booted now, --first-parent considered. */
bool may_boot(const struct bisect *b, size_t k);

/* An untested commit that splits group g, b->graph.nr when there is none. */
size_t splitter(const struct bisect *b, size_t g);

/* Runs in the next boot of commit. */
unsigned int runs_for(const struct bisect *b, bool fresh_build);

/* stop.c: fill res, and move where it has to be a certain one. Returns whether the
 * choice is still open. */
bool judge(struct bisect *b);

/* stop.c: whether group g holds the confidence wanted. */
bool group_is_sure(const struct bisect *b, size_t g);

/* verify.c: what fresh layouts of culprit and parent say. */
enum verified { VERIFY_MORE, VERIFY_ACCEPTED, VERIFY_REJECTED };
enum verified verify(const struct bisect *b, size_t culprit, size_t parent,
		     struct bisect_move *ret, double *ret_step);

/* What the change between the ends is by their own boots, with its sd. */
double ends_change(const struct bisect *b, double *ret_sd);
