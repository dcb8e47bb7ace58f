// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What a series says must be there before it, found and put in order. Mails are found by
 * a table that cli fills, as core does not speak mail.
 */
#include "core/git/base-trial.h"

/*
 * How a prerequisite is found: the series whose mails it names, owned by the caller.
 * ERR_UNKNOWN_MESSAGE_ID when no source has it.
 */
struct prereq_source {
	int (*find)(void *ctx, const struct prerequisite *p, struct series **ret,
		    struct err *e);
	void *ctx;
};

#define PREREQ_MAX_DEPTH 8
#define PREREQ_MAX_LOOKUPS 64
#define PREREQ_MAX_PATCHES 1000

enum prereq_state {
	PREREQ_FOUND,	   /* see the patches for what became of them */
	PREREQ_REPEATED,   /* named before, or part of what was */
	PREREQ_CYCLE,	   /* it needs what needs it */
	PREREQ_TOO_MANY,   /* a limit was reached */
	PREREQ_UNRESOLVED, /* nothing known by that name */
	PREREQ_UPSTREAM,   /* a commit of the base, by patch-id */
};

struct prereq {
	char *kind, *value;
	char *named_by; /* message-id of the series that names it */
	char *title;	/* of what was found, else NULL */
	char *reason;	/* when not found; else NULL */
	enum prereq_state state;
	size_t first, nr;    /* its patches in needed[] */
	struct oid upstream; /* with PREREQ_UPSTREAM */
};

struct prereqs {
	struct prereq *v; /* in the order they were met */
	size_t nr;
	struct base_needed *needed; /* in the order they go in */
	size_t nr_needed;
	struct series **series; /* that own the patches */
	size_t nr_series;
};

/* Find all, those of prerequisites first. What cannot be found is noted, no error. */
_must_check_ int prereqs_collect(const struct series *s, const struct prereq_source *src,
				 struct prereqs *ret, struct err *e);
void prereqs_release(struct prereqs *p);

/* Look for patch-ids that no mail is known of among the newest commits of a base. */
_must_check_ int prereqs_upstream(struct repo *r, const struct oid *base,
				  struct prereqs *p, struct err *e);

/*
 * "applied", "present" (the base has it), "failed", "not-tried"; or why it was not found:
 * "repeated", "cycle", "too-many", "unresolved", "upstream".
 */
const char *prereq_state_name(const struct prereqs *p, const struct prereq *one);
