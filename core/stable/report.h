// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Filling a report from outside: for those who build and boot. */
#include "core/stable/check.h"

/*
 * What checks that build and boot add to a report, by the id of their row: a finding
 * about a patch (patch == nr: about the queue), a gap, that the check was made.
 */
void queue_report_say(struct queue_report *r, const char *id, size_t patch,
		      enum check_severity s, const char *fmt, ...) _printf_(5, 6);
void queue_report_gap(struct queue_report *r, const char *id, const char *fmt, ...)
	_printf_(3, 4);
void queue_report_make(struct queue_report *r, const char *id);
