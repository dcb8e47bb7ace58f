// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a triage has found so far, and how it is told. */
#include "bench/claims/claims.h"
#include "cli/base-step.h"
#include "cli/bisect/search.h"
#include "cli/campaign.h"
#include "cli/why-step.h"
#include "core/git/apply.h"
#include "core/series/series.h"

struct triage {
	const char *source; /* as typed; borrowed */
	char *onto;	    /* the base by name */
	struct cli_base base;
	struct series *series;
	struct claims claims; /* of the series, what is measured is held against them */
	struct apply_result *apply;
	struct cli_why why; /* when apply failed */
	struct lab *lab;
	struct campaign campaign;
	struct bisection bisection;
	const struct cell *bisect_cell; /* NULL when nothing was bisected */
};

/* The report as text, as far as the triage came. */
void triage_text(const struct triage *t, struct buf *ret);

/* The same as the document of docs/json.md, report included; a new reference. */
struct json_t *triage_json(const struct triage *t);

void triage_release(struct triage *t);
