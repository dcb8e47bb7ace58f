// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Boots of earlier runs in place of new ones. */
#include "cli/campaign.h"

/*
 * Fill c->stored with the proven samples of both kernels that any run has made with what
 * this lab holds fixed: the same binary, target, path, L1 kernel, benchmark, arguments
 * and cells in one boot. ERR_NOT_FOUND when a side has none.
 */
_must_check_ int campaign_take_stored(struct lab *l, struct campaign *c, struct err *e);

/* ERR_NOT_FOUND when one of the commits was never built: then there are none. */
_must_check_ int campaign_check_stored(struct lab *l, const struct oid commits[2],
				       struct err *e);
