// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside core/store only: rows of samples to records. */
#include "core/store/sql.h"
#include "core/store/store.h"

/* Append the samples of a query that is under way; ret is as it was on failure. */
_must_check_ int results_samples(struct store *s, enum sql q, struct samples *ret,
				 struct err *e);
