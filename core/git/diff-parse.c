// SPDX-License-Identifier: GPL-3.0-or-later
/* The walk over a mail's text: finds headers, takes the hunks behind them. */
#include "core/git/patch.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"
#include "core/git/path-safe.h"
#include "core/git/whitespace.h"

size_t diff_line_len(const char *p, const char *end)
{
	const char *nl = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;

	return (size_t)((nl ? nl + 1 : end) - p);
}

void diff_skip(struct diff_parser *d, size_t len, unsigned long lines)
{
	d->p += len;
	d->line += lines;
}

bool diff_number(const char **p, const char *end, unsigned long *ret)
{
	unsigned long n = 0;
	const char *s = *p;

	/* A line number has at most 10 digits, so nothing overflows. */
	while (s < end && s - *p < 10 && isdigit((unsigned char)*s))
		n = n * 10 + (unsigned long)(*s++ - '0');
	if (s == *p || (s < end && isdigit((unsigned char)*s)))
		return false;
	*p = s;
	*ret = n;
	return true;
}

/* "START[,COUNT]" and the text that must follow. */
static bool parse_range(const char **p, const char *end, const char *behind,
			unsigned long *pos, unsigned long *nr)
{
	size_t k = strlen(behind);

	if (!diff_number(p, end, pos))
		return false;
	*nr = 1;
	if (*p < end && **p == ',') {
		(*p)++;
		if (!diff_number(p, end, nr))
			return false;
	}
	if ((size_t)(end - *p) < k || memcmp(*p, behind, k))
		return false;
	*p += k;
	return true;
}

static bool parse_hunk_line(const char *p, const char *end, struct hunk *h)
{
	if (end - p < 4 || memcmp(p, "@@ -", 4) || end[-1] != '\n')
		return false;
	p += 4;
	return parse_range(&p, end, " +", &h->old_pos, &h->old_nr) &&
	       parse_range(&p, end, " @@", &h->new_pos, &h->new_nr);
}

static int corrupt(struct diff_parser *d, const char *why)
{
	return err_set(d->e, ERR_BAD_PATCH, "corrupt patch at line %lu of the diff: %s",
		       d->line, why);
}

/* Lines still owed to a hunk, and what it did so far. */
struct counts {
	unsigned long old_nr, new_nr, added, deleted;
};

/* One line of a hunk's body. NULL, or why it is corrupt. */
static const char *hunk_line(struct hunk *h, struct counts *c, const char *s, size_t len)
{
	bool common = *s == ' ' || *s == '\n', old = common || *s == '-';

	if (s[len - 1] != '\n')
		return "the last line is cut off";
	if (*s == '\\')
		return len < 12 || s[1] != ' ' ? "unknown line in a hunk" : NULL;
	if (!old && *s != '+')
		return "the hunk is shorter than its header says";
	if ((old && !c->old_nr) || (*s != '-' && !c->new_nr))
		return "the hunk does not fit its header";
	c->old_nr -= old;
	c->new_nr -= *s != '-';
	c->deleted += *s == '-';
	c->added += *s == '+';
	/* Blanks at line ends get lost in mail: an empty line is an empty context line.
	 */
	if (common && !c->added && !c->deleted)
		h->leading++;
	h->trailing = common ? h->trailing + 1 : 0;
	return NULL;
}

/* The hunk at d->p; its end is where its counts say, so that list footers do no harm. */
static int parse_hunk(struct diff_parser *d, struct file_diff *f)
{
	struct hunk h = { .line = d->line };
	size_t len = diff_line_len(d->p, d->end);
	struct counts c = { 0 };

	if (!parse_hunk_line(d->p, d->p + len, &h))
		return corrupt(d, "unreadable hunk header");
	diff_skip(d, len, 1);
	c.old_nr = h.old_nr;
	c.new_nr = h.new_nr;
	h.body = d->p;
	while (d->p < d->end && (c.old_nr || c.new_nr)) {
		const char *why;

		len = diff_line_len(d->p, d->end);
		why = hunk_line(&h, &c, d->p, len);
		if (why)
			return corrupt(d, why);
		diff_skip(d, len, 1);
	}
	if (c.old_nr || c.new_nr)
		return corrupt(d, "the text ends inside a hunk");
	if (!c.added && !c.deleted)
		return corrupt(d, "a hunk without a change");
	if (d->end - d->p > 12 && d->p[0] == '\\' && d->p[1] == ' ')
		diff_skip(d, diff_line_len(d->p, d->end), 1);
	h.len = (size_t)(d->p - h.body);
	*array_push(f->hunks, f->nr_hunks) = h;
	return 0;
}

static const char *file_name(const struct file_diff *f)
{
	return f->new_name ? f->new_name : f->old_name;
}

static int parse_hunks(struct diff_parser *d, struct file_diff *f)
{
	unsigned long old_nr = 0, new_nr = 0;

	while (d->end - d->p > 4 && !memcmp(d->p, "@@ -", 4)) {
		if (parse_hunk(d, f) < 0)
			return -(int)d->e->code;
		old_nr += f->hunks[f->nr_hunks - 1].old_nr;
		new_nr += f->hunks[f->nr_hunks - 1].new_nr;
	}
	if (f->is_new < 0 && (old_nr || f->nr_hunks > 1))
		f->is_new = 0;
	if (f->is_delete < 0 && (new_nr || f->nr_hunks > 1))
		f->is_delete = 0;
	if (f->is_new > 0 && old_nr)
		return err_set(d->e, ERR_BAD_PATCH, "new file '%s' has old lines",
			       file_name(f));
	if (f->is_delete > 0 && new_nr)
		return err_set(d->e, ERR_BAD_PATCH, "deleted file '%s' has new lines",
			       file_name(f));
	return 0;
}

static bool changes_metadata(const struct file_diff *f)
{
	return f->is_rename || f->is_copy || f->is_new > 0 || f->is_delete > 0 ||
	       (f->old_mode && f->new_mode && f->old_mode != f->new_mode);
}

static int check_paths(struct diff_parser *d, const struct file_diff *f)
{
	const char *names[] = { f->old_name, f->new_name };
	bool link = (f->new_mode & MODE_TYPE) == MODE_LINK;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!names[i] || path_is_safe(names[i], link))
			continue;
		err_set(d->e, ERR_UNSAFE_PATH,
			"the path '%s' at line %lu of the diff is not safe", names[i],
			f->line);
		return err_hint(d->e, "a patch may only name files inside the tree, and "
				      "none of git's own");
	}
	return 0;
}

/* --directory: below it all names are. */
static void add_directory(const char *directory, char **name)
{
	size_t n = strlen(directory);
	char *below;

	if (!*name)
		return;
	below = xasprintf("%s%s%s", directory, n && directory[n - 1] == '/' ? "" : "/",
			  *name);
	free(*name);
	*name = below;
}

static bool has_match(const struct strv *patterns, const char *path)
{
	for (size_t i = 0; i < patterns->nr; i++)
		if (!fnmatch(patterns->v[i], path, 0))
			return true;
	return false;
}

static bool is_wanted(const struct apply_rules *rules, const struct file_diff *f)
{
	const char *name = file_name(f);

	if (rules->exclude && has_match(rules->exclude, name))
		return false;
	return !rules->include || !rules->include->nr || has_match(rules->include, name);
}

static int check_whitespace(struct diff_parser *d, const struct file_diff *f)
{
	for (size_t i = 0; i < f->nr_hunks; i++) {
		const char *p = f->hunks[i].body, *end = p + f->hunks[i].len;
		unsigned long line = f->hunks[i].line + 1;

		for (size_t n; p < end; p += n, line++) {
			n = diff_line_len(p, end);
			if (*p == '+' && ws_has_error(p + 1, n - 1))
				return err_set(d->e, ERR_BAD_PATCH,
					       "line %lu of the diff adds a white space "
					       "error to '%s'",
					       line, file_name(f));
		}
	}
	return 0;
}

/* What follows the header: hunks, binary data, or nothing when it is about names and
 * modes. */
static int parse_body(struct diff_parser *d, struct file_diff *f)
{
	if (parse_hunks(d, f) < 0)
		return -(int)d->e->code;
	if (!f->nr_hunks && diff_binary(d, f) < 0)
		return -(int)d->e->code;
	if (!f->nr_hunks && !f->is_binary && !changes_metadata(f))
		return err_set(d->e, ERR_BAD_PATCH,
			       "the diff of '%s' at line %lu changes nothing",
			       file_name(f), f->line);
	if (d->rules->directory) {
		add_directory(d->rules->directory, &f->old_name);
		add_directory(d->rules->directory, &f->new_name);
	}
	return check_paths(d, f);
}

/* 1 when a file's diff began at d->p and was added, 0 when none does. */
static int parse_file(struct diff_parser *d, struct diff *diff)
{
	struct file_diff f = { .line = d->line };
	int r = diff_git_header(d, &f);

	if (r == 0) {
		file_diff_release(&f);
		f = (struct file_diff){ .line = d->line };
		r = diff_plain_header(d, &f);
	}
	if (r > 0 && parse_body(d, &f) < 0)
		r = -1;
	if (r > 0 && d->rules->whitespace == WHITESPACE_REFUSE &&
	    check_whitespace(d, &f) < 0)
		r = -1;
	if (r > 0 && diff->nr == DIFF_MAX_FILES)
		r = err_set(d->e, ERR_TOO_BIG, "the diff names more than %d files",
			    DIFF_MAX_FILES);
	if (r > 0 && is_wanted(d->rules, &f)) {
		*array_push(diff->files, diff->nr) = f;
		return r;
	}
	diff->left_out |= r > 0;
	file_diff_release(&f);
	return r;
}

int diff_parse(const char *text, size_t len, struct diff **ret, struct err *e)
{
	return diff_parse_rules(text, len, NULL, ret, e);
}

int diff_parse_rules(const char *text, size_t len, const struct apply_rules *rules,
		     struct diff **ret, struct err *e)
{
	static const struct apply_rules defaults = APPLY_RULES_INIT;
	struct diff_parser d = { .p = text,
				 .end = text + len,
				 .line = 1,
				 .rules = rules ? rules : &defaults,
				 .e = e };
	_cleanup_diff_ struct diff *diff = xzalloc(sizeof(*diff));
	struct hunk stray;

	d.guess = d.rules->strip < 0;
	d.strip = d.guess ? 1 : d.rules->strip;
	diff->text = text;
	diff->len = len;
	while (d.p < d.end) {
		size_t n = diff_line_len(d.p, d.end);
		int r;

		if (parse_hunk_line(d.p, d.p + n, &stray))
			return corrupt(&d, "a hunk without a file name before it");
		r = parse_file(&d, diff);
		if (r < 0)
			return -(int)e->code;
		if (r == 0)
			diff_skip(&d, n, 1);
	}
	if (!diff->nr && !diff->left_out)
		return err_set(e, ERR_BAD_PATCH, "there is no diff in the text");
	*ret = take_ptr(diff);
	return 0;
}

struct seen {
	const char *name;
	size_t order;
	bool again;
};

static int by_name(const void *va, const void *vb)
{
	const struct seen *a = va, *b = vb;
	int r = strcmp(a->name, b->name);

	return r ? r : (a->order > b->order) - (a->order < b->order);
}

static int by_order(const void *va, const void *vb)
{
	const struct seen *a = va, *b = vb;

	return (a->order > b->order) - (a->order < b->order);
}

void diff_paths(const struct diff *d, struct strv *ret)
{
	_cleanup_free_ struct seen *v = xcalloc(2 * d->nr, sizeof(*v));
	size_t nr = 0;

	for (size_t i = 0; i < d->nr; i++) {
		const char *names[] = { d->files[i].old_name, d->files[i].new_name };

		for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
			if (!names[k])
				continue;
			v[nr] = (struct seen){ .name = names[k], .order = nr };
			nr++;
		}
	}
	qsort(v, nr, sizeof(*v), by_name);
	for (size_t i = 1; i < nr; i++)
		v[i].again = !strcmp(v[i - 1].name, v[i].name);
	qsort(v, nr, sizeof(*v), by_order);
	for (size_t i = 0; i < nr; i++)
		if (!v[i].again)
			strv_add(ret, v[i].name);
}

void file_diff_release(struct file_diff *f)
{
	free(f->old_name);
	free(f->new_name);
	free(f->hunks);
}

void diff_free(struct diff *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nr; i++)
		file_diff_release(&d->files[i]);
	free(d->files);
	free(d);
}
