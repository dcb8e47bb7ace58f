// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <stdlib.h>

#include "bench/claims/claims.h"
#include "cli/cmd.h"
#include "cli/json-claims.h"
#include "cli/json-series.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/series-summary.h"
#include "cli/source.h"
#include "core/base/alloc.h"

struct claims_opts {
	struct cli_source_opts source;
};

static const struct opt claims_table[] = {
	SOURCE_OPTS(struct claims_opts, source),
	{ 0 },
};

static void add_value(struct strv *cells, bool has, double v, const char *unit)
{
	if (has)
		strv_addf(cells, "%.12g%s%s", v, *unit && *unit != '%' ? " " : "", unit);
	else
		strv_add(cells, "");
}

static void add_row(const struct claim *c, struct strv *cells)
{
	_cleanup_strv_ struct strv remarks = STRV_INIT;

	if (c->number)
		strv_addf(cells, "%d:%u", c->number, c->line);
	else
		strv_addf(cells, "cover:%u", c->line);
	if (*c->metric && *c->label)
		strv_addf(cells, "%s, %s", c->metric, c->label);
	else
		strv_add(cells, *c->metric ? c->metric : *c->label ? c->label : "-");
	add_value(cells, c->has_base, c->base, c->unit);
	add_value(cells, c->has_patched, c->patched, c->unit);
	strv_take(cells, claim_change_text(c));
	if (c->has_recomputed)
		strv_addf(cells, "%+.2f%%", 100 * c->recomputed);
	else
		strv_add(cells, "");
	claim_remarks(c, &remarks);
	strv_take(cells, strv_join(&remarks, "; "));
}

static void print_claims(const struct claims *found)
{
	static const struct column cols[] = {
		{ "WHERE", false },  { "METRIC", false }, { "BASE", true },
		{ "PATCHED", true }, { "CLAIMED", true }, { "RECOMPUTED", true },
		{ "NOTES", false },
	};
	_cleanup_strv_ struct strv cells = STRV_INIT;

	if (!found->nr) {
		out_text("no benchmark claims\n");
		return;
	}
	for (size_t i = 0; i < found->nr; i++)
		add_row(&found->v[i], &cells);
	out_table(cols, ARRAY_SIZE(cols), &cells);
}

static json_t *document(const struct claims *found, const struct series *s)
{
	return json_pack("{s:o, s:o, s:i, s:i}", "series", json_series(s), "claims",
			 json_claims(found, s), "wrong", claims_wrong(found), "misfits",
			 (int)found->misfits);
}

static int claims_run(struct ctx *c, const void *opts, const struct strv *args,
		      struct err *e)
{
	const struct claims_opts *o = opts;
	_cleanup_claims_ struct claims found = CLAIMS_INIT;
	_cleanup_series_ struct series *s = NULL;

	if (cli_series(c, &o->source, args, NULL, NULL, &s, e) < 0)
		return -(int)e->code;
	claims_of_series(s, &found);
	if (c->json)
		out_json(document(&found, s));
	else
		print_claims(&found);
	if (s->nr_missing && !c->quiet) {
		_cleanup_free_ char *missing = number_ranges(s->missing, s->nr_missing);

		out_talk("kiln: missing patches: %s", missing);
	}
	if (found.misfits && !c->quiet)
		out_talk("kiln: rows of tables that do not fit their heading: %u, the "
			 "first in line %u of its message",
			 found.misfits, found.misfit_line);
	return claims_wrong(&found) ? 1 : 0;
}

const struct cmd cmd_claims = {
	.name = "claims",
	.summary = "Benchmark results that a series claims, and whether they add up",
	.usage = "SOURCE...",
	.opts = claims_table,
	.opts_size = sizeof(struct claims_opts),
	.min_args = 1,
	.max_args = -1,
	.run = claims_run,
};
