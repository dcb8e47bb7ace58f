// SPDX-License-Identifier: GPL-3.0-or-later
/* What a triage or the checks of a queue found besides numbers, out of their document. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report/grid.h"
#include "cli/report/page.h"
#include "core/base/alloc.h"

static const char *text_of(const json_t *j, const char *key)
{
	return json_string_value(json_object_get(j, key)) ?: "";
}

static void series(const json_t *s, struct page *page)
{
	long long total = json_integer_value(json_object_get(s, "total"));

	if (!json_is_object(s))
		return;
	page_text(page, "Series: %lld patch%s, revision %lld, Message-ID: <%s>.", total,
		  total == 1 ? "" : "es",
		  (long long)json_integer_value(json_object_get(s, "revision")),
		  text_of(s, "message_id"));
}

static void apply(const json_t *a, struct page *page)
{
	const json_t *failed = json_object_get(a, "failed");

	if (json_is_object(failed))
		page_warning(
			page, "patch %lld does not apply: %s: %s: %s",
			(long long)json_integer_value(json_object_get(failed, "number")),
			text_of(failed, "subject"), text_of(failed, "path"),
			text_of(failed, "reason"));
	else if (json_is_object(a))
		page_text(page, "Applied: all of it, on %.12s.", text_of(a, "base"));
}

static char *percent_of(const json_t *j, const char *key)
{
	const json_t *v = json_object_get(j, key);

	return json_is_number(v) ? text_percent(json_number_value(v)) : xstrdup("n/a");
}

static void claims(const json_t *list, struct page *page)
{
	struct strv *cells;
	json_t *c;
	size_t i;

	if (!json_array_size(list))
		return;
	page_heading(page, "Claimed against measured");
	cells = page_table(page, "lrrll");
	strv_addl(cells, "claim", "claimed", "measured", "verdict", "reason", NULL);
	json_array_foreach((json_t *)(uintptr_t)list, i, c)
	{
		const char *name = text_of(c, "benchmark");

		strv_add(cells, *name ? name : text_of(c, "metric"));
		strv_take(cells, percent_of(c, "claimed"));
		strv_take(cells, percent_of(c, "measured"));
		strv_add(cells, text_of(c, "verdict"));
		strv_add(cells, text_of(c, "reason"));
	}
}

static void add_findings(const json_t *list, const char *of, struct strv *cells)
{
	json_t *f;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)list, i, f)
	{
		strv_addl(cells, text_of(f, "severity"), text_of(f, "check"), of,
			  text_of(f, "text"), NULL);
	}
}

static void queue(const json_t *doc, struct page *page)
{
	const json_t *patches = json_object_get(doc, "patches");
	const json_t *base = json_object_get(doc, "base");
	struct strv *cells;
	json_t *p;
	size_t i;

	page_text(page, "Queue %s on %s (%.12s): %zu patches, %s.", text_of(doc, "queue"),
		  text_of(base, "rev"), text_of(base, "commit"), json_array_size(patches),
		  text_of(doc, "status"));
	page_heading(page, "Findings");
	cells = page_table(page, "llll");
	strv_addl(cells, "severity", "check", "patch", "finding", NULL);
	add_findings(json_object_get(doc, "findings"), "-", cells);
	json_array_foreach((json_t *)(uintptr_t)patches, i, p)
	{
		const char *name = text_of(p, "file");

		add_findings(json_object_get(p, "findings"),
			     *name ? name : text_of(p, "subject"), cells);
	}
	if (cells->nr == 4)
		strv_addl(cells, "-", "-", "-", "none", NULL);
	json_array_foreach(json_object_get(doc, "unchecked"), i, p)
	{
		page_text(page, "Not checked: %s: %s.", text_of(p, "check"),
			  text_of(p, "reason"));
	}
}

void report_page_document(const struct report_data *d, struct page *page)
{
	const json_t *doc = d->document;

	if (!doc)
		return;
	series(json_object_get(doc, "series"), page);
	apply(json_object_get(doc, "apply"), page);
	claims(json_object_get(doc, "claims"), page);
	if (json_object_get(doc, "patches"))
		queue(doc, page);
}
