// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/show-result.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/grid.h"
#include "cli/out.h"
#include "cli/report/data.h"
#include "core/base/alloc.h"

static void rows(const struct report_data *d)
{
	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct comparison *r = &d->rows[i];
		_cleanup_free_ char *change = text_percent(r->change);

		out_text("result: %s in %s %s, %s with %u+%u boots\n", r->benchmark,
			 r->cell->name, verdict_name(r->verdict), change, r->base.boots,
			 r->patched.boots);
	}
}

static void bisection(const struct report_data *d)
{
	const struct bisect_result *r = &d->bisection.result;
	const struct point *p = &d->bisection.space.v[r->culprit];

	if (r->verdict == BISECT_FOUND)
		out_text("result: first %s commit %.12s %s, confidence %.4f\n",
			 d->asked.new, p->commit.hex, p->subject ?: "", r->confidence);
	else
		out_text("result: bisection of '%s': %s\n", d->asked.question,
			 bisect_verdict_name(r->verdict));
}

static void document(const json_t *doc)
{
	const char *title = json_string_value(
		json_object_get(json_object_get(doc, "series"), "title"));
	const char *status = json_string_value(json_object_get(doc, "status"));

	if (title)
		out_text("series: %s\n", title);
	if (json_is_object(json_object_get(json_object_get(doc, "apply"), "failed")))
		out_text("result: does not apply\n");
	if (status)
		out_text("result: queue with %zu patches: %s\n",
			 json_array_size(json_object_get(doc, "patches")), status);
}

void show_result(const struct ctx *c, const char *id)
{
	_cleanup_(report_data_release) struct report_data d = { 0 };
	_cleanup_err_ struct err e = { 0 };

	if (report_data_load(c, id, &d, &e) < 0) {
		out_talk("warning: what came of it cannot be told: %s", e.frame[0]);
		return;
	}
	if (!d.nr_rows && !d.bisected && !d.document)
		return;
	out_text("\n");
	document(d.document);
	rows(&d);
	if (d.bisected)
		bisection(&d);
}
