// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Everything printed: results to standard output, talk to standard error. */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/strv.h"

struct json_t;

struct column {
	const char *name;
	bool right; /* numbers */
};

/* Rows of nr columns, row-major, as an aligned table with a heading. Cells are made safe.
 */
void out_table(const struct column *cols, size_t nr, const struct strv *cells);

/* One line or block of result text; control characters other than newline and tab become
 * '?'. */
void out_text(const char *fmt, ...) _printf_(1, 2);

/* One line of talk on standard error. */
void out_talk(const char *fmt, ...) _printf_(1, 2);

/* Seconds as a person says them, rounded up: "35 s", "4 min", "2.5 h". Owned by the
 * caller. */
_must_check_ char *out_duration(double seconds);

/* The one JSON document of `--json`; takes the reference over. */
void out_json(struct json_t *doc);

/* An error as lines (error:, cause:, hint:) on standard error, or as a document with
 * --json. */
void out_error(const struct err *e, bool json);

/* Flush standard output; ERR_IO when the result could not be written (full disk, closed
 * pipe). */
_must_check_ int out_flush(struct err *e);

/* A progress line on standard error when it is a terminal, else NULL. Static storage. */
const struct progress *out_progress(void);

/* Remove the progress line before other output. */
void out_progress_clear(void);
