// SPDX-License-Identifier: GPL-3.0-or-later
/* Commits as the texts range-diff compares. */
#include <assert.h>
#include <git2.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/path-quote.h"
#include "core/git/range-internal.h"
#include "core/git/repo-internal.h"
#include "core/git/similar.h"

/* What a change of one file looks like; a rebased series has most of them twice. */
struct file_text {
	char *key; /* modes, blobs and names of both sides */
	struct buf text;
};

struct range_texts {
	void *index; /* of struct file_text, for tsearch() */
};

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct file_text *)a)->key,
		      ((const struct file_text *)b)->key);
}

static void file_text_free(void *p)
{
	struct file_text *t = p;

	free(t->key);
	buf_release(&t->text);
	free(t);
}

struct range_texts *range_texts_new(void)
{
	return xzalloc(sizeof(struct range_texts));
}

void range_texts_free(struct range_texts *t)
{
	if (t)
		tdestroy(t->index, file_text_free);
	free(t);
}

static char *key_of(const git_diff_delta *d)
{
	struct oid old = oid_from_git(&d->old_file.id),
		   new = oid_from_git(&d->new_file.id);

	return xasprintf("%d %o %o %s %s %s\n%s", (int)d->status, d->old_file.mode,
			 d->new_file.mode, old.hex, new.hex, d->old_file.path,
			 d->new_file.path);
}

static void add_binary(const struct range_file *f, struct buf *b)
{
	buf_adds(b, " Binary files ");
	path_quote(f->is_new ? "/dev/null" : f->old_name, b);
	buf_adds(b, " and ");
	path_quote(f->is_delete ? "/dev/null" : f->new_name, b);
	buf_adds(b, " differ\n");
}

static void add_heading(const struct range_file *f, const git_diff_hunk *h, struct buf *b)
{
	const char *end = h->header + h->header_len, *p;

	while (end > h->header && end[-1] == '\n')
		end--;
	p = memmem(h->header + 2, (size_t)(end - h->header - 2), "@@", 2);
	p = p ? p + 2 : end;
	range_hunk(f, p, (size_t)(end - p), b);
}

static void add_line(const git_diff_line *l, struct buf *b)
{
	const char *eol = memchr(l->content, '\n', l->content_len);

	if (l->origin == ' ' || l->origin == '+' || l->origin == '-')
		range_line(l->origin, l->content,
			   eol ? (size_t)(eol - l->content) : l->content_len, b);
	else
		buf_adds(b, " \\ No newline at end of file\n");
}

struct reader {
	struct repo *r;
	git_mailmap *mailmap;
	struct range *range;
	struct range_texts *texts;
};

static int add_patch(git_diff *diff, size_t nr, const struct range_file *f, struct buf *b)
{
	git_patch *patch = NULL;
	int rc = git_patch_from_diff(&patch, diff, nr);
	bool binary = rc == 0 && patch &&
		      git_patch_get_delta(patch)->flags & GIT_DIFF_FLAG_BINARY;

	if (binary)
		add_binary(f, b);
	for (size_t i = 0; rc == 0 && patch && !binary && i < git_patch_num_hunks(patch);
	     i++) {
		const git_diff_hunk *h;
		size_t n;

		rc = git_patch_get_hunk(&h, &n, patch, i);
		if (rc == 0)
			add_heading(f, h, b);
		for (size_t k = 0; rc == 0 && k < n; k++) {
			const git_diff_line *l;

			rc = git_patch_get_line_in_hunk(&l, patch, i, k);
			if (rc == 0)
				add_line(l, b);
		}
	}
	git_patch_free(patch);
	return rc;
}

static int make_text(git_diff *diff, size_t nr, struct buf *b)
{
	const git_diff_delta *d = git_diff_get_delta(diff, nr);
	struct range_file f = {
		.old_name = d->old_file.path,
		.new_name = d->new_file.path,
		.old_mode = d->old_file.mode,
		.new_mode = d->new_file.mode,
		.is_new = d->status == GIT_DELTA_ADDED,
		.is_delete = d->status == GIT_DELTA_DELETED,
		.is_rename = d->status == GIT_DELTA_RENAMED,
	};

	range_file(&f, b);
	if (git_oid_equal(&d->old_file.id, &d->new_file.id))
		return 0; /* another name or mode: binary or not, nothing differs */
	return add_patch(diff, nr, &f, b);
}

/* The text of file nr of the diff, made once for each change. */
static int find_text(struct reader *rd, git_diff *diff, size_t nr, const struct buf **ret)
{
	struct file_text *t = xzalloc(sizeof(*t)), **found;
	int rc = 0;

	t->key = key_of(git_diff_get_delta(diff, nr));
	found = tsearch(t, &rd->texts->index, by_key);
	assert(found); /* as all allocation, it does not fail */
	if (*found == t)
		rc = make_text(diff, nr, &t->text);
	else
		file_text_free(t);
	*ret = &(*found)->text;
	return rc;
}

/* libgit2 finds renames by a measure of its own; these make it git's. */
static int signature(void **ret, const git_diff_file *f, const char *data, size_t len,
		     void *ctx)
{
	struct pieces *p = xzalloc(sizeof(*p));
	_cleanup_buf_ struct buf file = BUF_INIT;

	(void)f;
	(void)ctx;
	buf_add(&file, data, len);
	pieces_init(p, &file);
	*ret = p;
	return 0;
}

static void signature_free(void *sig, void *ctx)
{
	(void)ctx;
	if (sig)
		pieces_release(sig);
	free(sig);
}

static int similarity(int *ret, void *from, void *to, void *ctx)
{
	const struct pieces *a = from, *b = to;

	(void)ctx;
	*ret = 0;
	if (similar_sizes(a->size, b->size, SIMILAR_RENAME))
		*ret = similar_score(a, b) / (SIMILAR_MAX / 100);
	return 0;
}

static int find_renames(git_diff *diff)
{
	git_diff_similarity_metric metric = { .buffer_signature = signature,
					      .free_signature = signature_free,
					      .similarity = similarity };
	git_diff_find_options o;
	int rc = git_diff_find_options_init(&o, GIT_DIFF_FIND_OPTIONS_VERSION);

	o.flags = GIT_DIFF_FIND_RENAMES;
	o.metric = &metric;
	return rc < 0 ? rc : git_diff_find_similar(diff, &o);
}

/* Only a file that comes may be one that goes. */
static bool may_rename(git_diff *diff)
{
	return git_diff_num_deltas_of_type(diff, GIT_DELTA_ADDED) &&
	       git_diff_num_deltas_of_type(diff, GIT_DELTA_DELETED);
}

static int commit_diff(git_repository *git, git_commit *c, git_diff **ret)
{
	git_diff_options o;
	git_tree *tree = NULL, *old = NULL;
	git_commit *parent = NULL;
	int rc = git_commit_tree(&tree, c);

	if (rc == 0 && git_commit_parentcount(c)) {
		rc = git_commit_parent(&parent, c, 0);
		if (rc == 0)
			rc = git_commit_tree(&old, parent);
	}
	git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
	o.flags = GIT_DIFF_INDENT_HEURISTIC;
	if (rc == 0)
		rc = git_diff_tree_to_tree(ret, git, old, tree, &o);
	if (rc == 0 && may_rename(*ret))
		rc = find_renames(*ret);
	git_commit_free(parent);
	git_tree_free(old);
	git_tree_free(tree);
	return rc;
}

static int add_head(struct reader *rd, git_commit *c, struct buf *b)
{
	git_signature *who = NULL;
	int rc = git_commit_author_with_mailmap(&who, c, rd->mailmap);

	if (rc == 0)
		range_head(who->name, who->email, git_commit_message(c), b);
	git_signature_free(who);
	return rc;
}

static int add_files(struct reader *rd, git_diff *diff, struct buf *b, size_t *ret_at)
{
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const struct buf *text;

		if (find_text(rd, diff, i, &text) < 0)
			return -1;
		if (!i)
			*ret_at = b->len + 1; /* behind the blank line */
		buf_add(b, buf_str(text), text->len);
	}
	return 0;
}

static int add_commit(struct reader *rd, git_commit *c)
{
	struct buf b = BUF_INIT;
	git_diff *diff = NULL;
	struct range_patch *p;
	size_t at = 0;
	int rc = add_head(rd, c, &b);

	if (rc == 0)
		rc = commit_diff(rd->r->git, c, &diff);
	if (rc == 0)
		rc = add_files(rd, diff, &b, &at);
	git_diff_free(diff);
	if (rc == 0) {
		p = range_add(rd->range, &b, at);
		p->oid = oid_from_git(git_commit_id(c));
		p->subject = range_subject(git_commit_message(c));
	}
	buf_release(&b);
	return rc;
}

static int read_one(struct reader *rd, const struct oid *oid)
{
	git_commit *c = NULL;
	git_oid id;
	int rc = oid_to_git(oid, &id) ? git_commit_lookup(&c, rd->r->git, &id) : -1;

	if (rc == 0 && git_commit_parentcount(c) < 2)
		rc = add_commit(rd, c);
	git_commit_free(c);
	return rc;
}

int range_read(struct repo *r, const struct range_ends *ends, struct range_texts *texts,
	       struct range *ret, struct err *e)
{
	const struct oid *base = &ends->base, *head = &ends->head;
	_cleanup_free_ struct oid *v = NULL;
	_cleanup_range_ struct range range = { 0 };
	struct reader rd = { .r = r, .range = &range, .texts = texts };
	size_t nr = 0;
	int rc;

	if (repo_range(r, base, head, false, &v, &nr, e) < 0)
		return -(int)e->code;
	if (nr > RANGE_MAX)
		return err_set(e, ERR_TOO_BIG, "'%.12s' to '%.12s' are %zu commits",
			       base->hex, head->hex, nr);
	rc = git_mailmap_from_repository(&rd.mailmap, r->git);
	for (size_t i = 0; rc == 0 && i < nr; i++)
		rc = read_one(&rd, &v[i]);
	git_mailmap_free(rd.mailmap);
	if (rc < 0)
		return git_fail(e, ERR_IO, "cannot read the commits up to '%.12s'",
				head->hex);
	*ret = range;
	range = (struct range){ 0 };
	return 0;
}
