// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * White space errors by git's default core.whitespace: blanks at the end of a line, blanks
 * before a tab in the indentation, blank lines at the end of a file. Lines come with their
 * newline; the last one may lack it.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"

/* Nothing but white space. */
bool ws_is_blank(const char *s, size_t n);

bool ws_has_error(const char *s, size_t n);

/* Append the line without its errors. */
void ws_fix(const char *s, size_t n, struct buf *ret);

/* Whether lines are equal but for line ends and the amount of white space, as
 * --ignore-space-change takes it. */
bool ws_alike(const char *a, size_t n, const char *b, size_t m);

/* Whether lines are equal once both are fixed. */
bool ws_alike_fixed(const char *a, size_t n, const char *b, size_t m);
