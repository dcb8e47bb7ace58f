// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/why.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/git/commit-diff.h"
#include "core/git/why-internal.h"

const char *why_kind_name(enum why_kind k)
{
	static const char *const names[] = { "context", "applied", "whitespace", "place",
					     "foreign" };

	return names[k];
}

const char *why_blob_name(enum why_blob b)
{
	static const char *const names[] = { "unsaid", "same", "known", "unknown" };

	return names[b];
}

static void hunk_release(struct why_hunk *h)
{
	free(h->path);
	for (size_t i = 0; i < h->nr_differs; i++) {
		free(h->differs[i].have);
		free(h->differs[i].want);
	}
	free(h->differs);
	free(h->commit.subject);
}

static void file_release(struct why_file *f)
{
	free(f->path);
	free(f->blob_commit.subject);
	strv_release(&f->blob_refs);
	free(f->commit.subject);
	free(f->moved_to);
}

void why_release(struct why *w)
{
	for (size_t i = 0; i < w->nr_hunks; i++)
		hunk_release(&w->hunks[i]);
	for (size_t i = 0; i < w->nr_files; i++)
		file_release(&w->files[i]);
	free(w->hunks);
	free(w->files);
	free(w->damage);
	free(w->applied.subject);
	*w = (struct why){ 0 };
}

static const struct patch *patch_of(const struct why_query *q)
{
	for (size_t i = 0; i < q->series->nr_patches; i++)
		if (q->series->patches[i].number == q->result->failed->number)
			return &q->series->patches[i];
	return NULL;
}

/* The hunks of a file that do not fit, each on the file as the tree has it. */
static int explain_hunks(struct why_ctx *c, const struct file_diff *f,
			 const struct buf *text, struct err *e)
{
	size_t first = c->ret->nr_hunks;

	for (size_t i = 0; i < f->nr_hunks && c->ret->nr_hunks < WHY_MAX_HUNKS; i++) {
		struct why_hunk h = { 0 };

		if (why_fits(&f->hunks[i], text, false))
			continue;
		why_compare(f, i, text, &h);
		*array_push(c->ret->hunks, c->ret->nr_hunks) = h;
	}
	return c->ret->nr_hunks == first ? 0 : why_since(c, f, first, e);
}

static int explain_file(struct why_ctx *c, const struct file_diff *f, struct err *e)
{
	bool makes = f->is_new > 0 || f->is_rename || f->is_copy;
	_cleanup_buf_ struct buf text = BUF_INIT, other = BUF_INIT;
	struct oid have = { 0 }, taken = { 0 };
	struct why_file w = { 0 };
	int old = 0, new = 0, rc = 0;

	if (f->old_name && f->is_new <= 0)
		old = why_read(c->r, &c->tree, f->old_name, &text, &have, e);
	if (old >= 0 && makes && f->new_name)
		new = why_read(c->r, &c->tree, f->new_name, &other, &taken, e);
	if (old < 0 || new < 0)
		return -(int)e->code;
	w.missing = f->old_name && f->is_new <= 0 && !old;
	w.exists = new == 1;
	if (!w.missing && !w.exists && old && explain_hunks(c, f, &text, e) < 0)
		return -(int)e->code;
	if (f->old_name && f->is_new <= 0)
		rc = why_blob(c, f, &have, &w, e);
	if (rc == 0 && (w.missing || w.exists))
		rc = why_file_history(c, f, &w, e);
	w.path = xstrdup(f->old_name && !w.exists ? f->old_name : f->new_name);
	if (rc < 0 || (!w.missing && !w.exists && w.blob <= WHY_BLOB_SAME))
		file_release(&w);
	else
		*array_push(c->ret->files, c->ret->nr_files) = w;
	return rc;
}

/* The same patch in the history of the base, by any of its files. */
static int find_applied(struct why_ctx *c, struct err *e)
{
	struct path_log_limit limit = { WHY_COMMITS, c->deadline_ms };
	struct commit_patch p = { .patch_id = c->p->patch_id, .nr_files = c->d->nr };
	struct oid commit;
	int rc;

	if (!c->p->patch_id || !c->d->nr)
		return 0;
	p.path = c->d->files[0].new_name ? c->d->files[0].new_name
					 : c->d->files[0].old_name;
	rc = commit_find_patch(c->r, &c->onto, &p, &limit, &commit, e);
	if (rc == 1)
		why_name_commit(c, &commit, &c->ret->applied);
	return rc < 0 ? rc : 0;
}

static int tree_at_failure(struct why_ctx *c, struct err *e)
{
	const struct apply_result *a = c->q->result;
	struct commit_info info;

	c->onto = a->base;
	if (a->nr) {
		c->tree = a->commits[a->nr - 1].tree;
		return 0;
	}
	if (repo_commit(c->r, &a->base, &info, e) < 0)
		return -(int)e->code;
	c->tree = info.tree;
	commit_info_release(&info);
	return 0;
}

static int explain(struct why_ctx *c, struct err *e)
{
	if (tree_at_failure(c, e) < 0 || find_applied(c, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < c->d->nr && c->ret->nr_files < WHY_MAX_FILES; i++)
		if (explain_file(c, &c->d->files[i], e) < 0)
			return -(int)e->code;
	return 0;
}

int why_explain(struct repo *r, const struct why_query *q, struct why *ret, struct err *e)
{
	_cleanup_(why_release) struct why w = { .number = q->result->failed->number };
	struct why_ctx c = { .r = r, .q = q, .p = patch_of(q), .ret = &w };
	_cleanup_err_ struct err damaged = { 0 };
	int rc = 0;

	c.deadline_ms = clock_ms() + WHY_MS;
	if (c.p && c.p->damage)
		w.damage = xstrdup(c.p->damage);
	if (c.p && diff_parse(buf_str(&c.p->diff), c.p->diff.len, &c.d, &damaged) < 0 &&
	    !w.damage)
		w.damage = xstrdup(damaged.frame[0]);
	if (c.d)
		rc = explain(&c, e);
	diff_free(c.d);
	if (rc < 0)
		return rc;
	*ret = w;
	w = (struct why){ 0 };
	return 0;
}
