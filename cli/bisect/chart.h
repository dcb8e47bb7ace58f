// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A bisection as one HTML file for a browser or a mail: no scripts, nothing loaded from
 * elsewhere, plots as SVG inside. All foreign text is escaped.
 */
#include "cli/bisect/print.h"

/* Append the document. */
void bisect_html(const struct bisection *b, const struct bisect_asked *asked,
		 struct buf *ret);

/* Append an SVG of the posterior by commit, and one of the measured values by commit:
 * each boot a dot, means with their 95 % intervals where there is more than one boot. */
void chart_posterior(const struct bisection *b, struct buf *ret);
void chart_values(const struct bisection *b, struct buf *ret);

/* Append text as HTML and XML take it; controls become '?'. NULL is "". */
void html_add(struct buf *ret, const char *text);

/* Append the posterior as cells of a bar for a terminal, the likeliest commit of each. */
void chart_bar(const struct bisection *b, unsigned int cells, struct buf *ret);
