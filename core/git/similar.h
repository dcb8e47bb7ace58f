// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How much of one file is in another, as git's rename detection measures it
 * (diffcore-delta.c and diffcore-rename.c of git 2.39): the share of bytes in equal pieces,
 * a piece being a line or 64 bytes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"

#define SIMILAR_MAX 60000
#define SIMILAR_RENAME 30000 /* from here on git calls it a rename */

/* Bytes of a file by hash of their piece. */
struct pieces {
	struct piece {
		uint32_t hash, bytes;
	} * v; /* sorted by hash, each once */
	size_t nr;
	size_t size; /* of the file */
};

void pieces_init(struct pieces *p, const struct buf *file);
void pieces_release(struct pieces *p);

/* Whether two files of these sizes may reach a score at all. */
bool similar_sizes(size_t a, size_t b, int score);

/* 0 to SIMILAR_MAX. */
int similar_score(const struct pieces *from, const struct pieces *to);
