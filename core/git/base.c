// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/git/base-internal.h"

void base_choice_release(struct base_choice *c)
{
	free(c->rev);
	free(c->reason);
	strv_release(&c->notes);
	prereqs_release(&c->prereqs);
	*c = (struct base_choice){ 0 };
}

const char *base_method_of(const char *name)
{
	static const char *const names[] = { "given",	"base-commit", "hint",
					     "subject", "maintainers", "blobs",
					     "newest",	"none" };

	for (size_t i = 0; name && i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return names[i];
	return NULL;
}

static void chooser_release(struct base_chooser *b)
{
	for (size_t i = 0; i < b->nr_places; i++) {
		free(b->places[i].url);
		base_line_release(&b->places[i].line);
		free(b->places[i].stretches.v);
	}
	free(b->places);
	base_files_release(&b->files);
	base_refs_release(&b->refs);
	maintainers_release(&b->trees);
	base_trial_free(b->trial);
	base_index_free(b->ix);
	strv_release(&b->tried);
}

bool base_is_plain_rev(const char *rev)
{
	if (!*rev || *rev == '-' || strlen(rev) > 200)
		return false;
	for (; *rev; rev++)
		if (!isalnum((unsigned char)*rev) && !strchr("._/-+", *rev))
			return false;
	return true;
}

void base_set(struct base_chooser *b, const char *method, char *rev,
	      const struct oid *oid, char *reason)
{
	struct base_choice *c = b->c;

	free(c->rev);
	free(c->reason);
	c->method = method;
	c->rev = rev;
	c->reason = reason;
	c->oid = *oid;
}

bool base_is_over(const struct base_chooser *b)
{
	return base_trial_count(b->trial) >= BASE_MAX_TRIALS ||
	       !clock_left(b->deadline_ms);
}

int base_try(struct base_chooser *b, const struct oid *oid, struct err *e)
{
	int r;

	if (strv_has(&b->tried, oid->hex) || base_is_over(b))
		return 0;
	strv_add(&b->tried, oid->hex);
	progress_update(b->o->progress, "trying bases", base_trial_count(b->trial), 0);
	r = base_trial_run(b->trial, oid, NULL, e);
	b->c->trials = base_trial_count(b->trial);
	if (r == 1)
		b->c->applies = true;
	return r;
}

/* Where a commit that the repository lacks may come from. */
static char *fetch_advice(const struct base_chooser *b)
{
	for (size_t i = 0; i < b->nr_places; i++) {
		const struct base_place *p = &b->places[i];

		if (p->ref->remote && (p->word || p->section))
			return xasprintf("`git fetch %s` may bring it", p->ref->remote);
	}
	if (b->trees.nr)
		return xasprintf("`git fetch %s%s%s` may bring it (%s)",
				 b->trees.v[0].url, b->trees.v[0].branch ? " " : "",
				 b->trees.v[0].branch ? b->trees.v[0].branch : "",
				 b->trees.v[0].section);
	for (size_t i = 0; i < b->nr_places; i++)
		if (b->places[i].ref->remote)
			return xasprintf("`git fetch %s` may bring it",
					 b->places[i].ref->remote);
	return xstrdup("fetch it from the tree its author works on");
}

/* Something the mails say the series is on. */
struct stated {
	const char *method, *what; /* "base-commit" */
	const char *rev;
	bool maybe_tree; /* it may name a tree as well: not being a revision is no news */
};

static int try_stated(struct base_chooser *b, const struct stated *s, struct oid *ret,
		      struct err *e)
{
	_cleanup_err_ struct err unknown = { 0 };
	bool reachable = false;
	int r;

	if (!base_is_plain_rev(s->rev) || repo_resolve(b->r, s->rev, ret, &unknown) < 0) {
		_cleanup_free_ char *advice = fetch_advice(b);

		if (s->maybe_tree)
			return 0;

		strv_addf(&b->c->notes,
			  "the series' %s '%s' is not in the repository; %s", s->what,
			  s->rev, advice);
		return 0;
	}
	if (base_is_reachable(b->r, ret, &reachable, e) < 0)
		return -(int)e->code;
	r = b->trial ? base_try(b, ret, e) : 0;
	if (r < 0)
		return r;
	if (!reachable)
		strv_addf(&b->c->notes,
			  "the series' %s %s is in the repository, but no branch or tag "
			  "leads to it",
			  s->what, s->rev);
	if (r == 0) {
		strv_addf(&b->c->notes, "the series does not apply to its %s %s", s->what,
			  s->rev);
		return 0;
	}
	base_set(b, s->method, xstrdup(s->rev), ret,
		 xasprintf("the series' %s%s", s->what,
			   reachable ? "" : ", which no branch or tag leads to"));
	return 1;
}

/* 1 = chosen; *ret_first is the first stated commit that exists. */
static int by_statement(struct base_chooser *b, struct oid *ret_first, struct err *e)
{
	static const struct {
		const char *kind, *method, *what;
	} kinds[] = {
		{ "base-commit", "base-commit", "base-commit" },
		{ "prerequisite-base-commit", "base-commit", "prerequisite-base-commit" },
		{ "commit", "hint", "base in the text" },
		{ "name", "hint", "base in the text" },
	};
	struct oid oid = { 0 };

	for (size_t i = 0; i < b->s->nr_base_hints; i++) {
		const struct base_hint *h = &b->s->base_hints[i];
		int r = 0;

		for (size_t k = 0; r == 0 && k < ARRAY_SIZE(kinds); k++)
			if (!strcmp(h->kind, kinds[k].kind))
				r = try_stated(
					b,
					&(struct stated){ kinds[k].method, kinds[k].what,
							  h->text,
							  !strcmp(h->kind, "name") },
					&oid, e);
		if (r)
			return r;
		if (oid_is_none(ret_first) && !oid_is_none(&oid)) {
			*ret_first = oid;
			b->stated = h->text;
		}
	}
	return 0;
}

static int set_none(struct base_chooser *b, const struct oid *stated, const char *why,
		    struct err *e)
{
	struct oid head;

	if (!oid_is_none(stated)) {
		base_set(b, "none", xstrdup(b->stated), stated, xstrdup(why));
		return 0;
	}
	if (repo_resolve(b->r, "HEAD", &head, e) < 0)
		return -(int)e->code;
	base_set(b, "none", xstrdup("HEAD"), &head, xstrdup(why));
	return 0;
}

/* What has to be there before there is anything to try. */
static int prepare(struct base_chooser *b, bool *usable, struct err *e)
{
	_cleanup_err_ struct err damaged = { 0 };

	*usable = series_is_complete(b->s) &&
		  base_files_of(b->s, &b->files, &damaged) == 0;
	for (size_t i = 0; *usable && i < b->s->nr_patches; i++)
		*usable = !b->s->patches[i].damage;
	if (base_places(b, e) < 0)
		return -(int)e->code;
	if (!*usable)
		return 0;
	b->deadline_ms = clock_ms() + BASE_TRIAL_MS;
	return base_trial_open(b->r, b->s, b->o->apply, &b->trial, e);
}

static void note_prereqs(struct base_chooser *b)
{
	const struct prereqs *p = &b->c->prereqs;

	for (size_t i = 0; i < p->nr; i++)
		if (p->v[i].reason && p->v[i].state != PREREQ_REPEATED)
			strv_addf(&b->c->notes, "prerequisite %s %s: %s", p->v[i].kind,
				  p->v[i].value, p->v[i].reason);
}

static int search(struct base_chooser *b, struct err *e)
{
	int r = base_by_word(b, e);

	if (r == 0)
		r = base_by_blobs(b, e);
	if (r == 0)
		r = base_by_trial(b, e);
	return r;
}

static int none_text(struct base_chooser *b, const struct oid *stated, struct err *e)
{
	_cleanup_free_ char *why = xasprintf(
		"none of the %zu commits tried takes the whole series", b->c->trials);

	return set_none(b, stated, why, e);
}

static int choose(struct base_chooser *b, struct err *e)
{
	struct prereqs *p = &b->c->prereqs;
	struct oid stated = { 0 };
	bool usable;
	int r;

	if (prepare(b, &usable, e) < 0)
		return -(int)e->code;
	if (usable && prereqs_collect(b->s, b->o->source, p, e) < 0)
		return -(int)e->code;
	if (usable)
		base_trial_need(b->trial, p->needed, p->nr_needed);
	r = by_statement(b, &stated, e);
	if (r == 0 && !usable)
		return set_none(b, &stated, "the series is not whole, so none was tried",
				e);
	if (r == 0)
		r = search(b, e);
	if (r == 0)
		r = none_text(b, &stated, e);
	if (r < 0)
		return r;
	if (prereqs_upstream(b->r, &b->c->oid, p, e) < 0)
		return -(int)e->code;
	note_prereqs(b);
	return 0;
}

static int run(struct repo *r, const struct series *s, const struct base_opts *o,
	       int (*how)(struct base_chooser *, struct err *), struct base_choice *ret,
	       struct err *e)
{
	_cleanup_(base_choice_release) struct base_choice c = { 0 };
	_cleanup_(chooser_release) struct base_chooser b = {
		.r = r, .s = s, .o = o, .c = &c
	};

	if (how(&b, e) < 0)
		return -(int)e->code;
	*ret = c;
	c = (struct base_choice){ 0 };
	return 0;
}

int base_choose(struct repo *r, const struct series *s, const struct base_opts *o,
		struct base_choice *ret, struct err *e)
{
	return run(r, s, o, choose, ret, e);
}

static int nearest(struct base_chooser *b, struct err *e)
{
	struct oid none = { 0 };
	bool usable;
	int r;

	if (prepare(b, &usable, e) < 0)
		return -(int)e->code;
	r = usable ? search(b, e) : 0;
	return r == 0 ? none_text(b, &none, e) : r < 0 ? r : 0;
}

int base_nearest(struct repo *r, const struct series *s, const struct base_opts *o,
		 struct base_choice *ret, struct err *e)
{
	return run(r, s, o, nearest, ret, e);
}
