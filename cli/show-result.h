// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
struct ctx;

/*
 * Print what came of a run, a line each: the verdict of every cell compared, the answer of
 * a bisection, the state of a series or queue. Nothing for a run without any; a word on
 * standard error when it cannot be told.
 */
void show_result(const struct ctx *c, const char *id);
