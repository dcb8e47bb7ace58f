// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Plots of a page as SVG, drawn by gnuplot. */
#include "bench/report/page.h"
#include "core/base/err.h"

/*
 * Draw every plot of the page; dir holds the scripts. One that cannot be drawn, because
 * there is no gnuplot or it fails, says so in its place: that is no error. ERR_IO when
 * the data cannot be written, ERR_INTERRUPTED.
 */
_must_check_ int page_draw(struct page *p, const char *dir, struct err *e);

/*
 * gnuplot's SVG as it goes into a document that has others: without prolog, description
 * and filters, its ids led by "pN-". Owned by the caller; NULL when it is no SVG or holds
 * what a drawing has no use for (a script, a reference outside of it).
 */
_must_check_ char *plot_inline(const char *svg, size_t number, const char *title);
