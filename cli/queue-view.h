// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What `kiln queue` found, for people and for programs. */
#include "cli/queue-read.h"
#include "cli/queue-try.h"
#include "core/stable/check.h"

struct json_t;

/* What there is new since an earlier run. */
struct queue_news {
	bool asked;    /* --since */
	char *run;     /* the run compared with, NULL = there was none */
	bool **fresh;  /* [patch][finding] */
	bool *whole;   /* of the whole queue */
	bool *patches; /* patches that are new or changed */
	size_t gone;   /* findings that are no longer there */
};

struct queue_view {
	const struct queue *q;
	const struct queue_base *base;
	const char *mainline; /* NULL = none */
	struct oid mainline_tip;
	const char *ref; /* the queue as commits, NULL = it was not written */
	const struct queue_report *report;
	const struct queue_news *news;
	const struct queue_try *tried;
	const char *tester; /* "Name <address>" for a reply */
	bool detail;	    /* show range-diffs */
};

/* "ok", "warnings", "errors", or "unknown": nothing wrong, but not all could be checked. */
const char *queue_status(const struct queue_view *v);
int queue_exit_code(const struct queue_view *v);

void queue_text(const struct queue_view *v, struct buf *ret);

/*
 * Text for a reply on the list. A Tested-by line only when the checks that build and boot
 * were made and nothing is wrong.
 */
void queue_reply(const struct queue_view *v, struct buf *ret);

struct json_t *queue_json(const struct queue_view *v);

/* Whether a finding is to be shown and to count: all, or with --since what is new. */
bool queue_shows(const struct queue_view *v, size_t patch, size_t finding);
bool queue_shows_whole(const struct queue_view *v, size_t finding);

/*
 * Compare with what the last run of this queue on this repository found, and remember
 * this one's in the run for the next.
 */
_must_check_ int queue_news_find(struct store *s, const char *key,
				 const struct queue_view *v, struct queue_news *ret,
				 struct err *e);
_must_check_ int queue_news_keep(struct run *r, const char *key,
				 const struct queue_view *v, struct err *e);
void queue_news_release(struct queue_news *n, const struct queue_report *r);
