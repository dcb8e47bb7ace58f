// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>

#include "cli/bisect/json.h"
#include "cli/json-compare.h"
#include "cli/json.h"
#include "cli/report/forms.h"
#include "cli/report/page.h"
#include "core/base/alloc.h"

static json_t *kernels(const struct report_data *d)
{
	json_t *list = json_array();

	for (size_t i = 0; i < d->run.nr_builds; i++) {
		const struct build_record *b = &d->run.builds[i];
		json_t *k = json_build(b);

		json_object_set_new(k, "side", json_string(report_side(d, &b->commit)));
		json_object_set_new(k, "subject",
				    json_text(run_data_subject(&d->run, &b->commit)));
		json_array_append_new(list, k);
	}
	return list;
}

static json_t *boots(const struct report_data *d)
{
	json_t *list = json_array();

	for (size_t i = 0; i < d->run.nr_boots; i++)
		json_array_append_new(list, json_boot(&d->run.boots[i]));
	return list;
}

static const char *likeness_word(enum likeness l)
{
	static const char *const words[] = { [ENVIRONMENT_ALIKE] = "alike",
					     [ENVIRONMENT_FLAGGED] = "flagged",
					     [ENVIRONMENT_UNLIKE] = "unlike" };

	return words[l];
}

json_t *report_json(const struct report_data *d)
{
	_cleanup_free_ char *line = report_command_line(run_info(d->run.run));
	json_t *document = d->document ? json_incref(d->document) : json_null();
	json_t *environment = json_pack("{s:s, s:o}", "likeness",
					likeness_word(d->likeness), "reason",
					json_text(d->unlike));

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "run",
			 json_run(run_info(d->run.run)), "builds", kernels(d), "boots",
			 boots(d), "samples", json_samples(&d->run.samples), "rows",
			 json_comparison_rows(d->rows, d->nr_rows), "bisect",
			 d->bisected ? json_bisection(&d->bisection) : json_null(),
			 "environment", environment, "reproduce", line, "document",
			 document);
}
