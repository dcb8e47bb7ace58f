// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/missing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/stop.h"
#include "core/stable/index-internal.h"
#include "core/stable/missing-internal.h"

struct finder {
	const struct missing_opts *o;
	struct missing *m;
	bool reverts;
};

static void needs_release(struct missing_need *v, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(v[i].subject);
	free(v);
}

static void fix_release(struct missing_fix *f)
{
	free(f->subject);
	free(f->of_subject);
	free(f->reason);
	free(f->mail);
	needs_release(f->needs, f->nr_needs);
	needs_release(f->follow, f->nr_follow);
	*f = (struct missing_fix){ 0 };
}

void missing_release(struct missing *m)
{
	for (size_t i = 0; i < m->nr; i++)
		fix_release(&m->v[i]);
	free(m->v);
	*m = (struct missing){ 0 };
}

const char *missing_why_word(enum missing_why why)
{
	static const char *const words[] = {
		[MISSING_APPLIES] = "applies",	   [MISSING_DROPPED] = "dropped",
		[MISSING_NOT_ASKED] = "not-asked", [MISSING_NEEDS] = "needs",
		[MISSING_NO_APPLY] = "no-apply",   [MISSING_NOT_TRIED] = "not-tried",
	};

	return words[why];
}

void missing_add_need(struct missing_need **v, size_t *nr, const struct oid *oid,
		      const char *subject)
{
	*array_push(*v, *nr) = (struct missing_need){ *oid, xstrdup(subject) };
}

static bool is_named(const struct commit_names *v, const struct stable_hit *hit)
{
	for (size_t i = 0; i < v->nr; i++) {
		const struct commit_name *n = &v->v[i];

		if (n->hex ? !strncmp(hit->oid.hex, n->hex, strlen(n->hex))
			   : !strcmp(n->title, hit->subject))
			return true;
	}
	return false;
}

/* The newest mail about it, NULL = none. */
static const struct missing_failed *find_failed(const struct missing_opts *o,
						const struct stable_hit *hit)
{
	for (size_t i = o->nr_failed; i-- > 0;)
		if (is_named(&o->failed[i].name, hit))
			return &o->failed[i];
	return NULL;
}

static bool is_listed(const struct missing *m, const struct oid *oid)
{
	/* A commit's names follow one another. */
	for (size_t i = m->nr; i-- > 0 && m->nr - i < 100;)
		if (oid_equal(&m->v[i].oid, oid))
			return true;
	return false;
}

/*
 * Whether the tree has the commit that the hit names: 1, and which it is there and in
 * mainline.
 */
static int find_broken(struct finder *f, const struct stable_hit *hit, struct oid *ret,
		       struct oid *ret_in_tree, struct err *e)
{
	const struct commit_name name = { .hex = hit->hex, .title = hit->title };
	struct stable_index *tree = f->o->tree;
	enum stable_match match;
	enum stable_held held;

	if (stable_index_resolve(tree->mainline, &name, &match, ret, e) < 0)
		return -(int)e->code;
	if (match == STABLE_NONE || match == STABLE_MANY) {
		f->m->unresolved++;
		return 0;
	}
	if (stable_index_holds(tree, ret, &held, ret_in_tree, e) < 0)
		return -(int)e->code;
	f->m->unknown += held == STABLE_UNKNOWN;
	return held == STABLE_SHARED || held == STABLE_BACKPORT;
}

/* "v5.15+", "5.15.x: ...": the version that a text begins with, or has first. */
static bool first_version(const char *text, struct version *ret)
{
	for (const char *p = text; *p; p++) {
		_cleanup_free_ char *word = NULL;
		size_t n = strspn(p, "0123456789.");

		if (!isdigit((unsigned char)*p) ||
		    (p > text && isalnum((unsigned char)p[-1]) && p[-1] != 'v'))
			continue;
		while (n && p[n - 1] == '.')
			n--;
		word = xstrndup(p, n);
		if (strchr(word, '.') && version_parse(word, ret))
			return true;
	}
	return false;
}

/* What the author says of stable trees: asked, or why and reason. */
static void read_wish(const struct missing_opts *o, const struct commit_notes *n,
		      struct missing_fix *f)
{
	struct version low;
	const char *newer = NULL;

	for (size_t i = 0; i < n->stable.nr && !f->asked; i++) {
		if (first_version(n->stable.v[i], &low) &&
		    version_cmp(&low, &o->version, 2) > 0)
			newer = n->stable.v[i];
		else
			f->asked = true;
	}
	if (f->asked)
		return;
	if (n->no_autosel || newer)
		f->why = MISSING_NOT_ASKED;
	if (n->no_autosel)
		f->reason = xstrdup("its author wants it in no stable tree");
	else if (newer)
		f->reason =
			xasprintf("its author asks for newer trees only: '%s'", newer);
}

static int add_follow(const struct missing_opts *o, struct missing_fix *f, struct err *e)
{
	_cleanup_stable_hits_ struct stable_hits later = { 0 };

	if (stable_index_fixes(o->tree->mainline, &f->oid, &later, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < later.nr; i++)
		if (oid_is_none(&later.v[i].reverted_by))
			missing_add_need(&f->follow, &f->nr_follow, &later.v[i].oid,
					 later.v[i].subject);
	return 0;
}

/* What is known of one that is missing, but for whether it applies. */
static int describe(struct finder *f, const struct stable_hit *hit,
		    const struct oid *revert, struct missing_fix *fix, struct err *e)
{
	_cleanup_stable_commit_ struct stable_commit c = { 0 }, of = { 0 };
	struct stable_index *mainline = f->o->tree->mainline;
	const struct missing_failed *failed;

	if (stable_index_get(mainline, &hit->oid, &c, e) < 0 ||
	    stable_index_get(mainline, &fix->of, &of, e) < 0)
		return -(int)e->code;
	fix->oid = hit->oid;
	fix->subject = xstrdup(hit->subject);
	fix->date = hit->date;
	fix->revert = f->reverts;
	fix->of_subject = take_ptr(of.subject);
	fix->why = MISSING_NOT_TRIED;
	read_wish(f->o, &c.notes, fix);
	if (!oid_is_none(revert) || is_named(&f->o->dropped, hit)) {
		free(fix->reason);
		fix->why = MISSING_DROPPED;
		fix->reason =
			oid_is_none(revert)
				? xstrdup("the list of dropped commits has it")
				: xasprintf("the tree had it and reverted it in %.12s",
					    revert->hex);
	}
	failed = find_failed(f->o, hit);
	fix->mail = failed ? xstrdup(failed->message_id) : NULL;
	return add_follow(f->o, fix, e);
}

/* Nothing to do for it: in the tree, in the queue, or taken back in mainline itself. */
static int is_settled(struct finder *f, const struct stable_hit *hit,
		      struct oid *ret_revert, struct err *e)
{
	struct oid there, back;
	enum stable_held held;
	int r;

	if (is_named(&f->o->queued, hit) || is_listed(f->m, &hit->oid))
		return 1;
	if (stable_index_holds(f->o->tree, &hit->oid, &held, &there, e) < 0)
		return -(int)e->code;
	if (held == STABLE_DROPPED)
		*ret_revert = there;
	if (held == STABLE_SHARED || held == STABLE_BACKPORT || held == STABLE_UNKNOWN)
		return 1;
	r = stable_index_reverted(f->o->tree->mainline, &hit->oid, &back, e);
	f->m->taken_back += r == 1;
	return r;
}

static int found(void *ctx, const struct stable_hit *hit, struct err *e)
{
	struct missing_fix fix = { 0 };
	struct finder *f = ctx;
	struct oid revert = { 0 };
	int r = stop_check(e);

	if (r == 0)
		r = find_broken(f, hit, &fix.of, &fix.in_tree, e);
	if (r <= 0)
		return r;
	r = is_settled(f, hit, &revert, e);
	if (r)
		return r < 0 ? r : 0;
	r = describe(f, hit, &revert, &fix, e);
	if (r < 0)
		fix_release(&fix);
	else
		*array_push(f->m->v, f->m->nr) = fix;
	progress_update(f->o->progress, "looking for fixes", f->m->nr, 0);
	return r;
}

static int by_date(const void *va, const void *vb)
{
	const struct missing_fix *a = va, *b = vb;

	if (a->date != b->date)
		return a->date < b->date ? -1 : 1;
	return strcmp(a->oid.hex, b->oid.hex);
}

static int try_all(const struct missing_opts *o, struct missing *m, struct err *e)
{
	size_t sought = 0;

	for (size_t i = 0; i < m->nr; i++) {
		struct missing_fix *f = &m->v[i];

		if (f->why != MISSING_NOT_TRIED)
			continue;
		progress_update(o->progress, "trying fixes", i, m->nr);
		if (stop_check(e) < 0 ||
		    missing_try(o, sought < MISSING_MAX_NEEDS, f, e) < 0)
			return -(int)e->code;
		sought += f->why != MISSING_APPLIES;
	}
	return 0;
}

int missing_find(const struct missing_opts *o, struct missing *ret, struct err *e)
{
	_cleanup_missing_ struct missing m = { 0 };
	struct finder f = { o, &m, false };
	struct stable_each each = { .found = found, .ctx = &f };

	if (stable_index_branched(o->tree, &each.behind, e) < 0 ||
	    stable_index_each_name(o->tree->mainline, &each, e) < 0)
		return -(int)e->code;
	each.reverts = f.reverts = true;
	if (stable_index_each_name(o->tree->mainline, &each, e) < 0)
		return -(int)e->code;
	if (m.nr)
		qsort(m.v, m.nr, sizeof(*m.v), by_date);
	if (o->apply && try_all(o, &m, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < m.nr; i++)
		if (m.v[i].mail && missing_believe(o, &m.v[i], e) < 0)
			return -(int)e->code;
	*ret = m;
	m = (struct missing){ 0 };
	return 0;
}
