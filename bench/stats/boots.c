// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/boots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

static bool equal(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* A sample without the token of its boot cannot be proven, whatever it says. */
static bool wanted(const struct sample *s, const struct benchmark *b,
		   const struct cell *c)
{
	return s->proven && s->token && equal(s->benchmark, b->name) &&
	       equal(s->l0, c->l0) && equal(s->l1, c->l1);
}

static int check(const struct sample *s, const struct benchmark *b,
		 const struct boots *seen, struct err *e)
{
	if (!equal(s->unit, b->unit))
		return err_set(e, ERR_USAGE,
			       "a sample of %s is in '%.20s', the benchmark in '%s'",
			       b->name, s->unit ? s->unit : "", b->unit);
	if (!equal(s->clock, seen->clock ? seen->clock : s->clock))
		return err_set(e, ERR_USAGE, "samples of %s by unlike clocks", b->name);
	if (seen->clock && !equal(s->path ? s->path : "", seen->path ? seen->path : ""))
		return err_set(e, ERR_USAGE,
			       "samples of %s from kernels that came by unlike paths, "
			       "'%.20s' and '%.20s'",
			       b->name, seen->path ? seen->path : "",
			       s->path ? s->path : "");
	if (seen->first && samples_unlike(seen->first, s))
		return err_set(e, ERR_USAGE, "samples of %s with unlike %s", b->name,
			       samples_unlike(seen->first, s));
	if (!isfinite(s->value) || s->value <= 0)
		return err_set(e, ERR_USAGE, "a sample of %s has the value %g", b->name,
			       s->value);
	return 0;
}

static int by_token(const void *a, const void *b)
{
	const struct sample *x = *(const struct sample *const *)a;
	const struct sample *y = *(const struct sample *const *)b;
	int order = strcmp(x->token, y->token);

	return order ? order : (x > y) - (x < y); /* of one array */
}

/* A boot: what came first, and the mean. */
struct boot {
	const struct sample *first;
	double mean_log;
};

static int by_first(const void *a, const void *b)
{
	const struct boot *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

static void average(const struct sample *const *sorted, size_t nr, struct boots *ret)
{
	_cleanup_free_ struct boot *boots = NULL;
	size_t nr_boots = 0;

	for (size_t i = 0; i < nr;) {
		struct boot *boot = array_push(boots, nr_boots);
		size_t first = i;
		double sum = 0;

		for (; i < nr && !strcmp(sorted[i]->token, sorted[first]->token); i++)
			sum += log(sorted[i]->value);
		*boot = (struct boot){ sorted[first], sum / (double)(i - first) };
		for (size_t k = first; k < i; k++)
			ret->squares += pow(log(sorted[k]->value) - boot->mean_log, 2);
	}
	if (nr_boots)
		qsort(boots, nr_boots, sizeof(*boots), by_first);
	for (size_t i = 0; i < nr_boots; i++)
		*array_push(ret->mean_log, ret->nr) = boots[i].mean_log;
	ret->runs = (unsigned int)nr;
}

int boots_collect(const struct benchmark *b, const struct cell *c,
		  const struct samples *samples, struct boots *ret, struct err *e)
{
	_cleanup_free_ const struct sample **sorted = NULL;
	struct boots seen = BOOTS_INIT;
	size_t nr = 0;

	for (size_t i = 0; i < samples->nr; i++) {
		const struct sample *s = &samples->v[i];

		if (!wanted(s, b, c))
			continue;
		if (check(s, b, &seen, e) < 0)
			return -(int)e->code;
		seen.clock = s->clock;
		seen.path = s->path;
		seen.first = s;
		*array_push(sorted, nr) = s;
	}
	if (nr)
		qsort(sorted, nr, sizeof(*sorted), by_token);
	*ret = seen;
	average(sorted, nr, ret);
	return 0;
}

void boots_release(struct boots *b)
{
	free(b->mean_log);
	*b = (struct boots)BOOTS_INIT;
}
