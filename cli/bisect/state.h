// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside cli/bisect only: the search while it runs. */
#include "cli/bisect/costs.h"
#include "cli/bisect/memory.h"
#include "cli/bisect/search.h"

/* One build of one point. */
struct variant {
	size_t at;
	unsigned int layout;
	unsigned int taken; /* boots kiln made of it */
	bool built;	    /* the engine knows that it exists */
	bool skipped;	    /* the engine knows that it cannot be asked */
	bool ahead;	    /* built ahead, and not used yet */
	char *code;	    /* NULL until built */
	double hidden;	    /* seconds of that build in which something else was asked */
	unsigned int old, new; /* times a predicate answered like each end */
	struct kernel kernel;  /* status set once this process has it */
};

struct search {
	const struct search_site *site;
	struct bisect *engine;
	struct memory memory;
	struct variant **variants; /* pointers: questions point into them */
	size_t nr_variants;
	struct tally tally;
	struct bisect_costs costs;
	double last_seconds; /* of the last thing asked */
	struct bisection *out;
};

struct variant *search_variant(struct search *s, size_t at, unsigned int layout);

/* Tell engine and result about entries, after the run remembers them (all or none). */
_must_check_ int search_record(struct search *s, const struct log_entry *v, size_t nr,
			       struct err *e);
_must_check_ int search_tell(struct search *s, const struct log_entry *en, struct err *e);

/* Have the kernel of a variant, and its build recorded. */
_must_check_ int search_build(struct search *s, struct variant *v, struct err *e);

/* Whether the variant's kernel can be asked. */
bool search_can_ask(const struct search *s, const struct variant *v);

/*
 * Ask nr variants (which are built) once each, and record the answers together with the
 * build made meanwhile, if any: ahead may be NULL.
 */
struct ask {
	struct variant *variant;
	unsigned int runs;
	unsigned int boot;
};
_must_check_ int search_ask(struct search *s, const struct ask *v, size_t nr,
			    struct variant *ahead, struct err *e);

/* Both ends as often as the engine will ask for first, in the order ABBA; refuse those
 * that do not answer as claimed. */
_must_check_ int search_ends(struct search *s, struct err *e);

/* Once a culprit is found: whether its revert on the bad end undoes the change. */
_must_check_ int search_revert(struct search *s, struct err *e);

/* Say what the search will cost; refuse it over the budget. */
_must_check_ int search_plan(struct search *s, struct err *e);

void search_release(struct search *s);
