// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A campaign as the JSON that docs/json.md describes. */
#include "cli/campaign.h"

struct json_t;

/* The rows with what is known of the target's noise; a new reference. */
struct json_t *json_campaign_rows(const struct campaign *c);

/* Set what the rows rest on: order, clock, and what forbids or ended it. */
void json_campaign_basis(const struct campaign *c, struct json_t *doc);

/* Set builds, boots, samples and rows, as far as the campaign came. */
void json_campaign(const struct campaign *c, struct json_t *doc);
