// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/prereq.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/commit-diff.h"
#include "core/git/git-free.h"
#include "core/git/repo-internal.h"

/* Commits whose patch-id is made for a prerequisite that no mail is known of. */
#define UPSTREAM_WINDOW 1000
#define UPSTREAM_MAX_FILES 50

/* The way down to where the search is: a series whose prerequisites are being found. */
struct trail {
	const struct trail *up;
	const struct series *series;
	unsigned int depth;
};

struct finder {
	const struct prereq_source *src;
	struct prereqs *ret;
	size_t lookups;
};

static int visit(struct finder *f, const struct trail *at, struct err *e);

void prereqs_release(struct prereqs *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		free(p->v[i].kind);
		free(p->v[i].value);
		free(p->v[i].named_by);
		free(p->v[i].title);
		free(p->v[i].reason);
	}
	for (size_t i = 0; i < p->nr_series; i++)
		series_free(p->series[i]);
	free(p->v);
	free(p->needed);
	free(p->series);
	*p = (struct prereqs){ 0 };
}

static const char *id_of(const struct series *s)
{
	return s->message_id ? s->message_id : "";
}

static bool same_series(const struct series *a, const struct series *b)
{
	if (a->change_id && b->change_id && !strcmp(a->change_id, b->change_id))
		return true;
	return *id_of(a) && !strcmp(id_of(a), id_of(b));
}

static bool on_trail(const struct trail *t, const struct series *s)
{
	for (; t; t = t->up)
		if (same_series(t->series, s))
			return true;
	return false;
}

static bool is_needed(const struct prereqs *p, const struct patch *patch)
{
	for (size_t i = 0; i < p->nr_needed; i++) {
		const struct patch *have = p->needed[i].patch;

		if (have == patch || (have->message_id && patch->message_id &&
				      !strcmp(have->message_id, patch->message_id)))
			return true;
	}
	return false;
}

static struct prereq *last(struct finder *f)
{
	return &f->ret->v[f->ret->nr - 1];
}

static void say(struct prereq *p, enum prereq_state state, const char *reason)
{
	p->state = state;
	free(p->reason);
	p->reason = xstrdup(reason);
}

/* The patches meant: one by its patch-id, else all of the series. */
static void take_patches(struct finder *f, struct prereq *p, const struct series *s)
{
	bool one = !strcmp(p->kind, "patch-id");

	p->first = f->ret->nr_needed;
	for (size_t i = 0; i < s->nr_patches; i++) {
		const struct patch *patch = &s->patches[i];

		if (one && (!patch->patch_id || strcmp(patch->patch_id, p->value)))
			continue;
		if (is_needed(f->ret, patch))
			continue;
		if (f->ret->nr_needed >= PREREQ_MAX_PATCHES) {
			say(p, PREREQ_TOO_MANY, "more patches than kiln puts before one");
			return;
		}
		*array_push(f->ret->needed, f->ret->nr_needed) =
			(struct base_needed){ .patch = patch, .state = NEEDED_NOT_TRIED };
	}
	p->nr = f->ret->nr_needed - p->first;
	if (!p->nr)
		say(p, PREREQ_REPEATED, "its patches are named before");
}

/* Keeps the series found; borrowed afterwards. */
static const struct series *keep(struct finder *f, struct series *s)
{
	return *array_push(f->ret->series, f->ret->nr_series) = s;
}

static int take(struct finder *f, const struct trail *at, size_t nr, struct series *found,
		struct err *e)
{
	const struct series *s = keep(f, found);
	struct trail down = { at, s, at->depth + 1 };
	struct prereq *p = &f->ret->v[nr];

	p->title = xstrdup(s->title);
	if (on_trail(at, s)) {
		say(p, PREREQ_CYCLE, "it needs, in the end, what needs it");
		return 0;
	}
	if (at->depth >= PREREQ_MAX_DEPTH) {
		say(p, PREREQ_TOO_MANY, "prerequisites of prerequisites, too deep");
		return 0;
	}
	/* Its own first; a patch named alone brings none. */
	if (strcmp(p->kind, "patch-id") && visit(f, &down, e) < 0)
		return -(int)e->code;
	take_patches(f, &f->ret->v[nr], s);
	return 0;
}

/* A patch-id may be in a series that an earlier prerequisite brought. */
static bool known_patch(struct finder *f, struct prereq *p)
{
	if (strcmp(p->kind, "patch-id"))
		return false;
	for (size_t i = 0; i < f->ret->nr_series; i++) {
		const struct series *s = f->ret->series[i];

		for (size_t k = 0; k < s->nr_patches; k++) {
			const char *id = s->patches[k].patch_id;

			if (!id || strcmp(id, p->value))
				continue;
			p->title = xstrdup(s->patches[k].subject);
			take_patches(f, p, s);
			return true;
		}
	}
	return false;
}

static int find(struct finder *f, const struct trail *at,
		const struct prerequisite *named, struct err *e)
{
	_cleanup_err_ struct err why = { 0 };
	struct series *found = NULL;
	size_t nr = f->ret->nr - 1;

	if (known_patch(f, last(f)))
		return 0;
	if (!f->src || !f->src->find) {
		say(last(f), PREREQ_UNRESOLVED, "no mail sources to look in");
		return 0;
	}
	if (f->lookups++ >= PREREQ_MAX_LOOKUPS) {
		say(last(f), PREREQ_TOO_MANY, "more prerequisites than kiln looks up");
		return 0;
	}
	if (f->src->find(f->src->ctx, named, &found, &why) < 0) {
		if (why.code == ERR_INTERRUPTED)
			return err_set(e, why.code, "%s", why.frame[0]);
		say(last(f), PREREQ_UNRESOLVED, why.frame[0]);
		return 0;
	}
	return take(f, at, nr, found, e);
}

static int visit(struct finder *f, const struct trail *at, struct err *e)
{
	for (size_t i = 0; i < at->series->nr_prerequisites; i++) {
		const struct prerequisite *named = &at->series->prerequisites[i];
		bool repeated = false;

		if (!strcmp(named->kind, "base-commit"))
			continue;
		if (f->ret->nr >= PREREQ_MAX_PATCHES)
			return 0;
		for (size_t k = 0; k < f->ret->nr; k++)
			repeated |= !strcmp(f->ret->v[k].kind, named->kind) &&
				    !strcmp(f->ret->v[k].value, named->value);
		/* Twice in one series is its author's slip; from two series it is news. */
		if (repeated && !at->up)
			continue;
		*array_push(f->ret->v, f->ret->nr) =
			(struct prereq){ .kind = xstrdup(named->kind),
					 .value = xstrdup(named->value),
					 .named_by = xstrdup(at->series->message_id) };
		if (find(f, at, named, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

int prereqs_collect(const struct series *s, const struct prereq_source *src,
		    struct prereqs *ret, struct err *e)
{
	struct prereqs found = { 0 };
	struct finder f = { .src = src, .ret = &found };
	struct trail root = { NULL, s, 0 };

	if (visit(&f, &root, e) < 0) {
		prereqs_release(&found);
		return -(int)e->code;
	}
	*ret = found;
	return 0;
}

static size_t count_unresolved(const struct prereqs *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->nr; i++)
		n += p->v[i].state == PREREQ_UNRESOLVED &&
		     !strcmp(p->v[i].kind, "patch-id");
	return n;
}

static void mark(struct prereqs *p, const struct oid *commit, const char *id)
{
	for (size_t i = 0; i < p->nr; i++) {
		struct prereq *one = &p->v[i];

		if (one->state != PREREQ_UNRESOLVED || strcmp(one->kind, "patch-id") ||
		    strcmp(one->value, id))
			continue;
		say(one, PREREQ_UPSTREAM, NULL);
		one->upstream = *commit;
	}
}

static int mark_commit(struct repo *r, const git_oid *id, struct prereqs *p,
		       struct err *e)
{
	struct oid commit = oid_from_git(id);
	_cleanup_free_ char *patch_id = NULL;

	if (commit_patch_id(r, &commit, UPSTREAM_MAX_FILES, &patch_id, e) < 0)
		return -(int)e->code;
	if (patch_id)
		mark(p, &commit, patch_id);
	return 0;
}

int prereqs_upstream(struct repo *r, const struct oid *base, struct prereqs *p,
		     struct err *e)
{
	git_revwalk *walk = NULL;
	git_oid id;
	int rc = 0;

	if (!count_unresolved(p))
		return 0;
	if (!oid_to_git(base, &id) || git_revwalk_new(&walk, r->git) < 0 ||
	    git_revwalk_sorting(walk, GIT_SORT_TIME) < 0 ||
	    git_revwalk_push(walk, &id) < 0)
		rc = git_fail(e, ERR_IO, "cannot walk the history");
	for (int i = 0; rc == 0 && i < UPSTREAM_WINDOW && count_unresolved(p); i++) {
		if (git_revwalk_next(&id, walk))
			break; /* the end, of a shallow clone too */
		rc = mark_commit(r, &id, p, e);
	}
	git_revwalk_free(walk);
	return rc;
}

const char *prereq_state_name(const struct prereqs *p, const struct prereq *one)
{
	static const char *const names[] = {
		[PREREQ_REPEATED] = "repeated", [PREREQ_CYCLE] = "cycle",
		[PREREQ_TOO_MANY] = "too-many", [PREREQ_UNRESOLVED] = "unresolved",
		[PREREQ_UPSTREAM] = "upstream",
	};
	bool failed = false, untried = false, applied = false;

	if (one->state != PREREQ_FOUND)
		return names[one->state];
	for (size_t i = one->first; i < one->first + one->nr; i++) {
		failed |= p->needed[i].state == NEEDED_FAILED;
		untried |= p->needed[i].state == NEEDED_NOT_TRIED;
		applied |= p->needed[i].state == NEEDED_APPLIED;
	}
	return failed	 ? "failed"
	       : untried ? "not-tried"
	       : applied ? "applied"
			 : "present";
}
