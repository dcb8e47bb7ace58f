// SPDX-License-Identifier: GPL-3.0-or-later
/* Which branches and tags to look at first: those the mails name, those of MAINTAINERS. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/base-hint.h"
#include "core/git/base-internal.h"

#define MAX_MAINTAINERS ((size_t)8 << 20)

/* Ranks: words 0.., trees of MAINTAINERS, then by kind; refs of a kind are by age. */
#define RANK_TREE 100000
#define RANK_KIND 200000

static void rank_by_word(struct base_chooser *b, struct base_place *p)
{
	for (size_t i = 0; i < b->s->nr_base_hints; i++) {
		const struct base_hint *h = &b->s->base_hints[i];
		int rank = -1;

		if (!strcmp(h->kind, "subject") || !strcmp(h->kind, "name"))
			rank = base_hint_rank(h->text, p->ref, p->url);
		if (rank >= 0 && rank < p->rank) {
			p->rank = rank;
			p->word = h->text;
		}
	}
}

static bool ends_with_path(const char *path, const char *tail)
{
	size_t n = strlen(path), k = strlen(tail);

	if (n == k)
		return !strcmp(path, tail);
	/* A mirror has the end of the path in common, two components of it. */
	return strchr(tail, '/') && n > k && path[n - k - 1] == '/' &&
	       !strcmp(path + n - k, tail);
}

static bool same_tree(const char *a, const char *b)
{
	_cleanup_free_ char *x = base_url_path(a), *y = base_url_path(b);

	return *x && *y && (ends_with_path(x, y) || ends_with_path(y, x));
}

static void rank_by_tree(struct base_chooser *b, struct base_place *p)
{
	const char *branch;

	if (!p->url || p->ref->kind != BASE_REF_REMOTE)
		return;
	branch = p->ref->name + strlen(p->ref->remote) + 1;
	for (size_t i = 0; i < b->trees.nr; i++) {
		const struct maintainers_tree *t = &b->trees.v[i];
		int of_branch = t->branch ? (strcmp(branch, t->branch) ? -1 : 0)
					  : base_default_branch(branch);
		int rank = RANK_TREE + (int)(i < 1000 ? i : 1000) * 10 + of_branch;

		if (of_branch < 0 || rank >= p->rank || !same_tree(p->url, t->url))
			continue;
		p->rank = rank;
		p->section = t->section;
	}
}

static int by_rank(const void *va, const void *vb)
{
	const struct base_place *a = va, *b = vb;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->ref < b->ref ? -1 : a->ref > b->ref;
}

/* MAINTAINERS as HEAD has it; a tree without one has no such hints. */
static void read_trees(struct base_chooser *b)
{
	_cleanup_err_ struct err none = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_strv_ struct strv paths = STRV_INIT;
	struct oid head;

	if (repo_resolve(b->r, "HEAD", &head, &none) < 0 ||
	    repo_read_file(b->r, &head, "MAINTAINERS", &text, &none) < 0 ||
	    text.len > MAX_MAINTAINERS)
		return;
	for (size_t i = 0; i < b->files.nr; i++)
		strv_add(&paths, b->files.v[i].path);
	maintainers_find(&text, &paths, &b->trees);
}

/* Remotes have many branches. */
static char *url_of(struct base_chooser *b, size_t nr)
{
	const struct base_ref *ref = b->places[nr].ref;

	if (!ref->remote)
		return NULL;
	for (size_t i = nr; i-- > 0;)
		if (b->places[i].ref->remote &&
		    !strcmp(b->places[i].ref->remote, ref->remote))
			return xstrdup(b->places[i].url);
	return base_remote_url(b->r, ref->remote);
}

int base_places(struct base_chooser *b, struct err *e)
{
	if (base_refs_list(b->r, b->o->branches, &b->refs, e) < 0)
		return -(int)e->code;
	read_trees(b);
	b->nr_places = b->refs.nr;
	b->places = xcalloc(b->refs.nr + 1, sizeof(*b->places));
	for (size_t i = 0; i < b->refs.nr; i++) {
		const struct base_ref *ref = &b->refs.v[i];
		struct base_place *p = &b->places[i];

		p->ref = ref;
		p->rank = RANK_KIND + (int)ref->kind;
		p->url = url_of(b, i);
		rank_by_tree(b, p);
		rank_by_word(b, p);
	}
	if (b->nr_places)
		qsort(b->places, b->nr_places, sizeof(*b->places), by_rank);
	return 0;
}
