// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A table as rows and columns, however it was drawn. */
#include "bench/claims/claims.h"
#include "bench/claims/lines.h"

enum { MATRIX_MAX_COLS = 24 };

struct matrix_row {
	struct span cell[MATRIX_MAX_COLS]; /* empty where the row has none */
	unsigned int line;		   /* from 1 */
	bool rule_after;
};

struct matrix {
	struct matrix_row *row;
	size_t nr, cols;
	size_t heads;	   /* the first rows that are headings */
	struct span title; /* of a row that spans the whole table */
	enum claim_shape shape;
	size_t from, to; /* lines, from 0, to exclusive */
	unsigned int misfits, misfit_line;
};

/*
 * Read lines from..to (LINE_ROW and LINE_RULE) as a table with pipes, or text lines as
 * aligned columns. False when there is no table in them; ret is to be released anyway.
 */
bool matrix_of_pipes(const struct lines *l, size_t from, size_t to, struct matrix *ret);
bool matrix_of_columns(const struct lines *l, size_t from, size_t to, struct matrix *ret);

/* Whether a line of text has the gaps of aligned columns. */
bool matrix_is_aligned(struct span s);

/* Find where the headings end, for either kind. */
void matrix_find_heads(struct matrix *m);

/* Rows become columns; a table of one heading column and one heading row stays one.
 * False, m untouched, when it is too tall for that. */
bool matrix_transpose(struct matrix *m);

/* All headings of a column, joined; owned by the caller. */
char *matrix_heading(const struct matrix *m, size_t col);

void matrix_release(struct matrix *m);
#define _cleanup_matrix_ _cleanup_(matrix_release)
