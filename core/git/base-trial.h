// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Does a series apply to a commit, with what it needs before it? Tried whole and in
 * memory: the repository stays as it is.
 */
#include "core/git/apply.h"

struct base_trial;

/* A patch that has to be there before the series. */
struct base_needed {
	const struct patch *patch;
	/* Set by a trial: the commit's tree has the patch, or what became of it. */
	enum { NEEDED_APPLIED, NEEDED_PRESENT, NEEDED_FAILED, NEEDED_NOT_TRIED } state;
};

/*
 * Put what is needed on a commit, in order, leaving out what its tree has already.
 * *ret_head is the last commit made, or onto. 1 when all went well; 0 when one does not
 * apply, *ret_head being what was reached before it.
 */
_must_check_ int base_put_needed(struct repo *r, const struct apply_opts *o,
				 struct base_needed *v, size_t nr, struct oid *ret_head,
				 struct err *e);

/* The series is borrowed and is tried with the options of apply, but for onto and ref. */
_must_check_ int base_trial_open(struct repo *r, const struct series *s,
				 const struct apply_opts *apply, struct base_trial **ret,
				 struct err *e);
void base_trial_free(struct base_trial *t);
DEFINE_FREEP(base_trial_free, struct base_trial *)
#define _cleanup_base_trial_ _cleanup_(base_trial_freep)

/* What is put before the series from now on; borrowed. */
void base_trial_need(struct base_trial *t, struct base_needed *v, size_t nr);

/*
 * Try it. 1 when everything applied; 0 when a patch did not, or when the repository lacks
 * objects of the commit. *ret_done, may be NULL, is how many patches of the series did.
 */
_must_check_ int base_trial_run(struct base_trial *t, const struct oid *commit,
				size_t *ret_done, struct err *e);

/* Trials made so far. */
size_t base_trial_count(const struct base_trial *t);
