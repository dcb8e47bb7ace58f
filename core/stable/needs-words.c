// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Words a patch uses: those the tree does not have (needs_of_words), functions and macros
 * that mainline had changed by then and the tree has not (needs_of_calls): such a patch
 * applies without a conflict and is wrong.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/stable/check-internal.h"
#include "core/stable/source.h"
#include "core/stable/symbols.h"

#define MAX_CALLS 64
#define MAX_FILES 48 /* that a patch changes and includes, looked through for words */

/* A line a patch adds to a C file. */
struct added {
	const char *p, *end;
};

static struct added *added_lines(const struct patch *p, size_t *ret_nr)
{
	const char *at = buf_str(&p->diff);
	struct added *v = NULL;
	bool in_c = false;

	*ret_nr = 0;
	while (*at) {
		const char *end = at + strcspn(at, "\n");

		if (!strncmp(at, "+++ ", 4)) {
			_cleanup_free_ char *path =
				xstrndup(at + 4, strcspn(at + 4, "\t\n"));

			in_c = source_is_c(path);
		} else if (*at == '+' && in_c) {
			*array_push(v, *ret_nr) = (struct added){ at + 1, end };
		}
		at = *end ? end + 1 : end;
	}
	return v;
}

static bool is_upper(const struct source_word *w)
{
	bool letter = false;

	for (size_t i = 0; i < w->len; i++) {
		if (islower((unsigned char)w->p[i]))
			return false;
		letter = letter || isupper((unsigned char)w->p[i]);
	}
	return letter && w->len > 3;
}

static bool is_config(const struct source_word *w)
{
	return w->len > 7 && !strncmp(w->p, "CONFIG_", 7);
}

static bool declares(const struct patch *p, const struct source_word *word)
{
	_cleanup_free_ struct added *v = NULL;
	size_t nr;

	v = added_lines(p, &nr);
	for (size_t i = 0; i < nr; i++) {
		const char *at = v[i].p;
		struct source_word w;

		while (source_next_word(&at, v[i].p, v[i].end, &w))
			if (w.declared && w.len == word->len &&
			    !memcmp(w.p, word->p, w.len))
				return true;
	}
	return false;
}

/* This patch or one before it. */
static bool is_declared_in_queue(const struct checker *c, size_t i,
				 const struct source_word *w)
{
	_cleanup_free_ char *word = xstrndup(w->p, w->len);

	for (size_t k = 0; k <= i; k++) {
		const struct buf *diff = &c->v[k].patch->diff;

		/* A patch that is not on the tree brings nothing. */
		if (!c->v[k].failure && memmem(buf_str(diff), diff->len, word, w->len) &&
		    declares(c->v[k].patch, w))
			return true;
	}
	return declares(c->v[i].patch, w);
}

/* Files the patch changes and what they include, as mainline had them. */
static int files_around(struct checker *c, size_t i, struct strv *ret, struct err *e)
{
	const struct checked *p = &c->v[i];

	for (size_t k = 0; k < p->patch->files.nr; k++) {
		const char *path = p->patch->files.v[k];
		_cleanup_buf_ struct buf text = BUF_INIT;

		if (!source_is_c(path))
			continue;
		if (check_read_upstream(c, &p->up->parent, path, &text, e) < 0)
			return -(int)e->code;
		strv_add(ret, path);
		source_includes(path, &text, ret);
	}
	return 0;
}

static bool brings_word(void *ctx, const struct buf *before, const struct buf *after)
{
	const struct source_word *w = ctx;

	return source_has_word(after, w->p, w->len) &&
	       !source_has_word(before, w->p, w->len);
}

/* A word the tree does not have: where mainline has it from. */
static int need_word(struct checker *c, size_t i, const struct strv *files,
		     struct source_word *w, struct err *e)
{
	const struct blame b = { brings_word, w };
	const struct facts_commit *found = NULL;
	int r = 0;

	for (size_t k = 0; r == 0 && k < files->nr && k < MAX_FILES; k++) {
		_cleanup_buf_ struct buf text = BUF_INIT;

		r = check_read_upstream(c, &c->v[i].up->parent, files->v[k], &text, e);
		if (r > 0)
			r = source_has_word(&text, w->p, w->len)
				    ? blame_find(c, i, files->v[k], &b, &found, e)
				    : 0;
	}
	if (r < 0)
		return r;
	if (found)
		return need_add(
			c, i, found,
			xasprintf("brought '%.*s', which it uses", (int)w->len, w->p), e);
	return need_add(
		c, i, NULL,
		xasprintf("uses '%.*s', which neither the tree nor a patch before "
			  "it has: find the commit that brought it",
			  (int)w->len, w->p),
		e);
}

static bool is_use(const struct source_word *w)
{
	return (w->call || w->member || is_upper(w)) && !w->declared && !is_config(w);
}

int needs_of_words(struct checker *c, size_t i, struct err *e)
{
	_cleanup_free_ struct added *v = NULL;
	_cleanup_strv_ struct strv files = STRV_INIT;
	const struct symbols *known;
	size_t nr;
	int r = check_symbols(c, &known, e);

	v = added_lines(c->v[i].patch, &nr);
	for (size_t k = 0; r == 0 && k < nr; k++) {
		const char *at = v[k].p;
		struct source_word w;

		while (r == 0 && source_next_word(&at, v[k].p, v[k].end, &w)) {
			if (!is_use(&w) || symbols_has(known, w.p, w.len) ||
			    is_declared_in_queue(c, i, &w))
				continue;
			if (!files.nr)
				r = files_around(c, i, &files, e);
			if (r == 0)
				r = need_word(c, i, &files, &w, e);
		}
	}
	return r;
}

static bool changes_function(void *ctx, const struct buf *before, const struct buf *after)
{
	const struct source_word *w = ctx;
	_cleanup_buf_ struct buf a = BUF_INIT, b = BUF_INIT;
	bool had = source_function(before, w->p, w->len, &a);

	return source_function(after, w->p, w->len, &b) &&
	       (!had || strcmp(buf_str(&a), buf_str(&b)));
}

/* The file as mainline had it before the commit, and as the tree has it. */
struct sides {
	const char *path;
	struct buf mainline, tree;
};

static int need_function(struct checker *c, size_t i, const struct sides *s,
			 struct source_word *w, struct err *e)
{
	_cleanup_buf_ struct buf theirs = BUF_INIT, ours = BUF_INIT;
	const struct blame b = { changes_function, w };
	const struct facts_commit *found = NULL;
	int r;

	if (!source_function(&s->mainline, w->p, w->len, &theirs) ||
	    !source_function(&s->tree, w->p, w->len, &ours) ||
	    !strcmp(buf_str(&theirs), buf_str(&ours)))
		return 0;
	r = blame_find(c, i, s->path, &b, &found, e);
	if (r <= 0)
		return r;
	return need_add(c, i, found,
			xasprintf("changed %.*s(), which it calls", (int)w->len, w->p),
			e);
}

static bool is_taken(const struct source_word *v, size_t nr, const struct source_word *w)
{
	for (size_t i = 0; i < nr; i++)
		if (v[i].len == w->len && !memcmp(v[i].p, w->p, w->len))
			return true;
	return false;
}

/* Functions and macros the added lines call, each once. */
static struct source_word *calls_of(const struct patch *p, size_t *ret_nr)
{
	_cleanup_free_ struct added *lines = NULL;
	struct source_word *v = NULL, w;
	size_t nr;

	*ret_nr = 0;
	lines = added_lines(p, &nr);
	for (size_t k = 0; k < nr; k++) {
		const char *at = lines[k].p;

		while (*ret_nr < MAX_CALLS &&
		       source_next_word(&at, lines[k].p, lines[k].end, &w))
			if (w.call && !w.declared && !w.member &&
			    !is_taken(v, *ret_nr, &w))
				*array_push(v, *ret_nr) = w;
	}
	return v;
}

static int needs_in_file(struct checker *c, size_t i, const char *path,
			 struct source_word *calls, size_t nr, struct err *e)
{
	struct sides s = { .path = path };
	int r = check_read_upstream(c, &c->v[i].up->parent, path, &s.mainline, e);

	if (r > 0)
		r = check_read_file(c, &c->v[i].before, path, &s.tree, e);
	if (r > 0 && s.mainline.len == s.tree.len &&
	    !memcmp(buf_str(&s.mainline), buf_str(&s.tree), s.tree.len))
		r = 0;
	if (r > 0)
		r = 0;
	else
		nr = 0;
	for (size_t k = 0; r == 0 && k < nr; k++)
		r = need_function(c, i, &s, &calls[k], e);
	buf_release(&s.mainline);
	buf_release(&s.tree);
	return r;
}

int needs_of_calls(struct checker *c, size_t i, struct err *e)
{
	_cleanup_free_ struct source_word *calls = NULL;
	_cleanup_strv_ struct strv files = STRV_INIT;
	size_t nr;
	int r = 0;

	calls = calls_of(c->v[i].patch, &nr);
	if (nr)
		r = files_around(c, i, &files, e);
	for (size_t k = 0; r == 0 && k < files.nr && k < MAX_FILES; k++)
		r = needs_in_file(c, i, files.v[k], calls, nr, e);
	return r;
}

/* S27: a configuration symbol that nothing defines: what depends on it is dead. */
int check_config_symbols(struct checker *c, size_t i, struct err *e)
{
	_cleanup_free_ struct added *v = NULL;
	const struct symbols *known;
	size_t nr;

	if (check_symbols(c, &known, e) < 0)
		return -(int)e->code;
	if (!symbols_knows_config(known))
		return 0;
	v = added_lines(c->v[i].patch, &nr);
	for (size_t k = 0; k < nr; k++) {
		const char *at = v[k].p;
		struct source_word w;

		while (source_next_word(&at, v[k].p, v[k].end, &w)) {
			if (!is_config(&w) ||
			    symbols_has_config(known, w.p + 7, w.len - 7))
				continue;
			check_say(c, i, CHECK_WARNING,
				  "asks for %.*s, which no Kconfig file of the tree "
				  "defines: what depends on it is never built",
				  (int)w.len, w.p);
			return 0;
		}
	}
	return 0;
}
