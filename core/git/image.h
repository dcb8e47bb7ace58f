// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A file as lines while hunks are put on it. The lines are borrowed from the file's bytes
 * and from the patch, so both must outlive the image.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/git/rules.h"

struct hunk;

struct line {
	const char *p;
	size_t len;   /* newline included */
	bool patched; /* came from a hunk: no other hunk may match it */
	bool common;  /* of a hunk: context, on both sides */
};

struct image {
	struct line *v;
	size_t nr;
};

/* The lines of data; nr is 0 for an empty file. */
void image_init(struct image *img, const char *data, size_t len);
void image_release(struct image *img);
#define _cleanup_image_ _cleanup_(image_release)

/* Append the text. */
void image_text(const struct image *img, struct buf *ret);

/* What a hunk expects and what it puts there; reverse swaps the two. */
struct hunk_lines {
	struct image pre, post;
	unsigned long leading, trailing; /* lines of context */
	size_t blank_end;		 /* blank lines it adds behind all else */
	struct buf fixed, fixed_context; /* lines that lost white space errors */
};
void hunk_lines_init(struct hunk_lines *l, const struct hunk *h, bool reverse);

/* Take white space errors out of the lines the hunk adds. */
void hunk_lines_fix(struct hunk_lines *l);
void hunk_lines_release(struct hunk_lines *l);
#define _cleanup_hunk_lines_ _cleanup_(hunk_lines_release)

/* How a hunk may be placed, and how many line comparisons are left for that. */
struct fit {
	const struct apply_rules *rules;
	bool reverse;
	uint64_t budget;
};

/* Where a hunk goes. */
struct place {
	size_t want; /* line the hunk names, from 0, earlier hunks counted in */
	size_t found;
	bool at_begin, at_end; /* it must match there */
	bool reduced;	       /* with less context than it has */
};

enum place_result { PLACE_NONE, PLACE_FOUND, PLACE_TOO_LONG };

/*
 * Find the hunk by git-apply's rules: at its line, else nearest to it, forward first; with
 * less context, which *l then lacks, when the rules allow it. Context that differs in
 * white space only, where that is allowed, becomes the image's. When fit->budget ends,
 * PLACE_TOO_LONG.
 */
enum place_result image_find(const struct image *img, const struct hunk *h,
			     struct hunk_lines *l, struct fit *fit, struct place *ret);

/* Put post where pre was found. */
void image_replace(struct image *img, size_t at, const struct hunk_lines *l);

/*
 * Why a hunk was not found: the place most like it and the first line that differs.
 * Appends one phrase.
 */
void image_explain(const struct image *img, const struct hunk_lines *l,
		   const struct place *at, struct buf *ret);
