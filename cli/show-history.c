// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/show-history.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/report/grid.h"
#include "bench/stats/trend.h"
#include "cli/json.h"
#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/git/repo.h"
#include "core/store/run.h"

#define CONFIDENCE 0.95

/* What the store has of the benchmark. */
struct measured {
	struct samples samples;
	struct boot_record *boots;
	size_t nr_boots;
};

static void measured_release(struct measured *m)
{
	samples_release(&m->samples);
	for (size_t i = 0; i < m->nr_boots; i++)
		boot_record_release(&m->boots[i]);
	free(m->boots);
}

/* A revision of the repository, or a whole id where there is none. */
static int resolve(struct ctx *c, const char *rev, struct oid *ret, struct err *e)
{
	if (c->repo)
		return repo_resolve(c->repo, rev, ret, e);
	if (strlen(rev) == sizeof(ret->hex) - 1 &&
	    parse_is_hex(rev, sizeof(ret->hex) - 1)) {
		memcpy(ret->hex, rev, sizeof(ret->hex));
		return 0;
	}
	err_set(e, ERR_NO_TREE, "there is no repository to look up '%s' in", rev);
	return err_hint(e, "name one with --tree DIR, or give the whole commit id");
}

static int keep_cells(const struct strv *cells, struct samples *s, struct err *e)
{
	size_t kept = 0;

	for (size_t i = 0; i < cells->nr; i++) {
		const struct cell *ignored;

		if (cell_parse(NULL, cells->v[i], &ignored, e) < 0)
			return -(int)e->code;
	}
	for (size_t i = 0; i < s->nr; i++) {
		_cleanup_free_ char *name =
			xasprintf("%s/%s", s->v[i].l0 ?: "", s->v[i].l1 ?: "");
		bool wanted = !cells->nr;

		for (size_t k = 0; k < cells->nr; k++)
			wanted |= !strcasecmp(cells->v[k], name);
		if (wanted)
			s->v[kept++] = s->v[i];
		else
			sample_release(&s->v[i]);
	}
	s->nr = kept;
	return 0;
}

/* The commit's title as some run knew it; NULL when none did. Owned. */
static char *subject_of(struct store *s, const struct oid *commit)
{
	_cleanup_free_ char *key = xasprintf("commit.%s", commit->hex);
	_cleanup_err_ struct err ignored = { 0 };
	_cleanup_free_ char *run = NULL;
	char *subject = NULL;

	return run_newest(s, key, &run, &subject, &ignored) == 1 ? subject : NULL;
}

static char *interval_text(const struct trend_row *r)
{
	return isfinite(r->lo) ? xasprintf("%.6g to %.6g", r->lo, r->hi) : xstrdup("-");
}

static void print_row(struct ctx *c, const struct trend_row *r, struct strv *cells)
{
	_cleanup_free_ char *subject = subject_of(c->store, &r->commit);
	bool emulated = r->clock && !strcmp(r->clock, "virtual");

	strv_addf(cells, "%s/%s", r->l0 ?: "-", r->l1 ?: "-");
	strv_addf(cells, "%.12s", r->commit.hex);
	strv_addf(cells, "%.6g", r->value);
	strv_take(cells, interval_text(r));
	if (isfinite(r->change))
		strv_take(cells, text_percent(r->change));
	else
		strv_add(cells, "-");
	strv_addf(cells, "%u", r->boots);
	strv_addf(cells, "%s%s", r->unit ?: "", emulated ? " (virtual)" : "");
	strv_add(cells, r->likeness == ENVIRONMENT_UNLIKE    ? "UNLIKE"
			: r->likeness == ENVIRONMENT_FLAGGED ? "flagged"
							     : "alike");
	strv_add(cells, subject ?: "-");
}

static void print_table(struct ctx *c, const struct trend *t)
{
	static const struct column cols[] = {
		{ "CELL", false },	   { "COMMIT", false },	     { "VALUE", true },
		{ "95% INTERVAL", false }, { "CHANGE", true },	     { "BOOTS", true },
		{ "UNIT", false },	   { "ENVIRONMENT", false }, { "TITLE", false },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;

	for (size_t i = 0; i < t->nr; i++)
		print_row(c, &t->v[i], &cells);
	out_table(cols, ARRAY_SIZE(cols), &cells);
	for (size_t i = 0; i < t->nr; i++)
		if (t->v[i].why)
			out_text("%s%.12s in %s/%s against the first: %s\n",
				 i ? "" : "\n", t->v[i].commit.hex, t->v[i].l0 ?: "-",
				 t->v[i].l1 ?: "-", t->v[i].why);
}

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *json_row(struct ctx *c, const struct trend_row *r)
{
	static const char *const words[] = { [ENVIRONMENT_ALIKE] = "alike",
					     [ENVIRONMENT_FLAGGED] = "flagged",
					     [ENVIRONMENT_UNLIKE] = "unlike" };
	_cleanup_free_ char *subject = subject_of(c->store, &r->commit);

	return json_pack("{s:s, s:o, s:o, s:{s:o, s:o}, s:o, s:o, s:o, s:f, s:[oo], s:i, "
			 "s:i, s:o, s:{s:s, s:o}}",
			 "commit", r->commit.hex, "subject", json_text(subject),
			 "build_id", json_text(r->build_id), "cell", "l0",
			 json_text(r->l0), "l1", json_text(r->l1), "unit",
			 json_text(r->unit), "clock", json_text(r->clock), "path",
			 json_text(r->path), "value", r->value, "ci", number(r->lo),
			 number(r->hi), "boots", (int)r->boots, "runs", (int)r->runs,
			 "change", number(r->change), "environment", "likeness",
			 words[r->likeness], "reason", json_text(r->why));
}

static void print_json(struct ctx *c, const char *benchmark, const struct trend *t)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < t->nr; i++)
		json_array_append_new(rows, json_row(c, &t->v[i]));
	out_json(json_pack("{s:{s:o, s:o}}", "history", "benchmark", json_text(benchmark),
			   "rows", rows));
}

int show_history(struct ctx *c, const struct history_query *q, struct err *e)
{
	_cleanup_(measured_release) struct measured m = { 0 };
	_cleanup_free_ struct oid *commits =
		q->revs->nr ? xcalloc(q->revs->nr, sizeof(*commits)) : NULL;
	_cleanup_trend_ struct trend t = { 0 };

	for (size_t i = 0; i < q->revs->nr; i++)
		if (resolve(c, q->revs->v[i], &commits[i], e) < 0)
			return -(int)e->code;
	if (store_measured(c->store, q->benchmark, &m.samples, &m.boots, &m.nr_boots, e) <
		    0 ||
	    keep_cells(q->cells, &m.samples, e) < 0)
		return -(int)e->code;
	trend_of(&(struct trend_query){ &m.samples, m.boots, m.nr_boots, commits,
					q->revs->nr, CONFIDENCE },
		 &t);
	if (!t.nr) {
		err_set(e, ERR_NOT_FOUND, "nothing was measured of '%s'", q->benchmark);
		return err_hint(e, "kiln bench --bench %s REV measures it", q->benchmark);
	}
	if (c->json)
		print_json(c, q->benchmark, &t);
	else
		print_table(c, &t);
	return 0;
}
