// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/parse.h"
#include "core/bisect/simulate.h"

enum key_type { KEY_SHARE, KEY_COUNT, KEY_NUMBER, KEY_UINT, KEY_FLAG, KEY_METHOD };

struct key {
	const char *name;
	enum key_type type;
	size_t offset;
	double min, max;
};

#define AT(m) offsetof(struct sim_spec, m)

static const struct key keys[] = {
	{ "n", KEY_COUNT, AT(n), 2, 1e6 },
	{ "effect", KEY_SHARE, AT(effect), -0.99, 10 },
	{ "effect2", KEY_SHARE, AT(effect2), -0.99, 10 },
	{ "run-sd", KEY_SHARE, AT(run_sd), 0, 1 },
	{ "boot-sd", KEY_SHARE, AT(boot_sd), 0, 1 },
	{ "build-sd", KEY_SHARE, AT(build_sd), 0, 1 },
	{ "untestable", KEY_SHARE, AT(untestable), 0, 1 },
	{ "outliers", KEY_SHARE, AT(outliers), 0, 1 },
	{ "changes", KEY_COUNT, AT(changes), 0, 2 },
	{ "dag", KEY_SHARE, AT(dag), 0, 0.45 },
	{ "prior", KEY_NUMBER, AT(prior), 1, 1e6 },
	{ "flaky", KEY_SHARE, AT(flaky), 0, 1 },
	{ "flaky-old", KEY_SHARE, AT(flaky_old), 0, 1 },
	{ "trials", KEY_COUNT, AT(trials), 1, 1e6 },
	{ "seed", KEY_COUNT, AT(seed), 0, 1e15 },
	{ "jobs", KEY_COUNT, AT(jobs), 0, 256 },
	{ "stop", KEY_SHARE, AT(o.confidence), 0.5, 1 },
	{ "layout", KEY_SHARE, AT(o.build_sd), 0, 0.99 },
	{ "min-effect", KEY_SHARE, AT(o.min_effect), 0, 1 },
	{ "min-sd", KEY_SHARE, AT(o.min_sd), 0, 1 },
	{ "end-boots", KEY_UINT, AT(o.end_boots), 1, 1000 },
	{ "end-runs", KEY_UINT, AT(o.end_runs), 1, 1000 },
	{ "max-runs", KEY_UINT, AT(o.max_runs), 1, 1000 },
	{ "max-boots", KEY_UINT, AT(o.max_boots), 1, 100000 },
	{ "build", KEY_NUMBER, AT(o.costs.build), 0, 1e6 },
	{ "boot", KEY_NUMBER, AT(o.costs.boot), 1e-3, 1e6 },
	{ "run", KEY_NUMBER, AT(o.costs.run), 1e-3, 1e6 },
	{ "verify", KEY_FLAG, AT(o.verify), 0, 1 },
	{ "gaussian", KEY_FLAG, AT(o.gaussian), 0, 1 },
	{ "first-parent", KEY_FLAG, AT(first_parent), 0, 1 },
	{ "baseline", KEY_METHOD, 0, 0, 0 },
};

static const struct method {
	const char *name;
	enum sim_method method;
	unsigned int runs;
} methods[] = { { "none", SIM_ENGINE, 0 },
		{ "git1", SIM_GIT, 1 },
		{ "git5", SIM_GIT, 5 },
		{ "bayes", SIM_BAYES, 5 } };

/* "5%" or "0.05". */
static bool parse_share(const char *text, double *ret)
{
	size_t len = strlen(text);
	bool percent = len && text[len - 1] == '%';
	_cleanup_free_ char *number = xstrndup(text, len - percent);
	double v;

	if (!parse_double(number, &v))
		return false;
	*ret = percent ? v / 100 : v;
	return true;
}

static bool set_method(const char *value, struct sim_spec *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		if (strcmp(value, methods[i].name))
			continue;
		s->method = methods[i].method;
		s->runs = methods[i].runs;
		return true;
	}
	return false;
}

static bool set_value(const struct key *k, const char *value, struct sim_spec *s)
{
	char *field = (char *)s + k->offset;
	double v = 0;

	if (k->type == KEY_METHOD)
		return set_method(value, s);
	if (!parse_share(value, &v) || v < k->min || v > k->max)
		return false;
	if (k->type != KEY_SHARE && k->type != KEY_NUMBER && v != floor(v))
		return false;
	switch (k->type) {
	case KEY_COUNT:
		*(uint64_t *)field = (uint64_t)v;
		break;
	case KEY_UINT:
		*(unsigned int *)field = (unsigned int)v;
		break;
	case KEY_FLAG:
		*(bool *)field = v > 0;
		break;
	default:
		*(double *)field = v;
	}
	return true;
}

static int set_key(char *word, struct sim_spec *s, struct err *e)
{
	char *value = strchr(word, '=');

	if (!value) {
		err_set(e, ERR_USAGE, "'%s' is not KEY=VALUE", word);
		return err_hint(e, "for example n=1000,effect=5%%,run-sd=1%%");
	}
	*value++ = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(word, keys[i].name))
			continue;
		if (set_value(&keys[i], value, s))
			return 0;
		if (keys[i].type == KEY_METHOD) {
			err_set(e, ERR_USAGE, "no such baseline: '%s'", value);
			return err_hint(e, "one of git1, git5, bayes, none");
		}
		return err_set(e, ERR_USAGE, "'%s' of %s is not between %g and %g", value,
			       word, keys[i].min, keys[i].max);
	}
	err_set(e, ERR_USAGE, "a simulated world has no '%s'", word);
	return err_hint(e, "see kiln help bisect");
}

static void defaults(struct sim_spec *s)
{
	*s = (struct sim_spec){ .n = 1000,
				.effect = 0.05,
				.run_sd = 0.01,
				.boot_sd = 0.01,
				.changes = 1,
				.prior = 1,
				.trials = 400,
				.seed = 1,
				.o = bisect_defaults() };
}

int sim_parse(const char *text, struct sim_spec *ret, struct err *e)
{
	_cleanup_free_ char *copy = xstrdup(text);
	struct sim_spec s;
	char *at = copy;

	defaults(&s);
	while (*(at += strspn(at, ", \t\n"))) {
		size_t len = strcspn(at, ", \t\n");
		char *next = at + len + (at[len] != '\0');

		at[len] = '\0';
		if (set_key(at, &s, e) < 0)
			return -(int)e->code;
		at = next;
	}
	if (s.changes > s.n - 1)
		return err_set(e, ERR_USAGE, "%zu commits cannot hold %d changes",
			       s.n - 1, (int)s.changes);
	if (s.effect2 == 0)
		s.effect2 = s.effect;
	*ret = s;
	return 0;
}

static double value_of(const struct key *k, const struct sim_spec *s)
{
	const char *field = (const char *)s + k->offset;

	switch (k->type) {
	case KEY_COUNT:
		return (double)*(const uint64_t *)field;
	case KEY_UINT:
		return *(const unsigned int *)field;
	case KEY_FLAG:
		return *(const bool *)field;
	default:
		return *(const double *)field;
	}
}

char *sim_text(const struct sim_spec *s)
{
	struct sim_spec plain;
	struct buf b = BUF_INIT;

	defaults(&plain);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct key *k = &keys[i];
		bool always = i < 5 || !strcmp(k->name, "seed") ||
			      !strcmp(k->name, "trials");

		if (k->type == KEY_METHOD || !strcmp(k->name, "jobs") ||
		    (!always && value_of(k, s) == value_of(k, &plain)))
			continue;
		if (!strcmp(k->name, "effect2") && s->effect2 == s->effect)
			continue;
		buf_addf(&b, "%s%s=%.15g", b.len ? " " : "", k->name, value_of(k, s));
	}
	for (size_t i = 1; i < ARRAY_SIZE(methods); i++)
		if (s->method == methods[i].method && s->runs == methods[i].runs)
			buf_addf(&b, " baseline=%s", methods[i].name);
	return buf_take(&b);
}
