// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/environment.h"
#include "cli/cmd.h"
#include "cli/json.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/run-data.h"
#include "cli/show-history.h"
#include "cli/show-result.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/store/run.h"
#include "core/store/store.h"

struct show_opts {
	bool journal, environment;
	char *history;
	struct strv cells;
};

static const struct opt show_table[] = {
	{ "journal", 0, OPT_FLAG, offsetof(struct show_opts, journal), NULL,
	  "also the journal of the run's steps; -v does the same", "kiln.showJournal" },
	{ "environment", 0, OPT_FLAG, offsetof(struct show_opts, environment), NULL,
	  "also what the boots measured with", "kiln.showEnvironment" },
	{ "history", 0, OPT_STRING, offsetof(struct show_opts, history), "BENCH",
	  "that benchmark over commits, from all runs", NULL },
	{ "cell", 0, OPT_LIST, offsetof(struct show_opts, cells), "L0/L1",
	  "with --history: only these; may be repeated", "kiln.cell" },
	{ 0 },
};

static void show_json(const struct run_data *a, bool journal)
{
	json_t *facts = json_object(), *builds = json_array(), *boots = json_array(),
	       *samples = json_array(), *doc;

	for (size_t i = 0; i + 1 < a->facts.nr; i += 2)
		json_object_set_new_nocheck(facts, a->facts.v[i],
					    json_text(a->facts.v[i + 1]));
	for (size_t i = 0; i < a->nr_builds; i++)
		json_array_append_new(builds, json_build(&a->builds[i]));
	for (size_t i = 0; i < a->nr_boots; i++)
		json_array_append_new(boots, json_boot(&a->boots[i]));
	for (size_t i = 0; i < a->samples.nr; i++)
		json_array_append_new(samples, json_sample(&a->samples.v[i]));
	doc = json_pack("{s:o, s:o, s:o, s:o, s:o}", "run", json_run(run_info(a->run)),
			"facts", facts, "builds", builds, "boots", boots, "samples",
			samples);
	if (journal)
		json_object_set_new(doc, "journal", json_strv(&a->journal));
	out_json(doc);
}

/* Facts by which kiln itself remembers; only --json has them all. */
static bool is_detail(const char *key)
{
	static const char *const leads[] = { "bisect.note.", "bisect.engine", "commit.",
					     "compare.",     "document",      "queue-" };

	for (size_t i = 0; i < ARRAY_SIZE(leads); i++)
		if (!strncmp(key, leads[i], strlen(leads[i])))
			return true;
	return false;
}

static void show_run(const struct run_info *i, const struct strv *facts)
{
	_cleanup_free_ char *argv = strv_join(&i->argv, " ");
	_cleanup_free_ char *started = clock_iso(i->started);
	_cleanup_free_ char *ended = i->ended ? clock_iso(i->ended) : NULL;

	out_text("run %s\n", i->id);
	out_text("  command  kiln %s\n", argv);
	out_text("  folder   %s\n", i->cwd);
	if (i->state == RUN_ACTIVE)
		out_text("  state    %s\n", run_state_word(i));
	else
		out_text("  state    %s, exit %d\n", run_state_word(i), i->exit_code);
	out_text("  started  %s\n", started);
	if (ended)
		out_text("  ended    %s\n", ended);
	for (size_t k = 0; k + 1 < facts->nr; k += 2)
		if (!is_detail(facts->v[k]))
			out_text("  %-8s %s\n", facts->v[k], facts->v[k + 1]);
}

static const char *or_dash(const char *s)
{
	return s && *s ? s : "-";
}

static void show_builds(const struct run_data *a)
{
	static const struct column cols[] = {
		{ "COMMIT", false }, { "BUILD", false },	 { "BUILD-ID", false },
		{ "SECONDS", true }, { "REASON OR LOG", false },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;

	for (size_t i = 0; i < a->nr_builds; i++) {
		const struct build_record *b = &a->builds[i];

		strv_addf(&cells, "%.12s", b->commit.hex);
		strv_addf(&cells, "%s%s", or_dash(b->status),
			  b->cached ? " (cached)" : "");
		strv_addf(&cells, "%.16s", or_dash(b->build_id));
		strv_addf(&cells, "%.1f", b->seconds);
		strv_add(&cells, or_dash(b->reason ? b->reason : b->log));
	}
	if (!a->nr_builds)
		return;
	out_text("\n");
	out_table(cols, ARRAY_SIZE(cols), &cells);
}

static void show_boots(const struct run_data *a)
{
	static const struct column cols[] = {
		{ "BOOT", false },
		{ "COMMIT", false },
		{ "TARGET", false },
		{ "PATH", false },
		{ "STATUS", false },
		{ "PROVEN", false },
		{ "BUILD-ID", false },
		{ "SECONDS", true },
		{ "REASON OR CONSOLE", false },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;

	for (size_t i = 0; i < a->nr_boots; i++) {
		const struct boot_record *b = &a->boots[i];

		strv_addf(&cells, "%.12s", b->token);
		strv_addf(&cells, "%.12s", b->commit.hex);
		strv_addf(&cells, "%s/%s", or_dash(b->target), or_dash(b->accel));
		strv_addl(&cells, or_dash(b->path), or_dash(b->status),
			  b->proven ? "yes" : "no", NULL);
		strv_addf(&cells, "%.16s", or_dash(b->build_id));
		strv_addf(&cells, "%.1f", b->seconds);
		strv_add(&cells, or_dash(b->reason ? b->reason : b->console));
	}
	if (!a->nr_boots)
		return;
	out_text("\n");
	out_table(cols, ARRAY_SIZE(cols), &cells);
}

/* Boots against the first that has an environment; the first in full if asked. */
static void show_environment(const struct run_data *a, bool full)
{
	const struct boot_record *first = NULL;
	size_t alike = 0;

	for (size_t i = 0; i < a->nr_boots; i++) {
		const struct boot_record *b = &a->boots[i];
		_cleanup_free_ char *why = NULL;

		if (!b->environment)
			continue;
		first = first ?: b;
		if (environment_alike(first->environment, b->environment, b->accel,
				      &why) == ENVIRONMENT_ALIKE)
			alike++;
		else
			out_text("environment of %.12s is not that of %.12s: %s\n",
				 b->token, first->token, why);
	}
	if (!first)
		return;
	out_text("environment: alike in %zu of %zu boots\n", alike, a->nr_boots);
	if (full)
		out_text("\n%s", first->environment);
}

/* Samples of one commit, benchmark and cell. */
struct group {
	const struct sample *first;
	struct strv boots;
	size_t runs, proven;
	double sum, min, max;
};

static bool same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static struct group *group_of(struct group **v, size_t *nr, const struct sample *s)
{
	struct group *g;

	for (size_t i = 0; i < *nr; i++) {
		const struct sample *f = (*v)[i].first;

		if (oid_equal(&f->commit, &s->commit) &&
		    same(f->benchmark, s->benchmark) && same(f->l0, s->l0) &&
		    same(f->l1, s->l1))
			return &(*v)[i];
	}
	g = array_push(*v, *nr);
	*g = (struct group){ .first = s, .min = s->value, .max = s->value };
	return g;
}

static void group_add(struct group *g, const struct sample *s)
{
	if (!strv_has(&g->boots, s->token))
		strv_add(&g->boots, s->token);
	g->runs++;
	g->proven += s->proven;
	g->sum += s->value;
	g->min = s->value < g->min ? s->value : g->min;
	g->max = s->value > g->max ? s->value : g->max;
}

static void group_cells(const struct group *g, struct strv *cells)
{
	const struct sample *f = g->first;

	strv_addf(cells, "%.12s", f->commit.hex);
	strv_add(cells, f->benchmark);
	strv_addf(cells, "%s/%s", or_dash(f->l0), or_dash(f->l1));
	strv_addf(cells, "%zu", g->boots.nr);
	strv_addf(cells, "%zu", g->runs);
	strv_addf(cells, "%.6g", g->sum / (double)g->runs);
	strv_addf(cells, "%.6g", g->min);
	strv_addf(cells, "%.6g", g->max);
	strv_addf(cells, "%s%s", f->unit ? f->unit : "",
		  f->clock && !strcmp(f->clock, "virtual") ? " (virtual clock)" : "");
	strv_add(cells, g->proven == g->runs ? "yes" : "no");
}

static void show_samples(const struct samples *s)
{
	static const struct column cols[] = {
		{ "COMMIT", false }, { "BENCHMARK", false }, { "CELL", false },
		{ "BOOTS", true },   { "RUNS", true },	     { "MEAN", true },
		{ "MIN", true },     { "MAX", true },	     { "UNIT", false },
		{ "PROVEN", false },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;
	struct group *v = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++)
		group_add(group_of(&v, &nr, &s->v[i]), &s->v[i]);
	for (size_t i = 0; i < nr; i++) {
		group_cells(&v[i], &cells);
		strv_release(&v[i].boots);
	}
	free(v);
	if (!nr)
		return;
	out_text("\n");
	out_table(cols, ARRAY_SIZE(cols), &cells);
}

static int show_run_cmd(struct ctx *c, const void *opts, const struct strv *args,
			struct err *e)
{
	const struct show_opts *o = opts;
	const bool journal = o->journal || log_level() > 0;
	_cleanup_(run_data_release) struct run_data a = { 0 };

	if (o->history)
		return show_history(
			c, &(struct history_query){ o->history, &o->cells, args }, e);
	if (args->nr > 1) {
		err_set(e, ERR_USAGE, "one run is shown at a time, %zu given", args->nr);
		return err_hint(e, "with --history commits may be named");
	}
	if (run_data_load(c->store, args->nr ? args->v[0] : "last", &a, e) < 0)
		return -(int)e->code;
	if (c->json) {
		show_json(&a, journal);
		return 0;
	}
	show_run(run_info(a.run), &a.facts);
	show_builds(&a);
	show_boots(&a);
	show_environment(&a, o->environment);
	show_samples(&a.samples);
	show_result(c, run_id(a.run));
	for (size_t i = 0; journal && i < a.journal.nr; i++)
		out_text("%s%s\n", i ? "" : "\n", a.journal.v[i]);
	return 0;
}

const struct cmd cmd_show = {
	.name = "show",
	.summary = "Show a run with all that proves it, or a number over commits",
	.usage = "[RUN] | --history BENCH [REV...]",
	.opts = show_table,
	.opts_size = sizeof(struct show_opts),
	.needs = CMD_STORE | CMD_MAYBE_TREE,
	.max_args = -1,
	.run = show_run_cmd,
};
