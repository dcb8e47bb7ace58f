// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/report.h"

#include <stdarg.h>

#include "core/base/alloc.h"

void queue_report_say(struct queue_report *r, const char *id, size_t patch,
		      enum check_severity s, const char *fmt, ...)
{
	struct finding f = { .check = check_find(id), .severity = s };
	va_list ap;

	va_start(ap, fmt);
	f.text = xvasprintf(fmt, ap);
	va_end(ap);
	if (patch < r->nr)
		*array_push(r->v[patch].v, r->v[patch].nr) = f;
	else
		*array_push(r->whole, r->nr_whole) = f;
}

void queue_report_gap(struct queue_report *r, const char *id, const char *fmt, ...)
{
	struct check_gap g = { .check = check_find(id) };
	va_list ap;

	va_start(ap, fmt);
	g.reason = xvasprintf(fmt, ap);
	va_end(ap);
	*array_push(r->gaps, r->nr_gaps) = g;
}

void queue_report_make(struct queue_report *r, const char *id)
{
	*array_push(r->made, r->nr_made) = check_find(id);
}
