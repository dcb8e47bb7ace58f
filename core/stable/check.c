// SPDX-License-Identifier: GPL-3.0-or-later
/* What runs the checks, and what they find. */
#include "core/stable/check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/stop.h"
#include "core/stable/check-internal.h"
#include "core/stable/symbols.h"

const char *check_severity_word(enum check_severity s)
{
	static const char *const words[] = { "info", "warning", "error" };

	return words[s];
}

const char *queue_kind_word(enum queue_kind k)
{
	static const char *const words[] = { "clean", "adapted", "stable-only",
					     "revert" };

	return words[k];
}

const char *queue_compared_word(enum queue_compared c)
{
	static const char *const words[] = { NULL, "identical", "context", "changed" };

	return words[c];
}

static struct finding *set(struct finding *f, const struct check *row,
			   enum check_severity s, char *text)
{
	*f = (struct finding){ row, s, text, NULL };
	return f;
}

struct finding *check_say(struct checker *c, size_t i, enum check_severity s,
			  const char *fmt, ...)
{
	struct patch_verdict *v = c->v[i].verdict;
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	return set(array_push(v->v, v->nr), c->row, s, text);
}

struct finding *check_say_whole(struct checker *c, enum check_severity s, const char *fmt,
				...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	return set(array_push(c->ret->whole, c->ret->nr_whole), c->row, s, text);
}

void check_gap_add(struct checker *c, const char *fmt, ...)
{
	_cleanup_free_ char *reason = NULL;
	va_list ap;

	va_start(ap, fmt);
	reason = xvasprintf(fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < c->ret->nr_gaps; i++)
		if (c->ret->gaps[i].check == c->row &&
		    !strcmp(c->ret->gaps[i].reason, reason))
			return;
	*array_push(c->ret->gaps, c->ret->nr_gaps) =
		(struct check_gap){ c->row, take_ptr(reason) };
}

/* Whether patch i takes back the commit of mainline. */
static bool takes_back(const struct checked *p, const struct oid *upstream)
{
	return p->claim && p->claim->form == UPSTREAM_REVERT && p->up &&
	       oid_equal(&p->up->c.oid, upstream);
}

static bool brings(const struct checked *p, const struct oid *upstream)
{
	return p->up && p->claim && p->claim->form != UPSTREAM_REVERT &&
	       oid_equal(&p->up->c.oid, upstream);
}

bool check_queued_before(const struct checker *c, const struct oid *upstream, size_t i,
			 size_t *ret)
{
	while (i-- > 0) {
		if (takes_back(&c->v[i], upstream))
			return false;
		if (!brings(&c->v[i], upstream))
			continue;
		*ret = i;
		return true;
	}
	return false;
}

bool check_queued(const struct checker *c, const struct oid *upstream, size_t *ret)
{
	return check_queued_before(c, upstream, c->nr, ret);
}

static bool is_named(const struct strv *words, const struct check *row)
{
	for (size_t i = 0; words && i < words->nr; i++)
		if (!strcasecmp(words->v[i], row->id) ||
		    !strcasecmp(words->v[i], row->name))
			return true;
	return false;
}

bool check_wanted(const struct strv *only, const struct strv *skip,
		  const struct check *row)
{
	return (!only || !only->nr || is_named(only, row)) && !is_named(skip, row);
}

/* What a check lacks; false when it can be made. */
static bool has_gap(struct checker *c)
{
	unsigned int needs = c->row->needs;

	if (needs & CHECK_NEEDS_RUN)
		return true; /* of who builds and boots */
	if (needs & CHECK_NEEDS_BASE && oid_is_none(&c->o->base))
		check_gap_add(c, "there is no tree for it: name one with --onto REV");
	else if (needs & CHECK_NEEDS_MAINLINE && !c->facts)
		check_gap_add(c, "there is no mainline: name it with --mainline REV");
	else if (!(needs & CHECK_NEEDS_MAIL) || c->o->objections)
		return false;
	return true;
}

static int run_row(struct checker *c, struct err *e)
{
	int r = 0;

	if (has_gap(c))
		return 0;
	*array_push(c->ret->made, c->ret->nr_made) = c->row;
	if (c->row->queue)
		return c->row->queue(c, e);
	for (size_t i = 0; r == 0 && i < c->nr; i++) {
		r = c->row->patch(c, i, e);
		if (r == 0)
			r = stop_check(e);
		progress_update(c->o->progress, c->row->about, i + 1, c->nr);
	}
	return r;
}

static int run_rows(struct checker *c, struct err *e)
{
	for (c->row = checks; c->row->id; c->row++)
		if (check_wanted(c->o->only, c->o->skip, c->row) && run_row(c, e) < 0)
			return err_wrap(e, "check %s could not be made", c->row->id);
	return 0;
}

static int resolve_all(struct checker *c, struct err *e)
{
	for (size_t i = 0; i < c->nr; i++) {
		struct checked *p = &c->v[i];

		if (!p->claim || !p->claim->commit || !c->facts)
			continue;
		if (facts_find(c->facts, p->claim->commit, &p->resolved, &p->up, e) < 0)
			return -(int)e->code;
		if (p->up)
			p->verdict->upstream = p->up->c.oid;
	}
	return 0;
}

/* A revert that names the commit of the branch alone: what that one was the backport of. */
static int resolve_reverts(struct checker *c, struct err *e)
{
	for (size_t i = 0; c->facts && i < c->nr; i++) {
		struct checked *p = &c->v[i];

		if (p->up || !p->claim || !p->claim->reverted)
			continue;
		if (facts_upstream_of(c->facts, p->claim->reverted, &p->up, e) < 0)
			return -(int)e->code;
		if (p->up)
			p->verdict->upstream = p->up->c.oid;
	}
	return 0;
}

/* A revert without both commits is no main claim, but it is a claim. */
static const struct upstream_claim *claim_of(const struct patch *p)
{
	const struct upstream_claim *main = upstream_claims_main(&p->upstream);

	for (size_t i = 0; !main && i < p->upstream.nr; i++)
		if (p->upstream.v[i].form == UPSTREAM_REVERT)
			main = &p->upstream.v[i];
	return main;
}

static void prepare(struct checker *c)
{
	c->v = xcalloc(c->nr + 1, sizeof(*c->v));
	c->ret->v = xcalloc(c->nr + 1, sizeof(*c->ret->v));
	c->ret->nr = c->nr;
	c->ret->base = c->o->base;
	for (size_t i = 0; i < c->nr; i++) {
		struct checked *p = &c->v[i];

		p->entry = &c->q->v[i];
		p->patch = p->entry->patch;
		p->verdict = &c->ret->v[i];
		p->claim = claim_of(p->patch);
		p->verdict->claim = p->claim ? xstrdup(p->claim->commit) : NULL;
	}
}

static enum queue_kind kind_of(const struct checked *p)
{
	if (p->claim && p->claim->form == UPSTREAM_REVERT)
		return QUEUE_REVERT;
	if (!p->claim)
		return p->patch->subject && !strncmp(p->patch->subject, "Revert \"", 8)
			       ? QUEUE_REVERT
			       : QUEUE_STABLE_ONLY;
	return p->verdict->compared == QUEUE_CHANGED ? QUEUE_ADAPTED : QUEUE_CLEAN;
}

static int work(struct checker *c, struct err *e)
{
	if (resolve_all(c, e) < 0 || resolve_reverts(c, e) < 0 ||
	    check_apply_all(c, e) < 0 || check_compare_all(c, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < c->nr; i++)
		c->v[i].verdict->kind = kind_of(&c->v[i]);
	return run_rows(c, e);
}

int check_queue(struct repo *r, const struct queue *q, struct stable_facts *facts,
		const struct check_opts *o, struct queue_report *ret, struct err *e)
{
	_cleanup_queue_report_ struct queue_report report = { 0 };
	struct checker c = { .r = r,
			     .mainline = facts ? facts_repo(facts) : r,
			     .q = q,
			     .facts = facts,
			     .o = o,
			     .ret = &report,
			     .nr = q->nr };
	int rc;

	prepare(&c);
	rc = work(&c, e);
	for (size_t i = 0; i < c.nr; i++) {
		free(c.v[i].failure);
		free(c.v[i].range_text);
		free(c.v[i].upstream_text);
		free(c.v[i].own_text);
		needs_release(&c.v[i]);
	}
	free(c.v);
	symbols_free(c.symbols);
	if (rc < 0)
		return rc;
	*ret = report;
	report = (struct queue_report){ 0 };
	return 0;
}

bool queue_report_made(const struct queue_report *r, const char *id)
{
	for (size_t i = 0; i < r->nr_made; i++)
		if (!strcmp(r->made[i]->id, id))
			return true;
	return false;
}

static int worst_of(const struct finding *v, size_t nr, int worst)
{
	for (size_t i = 0; i < nr; i++)
		if ((int)v[i].severity > worst)
			worst = (int)v[i].severity;
	return worst;
}

int queue_report_worst(const struct queue_report *r)
{
	int worst = worst_of(r->whole, r->nr_whole, -1);

	for (size_t i = 0; i < r->nr; i++)
		worst = worst_of(r->v[i].v, r->v[i].nr, worst);
	return worst;
}

static void findings_release(struct finding *v, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(v[i].text);
		free(v[i].detail);
	}
	free(v);
}

void queue_report_release(struct queue_report *r)
{
	for (size_t i = 0; i < r->nr; i++) {
		findings_release(r->v[i].v, r->v[i].nr);
		free(r->v[i].claim);
	}
	free(r->v);
	findings_release(r->whole, r->nr_whole);
	for (size_t i = 0; i < r->nr_gaps; i++)
		free(r->gaps[i].reason);
	free(r->gaps);
	free(r->made);
	*r = (struct queue_report){ 0 };
}
