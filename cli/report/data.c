// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/report/data.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/spec.h"
#include "cli/bisect/memory.h"
#include "cli/cmd.h"
#include "core/base/alloc.h"

int report_keep_document(struct run *r, const struct json_t *doc, struct err *e)
{
	json_t *copy = json_copy((struct json_t *)(uintptr_t)doc);
	_cleanup_free_ char *text = NULL;

	/* these the store has already, and the text is made anew */
	json_object_del(copy, "builds");
	json_object_del(copy, "boots");
	json_object_del(copy, "samples");
	json_object_del(copy, "report");
	text = json_dumps(copy, JSON_COMPACT | JSON_REAL_PRECISION(10));
	json_decref(copy);
	return run_set(r, REPORT_DOCUMENT, text ?: "null", e);
}

const char *report_side(const struct report_data *d, const struct oid *commit)
{
	if (d->compared && oid_equal(commit, &d->sides.base))
		return "base";
	if (d->compared && oid_equal(commit, &d->sides.patched))
		return "patched";
	return "kernel";
}

static int load_document(struct report_data *d, struct err *e)
{
	const char *text = run_data_fact(&d->run, REPORT_DOCUMENT);

	if (!text)
		return 0;
	d->document = json_loads(text, 0, NULL);
	if (!json_is_object(d->document))
		return err_set(e, ERR_STORE, "the document of run %s is damaged",
			       run_id(d->run.run));
	return 0;
}

/* Samples of one side. Contents copied. */
static void side_samples(const struct report_data *d, const struct oid *commit,
			 struct samples *ret)
{
	for (size_t i = 0; i < d->run.samples.nr; i++) {
		struct samples one = { &d->run.samples.v[i], 1 };

		if (oid_equal(&d->run.samples.v[i].commit, commit))
			samples_copy(&one, ret);
	}
}

static bool has_row(const struct report_data *d, const struct sample *s)
{
	for (size_t i = 0; i < d->nr_rows; i++)
		if (!strcmp(d->rows[i].benchmark, s->benchmark) &&
		    !strcmp(d->rows[i].cell->l0, s->l0) &&
		    !strcmp(d->rows[i].cell->l1, s->l1))
			return true;
	return false;
}

static const struct cell *sample_cell(const struct sample *s)
{
	return s->l0 && s->l1 ? cell_of(s->l0, s->l1) : NULL;
}

/* The benchmark of that name, as measured; NULL, and among the unknown, when it is no more.
 */
static const struct benchmark *bench_of(struct report_data *d, const char *name)
{
	_cleanup_err_ struct err ignored = { 0 };
	struct benchmark *b;

	for (size_t i = 0; i < d->nr_benches; i++)
		if (!strcmp(d->benches[i]->name, name))
			return d->benches[i];
	if (strchr(name, '#')) /* a counter beside it */
		return NULL;
	if (bench_open(name, d->cfg, &b, &ignored) < 0) {
		if (!strv_has(&d->unknown, name))
			strv_add(&d->unknown, name);
		return NULL;
	}
	*array_push(d->benches, d->nr_benches) = b;
	return b;
}

/* One row for each benchmark and cell, in the order they were measured. */
static int compare_rows(struct report_data *d, struct err *e)
{
	_cleanup_samples_ struct samples base = SAMPLES_INIT, patched = SAMPLES_INIT;
	struct compare_opts o = d->sides.opts;

	side_samples(d, &d->sides.base, &base);
	side_samples(d, &d->sides.patched, &patched);
	for (size_t i = 0; i < d->run.samples.nr; i++) {
		const struct sample *s = &d->run.samples.v[i];
		const struct benchmark *b = bench_of(d, s->benchmark);
		const struct cell *cell = sample_cell(s);
		struct comparison row;

		if (!b || !cell || has_row(d, s))
			continue;
		if (!run_data_noise(&d->run, b->name, cell, &o.noise))
			o.noise = (struct known_noise){ 0 };
		if (compare_cell(b, cell, &base, &patched, &o, &row, e) < 0)
			return err_wrap(e, "cannot compare cell %s", cell->name);
		*array_push(d->rows, d->nr_rows) = row;
	}
	if (d->nr_rows)
		compare_adjust(d->rows, d->nr_rows, &d->sides.opts);
	return 0;
}

static bool has_bisected(const struct report_data *d)
{
	return run_data_fact(&d->run, "bisect.engine");
}

static int load_bisection(struct report_data *d, struct err *e)
{
	struct benchmark *bench = NULL;

	if (memory_log(d->run.run, &d->log, e) < 0 ||
	    bisect_asked_read(d->log.question, &d->asked, &bench, e) < 0)
		return -(int)e->code;
	if (bench)
		*array_push(d->benches, d->nr_benches) = bench;
	d->asked.question = d->log.question;
	d->asked.old = d->log.old;
	d->asked.new = d->log.new;
	if (search_replay(&d->log, &d->bisection, NULL, e) < 0)
		return err_wrap(e, "cannot read the bisection of run %s",
				run_id(d->run.run));
	d->bisection.virtual_clock = d->virtual_clock;
	d->bisected = true;
	return 0;
}

/* Boots that measured, by their L0's paging; the others differ on purpose. */
static void hold_environments(struct report_data *d)
{
	_cleanup_free_ struct measured_with *v = xcalloc(d->run.nr_boots, sizeof(*v));
	size_t nr = 0;

	for (size_t i = 0; i < d->run.nr_boots; i++) {
		const struct boot_record *b = &d->run.boots[i];

		if (*run_data_paging(&d->run, b->token))
			v[nr++] = (struct measured_with){
				b->environment,
				b->accel,
				run_data_paging(&d->run, b->token),
				report_side(d, &b->commit),
			};
	}
	d->likeness = environments_alike(v, nr, &d->unlike);
}

int report_data_load(const struct ctx *c, const char *id, struct report_data *ret,
		     struct err *e)
{
	_cleanup_(report_data_release) struct report_data d = { .cfg = c->cfg };

	if (run_data_load(c->store, id, &d.run, e) < 0 || load_document(&d, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < d.run.nr_boots; i++)
		d.virtual_clock |= d.run.boots[i].accel &&
				   !strcmp(d.run.boots[i].accel, "tcg");
	d.compared = run_data_sides(&d.run, &d.sides);
	if (d.compared && compare_rows(&d, e) < 0)
		return -(int)e->code;
	if (has_bisected(&d) && load_bisection(&d, e) < 0)
		return -(int)e->code;
	hold_environments(&d);
	*ret = d;
	d = (struct report_data){ 0 };
	return 0;
}

void report_data_release(struct report_data *d)
{
	json_decref(d->document);
	free(d->rows);
	for (size_t i = 0; i < d->nr_benches; i++)
		bench_free(d->benches[i]);
	free(d->benches);
	free(d->unlike);
	strv_release(&d->unknown);
	bisection_release(&d->bisection);
	bisect_log_release(&d->log);
	run_data_release(&d->run);
	*d = (struct report_data){ 0 };
}
