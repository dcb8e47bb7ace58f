// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The forms of a report that need more than its blocks. */
#include "bench/report/page.h"
#include "cli/report/data.h"
#include "core/base/err.h"

/* Draw the page's plots and append it as one HTML file. */
_must_check_ int report_html(struct page *p, struct buf *ret, struct err *e);

/* The document of docs/json.md; a new reference. */
struct json_t *report_json(const struct report_data *d);

/*
 * Checkouts, builds and tests as KCIDB takes them (schema 5.3); a new reference. origin
 * is the submitter's name there, of [a-z0-9_]. What kiln cannot know for sure (URLs, tree
 * names) is left out, as the schema wants it.
 */
struct json_t *report_kcidb(const struct report_data *d, const char *origin);

/*
 * Append a mail that replies to the series of a triage or queue, as `mutt -H` takes it: who wrote
 * the first mail is asked (To), who got it is too (Cc). from is "Name <address>", NULL: a
 * placeholder. tested_by NULL, or the same for a Tested-by line: ERR_UNDECIDED unless
 * everything was measured, proven, and nothing got slower.
 */
_must_check_ int report_mail(const struct report_data *d, const char *from,
			     const char *tested_by, struct buf *ret, struct err *e);
