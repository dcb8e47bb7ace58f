// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A stable queue as data: patches in order, what is wrong with the folder they lie in, and
 * what was dropped from queues before. mail/queue-read.h makes one.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/base.h"
#include "core/series/series.h"

struct queue_entry {
	const struct patch *patch; /* of queue.series */
	char *file;		   /* its name in the queue; NULL when no mail says it */
	char *from;		   /* 40 hex digits of its "From SHA" line, NULL = none */
};

/* Something about the folder or its series file that has to be put right. */
struct queue_flaw {
	char *file; /* NULL = the queue as a whole */
	char *text;
	bool minor; /* the queue can be released all the same */
};

/* A line of dropped_commits or ignore_list. */
struct queue_dropped {
	char *version; /* NULL = all */
	char *commit;  /* 8 to 40 hex digits, lower case */
	bool ignored;  /* of ignore_list: nobody wants to hear of it */
};

/* What the queue of a newer version beside this one brings. */
struct queue_sibling {
	char *version;
	struct strv commits; /* upstream, as written; sorted */
};

struct queue {
	char *name;    /* as the user named it */
	char *version; /* "6.1", NULL = nothing says it */
	char *release; /* "6.1.5" it makes, or "6.1.5-rc1"; NULL = not known */
	bool whole;    /* a queue; false for one patch or some that were mailed */
	bool failed;   /* "failed to apply" mail: the patch is not in the queue */
	struct series *series;
	struct queue_entry *v;
	size_t nr;
	struct queue_flaw *flaws;
	size_t nr_flaws;
	struct queue_dropped *dropped;
	size_t nr_dropped;
	struct queue_sibling *siblings;
	size_t nr_siblings;
	struct strv active; /* versions that are cared for; empty = not known */
};

_must_check_ struct queue *queue_new(const char *name);
void queue_free(struct queue *q);
DEFINE_FREEP(queue_free, struct queue *)
#define _cleanup_queue_ _cleanup_(queue_freep)

/* The name of an entry for people: its file, else its title. Borrowed. */
const char *queue_entry_name(const struct queue_entry *e);

/* Append a flaw; file may be NULL. */
struct queue_flaw *queue_add_flaw(struct queue *q, const char *file, const char *fmt, ...)
	_printf_(3, 4);

/*
 * Append the lines of dropped_commits ("6.6 SHA") or ignore_list. Comments, blank lines
 * and what is no such line are passed over.
 */
void queue_read_dropped(struct queue *q, const char *text, bool ignored);

/* The line that names this commit for this version; NULL when none does. */
const struct queue_dropped *queue_find_dropped(const struct queue *q, const char *commit,
					       bool ignored);

/* Add the commits a queue of that version brings, one a line. */
void queue_add_sibling(struct queue *q, const char *version, const char *commits);
bool queue_sibling_has(const struct queue *q, const char *version, const char *commit);

/*
 * Whether a commit message says that there is no such commit upstream: a line of
 * upstream.h, words to that effect, or the release's own "Linux 6.1.5".
 */
bool queue_is_stable_only(const struct patch *p);

/* Whether a note in brackets says that the patch was changed for this tree ("[ bp:
 * adapted ... ]"), or a sign-off is followed by such a line. */
bool queue_has_backport_note(const char *message);
