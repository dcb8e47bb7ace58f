// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/out.h"

#include <errno.h>
#include <jansson.h>
#include <libsmartcols.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/safe.h"

void out_text(const char *fmt, ...)
{
	_cleanup_free_ char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	fputs(safe_text(s, true), stdout);
}

void out_talk(const char *fmt, ...)
{
	_cleanup_free_ char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	out_progress_clear();
	fprintf(stderr, "%s\n", safe_text(s, true));
}

void out_table(const struct column *cols, size_t nr, const struct strv *cells)
{
	struct libscols_table *t = scols_new_table();

	if (!t)
		abort();
	for (size_t i = 0; i < nr; i++)
		scols_table_new_column(t, cols[i].name, 0,
				       cols[i].right ? SCOLS_FL_RIGHT : 0);
	for (size_t i = 0; i + nr <= cells->nr; i += nr) {
		struct libscols_line *line = scols_table_new_line(t, NULL);

		for (size_t k = 0; k < nr; k++) {
			_cleanup_free_ char *s =
				safe_text(xstrdup(cells->v[i + k]), true);

			scols_line_set_data(line, k, s);
		}
	}
	scols_table_enable_nowrap(t, 1);
	scols_print_table(t);
	scols_unref_table(t);
}

char *out_duration(double seconds)
{
	if (seconds < 120)
		return xasprintf("%.0f s", ceil(seconds));
	if (seconds < 7200)
		return xasprintf("%.0f min", ceil(seconds / 60));
	return xasprintf("%.1f h", seconds / 3600);
}

void out_json(struct json_t *doc)
{
	json_dumpf(doc, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
	fputc('\n', stdout);
	json_decref(doc);
}

static void error_json(const struct err *e)
{
	json_t *causes = json_array();

	for (unsigned int i = e->nr > 0 ? e->nr - 1 : 0; i-- > 0;)
		json_array_append_new(causes, json_string(e->frame[i]));
	out_json(json_pack("{s:{s:s, s:s, s:o, s:s?}}", "error", "code",
			   err_word(e->code), "message", e->nr ? e->frame[e->nr - 1] : "",
			   "causes", causes, "hint", e->hint));
}

void out_error(const struct err *e, bool json)
{
	out_progress_clear();
	for (unsigned int i = e->nr; i-- > 0;)
		fprintf(stderr, "%s: %s\n", i + 1 == e->nr ? "error" : "cause",
			e->frame[i]);
	if (e->hint)
		fprintf(stderr, "hint: %s\n", e->hint);
	if (json)
		error_json(e);
}

int out_flush(struct err *e)
{
	if (fflush(stdout) || ferror(stdout))
		return err_sys(e, errno, "cannot write to standard output");
	return 0;
}

/* The progress line redraws at most four times a second. */
static void line_update(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	static uint64_t last;
	uint64_t now = clock_ms();
	_cleanup_free_ char *s = NULL;

	(void)ctx;
	if (now - last < 250)
		return;
	last = now;
	s = total ? xasprintf("%s %llu/%llu", what, (unsigned long long)done,
			      (unsigned long long)total)
		  : xasprintf("%s %llu", what, (unsigned long long)done);
	fprintf(stderr, "\r\033[K%s", safe_text(s, true));
	fflush(stderr);
}

const struct progress *out_progress(void)
{
	static const struct progress line = { .update = line_update };

	return isatty(STDERR_FILENO) ? &line : NULL;
}

void out_progress_clear(void)
{
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}
