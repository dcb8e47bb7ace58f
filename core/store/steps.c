// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The stage runner. A step is recorded before it acts; its results and its "done" record
 * are one transaction afterwards.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/alloc.h"
#include "core/base/stop.h"
#include "core/store/journal.h"
#include "core/store/run-internal.h"
#include "core/store/sql.h"

/* How often a wait for threads looks at the signal flag. */
#define WAKE_MS 200

/* 1 when the step was done before and is loaded now. */
static int step_load(struct run *r, const struct step *s, const char *name, void *ctx,
		     struct err *e)
{
	_cleanup_free_ char *detail = NULL;
	int done = journal_done(r->store, r->info.id, name, &detail, e);

	if (done > 0 && s->load && s->load(ctx, r, detail, e) < 0)
		return err_wrap(e, "cannot load step '%s' of run %s", name, r->info.id);
	return done;
}

/* The cause outlives a journal that cannot be written any more. */
static int step_failed(struct run *r, const char *name, struct err *e)
{
	_cleanup_err_ struct err ignored = { 0 };
	_cleanup_free_ char *detail = journal_error(e);

	if (journal_add(r->store, r->info.id, "failed", name, detail, &ignored) < 0)
		err_wrap(e, "step '%s'", name);
	return -(int)e->code;
}

static int step_save(struct run *r, const struct step *s, const char *name, void *ctx,
		     struct err *e)
{
	_cleanup_buf_ struct buf detail = BUF_INIT;

	if (sql_begin(r->store, e) < 0)
		return -(int)e->code;
	if ((s->save && s->save(ctx, r, &detail, e) < 0) ||
	    journal_add(r->store, r->info.id, "done", name, buf_str(&detail), e) < 0 ||
	    sql_commit(r->store, e) < 0) {
		sql_rollback(r->store);
		return step_failed(r, name, e);
	}
	return 0;
}

int run_step(struct run *r, const struct step *s, const char *name, void *ctx,
	     struct err *e)
{
	int done = step_load(r, s, name, ctx, e);

	if (done)
		return done < 0 ? done : 0;
	if (stop_check(e) < 0 ||
	    journal_add(r->store, r->info.id, "begin", name, "", e) < 0)
		return -(int)e->code;
	if (s->act(ctx, e) < 0)
		return step_failed(r, name, e);
	return step_save(r, s, name, ctx, e);
}

struct pool;

struct worker {
	struct pool *pool;
	const struct step_call *call;
	pthread_t thread;
	struct err err;
	int result;
	bool busy, ended; /* busy is the caller's, ended is under the lock */
};

struct pool {
	struct run *run;
	const struct step *step;
	struct worker *workers;
	size_t nr;
	pthread_mutex_t lock;
	pthread_cond_t ended;
};

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	int result = w->pool->step->act(w->call->ctx, &w->err);

	pthread_mutex_lock(&w->pool->lock);
	w->result = result;
	w->ended = true;
	pthread_cond_signal(&w->pool->ended);
	pthread_mutex_unlock(&w->pool->lock);
	return NULL;
}

static int worker_start(struct worker *w, const struct step_call *call, struct err *e)
{
	struct run *r = w->pool->run;
	int sys;

	if (stop_check(e) < 0 ||
	    journal_add(r->store, r->info.id, "begin", call->name, "", e) < 0)
		return -(int)e->code;
	w->call = call;
	w->ended = false;
	w->err = (struct err){ 0 };
	sys = pthread_create(&w->thread, NULL, worker_main, w);
	if (sys)
		return err_sys(e, sys, "cannot start a thread");
	w->busy = true;
	return 0;
}

static struct worker *find_worker(struct pool *p, bool busy, bool ended)
{
	for (size_t i = 0; i < p->nr; i++)
		if (p->workers[i].busy == busy && (!ended || p->workers[i].ended))
			return &p->workers[i];
	return NULL;
}

/*
 * A signal wakes only one thread of a process, and that may be this one. So the others
 * are sent the signal too, again and again, as it may come just before they block.
 */
static void pool_interrupt(struct pool *p)
{
	for (size_t i = 0; i < p->nr; i++)
		if (p->workers[i].busy)
			pthread_kill(p->workers[i].thread, SIGTERM);
}

/* The next worker whose act() came back, NULL when none is busy. */
static struct worker *pool_wait(struct pool *p)
{
	struct worker *w = NULL;

	if (!find_worker(p, true, false))
		return NULL;
	pthread_mutex_lock(&p->lock);
	while (!(w = find_worker(p, true, true))) {
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += WAKE_MS * 1000000L;
		if (t.tv_nsec >= 1000000000L) {
			t.tv_nsec -= 1000000000L;
			t.tv_sec++;
		}
		pthread_cond_timedwait(&p->ended, &p->lock, &t);
		if (stop_requested())
			pool_interrupt(p);
	}
	pthread_mutex_unlock(&p->lock);
	pthread_join(w->thread, NULL);
	w->busy = false;
	return w;
}

/* Save what a worker brought; the first error of the pool is kept in e. */
static void pool_reap(struct pool *p, struct worker *w, struct err *e)
{
	struct err err = w->err;

	if (w->result < 0)
		step_failed(p->run, w->call->name, &err);
	else if (step_save(p->run, p->step, w->call->name, w->call->ctx, &err) == 0)
		return;
	if (e->code)
		err_release(&err);
	else
		*e = err;
}

static void pool_run(struct pool *p, const struct step_call *calls, size_t nr,
		     struct err *e)
{
	struct worker *w;

	for (size_t i = 0; i < nr && !e->code;) {
		int done = step_load(p->run, p->step, calls[i].name, calls[i].ctx, e);

		if (done < 0)
			break;
		w = find_worker(p, false, false);
		if (done || (w && worker_start(w, &calls[i], e) == 0))
			i++;
		else if (!e->code && (w = pool_wait(p)))
			pool_reap(p, w, e);
	}
	while ((w = pool_wait(p)))
		pool_reap(p, w, e);
}

int run_steps(struct run *r, const struct step *s, const struct step_call *calls,
	      size_t nr, unsigned int jobs, struct err *e)
{
	struct pool p = { .run = r, .step = s, .nr = jobs < nr ? jobs : nr };
	struct err first = { 0 };

	if (!p.nr)
		p.nr = 1;
	p.workers = xcalloc(p.nr, sizeof(*p.workers));
	for (size_t i = 0; i < p.nr; i++)
		p.workers[i].pool = &p;
	pthread_mutex_init(&p.lock, NULL);
	pthread_cond_init(&p.ended, NULL);
	pool_run(&p, calls, nr, &first);
	pthread_cond_destroy(&p.ended);
	pthread_mutex_destroy(&p.lock);
	free(p.workers);
	if (!first.code)
		return 0;
	err_release(e);
	*e = first;
	return -(int)e->code;
}
