// SPDX-License-Identifier: GPL-3.0-or-later
/* A build beside boots or tests: steps of two kinds done side by side. */
#include "cli/ahead.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/lab-internal.h"
#include "core/base/alloc.h"
#include "core/git/repo.h"

/* A step that knows what it is. */
struct mixed {
	const struct step *step;
	void *ctx;
};

static int mixed_act(void *ctx, struct err *e)
{
	const struct mixed *m = ctx;

	return m->step->act(m->ctx, e);
}

static int mixed_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	const struct mixed *m = ctx;

	return m->step->save ? m->step->save(m->ctx, r, detail, e) : 0;
}

static int mixed_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	const struct mixed *m = ctx;

	return m->step->load ? m->step->load(m->ctx, r, detail, e) : 0;
}

static unsigned int processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 1 ? (unsigned int)n : 1;
}

unsigned int lab_spare(const struct lab *l, bool timed)
{
	if (timed && !lab_is_emulated(l))
		return 0;
	return processors() - 1;
}

static int take_build(struct lab *l, struct build_task *t, struct lab_ahead *a,
		      struct err *e)
{
	struct commit_info info = { 0 };

	if (repo_commit(l->c->repo, &a->commit, &info, e) < 0)
		return -(int)e->code;
	a->kernel.commit = a->commit;
	a->kernel.subject = take_ptr(info.subject);
	build_task_take(t, l->c, &a->kernel.build);
	commit_info_release(&info);
	return build_variant(&l->opts->build, &a->kernel.variant, e);
}

int lab_steps(struct lab *l, const struct step *s, const struct step_call *calls,
	      size_t nr, unsigned int jobs, struct lab_ahead *ahead, struct err *e)
{
	static const struct step mixed_step = { mixed_act, mixed_save, mixed_load };
	_cleanup_build_task_ struct build_task *build = NULL;
	_cleanup_free_ struct mixed *mixed = xcalloc(nr + 1, sizeof(*mixed));
	_cleanup_free_ struct step_call *all = xcalloc(nr + 1, sizeof(*all));

	if (!ahead)
		return run_steps(l->run, s, calls, nr, jobs, e);
	if (build_task_new(l->c, &ahead->commit, &l->opts->build, &build, e) < 0)
		return -(int)e->code;
	build_task_jobs(build, processors() > 1 ? processors() - 1 : 1);
	for (size_t i = 0; i < nr; i++) {
		mixed[i] = (struct mixed){ s, calls[i].ctx };
		all[i] = (struct step_call){ calls[i].name, &mixed[i] };
	}
	mixed[nr] = (struct mixed){ &build_step, build };
	all[nr] = (struct step_call){ (char *)build_task_name(build), &mixed[nr] };
	if (run_steps(l->run, &mixed_step, all, nr + 1, jobs + 1, e) < 0)
		return -(int)e->code;
	return take_build(l, build, ahead, e);
}
