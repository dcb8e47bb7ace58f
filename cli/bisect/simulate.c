// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/simulate.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/bisect/simulate.h"

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static void print_json(const char *text, const struct sim_spec *s,
		       const struct sim_result *r)
{
	json_t *doc = json_pack("{s:s, s:I, s:I}", "spec", text, "trials",
				(json_int_t)r->trials, "seed", (json_int_t)s->seed);

	json_object_set_new(doc, "right", number(r->right));
	json_object_set_new(doc, "declared", number(r->declared));
	json_object_set_new(doc, "right_declared", number(r->right_declared));
	json_object_set_new(doc, "no_change", number(r->no_change));
	json_object_set_new(doc, "second_change", number(r->second));
	json_object_set_new(doc, "verified", number(r->verified));
	json_object_set_new(doc, "builds", number(r->builds));
	json_object_set_new(doc, "boots", number(r->boots));
	json_object_set_new(doc, "runs", number(r->runs));
	json_object_set_new(doc, "hours", number(r->hours));
	out_json(doc);
}

static void add_share(struct strv *cells, double share)
{
	_cleanup_free_ char *text = isfinite(share) ? xasprintf("%.1f %%", share * 100)
						    : xstrdup("-");

	strv_add(cells, text);
}

static void add_mean(struct strv *cells, double mean, int digits)
{
	_cleanup_free_ char *text = xasprintf("%.*f", digits, mean);

	strv_add(cells, text);
}

static void print_table(const char *text, const struct sim_result *r)
{
	static const struct column cols[] = {
		{ "right", true },  { "declared", true }, { "right of these", true },
		{ "builds", true }, { "boots", true },	  { "runs", true },
		{ "hours", true },
	};
	struct strv cells = { 0 };

	out_text("%s\n\n", text);
	add_share(&cells, r->right);
	add_share(&cells, r->declared);
	add_share(&cells, r->right_declared);
	add_mean(&cells, r->builds, 1);
	add_mean(&cells, r->boots, 1);
	add_mean(&cells, r->runs, 1);
	add_mean(&cells, r->hours, 2);
	out_table(cols, ARRAY_SIZE(cols), &cells);
	strv_release(&cells);
	if (r->no_change > 0)
		out_text("\"No change\" was the answer in %.1f %%.\n",
			 r->no_change * 100);
	if (r->second > 0)
		out_text("A second change was reported in %.1f %%.\n", r->second * 100);
}

int bisect_simulate(const char *spec, bool json, struct err *e)
{
	_cleanup_free_ char *text = NULL;
	struct sim_result r;
	struct sim_spec s;

	if (sim_parse(spec, &s, e) < 0 || sim_run(&s, &r, e) < 0)
		return err_wrap(e, "cannot simulate '%s'", spec);
	text = sim_text(&s);
	if (json)
		print_json(text, &s, &r);
	else
		print_table(text, &r);
	return 0;
}
