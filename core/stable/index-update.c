// SPDX-License-Identifier: GPL-3.0-or-later
/* Bringing an index up to its branch. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/commit-walk.h"
#include "core/stable/index-internal.h"

/* Commits read before they are made to last: what a kill can cost. */
#define CHUNK 4096

struct update {
	struct stable_index *ix;
	const struct progress *progress;
	struct line_state s;
	int64_t id;	/* the highest given */
	struct oid tip; /* of the position being read */
	int64_t fork;	/* of the commit of the old line that the new one comes to */
	size_t added, uncommitted;
};

static int in_mainline(struct update *u, const struct oid *oid, struct err *e)
{
	return u->ix->mainline ? line_get(u->ix->mainline->line, oid, NULL, e) : 0;
}

/* The new line ends at a commit of the old one, or where it left mainline. */
static int on_old_line(void *ctx, const struct oid *oid, struct err *e)
{
	_cleanup_line_row_ struct line_row row = { 0 };
	struct update *u = ctx;
	int r = line_get(u->ix->line, oid, &row, e);

	if (r < 0)
		return r;
	if (r > 0 && row.on_line) {
		u->fork = row.pos;
		return 1;
	}
	return in_mainline(u, oid, e);
}

static int is_known(void *ctx, const struct oid *oid, struct err *e)
{
	struct update *u = ctx;
	int r = line_get(u->ix->line, oid, NULL, e);

	if (r)
		return r;
	r = in_mainline(u, oid, e);
	if (r > 0 && line_add_point(u->ix->line, oid, u->s.pos, e) < 0)
		return -(int)e->code;
	return r;
}

static int add_names(struct update *u, const struct commit_names *v,
		     enum line_name_kind kind, struct err *e)
{
	for (size_t i = 0; i < v->nr; i++) {
		struct line_name n = { .kind = kind,
				       .hex = v->v[i].hex,
				       .title = v->v[i].title,
				       .partial = v->v[i].partial };

		if (line_add_name(u->ix->line, u->id, &n, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

static int add_mails(struct update *u, const struct strv *links, struct err *e)
{
	for (size_t i = 0; i < links->nr; i++) {
		_cleanup_free_ char *group = message_id_series(links->v[i]);
		struct line_name n = { .kind = LINE_MAIL,
				       .title = links->v[i],
				       .group = group };

		if (line_add_name(u->ix->line, u->id, &n, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

/* A revert in a stable tree names an upstream commit that it is not. */
static int add_upstream(struct update *u, const char *message, struct err *e)
{
	_cleanup_upstream_claims_ struct upstream_claims claims = UPSTREAM_CLAIMS_INIT;
	struct line_name n = { .kind = LINE_UPSTREAM };

	upstream_claims_read(message, &claims);
	for (size_t i = 0; i < claims.nr; i++) {
		if (claims.v[i].form > UPSTREAM_PICK)
			continue;
		n.hex = claims.v[i].commit;
		if (n.hex && line_add_name(u->ix->line, u->id, &n, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

static int add_row(struct update *u, const struct commit_text *c, struct err *e)
{
	struct line_row row = { .id = ++u->id,
				.oid = c->oid,
				.pos = u->s.pos,
				.on_line = oid_equal(&c->oid, &u->tip),
				.date = c->date,
				.authored = c->authored,
				.subject = c->subject };

	u->s.commits++;
	if (!u->s.oldest || c->date < u->s.oldest)
		u->s.oldest = c->date;
	return line_add(u->ix->line, &row, e);
}

static int found(void *ctx, const struct commit_text *c, struct err *e)
{
	_cleanup_commit_notes_ struct commit_notes notes = { 0 };
	struct update *u = ctx;

	commit_notes_read(c->message, &notes);
	if (add_row(u, c, e) < 0 || add_names(u, &notes.fixes, LINE_FIXES, e) < 0 ||
	    add_names(u, &notes.reverts, LINE_REVERTS, e) < 0 ||
	    add_mails(u, &notes.links, e) < 0)
		return -(int)e->code;
	u->uncommitted++;
	if (++u->added % 1000 == 0)
		progress_update(u->progress, "indexing commits", u->added, 0);
	return u->ix->mainline ? add_upstream(u, c->message, e) : 0;
}

static void missing(void *ctx, const struct oid *oid)
{
	struct update *u = ctx;

	(void)oid;
	u->s.missing++;
}

/* Down to the commit that the new line shares with the old one, or to nothing. */
static int cut(struct update *u, struct err *e)
{
	u->id = u->s.commits;
	if (u->fork == u->s.pos && u->fork)
		return 0;
	if (line_cut(u->ix->line, u->fork, &u->id, e) < 0)
		return -(int)e->code;
	u->s.pos = u->fork;
	u->s.commits = u->id;
	if (!u->fork) {
		u->s.missing = 0;
		u->s.oldest = 0;
	}
	return 0;
}

/* What is there so far lasts: the index of an older tip, and right for that one. */
static int make_last(struct update *u, struct err *e)
{
	u->uncommitted = 0;
	if (line_set_state(u->ix->line, &u->s, e) < 0 || line_end(u->ix->line, e) < 0)
		return -(int)e->code;
	return line_begin(u->ix->line, e);
}

static int add_line(struct update *u, const struct oid *v, size_t nr, struct err *e)
{
	const struct commit_walk w = { { is_known, u }, found, missing };

	for (size_t i = nr; i-- > 0;) {
		u->tip = v[i];
		u->s.pos++;
		if (commit_walk(u->ix->r, &v[i], &w, e) < 0)
			return -(int)e->code;
		u->s.tip = v[i];
		if (u->uncommitted >= CHUNK && make_last(u, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

/* A whole line that mainline has: a branch nothing was put on yet. */
static int add_bare(struct update *u, const struct oid *tip, struct err *e)
{
	u->s.tip = *tip;
	return is_known(u, tip, e) < 0 ? -(int)e->code : 0;
}

static int run(struct update *u, const struct oid *tip, struct err *e)
{
	const struct commit_stop stop = { on_old_line, u };
	_cleanup_free_ struct oid *v = NULL;
	struct oid root, end;
	size_t nr = 0;

	commit_shallow_digest(u->ix->r, &root);
	if (line_state(u->ix->line, &u->s, e) < 0)
		return -(int)e->code;
	/* History that was cut off elsewhere: what the old rows end at is not known. */
	if (!oid_equal(&u->s.root, &root) &&
	    (cut(u, e) < 0 || line_set_state(u->ix->line, &u->s, e) < 0))
		return -(int)e->code;
	u->s.root = root;
	if (commit_line(u->ix->r, tip, &stop, &v, &nr, &end, e) < 0 || cut(u, e) < 0)
		return -(int)e->code;
	if (nr ? add_line(u, v, nr, e) < 0 : add_bare(u, tip, e) < 0)
		return -(int)e->code;
	return line_set_state(u->ix->line, &u->s, e);
}

int stable_index_update(struct stable_index *ix, const struct oid *tip,
			const struct progress *p, struct err *e)
{
	struct update u = { .ix = ix, .progress = p };

	if (line_begin(ix->line, e) < 0)
		return -(int)e->code;
	if (run(&u, tip, e) < 0 || line_end(ix->line, e) < 0) {
		line_rollback(ix->line);
		return -(int)e->code;
	}
	ix->state.added = u.added;
	return 0;
}
