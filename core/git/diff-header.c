// SPDX-License-Identifier: GPL-3.0-or-later
/* The header of a file's diff: git's extended one and the plain one of two names. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"

/* A git header in the making. */
struct header {
	struct diff_parser *d;
	struct file_diff *f;
	char *def_name; /* of the "diff --git" line */
};

enum { MORE = 0, END = 1 };

static int bad(struct header *h, const char *what)
{
	return err_set(h->d->e, ERR_BAD_PATCH, "%s at line %lu of the diff", what,
		       h->d->line);
}

static void set_name(char **name, char *value)
{
	free(*name);
	*name = value;
}

/* "--- " and "+++ " must agree with what the header said before. */
static int check_name(struct header *h, const char *s, size_t n, bool none, char **name)
{
	_cleanup_free_ char *found = NULL;

	if (!*name && none)
		return name_is_dev_null(s, n) ? MORE : bad(h, "/dev/null expected");
	if (*name && none)
		return bad(h, "/dev/null expected");
	found = name_find(s, n, h->d->strip, NAME_TAB);
	if (!*name)
		*name = take_ptr(found);
	else if (!found || strcmp(found, *name))
		return bad(h, "contradicting file name");
	return MORE;
}

static int on_old_name(struct header *h, const char *s, size_t n)
{
	return check_name(h, s, n, h->f->is_new > 0, &h->f->old_name);
}

static int on_new_name(struct header *h, const char *s, size_t n)
{
	return check_name(h, s, n, h->f->is_delete > 0, &h->f->new_name);
}

static int parse_mode(struct header *h, const char *s, size_t n, unsigned int *ret)
{
	unsigned int mode = 0, type;
	size_t i = 0;

	for (; i < n && i < 7 && s[i] >= '0' && s[i] <= '7'; i++)
		mode = mode << 3 | (unsigned int)(s[i] - '0');
	type = mode & MODE_TYPE;
	if (!i || (i < n && s[i] != ' ' && s[i] != '\r' && s[i] != '\t') ||
	    (type != MODE_FILE && type != MODE_LINK && type != MODE_GITLINK))
		return bad(h, "invalid file mode");
	*ret = mode;
	return MORE;
}

static int on_old_mode(struct header *h, const char *s, size_t n)
{
	return parse_mode(h, s, n, &h->f->old_mode);
}

static int on_new_mode(struct header *h, const char *s, size_t n)
{
	return parse_mode(h, s, n, &h->f->new_mode);
}

static int on_deleted(struct header *h, const char *s, size_t n)
{
	h->f->is_delete = 1;
	set_name(&h->f->old_name, xstrdup(h->def_name));
	return parse_mode(h, s, n, &h->f->old_mode);
}

static int on_new_file(struct header *h, const char *s, size_t n)
{
	h->f->is_new = 1;
	set_name(&h->f->new_name, xstrdup(h->def_name));
	return parse_mode(h, s, n, &h->f->new_mode);
}

/* Names of copies and renames carry no a/ and b/. */
static int on_from(struct header *h, const char *s, size_t n)
{
	set_name(&h->f->old_name, name_find(s, n, h->d->strip ? h->d->strip - 1 : 0, 0));
	return MORE;
}

static int on_to(struct header *h, const char *s, size_t n)
{
	set_name(&h->f->new_name, name_find(s, n, h->d->strip ? h->d->strip - 1 : 0, 0));
	return MORE;
}

static int on_copy_from(struct header *h, const char *s, size_t n)
{
	h->f->is_copy = true;
	return on_from(h, s, n);
}

static int on_copy_to(struct header *h, const char *s, size_t n)
{
	h->f->is_copy = true;
	return on_to(h, s, n);
}

static int on_rename_from(struct header *h, const char *s, size_t n)
{
	h->f->is_rename = true;
	return on_from(h, s, n);
}

static int on_rename_to(struct header *h, const char *s, size_t n)
{
	h->f->is_rename = true;
	return on_to(h, s, n);
}

static int on_similarity(struct header *h, const char *s, size_t n)
{
	(void)h;
	(void)s;
	(void)n;
	return MORE;
}

/* "index OLD..NEW MODE": ids are only kept, a line of another form is ignored. */
static int on_index(struct header *h, const char *s, size_t n)
{
	const char *dots = memmem(s, n, "..", 2), *end = s + n, *new_id, *blank;
	size_t old_len, new_len;

	if (!dots)
		return MORE;
	new_id = dots + 2;
	blank = memchr(new_id, ' ', (size_t)(end - new_id));
	old_len = (size_t)(dots - s);
	new_len = (size_t)((blank ? blank : end) - new_id);
	if (old_len > 40 || new_len > 40)
		return MORE;
	memcpy(h->f->old_id, s, old_len);
	h->f->old_id[old_len] = '\0';
	memcpy(h->f->new_id, new_id, new_len);
	h->f->new_id[new_len] = '\0';
	if (blank)
		return on_old_mode(h, blank + 1, (size_t)(end - blank - 1));
	return MORE;
}

static int on_hunk(struct header *h, const char *s, size_t n)
{
	(void)h;
	(void)s;
	(void)n;
	return END;
}

static const struct {
	const char *word;
	int (*fn)(struct header *h, const char *s, size_t n);
} lines[] = {
	{ "@@ -", on_hunk },
	{ "--- ", on_old_name },
	{ "+++ ", on_new_name },
	{ "old mode ", on_old_mode },
	{ "new mode ", on_new_mode },
	{ "deleted file mode ", on_deleted },
	{ "new file mode ", on_new_file },
	{ "copy from ", on_copy_from },
	{ "copy to ", on_copy_to },
	{ "rename old ", on_rename_from },
	{ "rename new ", on_rename_to },
	{ "rename from ", on_rename_from },
	{ "rename to ", on_rename_to },
	{ "similarity index ", on_similarity },
	{ "dissimilarity index ", on_similarity },
	{ "index ", on_index },
};

static int header_line(struct header *h, const char *s, size_t n)
{
	int r = END;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		size_t k = strlen(lines[i].word);

		if (n < k || memcmp(s, lines[i].word, k))
			continue;
		r = lines[i].fn(h, s + k, n - k);
		break;
	}
	if (r >= 0 &&
	    (h->f->is_delete > 0) + (h->f->is_new > 0) + h->f->is_rename + h->f->is_copy >
		    1)
		return bad(h, "contradicting header line");
	return r;
}

/* Names the lines did not give come from the "diff --git" line. */
static int header_names(struct header *h)
{
	struct file_diff *f = h->f;

	if (!f->old_name && !f->new_name) {
		f->old_name = xstrdup(h->def_name);
		f->new_name = xstrdup(h->def_name);
	}
	if ((!f->new_name && f->is_delete <= 0) || (!f->old_name && f->is_new <= 0))
		return bad(h, "no file name in the header");
	if (f->old_name && f->new_name && !f->is_copy && strcmp(f->old_name, f->new_name))
		f->is_rename = true;
	return 1;
}

static int header_lines(struct header *h, struct diff_parser *start)
{
	struct diff_parser *d = h->d;
	int r = MORE;

	while (r == MORE && d->p < d->end) {
		size_t len = diff_line_len(d->p, d->end);

		if (d->p[len - 1] != '\n')
			break;
		r = header_line(h, d->p, len - 1);
		if (r == MORE)
			diff_skip(d, len, 1);
	}
	if (r < 0)
		return r;
	/* A "diff --git" with nothing behind it is text that quotes one. */
	if (d->line == start->line + 1)
		return 0;
	return header_names(h);
}

int diff_git_header(struct diff_parser *d, struct file_diff *f)
{
	static const char word[] = "diff --git ";
	size_t k = sizeof(word) - 1, len = diff_line_len(d->p, d->end);
	struct diff_parser start = *d;
	struct header h = { .d = d, .f = f };
	int r;

	if (len <= k || memcmp(d->p, word, k) || d->p[len - 1] != '\n')
		return 0;
	h.def_name = name_of_git_line(d->p + k, len - 1 - k, d->strip);
	diff_skip(d, len, 1);
	r = header_lines(&h, &start);
	if (r == 0)
		*d = start;
	free(h.def_name);
	return r;
}

/* A name without any folder means that there is nothing to strip, here and from here on.
 */
static void guess_strip(struct diff_parser *d, const char *s, size_t n)
{
	_cleanup_free_ char *name = name_is_dev_null(s, n) ? NULL
							   : name_plain(s, n, NULL, 0);

	if (d->guess && name && !strchr(name, '/'))
		d->strip = 0;
}

static void plain_names(struct diff_parser *d, struct file_diff *f, const char *s,
			size_t n, const char *t, size_t m)
{
	_cleanup_free_ char *first = NULL;
	char *name;

	if (name_is_dev_null(s, n)) {
		f->is_new = 1;
		f->is_delete = 0;
		f->new_name = name_plain(t, m, NULL, d->strip);
		return;
	}
	if (name_is_dev_null(t, m)) {
		f->is_new = 0;
		f->is_delete = 1;
		f->old_name = name_plain(s, n, NULL, d->strip);
		return;
	}
	first = name_plain(s, n, NULL, d->strip);
	name = name_plain(t, m, first, d->strip);
	f->is_new = f->is_delete = -1;
	if (name_has_epoch(s, n)) {
		f->is_new = 1;
		f->is_delete = 0;
		f->new_name = name;
	} else if (name_has_epoch(t, m)) {
		f->is_new = 0;
		f->is_delete = 1;
		f->old_name = name;
	} else {
		f->old_name = name;
		f->new_name = xstrdup(name);
	}
}

int diff_plain_header(struct diff_parser *d, struct file_diff *f)
{
	size_t len = diff_line_len(d->p, d->end), len2;
	const char *second = d->p + len, *third;

	if (len < 5 || memcmp(d->p, "--- ", 4) || d->end - second < 5 ||
	    memcmp(second, "+++ ", 4))
		return 0;
	len2 = diff_line_len(second, d->end);
	third = second + len2;
	/* Only a hunk behind the names makes them a header. */
	if (d->end - third < 4 || memcmp(third, "@@ -", 4))
		return 0;
	guess_strip(d, d->p + 4, len - 5);
	guess_strip(d, second + 4, len2 - 5);
	plain_names(d, f, d->p + 4, len - 5, second + 4, len2 - 5);
	if (!f->old_name && !f->new_name)
		return err_set(d->e, ERR_BAD_PATCH,
			       "no file name at line %lu of the diff", d->line);
	diff_skip(d, len + len2, 2);
	return 1;
}
