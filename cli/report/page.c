// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/report/page.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/report.h"
#include "cli/bisect/chart.h"
#include "cli/json.h"
#include "core/base/alloc.h"

static bool is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:=,+@%^";

	return *word && strspn(word, plain) == strlen(word);
}

char *report_command_line(const struct run_info *info)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_adds(&b, "kiln");
	for (size_t i = 0; i < info->argv.nr; i++) {
		const char *word = info->argv.v[i];

		buf_addc(&b, ' ');
		if (is_plain(word)) {
			buf_adds(&b, word);
			continue;
		}
		buf_addc(&b, '\'');
		for (; *word; word++)
			buf_adds(&b, *word == '\'' ? "'\\''" : (char[]){ *word, '\0' });
		buf_addc(&b, '\'');
	}
	return buf_take(&b);
}

static const char *text_of(const json_t *j, const char *key)
{
	return json_string_value(json_object_get(j, key));
}

static void title(const struct report_data *d, struct page *page)
{
	const json_t *series = json_object_get(d->document, "series");
	_cleanup_free_ char *line = report_command_line(run_info(d->run.run));
	const char *name = text_of(series, "title");

	if (name)
		page_title(page, "%s", name);
	else
		page_title(page, "%s", line);
}

/* Three lines, as a reader of the list wants to know it. */
static void method(const struct report_data *d, struct page *page)
{
	if (d->compared)
		page_text(page,
			  "Method: base and patched kernels boot in turns; a boot counts "
			  "once, "
			  "however many runs are in it. The interval is no narrower than "
			  "the target repeats; p_adj is corrected for the rows of the "
			  "table.");
	if (d->bisected)
		page_text(page,
			  "Method: both ends first, then whichever of %zu commits tells "
			  "most for its cost, by a posterior over all of them and \"no "
			  "change\". A boot counts once, however many runs are in it.",
			  d->bisection.space.nr);
}

static void unlike(const struct report_data *d, struct page *page)
{
	if (d->likeness == ENVIRONMENT_UNLIKE)
		page_warning(page, "the boots measured in unlike environments: %s",
			     d->unlike);
}

static void environment(const struct report_data *d, struct page *page)
{
	if (d->likeness == ENVIRONMENT_FLAGGED)
		page_text(page, "Environment of the boots that measured: %s.", d->unlike);
}

static void reproduce(const struct report_data *d, struct page *page)
{
	const struct run_info *info = run_info(d->run.run);
	_cleanup_free_ char *line = report_command_line(info);
	_cleanup_free_ char *text = xasprintf(
		"%s\nkiln report %s    # kiln " KILN_VERSION "\n", line, info->id);

	page_heading(page, "Reproduce");
	page_lines(page, text);
}

static void state(const struct report_data *d, struct page *page)
{
	const struct run_info *i = run_info(d->run.run);

	if (i->state == RUN_ACTIVE)
		page_warning(page, "the run is %s: this is what it has so far",
			     run_state_word(i));
	else if (i->state == RUN_FAILED)
		page_warning(page,
			     "the run failed with exit code %d: this is as far as "
			     "it came",
			     i->exit_code);
}

void report_page(const struct report_data *d, struct page *page)
{
	title(d, page);
	state(d, page);
	unlike(d, page);
	report_page_numbers(d, page);
	if (d->bisected)
		bisect_page(&d->bisection, &d->asked, page);
	report_page_document(d, page);
	if (!d->compared)
		report_page_samples(d, page);
	report_page_plots(d, page);
	method(d, page);
	environment(d, page);
	report_page_kernels(d, page);
	reproduce(d, page);
}
