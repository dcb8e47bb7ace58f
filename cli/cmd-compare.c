// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>

#include "bench/report/report.h"
#include "cli/campaign.h"
#include "cli/cmd.h"
#include "cli/json-campaign.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/run-start.h"

struct compare_cmd_opts {
	struct stage_opts stage;
	struct compare_settings compare;
};

static const struct opt compare_table[] = {
	STAGE_BENCH_ROWS(struct compare_cmd_opts, stage),
	COMPARE_ROWS(struct compare_cmd_opts, compare),
	CAMPAIGN_ROWS(struct compare_cmd_opts, compare),
	STAGE_MACHINE_ROWS(struct compare_cmd_opts, stage),
	{ 0 },
};

static void print_campaign(const struct ctx *c, const struct campaign *campaign)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (c->json) {
		json_t *doc = json_pack("{s:o}", "rows", json_campaign_rows(campaign));

		json_campaign_basis(campaign, doc);
		out_json(doc);
		return;
	}
	report_table(campaign->rows, campaign->nr, campaign->virtual_clock, &text);
	campaign_text(campaign, &text);
	out_text("%s", buf_str(&text));
}

static int compare_two(struct ctx *c, struct run *run, const struct compare_cmd_opts *o,
		       const struct strv *args, struct err *e)
{
	_cleanup_(campaign_release) struct campaign campaign = { 0 };
	_cleanup_lab_ struct lab *lab = NULL;
	struct oid base, patched;

	if (step_resolve(c, run, args->v[0], &base, e) < 0 ||
	    step_resolve(c, run, args->v[1], &patched, e) < 0 ||
	    lab_open(c, run, &o->stage, base.hex, &lab, e) < 0 ||
	    campaign_run(lab, &base, &patched, &o->compare, &campaign, e) < 0)
		return -(int)e->code;
	print_campaign(c, &campaign);
	return campaign_exit_code(&campaign);
}

static int compare_cmd(struct ctx *c, const void *opts, const struct strv *args,
		       struct err *e)
{
	struct run *run;

	if (cli_run(c, &run, e) < 0)
		return -(int)e->code;
	return cli_run_end(c, run, compare_two(c, run, opts, args, e), e);
}

const struct cmd cmd_compare = {
	.name = "compare",
	.summary = "Measure two kernels and say which is faster, and how sure that is",
	.usage = "BASE PATCHED",
	.opts = compare_table,
	.opts_size = sizeof(struct compare_cmd_opts),
	.needs = CMD_STORE | CMD_TREE,
	.min_args = 2,
	.max_args = 2,
	.run = compare_cmd,
};
