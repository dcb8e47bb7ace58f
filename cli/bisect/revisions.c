// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/revisions.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/apply.h"

/* Patches of two revisions in a row; borrowed, but for the array. */
struct mixture {
	struct patch *v;
	size_t nr;
};

static void add(struct mixture *m, const struct patch *p)
{
	struct patch *mine = array_push(m->v, m->nr);

	*mine = *p;
	mine->number = (int)m->nr;
}

static bool is_same(const struct patch *a, const struct patch *b)
{
	return a->patch_id && b->patch_id && !strcmp(a->patch_id, b->patch_id);
}

/* Which patch of `of` is the counterpart of p and not taken yet; of->nr_patches: none. */
static size_t counterpart(const struct series *of, const bool *taken,
			  const struct patch *p)
{
	size_t by_subject = of->nr_patches;

	for (size_t i = 0; i < of->nr_patches; i++) {
		const struct patch *q = &of->patches[i];

		if (taken[i])
			continue;
		if (is_same(p, q))
			return i;
		if (by_subject == of->nr_patches && p->subject && q->subject &&
		    !strcmp(p->subject, q->subject))
			by_subject = i;
	}
	return by_subject;
}

struct chain {
	struct repo *r;
	struct oid base;
	struct space s;
	struct oid tree;    /* of the last point */
	struct buf skipped; /* what is in no point yet */
};

/* Codes of a patch that does not fit; all else is the environment's. */
static bool is_misfit(enum err_code c)
{
	return c == ERR_HUNK || c == ERR_NO_FILE || c == ERR_EXISTS ||
	       c == ERR_BAD_PATCH || c == ERR_UNSAFE_PATH || c == ERR_CONFLICT ||
	       c == ERR_NO_BLOB;
}

/* 1 and the point appended, 0 when nothing is new, negative when it does not apply. */
static int add_point(struct chain *c, const struct mixture *m, const char *what,
		     struct err *e)
{
	const struct series series = {
		.patches = m->v, .nr_patches = m->nr, .total = (int)m->nr, .revision = 1
	};
	const struct apply_opts o = { .onto = c->base };
	_cleanup_apply_ struct apply_result *a = NULL;
	struct point *p;

	if (apply_series(c->r, &series, &o, &a, e) < 0)
		return -(int)e->code;
	if (oid_equal(&a->commits[a->nr - 1].tree, &c->tree))
		return 0;
	c->tree = a->commits[a->nr - 1].tree;
	p = array_push(c->s.v, c->s.nr);
	*p = (struct point){ .commit = a->head, .mixed = true };
	p->subject = xasprintf("%s%s", buf_str(&c->skipped), what);
	buf_clear(&c->skipped);
	return 1;
}

/* The first patches of new, then what they do not replace of old. */
static void mix(const struct series *old, const bool *taken, const struct series *new,
		size_t upto, struct mixture *ret)
{
	*ret = (struct mixture){ 0 };
	for (size_t i = 0; i < upto; i++)
		add(ret, &new->patches[i]);
	for (size_t i = 0; i < old->nr_patches; i++)
		if (!taken[i])
			add(ret, &old->patches[i]);
}

static int exchange_one(struct chain *c, const struct series *old, bool *taken,
			const struct series *new, size_t at, struct err *e)
{
	const struct patch *p = &new->patches[at];
	size_t pair = counterpart(old, taken, p);
	_cleanup_free_ char *what = xasprintf("v%d %d/%d %s", new->revision, p->number,
					      new->total, p->subject ?: "");
	struct mixture m;
	int r;

	if (pair < old->nr_patches)
		taken[pair] = true;
	mix(old, taken, new, at + 1, &m);
	r = add_point(c, &m, what, e);
	free(m.v);
	if (r >= 0)
		return 0;
	if (!is_misfit(e->code))
		return r;
	err_release(e);
	buf_addf(&c->skipped, "%s; ", what);
	return 0;
}

static int exchange(struct chain *c, const struct series *old, const struct series *new,
		    struct err *e)
{
	_cleanup_free_ bool *taken = xcalloc(old->nr_patches + 1, sizeof(*taken));
	_cleanup_free_ char *what = xasprintf("v%d as a whole", new->revision);
	struct mixture m;
	int r;

	for (size_t i = 0; i < new->nr_patches; i++)
		if (exchange_one(c, old, taken, new, i, e) < 0)
			return -(int)e->code;
	memset(taken, true, old->nr_patches * sizeof(*taken));
	mix(old, taken, new, new->nr_patches, &m);
	r = add_point(c, &m, what, e);
	free(m.v);
	return r < 0 ? err_wrap(e, "v%d does not apply", new->revision) : 0;
}

static int first(struct chain *c, const struct series *s, struct err *e)
{
	_cleanup_free_ char *what = xasprintf("v%d as a whole", s->revision);
	struct mixture m = { 0 };
	int r;

	for (size_t i = 0; i < s->nr_patches; i++)
		add(&m, &s->patches[i]);
	r = add_point(c, &m, what, e);
	free(m.v);
	return r < 0 ? err_wrap(e, "v%d does not apply", s->revision) : 0;
}

int space_revisions(struct repo *r, struct series *const *revisions, size_t nr,
		    const struct oid *base, struct space *ret, struct err *e)
{
	struct chain c = { .r = r, .base = *base, .skipped = BUF_INIT };
	int rc = first(&c, revisions[0], e);

	for (size_t i = 1; rc >= 0 && i < nr; i++)
		rc = exchange(&c, revisions[i - 1], revisions[i], e);
	buf_release(&c.skipped);
	if (rc >= 0 && c.s.nr < 2)
		rc = err_set(e, ERR_USAGE, "the revisions make the same tree");
	if (rc >= 0)
		rc = repo_flush(r, e);
	if (rc < 0) {
		space_release(&c.s);
		return -(int)e->code;
	}
	*ret = c.s;
	return 0;
}
