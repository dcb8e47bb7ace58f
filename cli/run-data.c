// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/run-data.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

#define SIDES "compare.sides"

int run_data_load(struct store *s, const char *id, struct run_data *ret, struct err *e)
{
	_cleanup_(run_data_release) struct run_data d = { 0 };

	if (run_open(s, id, &d.run, e) < 0)
		return -(int)e->code;
	id = run_id(d.run);
	if (run_facts(d.run, &d.facts, e) < 0 || run_journal(d.run, &d.journal, e) < 0 ||
	    store_builds(s, id, &d.builds, &d.nr_builds, e) < 0 ||
	    store_boots(s, id, &d.boots, &d.nr_boots, e) < 0 ||
	    store_samples(s, id, NULL, &d.samples, e) < 0)
		return err_wrap(e, "cannot read run %s", id);
	*ret = d;
	d = (struct run_data){ 0 };
	return 0;
}

void run_data_release(struct run_data *d)
{
	for (size_t i = 0; i < d->nr_builds; i++)
		build_record_release(&d->builds[i]);
	for (size_t i = 0; i < d->nr_boots; i++)
		boot_record_release(&d->boots[i]);
	free(d->builds);
	free(d->boots);
	samples_release(&d->samples);
	strv_release(&d->facts);
	strv_release(&d->journal);
	run_free(d->run);
	*d = (struct run_data){ 0 };
}

const char *run_data_fact(const struct run_data *d, const char *key)
{
	for (size_t i = 0; i + 1 < d->facts.nr; i += 2)
		if (!strcmp(d->facts.v[i], key))
			return d->facts.v[i + 1];
	return NULL;
}

const char *run_data_paging(const struct run_data *d, const char *token)
{
	for (size_t i = 0; i < d->samples.nr; i++)
		if (!strcmp(d->samples.v[i].token, token))
			return d->samples.v[i].l0 ?: "";
	return "";
}

static char *subject_key(const struct oid *commit)
{
	return xasprintf("commit.%s", commit->hex);
}

int run_keep_subject(struct run *r, const struct oid *commit, const char *subject,
		     struct err *e)
{
	_cleanup_free_ char *key = subject_key(commit);

	return run_set(r, key, subject ?: "", e);
}

const char *run_data_subject(const struct run_data *d, const struct oid *commit)
{
	_cleanup_free_ char *key = subject_key(commit);

	return run_data_fact(d, key) ?: "";
}

int run_keep_sides(struct run *r, const struct run_sides *s, struct err *e)
{
	_cleanup_free_ char *text = xasprintf("%s %s %.17g %.17g %zu %d", s->base.hex,
					      s->patched.hex, s->opts.same_within,
					      s->opts.confidence, s->opts.rows,
					      (int)s->opts.sequential);

	return run_set(r, SIDES, text, e);
}

static char *noise_key(const char *benchmark, const struct cell *cell)
{
	return xasprintf("compare.noise %s %s", benchmark, cell->name);
}

int run_keep_noise(struct run *r, const char *benchmark, const struct cell *cell,
		   const struct known_noise *n, struct err *e)
{
	_cleanup_free_ char *key = noise_key(benchmark, cell);
	_cleanup_free_ char *text = xasprintf("%.17g %.17g %.17g %.17g", n->boot_sd,
					      n->boot_df, n->build_sd, n->build_df);

	return run_set(r, key, text, e);
}

static bool read_oid(const char *word, struct oid *ret)
{
	if (!word || strlen(word) != sizeof(ret->hex) - 1 ||
	    !parse_is_hex(word, sizeof(ret->hex) - 1))
		return false;
	memcpy(ret->hex, word, sizeof(ret->hex));
	return true;
}

static bool read_number(const char *word, double *ret)
{
	return word && parse_double(word, ret);
}

bool run_data_sides(const struct run_data *d, struct run_sides *ret)
{
	_cleanup_free_ char *text = xstrdup(run_data_fact(d, SIDES));
	char *rest = text;
	double rows, sequential;

	if (!text || !read_oid(strsep(&rest, " "), &ret->base) ||
	    !read_oid(strsep(&rest, " "), &ret->patched) ||
	    !read_number(strsep(&rest, " "), &ret->opts.same_within) ||
	    !read_number(strsep(&rest, " "), &ret->opts.confidence) ||
	    !read_number(strsep(&rest, " "), &rows) ||
	    !read_number(strsep(&rest, " "), &sequential) || !(rows >= 0 && rows < 1e6))
		return false;
	ret->opts.rows = (size_t)rows;
	ret->opts.sequential = sequential > 0;
	return true;
}

bool run_data_noise(const struct run_data *d, const char *benchmark,
		    const struct cell *cell, struct known_noise *ret)
{
	_cleanup_free_ char *key = noise_key(benchmark, cell);
	_cleanup_free_ char *text = xstrdup(run_data_fact(d, key));
	char *rest = text;

	return text && read_number(strsep(&rest, " "), &ret->boot_sd) &&
	       read_number(strsep(&rest, " "), &ret->boot_df) &&
	       read_number(strsep(&rest, " "), &ret->build_sd) &&
	       read_number(strsep(&rest, " "), &ret->build_df);
}
