// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/simulate.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/bisect/play.h"

struct trial {
	struct outcome_of_search o;
	unsigned int builds, boots, runs;
	double hours;
};

struct workers {
	const struct sim_spec *spec;
	struct trial *trials;
	atomic_size_t next;
	atomic_bool failed;
	pthread_mutex_t lock; /* of err */
	struct err *err;
};

static int play(struct world *w, struct outcome_of_search *ret, struct err *e)
{
	switch (w->spec->method) {
	case SIM_GIT:
		return play_git(w, ret, e);
	case SIM_BAYES:
		return play_bayes(w, ret, e);
	case SIM_ENGINE:
		break;
	}
	return play_engine(w, ret, e);
}

static int run_trial(const struct sim_spec *s, size_t i, struct trial *ret, struct err *e)
{
	struct world w;
	int r = world_init(&w, s, i, e);

	if (r == 0)
		r = play(&w, &ret->o, e);
	ret->builds = w.builds;
	ret->boots = w.boots;
	ret->runs = w.runs;
	ret->hours = w.seconds / 3600;
	world_release(&w);
	return r;
}

static void *work(void *p)
{
	struct workers *w = p;

	while (!w->failed) {
		size_t i = atomic_fetch_add(&w->next, 1);
		struct err e = { 0 };

		if (i >= w->spec->trials)
			break;
		if (run_trial(w->spec, i, &w->trials[i], &e) == 0)
			continue;
		pthread_mutex_lock(&w->lock);
		if (w->failed)
			err_release(&e);
		else
			*w->err = e;
		w->failed = true;
		pthread_mutex_unlock(&w->lock);
	}
	return NULL;
}

static void add_up(const struct sim_spec *s, const struct trial *t,
		   struct sim_result *ret)
{
	double n = (double)s->trials, right_declared = 0;
	struct sim_result sum = { .trials = s->trials };

	for (size_t i = 0; i < s->trials; i++, t++) {
		bool declared = t->o.verdict == BISECT_FOUND ||
				t->o.verdict == BISECT_SET;

		sum.right += t->o.right;
		sum.declared += declared;
		right_declared += declared && t->o.right;
		sum.no_change += t->o.verdict == BISECT_NO_CHANGE;
		sum.second += t->o.second;
		sum.verified += t->o.verified;
		sum.builds += t->builds;
		sum.boots += t->boots;
		sum.runs += t->runs;
		sum.hours += t->hours;
	}
	*ret = (struct sim_result){
		.trials = s->trials,
		.right = sum.right / n,
		.declared = sum.declared / n,
		.right_declared = sum.declared > 0 ? right_declared / sum.declared : NAN,
		.no_change = sum.no_change / n,
		.second = sum.second / n,
		.verified = sum.verified / n,
		.builds = sum.builds / n,
		.boots = sum.boots / n,
		.runs = sum.runs / n,
		.hours = sum.hours / n,
	};
}

int sim_run(const struct sim_spec *s, struct sim_result *ret, struct err *e)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t jobs = s->jobs ? s->jobs : (size_t)(processors > 0 ? processors : 1);
	struct err first = { 0 };
	struct workers w = { .spec = s,
			     .err = &first,
			     .lock = PTHREAD_MUTEX_INITIALIZER };
	pthread_t *threads = xcalloc(jobs, sizeof(*threads));
	size_t started = 0;

	w.trials = xcalloc(s->trials, sizeof(*w.trials));
	while (started + 1 < jobs && started + 1 < s->trials &&
	       !pthread_create(&threads[started], NULL, work, &w))
		started++;
	work(&w);
	while (started)
		pthread_join(threads[--started], NULL);
	free(threads);
	if (!w.failed)
		add_up(s, w.trials, ret);
	free(w.trials);
	if (!w.failed)
		return 0;
	*e = first;
	return -(int)e->code;
}
