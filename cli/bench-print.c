// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bench-print.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/counters.h"
#include "bench/report/report.h"
#include "bench/spec.h"
#include "cli/json-compare.h"
#include "cli/json.h"
#include "cli/lab-internal.h"
#include "cli/out.h"
#include "core/base/alloc.h"

static void print_shot(const struct shot *s, struct strv *cells)
{
	for (size_t i = 0; i < s->samples.nr; i++) {
		const struct sample *sample = &s->samples.v[i];

		strv_addf(cells, "%.12s", sample->commit.hex);
		strv_add(cells, sample->benchmark);
		strv_addf(cells, "%s/%s", sample->l0, sample->l1);
		strv_addf(cells, "%.8s", sample->token);
		strv_addf(cells, "%d", sample->ordinal);
		strv_addf(cells, "%.1f", sample->value);
		strv_add(cells, sample->unit);
		strv_add(cells, sample->clock);
		strv_add(cells, sample->proven ? "yes" : "no");
	}
}

/* The counter of a point in a shot; NULL when that kernel does not count it. */
static const struct sample *find_counter(const struct shot *s, const struct lab_point *p,
					 const char *counter)
{
	_cleanup_free_ char *name = xasprintf("%s#%s", p->bench->name, counter);

	for (size_t i = 0; i < s->samples.nr; i++) {
		const struct sample *sample = &s->samples.v[i];

		if (!strcmp(sample->benchmark, name) &&
		    !strcmp(sample->l0, p->cell->l0) && !strcmp(sample->l1, p->cell->l1))
			return sample;
	}
	return NULL;
}

/* Counters of one kernel and point, one by one, the missing ones too. */
static void print_counters(const struct lab *l, const struct shot *s,
			   const struct lab_point *p, struct strv *cells)
{
	if (!p->bench->payload)
		return; /* the user's commands do not say where they measure */
	for (size_t i = 0; counter_at(l->arch, i); i++) {
		const char *name = counter_at(l->arch, i)->name;
		const struct sample *sample = find_counter(s, p, name);

		strv_addf(cells, "%.12s", s->kernel->commit.hex);
		strv_add(cells, p->bench->name);
		strv_add(cells, p->cell->name);
		strv_add(cells, name);
		if (sample)
			strv_addf(cells, "%.3f", sample->value);
		else
			strv_add(cells, "missing");
	}
}

static bool is_counted(const struct shot *s, const struct lab_point *p)
{
	return s->counted && s->boot.status && !strcmp(s->boot.status, "ok") &&
	       !strcmp(s->cells[0]->l0, p->cell->l0);
}

static void print_all_counters(const struct lab *l, const struct shots *shots)
{
	static const struct column cols[] = {
		{ "COMMIT", false },  { "BENCHMARK", false },	 { "CELL", false },
		{ "COUNTER", false }, { "PER OPERATION", true },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;

	for (size_t i = 0; i < shots->nr; i++)
		for (size_t k = 0; k < lab_nr_points(l); k++)
			if (is_counted(&shots->v[i], lab_point(l, k)))
				print_counters(l, &shots->v[i], lab_point(l, k), &cells);
	if (!cells.nr)
		return;
	out_text("\n");
	out_table(cols, ARRAY_SIZE(cols), &cells);
}

void bench_print(const struct lab *l, const struct shots *shots)
{
	static const struct column cols[] = {
		{ "COMMIT", false }, { "BENCHMARK", false }, { "CELL", false },
		{ "BOOT", false },   { "RUN", true },	     { "VALUE", true },
		{ "UNIT", false },   { "CLOCK", false },     { "PROVEN", false },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;

	for (size_t i = 0; i < shots->nr; i++)
		if (!shots->v[i].counted)
			print_shot(&shots->v[i], &cells);
	out_table(cols, ARRAY_SIZE(cols), &cells);
	out_text("%s\n", report_clock_words(lab_is_emulated(l)));
	print_all_counters(l, shots);
	for (size_t i = 0; i < l->choice.nr_absent; i++)
		out_text("%s: n/a, %s\n", l->choice.absent[i].what,
			 l->choice.absent[i].why);
}

static json_t *json_counters(const struct lab *l, const struct shots *shots)
{
	json_t *array = json_array();

	for (size_t i = 0; i < shots->nr; i++) {
		for (size_t k = 0; k < lab_nr_points(l); k++) {
			const struct shot *s = &shots->v[i];
			const struct lab_point *p = lab_point(l, k);

			if (!is_counted(s, p) || !p->bench->payload)
				continue;
			for (size_t n = 0; counter_at(l->arch, n); n++) {
				const char *name = counter_at(l->arch, n)->name;
				const struct sample *c = find_counter(s, p, name);

				json_array_append_new(
					array,
					json_pack("{s:s, s:s, s:{s:s, s:s}, s:s, s:o}",
						  "commit", s->kernel->commit.hex,
						  "benchmark", p->bench->name, "cell",
						  "l0", p->cell->l0, "l1", p->cell->l1,
						  "counter", name, "per_operation",
						  c ? json_real(c->value) : json_null()));
			}
		}
	}
	return array;
}

void bench_print_json(const struct lab *l, const struct shots *shots)
{
	_cleanup_samples_ struct samples all = SAMPLES_INIT;
	json_t *absent = json_array();

	for (size_t i = 0; i < shots->nr; i++)
		if (!shots->v[i].counted)
			samples_copy(&shots->v[i].samples, &all);
	for (size_t i = 0; i < l->choice.nr_absent; i++)
		json_array_append_new(absent, json_pack("{s:s, s:s}", "what",
							l->choice.absent[i].what, "why",
							l->choice.absent[i].why));
	out_json(json_pack("{s:o, s:o, s:o}", "samples", json_samples(&all), "counters",
			   json_counters(l, shots), "absent", absent));
}

static void list_params(const struct benchmark *b, struct buf *ret)
{
	for (const struct bench_param *p = b->params; p && p->key; p++)
		buf_addf(ret, "%s%s", ret->len ? "," : "", p->key);
	for (const struct bench_param *p = bench_common_params; p->key; p++)
		buf_addf(ret, "%s%s", ret->len ? "," : "", p->key);
}

static void list_row(const struct benchmark *b, struct strv *cells)
{
	_cleanup_buf_ struct buf params = BUF_INIT;

	if (b->payload)
		list_params(b, &params);
	strv_add(cells, b->name);
	strv_add(cells, b->unit);
	strv_add(cells, !b->payload ? b->level == 1 ? "in L0" : "in L1"
			: b->levels == (BENCH_L1 | BENCH_L2) ? "L1, L2"
							     : "L1");
	strv_add(cells, params.len ? buf_str(&params) : "-");
	strv_add(cells, b->summary);
}

int bench_print_list(const struct ctx *c, struct err *e)
{
	static const struct column cols[] = {
		{ "BENCHMARK", false },	 { "UNIT", false }, { "LEVEL", false },
		{ "PARAMETERS", false }, { "WHAT", false },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT, own = STRV_INIT;

	for (size_t i = 0; bench_at(i); i++)
		list_row(bench_at(i), &cells);
	cfg_names(c->cfg, "benchmark", &own);
	for (size_t i = 0; i < own.nr; i++) {
		_cleanup_bench_ struct benchmark *b = NULL;

		if (bench_find(own.v[i]))
			return err_set(
				e, ERR_CONFIG,
				"benchmark '%s' is kiln's own: choose another name",
				own.v[i]);
		if (bench_open(own.v[i], c->cfg, &b, e) < 0)
			return -(int)e->code;
		list_row(b, &cells);
	}
	if (!c->json) {
		out_table(cols, ARRAY_SIZE(cols), &cells);
		return 0;
	}
	{
		json_t *array = json_array();

		for (size_t i = 0; i < cells.nr; i += 5)
			json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s}",
							       "benchmark", cells.v[i],
							       "unit", cells.v[i + 1],
							       "level", cells.v[i + 2],
							       "about", cells.v[i + 4]));
		out_json(json_pack("{s:o}", "benchmarks", array));
	}
	return 0;
}
