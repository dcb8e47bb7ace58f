// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/watch.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

static int add(struct watch *w, struct probe *p, const char *name, struct err *e)
{
	const struct cell *cell;

	if (cell_parse(p->o.cells[0] ? arch_of_cell(p->o.cells[0]) : NULL, name, &cell,
		       e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < w->nr; i++)
		if (w->v[i].cell == cell)
			return 0;
	if (cell == p->o.cells[0])
		return err_set(e, ERR_USAGE, "cell %s is bisected, not watched",
			       cell->name);
	if (w->nr == ARRAY_SIZE(w->v) || p->o.nr_cells == ARRAY_SIZE(p->o.cells))
		return err_set(e, ERR_USAGE, "too many cells to watch");
	w->v[w->nr++].cell = cell;
	if (!strcmp(cell->l0, p->o.cells[0]->l0))
		p->o.cells[p->o.nr_cells++] = cell;
	return 0;
}

int watch_cells(const struct strv *names, struct probe *p, struct watch *ret,
		struct err *e)
{
	if (names->nr && p->kind != BISECT_NUMBER)
		return err_set(e, ERR_USAGE, "only numbers are watched beside a number");
	for (size_t i = 0; i < names->nr; i++)
		if (add(ret, p, names->v[i], e) < 0)
			return -(int)e->code;
	return 0;
}

/* Base and patched kernels in one cell. */
struct pair {
	struct kernel base, patched;
	struct shots shots;
};

static void pair_release(struct pair *p)
{
	shots_release(&p->shots);
	kernel_release(&p->base);
	kernel_release(&p->patched);
}

/* A boot with the cells the search's boots have, so that those are found again. */
static void plan(struct pair *pair, const struct kernel *k, const struct cell *cell,
		 const struct probe *p, unsigned int ordinal)
{
	struct shot *s = array_push(pair->shots.v, pair->shots.nr);

	*s = (struct shot){ .kernel = k, .ordinal = ordinal, .nr_cells = 1 };
	s->cells[0] = cell;
	if (strcmp(cell->l0, p->o.cells[0]->l0))
		return;
	s->nr_cells = p->o.nr_cells;
	memcpy(s->cells, p->o.cells, sizeof(s->cells));
}

static int compare_pair(struct lab *l, const struct probe *p, const struct cell *cell,
			const struct point *const points[2], unsigned int boots,
			struct comparison *ret, struct err *e)
{
	const struct compare_settings usual = { 0 };
	_cleanup_(noise_release) struct noise noise = { 0 };
	struct compare_opts o;
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	_cleanup_(pair_release) struct pair pair = { 0 };

	if (noise_of(l, &(struct lab_point){ lab_bench(l), cell }, 0, &noise, e) < 0 ||
	    campaign_opts(&usual, &noise, &o, e) < 0)
		return -(int)e->code;
	if (lab_build_ok(l, &points[0]->commit, &pair.base, e) < 0 ||
	    lab_build_ok(l, &points[1]->commit, &pair.patched, e) < 0)
		return -(int)e->code;
	for (unsigned int n = 0; n < boots; n++) {
		plan(&pair, n % 2 ? &pair.patched : &pair.base, cell, p, n);
		plan(&pair, n % 2 ? &pair.base : &pair.patched, cell, p, n);
	}
	if (lab_measure(l, &pair.shots, NULL, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < pair.shots.nr; i++)
		if (shot_check(&pair.shots.v[i], e) < 0)
			return -(int)e->code;
	shots_samples(&pair.shots, &pair.base, &base);
	shots_samples(&pair.shots, &pair.patched, &patched);
	return compare_cell(lab_bench(l), cell, &base, &patched, &o, ret, e);
}

int watch_measure(struct lab *l, const struct probe *p, const struct bisection *b,
		  unsigned int boots, struct watch *w, struct err *e)
{
	const struct point *ends[2] = { &b->space.v[0], &b->space.v[b->space.nr - 1] };
	const struct point *step[2] = { &b->space.v[b->result.parent],
					&b->space.v[b->result.culprit] };

	w->has_step = b->result.verdict == BISECT_FOUND;
	for (size_t i = 0; i < w->nr; i++) {
		struct watched *one = &w->v[i];

		if (compare_pair(l, p, one->cell, ends, boots, &one->ends, e) < 0 ||
		    (w->has_step &&
		     compare_pair(l, p, one->cell, step, boots, &one->step, e) < 0))
			return err_wrap(e, "cannot report on cell %s", one->cell->name);
	}
	return 0;
}
