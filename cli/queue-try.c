// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/queue-try-internal.h"

#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/stable/report.h"

/* The window in which the testers of the stable list answer. */
#define BUDGET_S (48 * 3600)

static void trial_release(struct trial *t)
{
	space_release(&t->space);
	kernel_release(&t->tip);
}

void queue_try_release(struct queue_try *t)
{
	bisection_release(&t->bisection);
	campaign_release(&t->campaign);
	lab_free(t->lab);
	*t = (struct queue_try){ 0 };
}

bool trial_wants(const struct trial *t, const char *id)
{
	return check_wanted(t->q->only, t->q->skip, check_find(id));
}

/* A failure that says nothing of the queue: 0, and the checks become gaps. All others
 * are the environment's. */
static int cannot_tell(struct trial *t, const char *what, struct err *e)
{
	static const char *const ids[] = { "S23", "S24", "S25", "S26" };

	if (err_exit_code(e->code) != err_exit_code(ERR_UNDECIDED))
		return -(int)e->code;
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		if (trial_wants(t, ids[i]) && !queue_report_made(t->report, ids[i]))
			queue_report_gap(t->report, ids[i], "%s: %s", what, e->frame[0]);
	err_release(e);
	return 0;
}

static int open_space(struct trial *t, struct err *e)
{
	const struct queue_report *r = t->report;
	_cleanup_free_ struct oid *commits = xcalloc(r->nr + 1, sizeof(*commits));

	commits[0] = r->base;
	for (size_t i = 0; i < r->nr; i++)
		commits[i + 1] = r->v[i].commit;
	return space_chain(t->q->c->repo, commits, r->nr + 1, &t->space, e);
}

/* Which patch of the queue changed what the probe asks; *ret is report.nr when nobody can
 * tell, and *ret_why says so, owned by the caller. */
static int search(struct trial *t, struct probe *p, size_t *ret, char **ret_why,
		  struct err *e)
{
	struct bisect_settings o = t->q->o->search;
	struct bisection *b = &t->out->bisection;

	*ret = t->report->nr;
	o.budget = o.budget ? o.budget : BUDGET_S;
	p->o.repo = t->q->c->repo;
	p->o.run = t->q->run;
	p->o.dir = lab_dir(t->out->lab);
	t->out->searched = true;
	if (bisection_run(t->out->lab, &t->space, p, &o, b, e) < 0) {
		if (err_exit_code(e->code) != err_exit_code(ERR_UNDECIDED))
			return err_wrap(e, "cannot find the patch");
		*ret_why = xasprintf("no patch is named: %s", e->frame[0]);
		err_release(e);
		return 0;
	}
	if (b->result.verdict == BISECT_FOUND) {
		*ret = b->result.culprit - 1;
		return 0;
	}
	*ret_why = b->result.nr_set ? xasprintf("it is one of %zu patches, none alone "
						"could be told",
						b->result.nr_set)
				    : xstrdup("no patch could be told");
	return 0;
}

int trial_blame(struct trial *t, const char *id, struct probe *p, const char *what,
		struct err *e)
{
	_cleanup_free_ char *why = NULL;
	size_t at;

	if (search(t, p, &at, &why, e) < 0)
		return -(int)e->code;
	if (at == t->report->nr)
		queue_report_say(t->report, id, at, CHECK_ERROR, "%s; %s", what, why);
	else
		queue_report_say(
			t->report, id, at, CHECK_ERROR,
			"from this patch on %s (%.1f %% sure): fix it or drop it", what,
			100 * t->out->bisection.result.confidence);
	return 0;
}

/* The first boot of a kernel that went wrong; NULL when there is none. */
static const struct shot *sick_shot(const struct campaign *c, const struct kernel *k)
{
	for (size_t i = 0; i < c->shots.nr; i++) {
		const struct shot *s = &c->shots.v[i];

		if (s->kernel == k && s->boot.status && strcmp(s->boot.status, "ok") != 0)
			return s;
	}
	return NULL;
}

/* Only where the release before boots is it the queue's fault. */
static int blame_boot(struct trial *t, struct err *e)
{
	const struct campaign *c = &t->out->campaign;
	const struct shot *sick = sick_shot(c, &c->patched);
	const struct probe_opts none = { 0 };
	_cleanup_free_ char *what = NULL;
	struct probe p;

	if (!sick || sick_shot(c, &c->base))
		return cannot_tell(t, "the tree without the queue", e);
	err_release(e);
	what = xasprintf("the kernel does not come up: %s: %s", sick->boot.status,
			 sick->boot.reason ?: "no cause recorded");
	queue_report_make(t->report, "S25");
	return probe_make("boot", &none, &p, e) < 0 ? -(int)e->code
						    : trial_blame(t, "S25", &p, what, e);
}

static int say_number(struct trial *t, const struct comparison *row, struct err *e)
{
	_cleanup_free_ char *what = xasprintf(
		"%s %s is %.2f %% slower [%.2f, %.2f]%s", row->benchmark, row->cell->name,
		-100 * row->change, -100 * row->ci_hi, -100 * row->ci_lo,
		t->out->campaign.virtual_clock ? ", emulated path length" : "");
	struct probe p = probe_number(row->cell);

	return trial_blame(t, "S26", &p, what, e);
}

/* One search for the worst cell; the others are in the table. */
static int say_numbers(struct trial *t, struct err *e)
{
	const struct campaign *c = &t->out->campaign;
	const struct comparison *worst = campaign_worst(c);

	queue_report_make(t->report, "S26");
	for (size_t i = 0; i < c->nr; i++)
		if (c->rows[i].verdict == VERDICT_UNDECIDED)
			queue_report_say(
				t->report, "S26", t->report->nr, CHECK_WARNING,
				"%s %s is not decided: boot more often (--boots)",
				c->rows[i].benchmark, c->rows[i].cell->name);
	return worst ? say_number(t, worst, e) : 0;
}

/* No boot, no word on booting. */
static int say_same(struct trial *t)
{
	static const char *const ids[] = { "S25", "S26" };

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		if (trial_wants(t, ids[i]))
			queue_report_gap(t->report, ids[i],
					 "the queue does not change this kernel");
	return 0;
}

static int boot(struct trial *t, struct err *e)
{
	struct campaign *c = &t->out->campaign;
	int r = campaign_run(t->out->lab, &t->report->base, &t->report->head,
			     &t->q->o->compare, c, e);

	if (r < 0 && err_exit_code(e->code) != err_exit_code(ERR_UNDECIDED))
		return r;
	if (r < 0)
		return blame_boot(t, e);
	if (c->same_code)
		return say_same(t);
	if (trial_wants(t, "S25"))
		queue_report_make(t->report, "S25");
	return trial_wants(t, "S26") ? say_numbers(t, e) : 0;
}

int queue_try(const struct queue_try_query *q, struct queue_report *report,
	      struct queue_try *ret, struct err *e)
{
	_cleanup_(
		trial_release) struct trial t = { .q = q, .report = report, .out = ret };
	int r;

	if (!trial_wants(&t, "S23") && !trial_wants(&t, "S24") &&
	    !trial_wants(&t, "S25") && !trial_wants(&t, "S26"))
		return 0;
	if (!report->applied || !report->nr) {
		err_set(e, ERR_UNDECIDED, "not all of its patches apply");
		return cannot_tell(&t, "the queue", e);
	}
	if (open_space(&t, e) < 0)
		return -(int)e->code;
	if (lab_one_bench(&q->o->stage, e) < 0 ||
	    lab_open(q->c, q->run, &q->o->stage, report->base.hex, &ret->lab, e) < 0)
		return cannot_tell(&t, "the tree without the queue", e);
	r = trial_build(&t, e);
	if (r == 0) {
		err_set(e, ERR_UNDECIDED, "it does not build");
		return cannot_tell(&t, "the queue", e);
	}
	if (r < 0 || (!trial_wants(&t, "S25") && !trial_wants(&t, "S26")))
		return r < 0 ? r : 0;
	return boot(&t, e);
}
