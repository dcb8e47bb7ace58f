// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/queue-read.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/git/repo.h"
#include "core/stable/version.h"
#include "mail/assemble.h"
#include "mail/damage.h"
#include "mail/queue-list.h"
#include "mail/text.h"

/* Whether lines end as on Windows, all of them: mixed ends may be the patched file's. */
static bool has_crlf(const struct buf *text)
{
	const char *at = buf_str(text), *end = at + text->len;
	struct line l;
	size_t nr = 0;

	while (line_next(&at, end, &l)) {
		if (l.ended && (!l.len || l.p[l.len - 1] != '\r'))
			return false;
		nr++;
	}
	return nr > 1;
}

static void drop_cr(const struct buf *text, struct buf *ret)
{
	const char *at = buf_str(text), *end = at + text->len;
	struct line l;

	while (line_next(&at, end, &l)) {
		buf_add(ret, l.p, l.ended ? l.len - 1 : l.len);
		if (l.ended)
			buf_addc(ret, '\n');
	}
}

/* "From SHA ..." as first line. Owned, NULL without one. */
static char *from_line(const struct buf *text)
{
	const char *p = buf_str(text);
	size_t n;

	if (strncmp(p, "From ", 5))
		return NULL;
	n = strspn(p + 5, "0123456789abcdef");
	return n == 40 && p[45] == ' ' ? xstrndup(p + 5, 40) : NULL;
}

static void fill_unknown(struct queue *q, const char *file, struct patch *p)
{
	if (!p->author_email) {
		free(p->author_name);
		p->author_name = xstrdup("unknown");
		p->author_email = xstrdup("unknown@quilt.invalid");
		queue_add_flaw(q, file, "names no author: add a From: line");
	}
	if (!p->message_id) {
		struct oid digest;

		repo_digest(file, strlen(file), &digest);
		p->message_id = xasprintf("%.12s@queue.invalid", digest.hex);
	}
}

static void add_patch(struct queue *q, const struct quilt_entry *entry,
		      const struct buf *text)
{
	_cleanup_buf_ struct buf unix_text = BUF_INIT;
	bool crlf = has_crlf(text);
	const struct buf *from = crlf ? &unix_text : text;
	struct queue_entry *e = array_push(q->v, q->nr);
	struct patch *p = series_add_patch(q->series);

	if (crlf) {
		drop_cr(text, &unix_text);
		queue_add_flaw(q, entry->name,
			       "has Windows line ends, with which git does not apply "
			       "it: convert it (dos2unix)");
	}
	p->number = (int)q->series->nr_patches;
	quilt_patch_read(from, entry, p);
	p->damage = damage_find(&p->diff);
	patch_fill(p);
	upstream_claims_read(p->message, &p->upstream);
	*e = (struct queue_entry){ NULL, xstrdup(entry->name), from_line(from) };
	fill_unknown(q, entry->name, p);
	if (!p->diff.len)
		queue_add_flaw(q, entry->name, "has no diff: nothing to apply");
	else if (p->damage)
		queue_add_flaw(
			q, entry->name,
			"its diff is damaged (%s): take it from git again, not from a "
			"web page or mail program",
			p->damage);
}

/* series->patches may move while it grows, so entries are bound to it at the end. */
static void bind(struct queue *q)
{
	for (size_t i = 0; i < q->nr; i++)
		q->v[i].patch = &q->series->patches[i];
	q->series->total = (int)q->series->nr_patches;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Files of the folder that no line names; quilt keeps none of these. */
static void find_strays(struct queue *q, const struct queue_files *f,
			const struct quilt_list *list)
{
	_cleanup_strv_ struct strv named = STRV_INIT;
	size_t k = 0;

	for (size_t i = 0; i < list->nr; i++)
		strv_add(&named, list->v[i].name);
	if (named.nr)
		qsort(named.v, named.nr, sizeof(*named.v), by_name);
	for (size_t i = 0; i < f->nr; i++) {
		const char *name = f->v[i].name;
		int c = -1;

		if (!strcmp(name, "series") || !strncmp(name, "../", 3))
			continue;
		while (k < named.nr && (c = strcmp(named.v[k], name)) < 0)
			k++;
		if (k == named.nr || c != 0)
			queue_add_flaw(q, name,
				       "is in the folder and not in its series: "
				       "add its line, or remove the file");
	}
}

/* "6.1" and, for releases/6.1.7, what it makes. */
static void set_version(struct queue *q, const char *folder)
{
	const char *slash = strrchr(folder, '/');
	_cleanup_free_ char *real = realpath(folder, NULL), *found = NULL;

	if (real)
		slash = strrchr(real, '/');
	found = version_in(slash ? slash + 1 : folder);
	if (!found)
		return;
	q->version = version_branch(found);
	if (strcmp(q->version, found))
		q->release = take_ptr(found);
}

static void read_active(struct queue *q, const char *text)
{
	for (const char *p = text; *p;) {
		size_t n = strcspn(p, " \t\n");
		_cleanup_free_ char *word = xstrndup(p, n);

		if (version_is(word))
			strv_add(&q->active, word);
		p += n + (p[n] != '\0');
	}
}

static void read_siblings(struct queue *q, const struct queue_files *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		const char *text = buf_str(&f->v[i].text);

		if (!strncmp(f->v[i].name, "../queue-", 9))
			queue_add_sibling(q, f->v[i].name + 9, text);
		else if (!strcmp(f->v[i].name, "../active_kernel_versions"))
			read_active(q, text);
	}
}

int queue_from_files(const char *name, const struct queue_files *f, struct queue **ret,
		     struct err *e)
{
	_cleanup_queue_ struct queue *q = queue_new(name);
	_cleanup_quilt_list_ struct quilt_list list = { 0 };
	const struct buf *dropped = queue_files_find(f, "../dropped_commits");
	const struct buf *ignored = queue_files_find(f, "../ignore_list");

	q->whole = true;
	q->series = series_new();
	q->series->title = xstrdup(name);
	set_version(q, f->folder);
	queue_list_read(queue_files_find(f, "series"), &list, q);
	for (size_t i = 0; i < list.nr; i++) {
		const struct buf *text = queue_files_find(f, list.v[i].name);

		if (text)
			add_patch(q, &list.v[i], text);
		else
			queue_add_flaw(q, list.v[i].name,
				       "series line %lu names it, and there is no such "
				       "file: put it there, or take the line out",
				       list.v[i].line);
		if (list.v[i].reverse)
			queue_add_flaw(q, list.v[i].name,
				       "series line %lu takes it back (-R): write the "
				       "patch the other way round",
				       list.v[i].line);
	}
	find_strays(q, f, &list);
	bind(q);
	if (dropped)
		queue_read_dropped(q, buf_str(dropped), false);
	if (ignored)
		queue_read_dropped(q, buf_str(ignored), true);
	read_siblings(q, f);
	if (!q->nr && !q->nr_flaws)
		return err_set(e, ERR_NO_PATCHES,
			       "the series file of '%s' names no patch", f->folder);
	*ret = take_ptr(q);
	return 0;
}

/* The patches a mail thread lacks, in one flaw. */
static void note_missing(struct queue *q)
{
	_cleanup_buf_ struct buf list = BUF_INIT;
	const struct series *s = q->series;

	for (size_t i = 0; i < s->nr_missing && i < 20; i++)
		buf_addf(&list, "%s%d", i ? ", " : "", s->missing[i]);
	if (s->nr_missing)
		queue_add_flaw(q, NULL, "%zu of %d patches are not in the thread: %s%s",
			       s->nr_missing, s->total, buf_str(&list),
			       s->nr_missing > 20 ? ", ..." : "");
}

struct queue *queue_from_series(const char *name, struct series **s)
{
	struct queue *q = queue_new(name);
	const struct stable_note *n = (*s)->stable;

	q->series = take_ptr(*s);
	for (size_t i = 0; i < q->series->nr_patches; i++) {
		struct patch *p = &q->series->patches[i];
		bool only = n && q->series->nr_patches == 1;

		*array_push(q->v, q->nr) =
			(struct queue_entry){ p, only ? xstrdup(n->file) : NULL, NULL };
		if (p->damage)
			queue_add_flaw(
				q, queue_entry_name(&q->v[i]),
				"its diff is damaged (%s): take it from git or the "
				"raw mail",
				p->damage);
	}
	note_missing(q);
	if (n) {
		q->version = xstrdup(n->version);
		q->release = xstrdup(n->release);
		q->whole = n->state == STABLE_REVIEW;
		q->failed = n->state == STABLE_FAILED;
	}
	for (size_t i = 0; !q->version && i < q->series->tree_hints.nr; i++)
		q->version = version_in(q->series->tree_hints.v[i]);
	return q;
}
