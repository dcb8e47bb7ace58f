// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A bisection as blocks of a report, with its plots. */
#include "bench/report/page.h"
#include "cli/bisect/print.h"

/* Append all of it. */
void bisect_page(const struct bisection *b, const struct bisect_asked *asked,
		 struct page *page);

/* Append the plot of the posterior by commit, and the one of the measured values by
 * commit: each boot a dot, means with their 95 % intervals where there is more than one
 * boot. Nothing when there is nothing to draw. */
void chart_posterior(const struct bisection *b, struct page *page);
void chart_values(const struct bisection *b, struct page *page);

/* Append the posterior as cells of a bar for a terminal, the likeliest commit of each. */
void chart_bar(const struct bisection *b, unsigned int cells, struct buf *ret);
