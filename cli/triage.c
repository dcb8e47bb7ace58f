// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/triage.h"

#include <jansson.h>
#include <stdlib.h>

#include "bench/claims/compare.h"
#include "bench/report/report.h"
#include "cli/bisect/report.h"
#include "cli/json-apply.h"
#include "cli/json-campaign.h"
#include "cli/json-claims.h"
#include "cli/bisect/json.h"
#include "cli/json-series.h"
#include "cli/json.h"
#include "core/base/alloc.h"

/* The boots of a campaign side by side, as the report counts them; contents borrowed. */
static struct boot_record *campaign_boots(const struct campaign *c)
{
	struct boot_record *boots = xcalloc(c->shots.nr, sizeof(*boots));

	for (size_t i = 0; i < c->shots.nr; i++)
		boots[i] = c->shots.v[i].boot;
	return boots;
}

static size_t fill_kernels(const struct campaign *c, struct report_kernel kernels[2])
{
	_cleanup_free_ struct boot_record *boots = campaign_boots(c);
	size_t nr = 0, nr_boots = 0;

	while (nr_boots < c->shots.nr && boots[nr_boots].status)
		nr_boots++;
	if (c->base.build.status)
		report_kernel_fill("base", &c->base.build, boots, nr_boots,
				   &kernels[nr++]);
	if (c->patched.build.status)
		report_kernel_fill("patched", &c->patched.build, boots, nr_boots,
				   &kernels[nr++]);
	return nr;
}

/* What the series claims, against the campaign. Owned by the caller, borrows t. */
static struct claim_check *check_claims(const struct triage *t, size_t *ret_nr)
{
	const struct claim_lab lab = { .rows = t->campaign.rows,
				       .nr_rows = t->campaign.nr,
				       .virtual_clock = t->campaign.virtual_clock };

	return claims_check(&t->claims, &lab, ret_nr);
}

void triage_text(const struct triage *t, struct buf *ret)
{
	_cleanup_(bisect_view_release) struct bisect_view view = { 0 };
	_cleanup_free_ struct claim_check *checks = NULL;
	struct report_kernel kernels[2];
	struct report r = {
		.source = t->source,
		.series = t->series,
		.onto = t->onto,
		.apply = t->apply,
		.kernels = kernels,
		.nr_kernels = fill_kernels(&t->campaign, kernels),
		.accel = t->lab ? lab_accel(t->lab) : NULL,
		.virtual_clock = t->campaign.virtual_clock,
		.rows = t->campaign.rows,
		.nr_rows = t->campaign.nr,
	};

	if (r.nr_rows)
		r.claims = checks = check_claims(t, &r.nr_claims);
	if (t->bisect_cell) {
		bisect_view_fill(&view, &t->bisection, lab_bench(t->lab), t->bisect_cell);
		bisect_view_number(&view, t->series, t->apply);
		r.bisect = &view.report;
	}
	report_text(&r, ret);
	if (t->apply && t->apply->failed) {
		buf_addc(ret, '\n');
		cli_why_text(&t->why, t->series, t->apply, ret);
	}
}

static json_t *apply_json(const struct triage *t)
{
	json_t *doc;

	if (!t->apply)
		return json_null();
	doc = json_apply(t->apply, &t->base.choice);
	cli_why_json(&t->why, t->series, t->apply, doc);
	return doc;
}

static json_t *claims_json(const struct triage *t)
{
	size_t nr;
	_cleanup_free_ struct claim_check *checks = check_claims(t, &nr);

	return json_claim_checks(checks, nr);
}

json_t *triage_json(const struct triage *t)
{
	json_t *doc = json_object();
	_cleanup_buf_ struct buf text = BUF_INIT;

	triage_text(t, &text);
	json_object_set_new(doc, "series",
			    t->series ? json_series(t->series) : json_null());
	json_object_set_new(doc, "apply", apply_json(t));
	json_campaign(&t->campaign, doc);
	json_object_set_new(doc, "claims", claims_json(t));
	json_object_set_new(doc, "bisect",
			    t->bisect_cell ? json_bisection(&t->bisection) : json_null());
	json_object_set_new(doc, "report", json_text(buf_str(&text)));
	return doc;
}

void triage_release(struct triage *t)
{
	bisection_release(&t->bisection);
	campaign_release(&t->campaign);
	lab_free(t->lab);
	apply_result_free(t->apply);
	cli_why_release(&t->why);
	cli_base_release(&t->base);
	claims_release(&t->claims);
	series_free(t->series);
	free(t->onto);
}
