// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A report's blocks, whatever its run was: the numbers first, then what they rest on. */
#include "bench/report/page.h"
#include "cli/report/data.h"

/* Append all of it to page; strings are copied. */
void report_page(const struct report_data *d, struct page *page);

/* Parts of it, in files of their own: each appends its blocks, or none where the run has
 * nothing of the kind. */
void report_page_numbers(const struct report_data *d, struct page *page);
void report_page_plots(const struct report_data *d, struct page *page);
void report_page_samples(const struct report_data *d, struct page *page);
void report_page_document(const struct report_data *d, struct page *page);
void report_page_kernels(const struct report_data *d, struct page *page);

/* The run's command line as a shell takes it. Owned by the caller. */
_must_check_ char *report_command_line(const struct run_info *i);
