// SPDX-License-Identifier: GPL-3.0-or-later
/* Checks against what came later, earlier and elsewhere: S07, S09-S12, S14, S16, S28. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/stable/check-internal.h"

static bool is_pick(const struct checked *p)
{
	return p->up && p->claim->form != UPSTREAM_REVERT;
}

/* Without a tree it has nothing. */
int check_holds(struct checker *c, const struct oid *commit, enum stable_held *ret,
		struct oid *ret_stable, struct err *e)
{
	*ret = STABLE_ABSENT;
	if (oid_is_none(&c->o->base))
		return 0;
	if (facts_holds(c->facts, commit, ret, ret_stable, e) < 0)
		return -(int)e->code;
	if (*ret == STABLE_UNKNOWN)
		check_gap_add(
			c,
			"the history of %s or of %s is cut off: whether the tree has "
			"a commit cannot always be told (git fetch --unshallow)",
			c->o->base_name, facts_mainline(c->facts));
	return 0;
}

bool check_is_there(enum stable_held p)
{
	return p == STABLE_SHARED || p == STABLE_BACKPORT || p == STABLE_UNKNOWN;
}

static int check_there_by_commit(struct checker *c, size_t i, bool *ret_said,
				 struct err *e)
{
	const struct checked *p = &c->v[i];
	enum stable_held there;
	struct oid stable;
	size_t at;

	if (check_holds(c, &p->up->c.oid, &there, &stable, e) < 0)
		return -(int)e->code;
	/* What an earlier patch takes back may come again. */
	for (at = 0; at < i; at++)
		if (c->v[at].claim && c->v[at].claim->form == UPSTREAM_REVERT &&
		    c->v[at].up == p->up)
			return 0;
	if (there == STABLE_BACKPORT)
		check_say(c, i, CHECK_ERROR,
			  "%s has %.12s already, as %.12s: take it out of the queue",
			  c->o->base_name, p->up->c.oid.hex, stable.hex);
	else if (there == STABLE_SHARED)
		check_say(c, i, CHECK_ERROR,
			  "%.12s is in the history of %s since the branch began: take "
			  "it out of the queue",
			  p->up->c.oid.hex, c->o->base_name);
	*ret_said = check_is_there(there);
	return 0;
}

/* The same change under another name, or without one. */
static int check_there_by_patch(struct checker *c, size_t i, bool *ret_said,
				struct err *e)
{
	const struct patch *p = c->v[i].patch;
	const struct stable_patch id = { p->patch_id, p->subject, p->date };
	struct oid commit;
	int r = p->patch_id ? facts_tree_patch(c->facts, &id, &commit, e) : 0;

	if (r > 0)
		check_say(c, i, CHECK_ERROR,
			  "%s has this patch already, as %.12s: take it out of the queue",
			  c->o->base_name, commit.hex);
	*ret_said = r > 0;
	return r < 0 ? r : 0;
}

/* Taking the patch back works, and putting it on does not. */
int check_already_there(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	bool said = false;

	if (c->facts && is_pick(p) && check_there_by_commit(c, i, &said, e) < 0)
		return -(int)e->code;
	if (!said && c->facts && check_there_by_patch(c, i, &said, e) < 0)
		return -(int)e->code;
	if (!said && p->failure && strstr(p->failure, "already applied"))
		check_say(c, i, CHECK_ERROR,
			  "the tree has all its changes already: take it out of the "
			  "queue");
	return 0;
}

/* Whether all that a commit fixes is foreign to the tree. */
int check_fixes_present(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_facts_list_ struct facts_list fixed = { 0 };
	enum stable_held there;
	struct oid stable;
	size_t at;

	if (!is_pick(p))
		return 0;
	if (facts_related(c->facts, p->up, FACTS_FIXED, &fixed, e) < 0)
		return -(int)e->code;
	for (size_t k = 0; k < fixed.nr; k++) {
		if (check_holds(c, &fixed.v[k].commit->c.oid, &there, &stable, e) < 0)
			return -(int)e->code;
		if (check_is_there(there) ||
		    check_queued(c, &fixed.v[k].commit->c.oid, &at))
			return 0;
	}
	if (fixed.nr)
		check_say(c, i, CHECK_WARNING,
			  "fixes a bug that is not here: %.12s (\"%s\") is neither in %s "
			  "nor in the queue; take it out, or say why it is needed",
			  fixed.v[0].commit->c.oid.hex, fixed.v[0].commit->c.subject,
			  c->o->base_name);
	return 0;
}

/* Whether the tree, the queue or the lists of unwanted commits have it. */
static int is_covered(struct checker *c, const struct facts_commit *x, bool *ret,
		      struct err *e)
{
	enum stable_held there;
	struct oid stable;
	size_t at;

	*ret = check_queued(c, &x->c.oid, &at);
	if (*ret)
		return 0;
	if (check_holds(c, &x->c.oid, &there, &stable, e) < 0)
		return -(int)e->code;
	*ret = check_is_there(there);
	return 0;
}

static void say_wanted(struct checker *c, size_t i, const struct facts_hit *h,
		       bool revert)
{
	const struct facts_commit *x = h->commit;
	const char *what = !revert	? "was fixed in mainline by"
			   : h->partial ? "was reverted in part in mainline by"
					: "was reverted in mainline by";

	if (queue_find_dropped(c->q, x->c.oid.hex, true) ||
	    queue_find_dropped(c->q, x->c.oid.hex, false))
		check_say(c, i, CHECK_INFO,
			  "%s %.12s (\"%s\"), which is missing, and listed as not wanted",
			  what, x->c.oid.hex, x->c.subject);
	else
		check_say(c, i, h->partial ? CHECK_WARNING : CHECK_ERROR,
			  "%s %.12s (\"%s\"), which is neither in the tree nor in the "
			  "queue: add it%s%s",
			  what, x->c.oid.hex, x->c.subject,
			  revert ? ", or take this out" : "",
			  h->doubtful ? " (it names this commit by its title)" : "");
}

/* Later commits nobody took back, of which there is neither a backport here nor one on its
 * way. */
static int follow_ups(struct checker *c, size_t i, bool reverts, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_facts_list_ struct facts_list later = { 0 };
	bool covered;

	if (!is_pick(p))
		return 0;
	if (facts_related(c->facts, p->up, reverts ? FACTS_REVERTERS : FACTS_FIXERS,
			  &later, e) < 0)
		return -(int)e->code;
	for (size_t k = 0; k < later.nr; k++) {
		if (later.v[k].undone)
			continue;
		if (is_covered(c, later.v[k].commit, &covered, e) < 0)
			return -(int)e->code;
		if (!covered)
			say_wanted(c, i, &later.v[k], reverts);
	}
	return 0;
}

int check_follow_up(struct checker *c, size_t i, struct err *e)
{
	return follow_ups(c, i, false, e);
}

int check_reverted(struct checker *c, size_t i, struct err *e)
{
	return follow_ups(c, i, true, e);
}

/* A later commit of mainline that builds on patch i and comes before it here. */
static int check_one_order(struct checker *c, size_t i, const struct facts_commit *later,
			   const char *how, struct err *e)
{
	enum stable_held there;
	struct oid stable;
	size_t at;

	if (check_queued_before(c, &later->c.oid, i, &at)) {
		check_say(c, i, CHECK_ERROR,
			  "'%s' %s it and comes before it in the queue: swap them",
			  queue_entry_name(c->v[at].entry), how);
		return 0;
	}
	if (check_holds(c, &later->c.oid, &there, &stable, e) < 0)
		return -(int)e->code;
	if (there == STABLE_BACKPORT)
		check_say(c, i, CHECK_ERROR,
			  "the tree has %.12s (\"%s\"), which %s it, as %.12s already: "
			  "applied now, this may undo that; compare the result with "
			  "mainline",
			  later->c.oid.hex, later->c.subject, how, stable.hex);
	return 0;
}

int check_order(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_facts_list_ struct facts_list fixers = { 0 }, twins = { 0 };
	int r = 0;

	if (!is_pick(p))
		return 0;
	if (facts_related(c->facts, p->up, FACTS_FIXERS, &fixers, e) < 0 ||
	    facts_by_title(c->facts, p->up->c.subject, &twins, e) < 0)
		return -(int)e->code;
	for (size_t k = 0; r == 0 && k < fixers.nr; k++)
		r = check_one_order(c, i, fixers.v[k].commit, "fixes", e);
	/* Two commits of one title belong together, the older one first. */
	for (size_t k = 0; r == 0 && k < twins.nr; k++)
		if (twins.v[k].commit->c.date > p->up->c.date)
			r = check_one_order(c, i, twins.v[k].commit, "has the title of",
					    e);
	return r;
}

/* Patches of its series that fix or prepare: those before it are what it may need. */
int check_same_series(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_facts_list_ struct facts_list series = { 0 };
	_cleanup_buf_ struct buf missing = BUF_INIT;
	size_t nr = 0;
	bool covered;

	if (!is_pick(p))
		return 0;
	if (facts_related(c->facts, p->up, FACTS_SERIES, &series, e) < 0)
		return -(int)e->code;
	for (size_t k = 0; k < series.nr; k++) {
		if (series.v[k].commit == p->up)
			continue;
		if (is_covered(c, series.v[k].commit, &covered, e) < 0)
			return -(int)e->code;
		if (covered || ++nr > 3)
			continue;
		buf_addf(&missing, "%s%.12s (\"%s\")", nr > 1 ? ", " : "",
			 series.v[k].commit->c.oid.hex, series.v[k].commit->c.subject);
	}
	if (nr)
		check_say(
			c, i, CHECK_WARNING,
			"%zu other patch%s of its series %s not here: %s%s; see whether "
			"it needs them",
			nr, nr == 1 ? "" : "es", nr == 1 ? "is" : "are",
			buf_str(&missing), nr > 3 ? ", ..." : "");
	return 0;
}

int check_newer_branches(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_buf_ struct buf lacking = BUF_INIT;
	bool has;

	if (!is_pick(p))
		return 0;
	for (size_t k = 0; k < facts_newer(c->facts); k++) {
		const char *version = facts_newer_version(c->facts, k);

		if (queue_sibling_has(c->q, version, p->up->c.oid.hex))
			continue;
		if (facts_newer_has(c->facts, k, &p->up->c.oid, &has, e) < 0)
			return -(int)e->code;
		if (!has)
			buf_addf(&lacking, "%s%s", lacking.len ? ", " : "", version);
	}
	if (lacking.len)
		check_say(c, i, CHECK_WARNING,
			  "%s lack%s it: who goes from %s to there meets the bug again; "
			  "queue it there too",
			  buf_str(&lacking), strchr(buf_str(&lacking), ',') ? "" : "s",
			  c->q->version ? c->q->version : "this branch");
	return 0;
}

/* One "Fixes: SHA" of the patch's own message that mainline does not know. */
static int check_one_fix(struct checker *c, size_t i, const char *digits, struct err *e)
{
	const struct facts_commit *up = NULL;
	enum facts_answer answer = FACTS_NONE;
	bool there;

	if (c->facts && facts_find(c->facts, digits, &answer, &up, e) < 0)
		return -(int)e->code;
	if (answer == FACTS_ONE || answer == FACTS_SEVERAL || !c->facts)
		return 0;
	if (facts_in_tree(c->facts, digits, &there, e) < 0)
		return -(int)e->code;
	if (!there)
		check_say(c, i, CHECK_WARNING,
			  "fixes %s, which is no commit of mainline nor of %s: it "
			  "belongs to another branch, or the digits are wrong",
			  digits, c->o->base_name);
	return 0;
}

int check_own_fixes(struct checker *c, size_t i, struct err *e)
{
	const char *m = c->v[i].patch->message;
	int r = 0;

	for (const char *l = m; r == 0 && *l;) {
		size_t n = strcspn(l, "\n");

		if (!strncasecmp(l, "fixes:", 6)) {
			const char *p = l + 6 + strspn(l + 6, " \t");
			size_t hex = strspn(p, "0123456789abcdefABCDEF");
			_cleanup_free_ char *digits = xstrndup(p, hex);

			if (hex >= 8 && hex <= 40)
				r = check_one_fix(c, i, digits, e);
		}
		l += n + (l[n] == '\n');
	}
	return r;
}

int check_objections(struct checker *c, size_t i, struct err *e)
{
	_cleanup_strv_ struct strv said = STRV_INIT;

	const struct checked *p = &c->v[i];

	if (c->o->objections->find(c->o->objections->ctx, p->patch,
				   p->up ? &p->up->c.notes.links : NULL, &said, e) < 0)
		return -(int)e->code;
	for (size_t k = 0; k < said.nr; k++)
		check_say(c, i, CHECK_WARNING, "%s", said.v[k]);
	return 0;
}
