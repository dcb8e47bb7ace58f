// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json-campaign.h"

#include <jansson.h>

#include "cli/json-compare.h"
#include "cli/json.h"

static void add_shots(const struct shots *s, json_t *boots, json_t *samples)
{
	for (size_t i = 0; i < s->nr; i++) {
		if (!s->v[i].boot.status)
			continue; /* not reached */
		json_array_append_new(boots, json_boot(&s->v[i].boot));
		for (size_t k = 0; k < s->v[i].samples.nr; k++)
			json_array_append_new(samples,
					      json_sample(&s->v[i].samples.v[k]));
	}
}

static json_t *campaign_builds(const struct campaign *c)
{
	json_t *builds = json_array();

	if (c->base.build.status)
		json_array_append_new(builds, json_build(&c->base.build));
	if (c->patched.build.status)
		json_array_append_new(builds, json_build(&c->patched.build));
	return builds;
}

json_t *json_campaign_rows(const struct campaign *c)
{
	json_t *rows = json_comparison_rows(c->rows, c->nr);

	for (size_t i = 0; i < c->nr; i++)
		json_object_set_new(json_array_get(rows, i), "noise",
				    noise_json(&c->noise[i]));
	return rows;
}

void json_campaign_basis(const struct campaign *c, json_t *doc)
{
	json_object_set_new(doc, "seed",
			    c->seed ? json_integer((json_int_t)c->seed) : json_null());
	json_object_set_new(doc, "clock",
			    json_string(c->virtual_clock ? "virtual" : "host"));
	json_object_set_new(doc, "same_code", json_boolean(c->same_code));
	json_object_set_new(doc, "out_of_time", json_boolean(c->out_of_time));
}

void json_campaign(const struct campaign *c, json_t *doc)
{
	json_t *boots = json_array(), *samples = json_array();

	add_shots(&c->shots, boots, samples);
	json_object_set_new(doc, "builds", campaign_builds(c));
	json_object_set_new(doc, "boots", boots);
	json_object_set_new(doc, "samples", samples);
	json_object_set_new(doc, "rows", json_campaign_rows(c));
}
