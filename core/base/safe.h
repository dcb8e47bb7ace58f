// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Foreign text made safe for a terminal and for JSON. */
#include <stdbool.h>

/*
 * In place: control characters (C0, DEL, C1), bytes that are no UTF-8, and the controls
 * that reorder text on screen (U+202A-U+202E, U+2066-U+2069) become '?'. With lines,
 * newline and tab stay. Returns s.
 */
char *safe_text(char *s, bool lines);
