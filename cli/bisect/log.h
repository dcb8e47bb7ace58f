// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The log of a bisection: all that was asked and what came out, as lines a person can
 * read and `kiln bisect --replay` can tell the engine again. It holds the points too, so
 * a replay needs neither repository nor machine. Foreign bytes: every number is checked.
 *
 *	kiln-bisect-log 1
 *	question number cpuid_rate npt/npt
 *	terms good bad
 *	engine kind=0 min_effect=0.002 ... (struct bisect_opts)
 *	space chain 17
 *	built 0 OID cached=no seconds=41.5 id=BUILD-ID
 *	runs 0 OID seconds=31.25 18531.5 18540.25
 *	pass 7 OID seconds=2 old=1 new=0
 *	skip 5 OID stage=build seconds=4 : lib.c:3: error: ...
 *	point 0 OID weight=1 parents=- : subject
 *
 * Lines that start with '#' are for people.
 */
#include "cli/bisect/space.h"
#include "core/bisect/bisect.h"

enum log_kind {
	LOG_BUILT, /* a kernel exists, or its build's answer does */
	LOG_RUNS,  /* one boot with the rate of each run */
	LOG_PASS,  /* a predicate asked: how often as the old end, how often as the new */
	LOG_SKIP,  /* cannot be measured */
};

/* One line: what was found out about a point. Starts zeroed. */
struct log_entry {
	enum log_kind kind;
	size_t at;
	struct oid commit;
	unsigned int layout;
	double seconds; /* of work */
	bool cached;	/* the build cost nothing */
	bool ahead;	/* built while something else was asked */
	bool hand;	/* told by the user */
	double *runs;	/* LOG_RUNS */
	size_t nr_runs;
	unsigned int old, new;	 /* LOG_PASS */
	enum bisect_stage stage; /* LOG_SKIP */
	char *reason;		 /* why skipped or failed; may be NULL */
	char *code; /* LOG_BUILT; of struct build_record, NULL when not known */
};
void log_entry_release(struct log_entry *en);
#define _cleanup_log_entry_ _cleanup_(log_entry_release)

/* One line without newline, and back. A line that is none is ERR_CONFIG saying why. */
void log_entry_write(const struct log_entry *en, struct buf *ret);
_must_check_ int log_entry_parse(const char *line, struct log_entry *ret, struct err *e);

/* The engine's options as the words behind "engine", and back. */
void log_engine_write(const struct bisect_opts *o, struct buf *ret);
_must_check_ int log_engine_parse(const char *words, struct bisect_opts *ret,
				  struct err *e);

struct bisect_log {
	char *question;	 /* "number cpuid_rate npt/npt" */
	char *old, *new; /* the terms */
	struct bisect_opts o;
	struct space space;
	bool first_parent; /* of a graph */
	struct log_entry *v;
	size_t nr;
};

/* The text of a log, and back; ERR_CONFIG names the line. */
void log_write(const struct bisect_log *l, struct buf *ret);
_must_check_ int log_parse(const char *text, struct bisect_log *ret, struct err *e);

/* The parts of a log: the lines before the space, the space's one, the points. */
void log_head_write(const struct bisect_log *l, struct buf *ret);
void log_space_write(const struct space *s, bool first_parent, struct buf *ret);
void log_points_write(const struct space *s, struct buf *ret);

/*
 * The log as `git bisect replay` reads it: p_new is each point's probability to have the
 * change. Where that is not sure a point is skipped.
 */
void log_write_git(const struct bisect_log *l, const double *p_new, struct buf *ret);

void bisect_log_release(struct bisect_log *l);
#define _cleanup_bisect_log_ _cleanup_(bisect_log_release)

/* "build", "boot", ... */
const char *bisect_stage_name(enum bisect_stage s);
