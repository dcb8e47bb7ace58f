// SPDX-License-Identifier: GPL-3.0-or-later
/* What is new since the last run: each run keeps the digests of its patches and findings. */
#include <stdlib.h>
#include <string.h>

#include "cli/queue-view.h"
#include "core/base/alloc.h"
#include "core/git/repo.h"

/* A line for a patch: its name and bytes. */
static char *patch_line(const struct queue_view *v, size_t i)
{
	const struct patch *p = v->q->v[i].patch;
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct oid digest;

	buf_addf(&b, "%s\n%s\n", queue_entry_name(&v->q->v[i]), p->message);
	buf_add(&b, buf_str(&p->diff), p->diff.len);
	repo_digest(buf_str(&b), b.len, &digest);
	return xasprintf("p%.20s", digest.hex);
}

/* One for a finding: about which patch, by which check, in which words. */
static char *finding_line(const char *name, const struct finding *f)
{
	_cleanup_free_ char *s = xasprintf("%s\n%s\n%s", name, f->check->id, f->text);
	struct oid digest;

	repo_digest(s, strlen(s), &digest);
	return xasprintf("f%.20s", digest.hex);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All lines, sorted. */
static void lines_of(const struct queue_view *v, struct strv *ret)
{
	const struct queue_report *r = v->report;

	for (size_t i = 0; i < r->nr; i++) {
		strv_take(ret, patch_line(v, i));
		for (size_t k = 0; k < r->v[i].nr; k++)
			strv_take(ret, finding_line(queue_entry_name(&v->q->v[i]),
						    &r->v[i].v[k]));
	}
	for (size_t k = 0; k < r->nr_whole; k++)
		strv_take(ret, finding_line("", &r->whole[k]));
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_text);
}

static void split_lines(const char *text, struct strv *ret)
{
	for (const char *p = text; *p;) {
		size_t n = strcspn(p, "\n");

		if (n)
			strv_take(ret, xstrndup(p, n));
		p += n + (p[n] == '\n');
	}
}

static bool is_in(const struct strv *sorted, char *line)
{
	_cleanup_free_ char *owned = line;

	return sorted->nr &&
	       bsearch(&owned, sorted->v, sorted->nr, sizeof(*sorted->v), by_text);
}

static size_t count_gone(const struct strv *old, const struct strv *now)
{
	size_t gone = 0;

	for (size_t i = 0; i < old->nr; i++)
		if (old->v[i][0] == 'f' && !is_in(now, xstrdup(old->v[i])))
			gone++;
	return gone;
}

static void compare(const struct queue_view *v, const struct strv *old,
		    struct queue_news *n)
{
	const struct queue_report *r = v->report;
	_cleanup_strv_ struct strv now = STRV_INIT;

	n->fresh = xcalloc(r->nr + 1, sizeof(*n->fresh));
	n->patches = xcalloc(r->nr + 1, sizeof(*n->patches));
	n->whole = xcalloc(r->nr_whole + 1, sizeof(*n->whole));
	for (size_t i = 0; i < r->nr; i++) {
		n->fresh[i] = xcalloc(r->v[i].nr + 1, sizeof(**n->fresh));
		n->patches[i] = !is_in(old, patch_line(v, i));
		for (size_t k = 0; k < r->v[i].nr; k++)
			n->fresh[i][k] =
				!is_in(old, finding_line(queue_entry_name(&v->q->v[i]),
							 &r->v[i].v[k]));
	}
	for (size_t k = 0; k < r->nr_whole; k++)
		n->whole[k] = !is_in(old, finding_line("", &r->whole[k]));
	lines_of(v, &now);
	n->gone = count_gone(old, &now);
}

int queue_news_find(struct store *s, const char *key, const struct queue_view *v,
		    struct queue_news *ret, struct err *e)
{
	_cleanup_strv_ struct strv old = STRV_INIT;
	_cleanup_free_ char *value = NULL;

	if (run_newest(s, key, &ret->run, &value, e) < 0)
		return -(int)e->code;
	if (value)
		split_lines(value, &old);
	ret->asked = true;
	compare(v, &old, ret);
	return 0;
}

int queue_news_keep(struct run *r, const char *key, const struct queue_view *v,
		    struct err *e)
{
	_cleanup_strv_ struct strv now = STRV_INIT;
	_cleanup_free_ char *text = NULL;

	lines_of(v, &now);
	text = strv_join(&now, "\n");
	return run_set(r, key, text, e);
}

void queue_news_release(struct queue_news *n, const struct queue_report *r)
{
	for (size_t i = 0; n->fresh && i < r->nr; i++)
		free(n->fresh[i]);
	free(n->fresh);
	free(n->patches);
	free(n->whole);
	free(n->run);
}
