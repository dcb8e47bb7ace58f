// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The series file of a stable queue, read to the end whatever is wrong with some lines. */
#include "core/stable/queue.h"
#include "mail/quilt.h"

/*
 * The lines that name a patch, in order. One that is no such line, or names a patch that
 * was named before, is left out and becomes a flaw of q, which may be NULL.
 */
void queue_list_read(const struct buf *text, struct quilt_list *ret, struct queue *q);
