// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/trend.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/* A sample that counts, with what it is sorted by. */
struct mark {
	const struct sample *s;
	const struct boot_record *b; /* NULL: not recorded */
	size_t rank;		     /* of its commit among the rows */
};

static int by_text(const char *a, const char *b)
{
	return strcmp(a ?: "", b ?: "");
}

static int by_token(const void *a, const void *b)
{
	return by_text((*(const struct boot_record *const *)a)->token,
		       (*(const struct boot_record *const *)b)->token);
}

static const char *build_of(const struct mark *m)
{
	return m->b ? m->b->build_id : NULL;
}

static int by_cell(const struct mark *a, const struct mark *b)
{
	int r = by_text(a->s->l0, b->s->l0);

	return r ? r : by_text(a->s->l1, b->s->l1);
}

/* Equal: what samples_unlike() lets be compared. */
static int by_kind(const struct sample *a, const struct sample *b)
{
	int r = by_text(a->clock, b->clock);

	r = r ? r : by_text(a->path, b->path);
	r = r ? r : by_text(a->setup, b->setup);
	r = r ? r : by_text(a->guest, b->guest);
	r = r ? r : by_text(a->qemu, b->qemu);
	return r ? r : by_text(a->payload, b->payload);
}

/* Equal: of one row. */
static int by_row(const struct mark *a, const struct mark *b)
{
	int r = by_cell(a, b);

	r = r ? r : (a->rank > b->rank) - (a->rank < b->rank);
	r = r ? r : by_text(build_of(a), build_of(b));
	return r ? r : by_kind(a->s, b->s);
}

static int by_boot(const void *va, const void *vb)
{
	const struct mark *a = va, *b = vb;
	int r = by_row(a, b);

	return r ? r : by_text(a->s->token, b->s->token);
}

static int by_commit(const void *va, const void *vb)
{
	const struct mark *a = va, *b = vb;
	int r = strcmp(a->s->commit.hex, b->s->commit.hex);

	return r ? r : (a->rank > b->rank) - (a->rank < b->rank);
}

/* A commit's place: as asked for, else where it was first measured. SIZE_MAX: not asked
 * for. Ranks are the samples' numbers before. */
static void rank_commits(const struct trend_query *q, struct mark *v, size_t nr)
{
	if (!q->commits && nr)
		qsort(v, nr, sizeof(*v), by_commit);
	for (size_t i = 0; i < nr; i++) {
		if (!q->commits) {
			if (i && oid_equal(&v[i].s->commit, &v[i - 1].s->commit))
				v[i].rank = v[i - 1].rank;
			continue;
		}
		v[i].rank = SIZE_MAX;
		for (size_t k = q->nr_commits; k-- > 0;)
			if (oid_equal(&q->commits[k], &v[i].s->commit))
				v[i].rank = k;
	}
}

static const struct boot_record *boot_of(const struct boot_record **sorted, size_t nr,
					 char *token)
{
	const struct boot_record key = { .token = token }, *p = &key, **found;

	found = nr ? bsearch(&p, sorted, nr, sizeof(*sorted), by_token) : NULL;
	return found ? *found : NULL;
}

/* The samples that count, sorted by row and boot. Owned by the caller. */
static struct mark *marks_of(const struct trend_query *q, size_t *ret_nr)
{
	_cleanup_free_ const struct boot_record **boots =
		xcalloc(q->nr_boots, sizeof(*boots));
	struct mark *v = xcalloc(q->samples->nr, sizeof(*v));
	size_t nr = 0;

	for (size_t i = 0; i < q->nr_boots; i++)
		boots[i] = &q->boots[i];
	if (q->nr_boots)
		qsort(boots, q->nr_boots, sizeof(*boots), by_token);
	for (size_t i = 0; i < q->samples->nr; i++) {
		const struct sample *s = &q->samples->v[i];

		if (s->proven && s->token && isfinite(s->value) && s->value > 0)
			v[nr++] = (struct mark){ s, boot_of(boots, q->nr_boots, s->token),
						 i };
	}
	rank_commits(q, v, nr);
	if (nr)
		qsort(v, nr, sizeof(*v), by_boot);
	*ret_nr = nr;
	return v;
}

/* Value and interval out of the boots' mean logs. */
static void fill_numbers(const struct mark *v, size_t nr, double confidence,
			 struct trend_row *r)
{
	double mean = 0, squares = 0, half;

	r->runs = (unsigned int)nr;
	for (size_t i = 0; i < nr;) {
		size_t first = i;
		double sum = 0, delta;

		for (; i < nr && !by_text(v[i].s->token, v[first].s->token); i++)
			sum += log(v[i].s->value);
		/* Welford: the logs of large rates have little room for squares */
		delta = sum / (double)(i - first) - mean;
		r->boots++;
		mean += delta / r->boots;
		squares += delta * (sum / (double)(i - first) - mean);
	}
	r->value = exp(mean);
	if (r->boots < 2)
		return;
	half = gsl_cdf_tdist_Qinv((1 - confidence) / 2, r->boots - 1.0) *
	       sqrt(squares / (r->boots - 1.0) / r->boots);
	r->lo = exp(mean - half);
	r->hi = exp(mean + half);
}

static void hold_environment(const struct boot_record *first, const struct mark *v,
			     size_t nr, struct trend_row *r)
{
	for (size_t i = 0; i < nr; i++) {
		const struct boot_record *b = v[i].b;
		_cleanup_free_ char *why = NULL;
		enum likeness l;

		if (!b || !first || (i && b == v[i - 1].b))
			continue;
		l = environment_alike(first->environment, b->environment, b->accel, &why);
		if (l <= r->likeness)
			continue;
		r->likeness = l;
		free(r->why);
		r->why = take_ptr(why);
	}
}

/* Over the row before in this cell that measured in the same way. */
static double change_of(const struct trend *t, const struct trend_row *r)
{
	for (size_t i = t->nr; i-- > 0;) {
		const struct trend_row *o = &t->v[i];

		if (by_text(o->l0, r->l0) || by_text(o->l1, r->l1))
			break;
		if (!by_kind(o->one, r->one))
			return r->value / o->value - 1;
	}
	return NAN;
}

void trend_of(const struct trend_query *q, struct trend *ret)
{
	size_t nr, next, cell = 0;
	_cleanup_free_ struct mark *v = marks_of(q, &nr);

	*ret = (struct trend){ 0 };
	for (size_t i = 0; i < nr; i = next) {
		struct trend_row r = { .commit = v[i].s->commit,
				       .build_id = build_of(&v[i]),
				       .l0 = v[i].s->l0,
				       .l1 = v[i].s->l1,
				       .unit = v[i].s->unit,
				       .clock = v[i].s->clock,
				       .one = v[i].s,
				       .path = v[i].s->path,
				       .lo = NAN,
				       .hi = NAN };

		for (next = i; next < nr && !by_row(&v[i], &v[next]);)
			next++;
		if (v[i].rank == SIZE_MAX)
			continue;
		if (by_cell(&v[cell], &v[i]))
			cell = i;
		fill_numbers(v + i, next - i, q->confidence, &r);
		r.change = change_of(ret, &r);
		hold_environment(v[cell].b, v + i, next - i, &r);
		*array_push(ret->v, ret->nr) = r;
	}
}

void trend_release(struct trend *t)
{
	for (size_t i = 0; i < t->nr; i++)
		free(t->v[i].why);
	free(t->v);
	*t = (struct trend){ 0 };
}
