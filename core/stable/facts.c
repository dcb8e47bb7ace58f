// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/facts.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/log.h"
#include "core/stable/facts-internal.h"

static int by_oid(const void *va, const void *vb)
{
	const struct facts_kept *a = va, *b = vb;

	return strcmp(a->commit.c.oid.hex, b->commit.c.oid.hex);
}

static void kept_free(void *p)
{
	struct facts_kept *k = p;

	stable_commit_release(&k->commit.c);
	free(k->commit.author_name);
	free(k->commit.email);
	free(k->patch_id);
	free(k);
}

void facts_free(struct stable_facts *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nr_newer; i++) {
		stable_index_free(f->newer[i].index);
		free(f->newer[i].version);
		free(f->newer[i].name);
	}
	free(f->newer);
	stable_index_free(f->tree);
	stable_index_free(f->mainline);
	mainline_release(&f->where);
	tdestroy(f->commits, kept_free);
	free(f);
}

void facts_list_release(struct facts_list *l)
{
	free(l->v);
	*l = (struct facts_list){ 0 };
}

const char *facts_mainline(const struct stable_facts *f)
{
	return f->where.rev;
}

struct repo *facts_repo(const struct stable_facts *f)
{
	return stable_index_repo(f->mainline);
}

bool facts_is_shallow(const struct stable_facts *f)
{
	return stable_index_state(f->mainline)->missing > 0;
}

const struct oid *facts_mainline_tip(const struct stable_facts *f)
{
	return &stable_index_state(f->mainline)->tip;
}

static void split_author(struct facts_commit *c)
{
	const char *s = c->c.author ? c->c.author : "", *open = strrchr(s, '<');
	size_t n = open ? (size_t)(open - s) : strlen(s);

	while (n && s[n - 1] == ' ')
		n--;
	c->author_name = xstrndup(s, n);
	c->email = xstrndup(open ? open + 1 : "", open ? strcspn(open + 1, ">") : 0);
}

static int fill_parent(struct stable_facts *f, struct facts_commit *c, struct err *e)
{
	struct commit_info info;

	if (c->c.parents != 1)
		return 0;
	if (repo_commit(stable_index_repo(f->mainline), &c->c.oid, &info, e) < 0)
		return -(int)e->code;
	if (info.nr_parents == 1)
		c->parent = info.parents[0];
	commit_info_release(&info);
	return 0;
}

/* The one object of a commit; *ret NULL when mainline does not have it. */
static int keep(struct stable_facts *f, const struct oid *oid,
		const struct facts_commit **ret, struct err *e)
{
	struct facts_kept key = { .commit = { .c = { .oid = *oid } } };
	struct facts_kept **there = tfind(&key, &f->commits, by_oid), *k;
	int r;

	if (there) {
		*ret = &(*there)->commit;
		return 0;
	}
	k = xzalloc(sizeof(*k));
	r = stable_index_get(f->mainline, oid, &k->commit.c, e);
	if (r > 0) {
		split_author(&k->commit);
		r = fill_parent(f, &k->commit, e);
		if (r == 0) {
			xtsearch(k, &f->commits, by_oid);
			*ret = &k->commit;
			return 0;
		}
	}
	kept_free(k);
	*ret = NULL;
	return r;
}

/* What mainline does not have: an object of the repository all the same? */
static enum facts_answer elsewhere(struct stable_facts *f, const char *digits)
{
	_cleanup_err_ struct err ignored = { 0 };
	struct oid oid;

	if (strlen(digits) <= 40 &&
	    repo_resolve(stable_index_repo(f->mainline), digits, &oid, &ignored) == 0 &&
	    !strncmp(oid.hex, digits, strlen(digits)))
		return FACTS_ELSEWHERE;
	return FACTS_NONE;
}

int facts_find(struct stable_facts *f, const char *digits, enum facts_answer *ret_answer,
	       const struct facts_commit **ret, struct err *e)
{
	_cleanup_stable_hits_ struct stable_hits hits = { 0 };

	*ret = NULL;
	if (stable_index_find(f->mainline, digits, &hits, e) < 0)
		return -(int)e->code;
	if (hits.nr == 1) {
		*ret_answer = FACTS_ONE;
		return keep(f, &hits.v[0].oid, ret, e);
	}
	*ret_answer = hits.nr ? FACTS_SEVERAL : elsewhere(f, digits);
	return 0;
}

int facts_patch_id(struct stable_facts *f, const struct facts_commit *commit,
		   const char **ret, struct err *e)
{
	struct facts_kept *k = (struct facts_kept *)commit; /* its first member */

	if (!k->patch_id_known &&
	    stable_index_patch_id(f->mainline, &commit->c.oid, &k->patch_id, e) < 0)
		return -(int)e->code;
	k->patch_id_known = true;
	*ret = k->patch_id;
	return 0;
}

static int add_hit(struct stable_facts *f, const struct stable_hit *h,
		   struct facts_list *ret, struct err *e)
{
	struct facts_hit hit = { .doubtful = h->by_title || h->other_title,
				 .partial = h->partial,
				 .undone = !oid_is_none(&h->reverted_by) };

	if (keep(f, &h->oid, &hit.commit, e) < 0)
		return -(int)e->code;
	if (hit.commit)
		*array_push(ret->v, ret->nr) = hit;
	return 0;
}

static int add_hits(struct stable_facts *f, const struct stable_hits *hits,
		    struct facts_list *ret, struct err *e)
{
	for (size_t i = 0; i < hits->nr; i++)
		if (add_hit(f, &hits->v[i], ret, e) < 0)
			return -(int)e->code;
	return 0;
}

int facts_by_title(struct stable_facts *f, const char *title, struct facts_list *ret,
		   struct err *e)
{
	_cleanup_stable_hits_ struct stable_hits hits = { 0 };

	if (stable_index_title(f->mainline, title, &hits, e) < 0)
		return -(int)e->code;
	return add_hits(f, &hits, ret, e);
}

/* What its Fixes: lines name. */
static int fixed_by(struct stable_facts *f, const struct facts_commit *commit,
		    struct facts_list *ret, struct err *e)
{
	const struct commit_names *names = &commit->c.notes.fixes;

	for (size_t i = 0; i < names->nr; i++) {
		struct facts_hit hit = { 0 };
		enum stable_match match;
		struct oid oid;

		if (stable_index_resolve(f->mainline, &names->v[i], &match, &oid, e) < 0)
			return -(int)e->code;
		if (match == STABLE_NONE || match == STABLE_MANY)
			continue;
		hit.doubtful = match != STABLE_ONE;
		if (keep(f, &oid, &hit.commit, e) < 0)
			return -(int)e->code;
		if (hit.commit)
			*array_push(ret->v, ret->nr) = hit;
	}
	return 0;
}

int facts_related(struct stable_facts *f, const struct facts_commit *commit,
		  enum facts_relation what, struct facts_list *ret, struct err *e)
{
	_cleanup_stable_hits_ struct stable_hits hits = { 0 };
	int r;

	if (what == FACTS_FIXED)
		return fixed_by(f, commit, ret, e);
	if (what == FACTS_FIXERS)
		r = stable_index_fixes(f->mainline, &commit->c.oid, &hits, e);
	else if (what == FACTS_REVERTERS)
		r = stable_index_reverts(f->mainline, &commit->c.oid, &hits, e);
	else
		r = stable_index_series(f->mainline, &commit->c.oid, &hits, e);
	return r < 0 ? r : add_hits(f, &hits, ret, e);
}

int facts_holds(struct stable_facts *f, const struct oid *upstream,
		enum stable_held *ret_held, struct oid *ret, struct err *e)
{
	*ret_held = STABLE_ABSENT;
	*ret = (struct oid){ "" };
	return f->tree ? stable_index_holds(f->tree, upstream, ret_held, ret, e) : 0;
}

int facts_in_tree(struct stable_facts *f, const char *digits, bool *ret, struct err *e)
{
	_cleanup_stable_hits_ struct stable_hits hits = { 0 };

	if (f->tree && stable_index_find(f->tree, digits, &hits, e) < 0)
		return -(int)e->code;
	*ret = hits.nr > 0;
	return 0;
}

int facts_upstream_of(struct stable_facts *f, const char *digits,
		      const struct facts_commit **ret, struct err *e)
{
	_cleanup_stable_hits_ struct stable_hits hits = { 0 };
	_cleanup_stable_commit_ struct stable_commit c = { 0 };
	const struct upstream_claim *claim;
	enum facts_answer answer;
	int r;

	*ret = NULL;
	if (!f->tree || stable_index_find(f->tree, digits, &hits, e) < 0)
		return f->tree ? -(int)e->code : 0;
	if (hits.nr != 1)
		return 0;
	r = stable_index_get(f->tree, &hits.v[0].oid, &c, e);
	if (r <= 0)
		return r;
	claim = upstream_claims_main(&c.upstream);
	if (!claim || !claim->commit || claim->form == UPSTREAM_REVERT)
		return 0;
	if (facts_find(f, claim->commit, &answer, ret, e) < 0)
		return -(int)e->code;
	return *ret != NULL;
}

int facts_tree_patch(struct stable_facts *f, const struct stable_patch *p,
		     struct oid *ret, struct err *e)
{
	_cleanup_stable_hits_ struct stable_hits hits = { 0 };

	if (!f->tree)
		return 0;
	if (stable_index_patch(f->tree, p, &hits, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < hits.nr; i++)
		if (oid_is_none(&hits.v[i].reverted_by)) {
			*ret = hits.v[i].oid;
			return 1;
		}
	return 0;
}

size_t facts_newer(const struct stable_facts *f)
{
	return f->nr_newer;
}

const char *facts_newer_version(const struct stable_facts *f, size_t i)
{
	return f->newer[i].version;
}

int facts_newer_has(struct stable_facts *f, size_t i, const struct oid *commit, bool *ret,
		    struct err *e)
{
	enum stable_held held;
	struct oid there;

	if (stable_index_holds(f->newer[i].index, commit, &held, &there, e) < 0)
		return -(int)e->code;
	*ret = held == STABLE_SHARED || held == STABLE_BACKPORT;
	return 0;
}
