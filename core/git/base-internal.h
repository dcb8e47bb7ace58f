// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the files that choose a base share. */
#include "core/git/base-refs.h"
#include "core/git/base-search.h"
#include "core/git/base.h"
#include "core/git/maintainers.h"

/* Trials cost up to a second each on a long series. */
#define BASE_MAX_TRIALS 64
#define BASE_TRIAL_MS 60000

/* First parents looked at before all of them are: the base is recent nearly always. */
#define BASE_FIRST_DEPTH 1000

/* What is known of a ref as a place to look at. */
struct base_place {
	const struct base_ref *ref;
	char *url;	     /* of its remote, may be NULL */
	const char *word;    /* of the mails that names it, NULL = none; borrowed */
	const char *section; /* of MAINTAINERS whose tree it is, NULL = none; borrowed */
	int rank;	     /* the lower the better */
	struct base_line line;
	struct base_stretches stretches; /* of the line, when it was searched */
};

struct base_chooser {
	struct repo *r;
	const struct series *s;
	const struct base_opts *o;
	struct base_choice *c;
	struct base_files files;
	struct base_refs refs;
	struct maintainers_trees trees;
	struct base_place *places; /* best rank first */
	size_t nr_places;
	struct base_trial *trial;
	struct base_index *ix;
	struct strv tried; /* commits, as hex */
	uint64_t deadline_ms;
	const char *stated; /* the mails' word for a base that exists; borrowed */
	bool no_index, said_shallow;
};

/* refs, trees and places. */
_must_check_ int base_places(struct base_chooser *b, struct err *e);

/*
 * Try a commit unless it was tried before: 1 it takes the series, 0 not, or trials and time
 * are used up.
 */
_must_check_ int base_try(struct base_chooser *b, const struct oid *oid, struct err *e);
bool base_is_over(const struct base_chooser *b);

/* Fill in the choice; takes reason over. */
void base_set(struct base_chooser *b, const char *method, char *rev,
	      const struct oid *oid, char *reason);

/* Steps that look along the places; 1 = chosen. */
_must_check_ int base_by_word(struct base_chooser *b, struct err *e);
_must_check_ int base_by_blobs(struct base_chooser *b, struct err *e);
_must_check_ int base_by_trial(struct base_chooser *b, struct err *e);

/* Only plain ids and names are looked up for a mail, no search syntax. */
bool base_is_plain_rev(const char *rev);
