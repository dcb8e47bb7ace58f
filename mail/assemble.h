// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Mails to a series: revisions told apart, patches in order, trailers collected from
 * replies. */
#include "core/base/err.h"
#include "core/series/series.h"

struct box;
struct pick;

struct assemble_opts {
	const char *message_id;	 /* the mail the user named, NULL = whole input */
	bool must_have_id;	 /* ERR_NOT_FOUND when it is not among the mails */
	int revision;		 /* 0 = newest there is */
	const struct pick *pick; /* these patches only, NULL = all; borrowed */
	bool no_partial; /* a revision of some patches only is not filled up from the
			    older one */
	bool scissors;	 /* as git am --scissors */
	bool no_cover_trailers; /* take no trailers from replies to the cover */
	bool no_trailers;	/* take none from replies */
	bool sloppy_trailers;	/* also those sent by another than the person named */
	const struct strv *ignore_from; /* addresses whose trailers do not count */
	const char
		*link_format; /* add Link trailers; %s is the message-id. NULL = none */
	const char *sign_off; /* "Name <address>" to add a Signed-off-by of, or NULL */
};

/*
 * Assemble the mails of a box. ERR_NO_PATCHES when no
 * mail carries a patch, ERR_NOT_FOUND when the revision or a patch asked for is not
 * there, ERR_AMBIGUOUS when several series are and none is named. A series
 * with missing patches is returned, with missing[] filled.
 */
_must_check_ int series_from_box(const struct box *box, const struct assemble_opts *o,
				 struct series **ret, struct err *e);

/* As series_from_box(), leaving out what needs the diffs parsed: patch_id, files. */
_must_check_ int assemble_mails(const struct box *box, const struct assemble_opts *o,
				struct series **ret, struct err *e);

/* What its diff says of a patch: files, patch_id, and damage where it does not parse. */
void patch_fill(struct patch *p);
