// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Titles of reports: the same trouble has the same title in every boot and on every
 * machine, so addresses, numbers, offsets, processors, processes and line numbers go.
 */
#include "boot/console/splat.h"
#include "core/base/base.h"

#define TITLE_MAX 200

/* The title of a report that begins with this line; c is the line's class. Owned. */
_must_check_ char *title_of(const struct splat_class *c, const char *text);

/*
 * The function a line of a report puts the blame on: of "RIP: 0010:f+0x1/0x2" and its
 * likes on other processors. Owned; NULL when the line is none of them.
 */
_must_check_ char *title_place(const char *text);
