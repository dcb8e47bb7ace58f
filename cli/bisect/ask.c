// SPDX-License-Identifier: GPL-3.0-or-later
/* Building and asking, twice when the machine and not the kernel failed. */
#include <stdlib.h>
#include <string.h>

#include "cli/ahead.h"
#include "cli/bisect/build.h"
#include "cli/bisect/state.h"
#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/base/safe.h"

/* Failures that a second try may not meet; the rest would only fail once more. */
static bool worth_another_try(const struct err *e)
{
	switch (e->code) {
	case ERR_IO:
	case ERR_DISK_FULL:
	case ERR_TOOL_FAILED:
	case ERR_TIMEOUT:
	case ERR_NETWORK:
	case ERR_AGENT:
		return true;
	default:
		return false;
	}
}

static bool try_again(const struct search *s, struct err *e)
{
	if (!worth_another_try(e))
		return false;
	if (!s->site->quiet)
		out_talk("the environment failed, trying once more: %s",
			 e->nr ? e->frame[0] : err_word(e->code));
	err_release(e);
	return true;
}

static struct log_entry entry_of(const struct search *s, const struct variant *v)
{
	return (struct log_entry){
		.at = v->at,
		.commit = s->out->space.v[v->at].commit,
		.layout = v->layout,
	};
}

/* What a build is to the engine: a kernel at hand, or a commit that cannot be tested. */
static struct log_entry built_entry(const struct search *s, const struct variant *v)
{
	const struct build_record *b = &v->kernel.build;
	struct log_entry en = entry_of(s, v);

	en.kind = search_can_ask(s, v) ? LOG_BUILT : LOG_SKIP;
	en.stage = BISECT_AT_BUILD;
	en.cached = b->cached;
	en.seconds = b->cached ? 0 : b->seconds;
	if (b->code)
		en.code = xstrdup(b->code);
	if (en.kind == LOG_SKIP)
		en.reason =
			safe_text(xasprintf("%s: %s", b->status, b->reason ?: ""), false);
	return en;
}

bool search_can_ask(const struct search *s, const struct variant *v)
{
	return s->site->asks_build || !strcmp(v->kernel.build.status, "ok");
}

static int build(struct search *s, struct variant *v, struct err *e)
{
	const struct probe *p = s->site->probe;
	const struct point *pt = &s->out->space.v[v->at];

	if (p->build)
		return p->build(p, s->site->lab, pt, v->layout, &v->kernel, e);
	return point_build(s->site->lab, pt, v->layout, &v->kernel, e);
}

int search_build(struct search *s, struct variant *v, struct err *e)
{
	_cleanup_log_entry_ struct log_entry en = { 0 };

	if (v->kernel.build.status)
		return 0;
	if (build(s, v, e) < 0 && (!try_again(s, e) || build(s, v, e) < 0))
		return -(int)e->code;
	/* A build the cache had may be one that failed, or its id be unknown. */
	if (v->built &&
	    (v->skipped || (search_can_ask(s, v) && (v->code || !v->kernel.build.code))))
		return 0;
	en = built_entry(s, v);
	return search_record(s, &en, 1, e);
}

/* Old and new, whatever is good. */
static void take_answer(const struct search *s, struct answer *a, struct log_entry *en)
{
	en->seconds = a->seconds;
	switch (a->kind) {
	case ANSWER_RUNS:
		en->kind = LOG_RUNS;
		en->runs = take_ptr(a->runs);
		en->nr_runs = a->nr_runs;
		return;
	case ANSWER_PASS:
		en->kind = LOG_PASS;
		en->old = s->site->fixed ? a->failed : a->passed;
		en->new = s->site->fixed ? a->passed : a->failed;
		break;
	case ANSWER_UNTESTABLE:
		en->kind = LOG_SKIP;
		en->stage = a->stage;
		break;
	}
	if (a->reason)
		en->reason = safe_text(take_ptr(a->reason), false);
}

static void talk(const struct search *s, const struct log_entry *en)
{
	const struct point *p = &s->out->space.v[en->at];

	if (s->site->quiet)
		return;
	switch (en->kind) {
	case LOG_BUILT:
	case LOG_RUNS:
		return; /* builds and boots talk for themselves */
	case LOG_PASS:
		out_talk("%.12s  %s%s%s  %s", p->commit.hex,
			 en->new ? s->site->new : s->site->old, en->reason ? ": " : "",
			 en->reason ?: "", p->subject ?: "");
		return;
	case LOG_SKIP:
		out_talk("%.12s  cannot be tested: %s  %s", p->commit.hex,
			 en->reason ?: "", p->subject ?: "");
	}
}

/* An end that gives no answer leaves nothing to compare with. */
static int check_end(const struct search *s, const struct log_entry *en, struct err *e)
{
	bool end = en->at == 0 || en->at + 1 == s->out->space.nr;

	if (en->kind != LOG_SKIP || !end)
		return 0;
	err_set(e, ERR_UNDECIDED, "end %.12s '%s' gives no answer: %s", en->commit.hex,
		s->out->space.v[en->at].subject ?: "", en->reason ?: "");
	if (en->stage == BISECT_AT_TIMEOUT && s->site->o.kind == BISECT_PASS)
		err_hint(e, "--timeout-is bad counts a timeout as an answer");
	return -(int)e->code;
}

static int ask(struct search *s, const struct question *q, size_t nr,
	       struct lab_ahead *ahead, struct answer *ret, struct err *e)
{
	const struct probe *p = s->site->probe;

	if (p->ask(p, s->site->lab, q, nr, ahead, ret, e) == 0)
		return 0;
	if (!try_again(s, e))
		return -(int)e->code;
	return p->ask(p, s->site->lab, q, nr, ahead, ret, e);
}

/* Entries of answers and of the build ahead, which are owned by the caller. */
static int take_all(struct search *s, struct log_entry *entries, size_t nr, struct err *e)
{
	for (size_t i = 0; i < nr; i++) {
		if (check_end(s, &entries[i], e) < 0)
			return -(int)e->code;
		talk(s, &entries[i]);
	}
	return search_record(s, entries, nr, e);
}

int search_ask(struct search *s, const struct ask *v, size_t nr, struct variant *ahead,
	       struct err *e)
{
	_cleanup_free_ struct question *q = xcalloc(nr, sizeof(*q));
	_cleanup_free_ struct answer *a = xcalloc(nr, sizeof(*a));
	_cleanup_free_ struct log_entry *entries = xcalloc(nr + 1, sizeof(*entries));
	struct lab_ahead build = { 0 };
	size_t got = nr;
	int r;

	for (size_t i = 0; i < nr; i++)
		q[i] = (struct question){ &v[i].variant->kernel, v[i].boot, v[i].runs,
					  v[i].variant->layout };
	if (ahead)
		build.commit = s->out->space.v[ahead->at].commit;
	r = ask(s, q, nr, ahead ? &build : NULL, a, e);
	for (size_t i = 0; i < nr; i++) {
		entries[i] = entry_of(s, v[i].variant);
		if (r == 0)
			take_answer(s, &a[i], &entries[i]);
		answer_release(&a[i]);
	}
	if (r == 0 && build.kernel.build.status) {
		ahead->kernel = build.kernel;
		entries[got] = built_entry(s, ahead);
		entries[got++].ahead = true;
	}
	if (r == 0)
		r = take_all(s, entries, got, e);
	for (size_t i = 0; i < got; i++)
		log_entry_release(&entries[i]);
	return r;
}
