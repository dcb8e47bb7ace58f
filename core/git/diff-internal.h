// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A parsed diff as the parser, the applier and patch-id see it. Text is borrowed. */
#include "core/base/buf.h"
#include "core/git/patch.h"
#include "core/git/rules.h"

#define MODE_TYPE 0170000U
#define MODE_FILE 0100000U
#define MODE_LINK 0120000U
#define MODE_GITLINK 0160000U

/* More than any real patch has; keeps hostile ones from eating time and memory. */
#define DIFF_MAX_FILES 100000
#define DIFF_MAX_BINARY (256UL << 20)

struct hunk {
	unsigned long old_pos, old_nr, new_pos, new_nr;
	unsigned long leading, trailing; /* context lines before and behind the change */
	const char *body; /* the lines behind "@@", their markers included */
	size_t len;
	unsigned long line; /* of "@@" in the text, from 1 */
};

/* One half of a "GIT binary patch". */
struct binary {
	enum { BINARY_NONE, BINARY_LITERAL, BINARY_DELTA } kind;
	size_t size;	   /* of the inflated data, as declared */
	const char *lines; /* base85 lines */
	size_t len;
};

struct file_diff {
	char *old_name, *new_name;	 /* NULL when there is no such side */
	unsigned int old_mode, new_mode; /* 0 = not said */
	int is_new, is_delete;		 /* -1 = a plain diff does not tell */
	bool is_rename, is_copy, is_binary;
	char old_id[41], new_id[41]; /* of the index line, maybe abbreviated */
	struct hunk *hunks;
	size_t nr_hunks;
	struct binary forward;
	unsigned long line; /* of the header in the text */
};

struct diff {
	const char *text;
	size_t len;
	struct file_diff *files;
	size_t nr;
	bool left_out; /* the rules want some files not */
};

/* The parser's place in the text. */
struct diff_parser {
	const char *p, *end;
	unsigned long line; /* of p, from 1 */
	int strip;	    /* leading path components to drop */
	bool guess;	    /* a plain diff may set strip to 0 */
	const struct apply_rules *rules;
	struct err *e;
};

/* The line at p: its length with the newline; the last one may lack it. */
size_t diff_line_len(const char *p, const char *end);

/* Step behind n lines of together len bytes. */
void diff_skip(struct diff_parser *d, size_t len, unsigned long lines);

/* Decimal digits at *p, up to end; false when there is none or too many. */
_must_check_ bool diff_number(const char **p, const char *end, unsigned long *ret);

/*
 * Headers: 1 and d behind the header when one begins at d->p, 0 when none does, negative
 * on error.
 */
int diff_git_header(struct diff_parser *d, struct file_diff *f);
int diff_plain_header(struct diff_parser *d, struct file_diff *f);

/*
 * Binary data behind a header: 1 and d behind it, 0 when there is none, negative on
 * error.
 */
int diff_binary(struct diff_parser *d, struct file_diff *f);

/* Inflate a binary half and, for a delta, apply it to old. ERR_BAD_PATCH says what is
 * off. */
_must_check_ int binary_data(const struct binary *b, const struct buf *old,
			     struct buf *ret, struct err *e);

/*
 * Names. s is a line's rest of n bytes without newline. All results are owned by the
 * caller; NULL when there is no name.
 */
enum { NAME_TAB = 1 }; /* a tab ends the name */
_must_check_ char *name_find(const char *s, size_t n, int strip, int ends);
_must_check_ char *name_plain(const char *s, size_t n, const char *other, int strip);
_must_check_ char *name_of_git_line(const char *s, size_t n, int strip);
bool name_is_dev_null(const char *s, size_t n);
bool name_has_epoch(const char *s, size_t n);

void file_diff_release(struct file_diff *f);
