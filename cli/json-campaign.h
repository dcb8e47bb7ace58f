// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A campaign as the JSON that docs/json.md describes. */
#include "cli/campaign.h"

struct json_t;

/* Set builds, boots, samples and rows, as far as the campaign came. */
void json_campaign(const struct campaign *c, struct json_t *doc);
