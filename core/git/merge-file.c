// SPDX-License-Identifier: GPL-3.0-or-later
/* Modes and contents of one file: what merge_mode_and_contents() does in git. */
#include <git2.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/binary.h"
#include "core/git/diff-internal.h"
#include "core/git/merge-internal.h"

static const char no_oid[] = "0000000000000000000000000000000000000000";

static int read_side(struct repo *r, const struct tree_file *f, struct buf *ret,
		     struct err *e)
{
	if (!f)
		return 0;
	if (repo_get(r, OBJECT_BLOB, &f->oid, ret, e) < 0)
		return err_wrap(e, "cannot merge '%s'", f->path);
	return 0;
}

/* "HEAD", with the path when the sides have different ones. */
static char *label(const struct merge_three *m, const char *name,
		   const struct tree_file *f)
{
	if (!strcmp(m->ours->path, m->theirs->path) &&
	    (!m->base || !strcmp(m->base->path, m->ours->path)))
		return xstrdup(name);
	return xasprintf("%s:%s", name, f->path);
}

static git_merge_file_input input(const struct buf *b, const char *path)
{
	git_merge_file_input in = { .version = GIT_MERGE_FILE_INPUT_VERSION };

	in.ptr = buf_str(b);
	in.size = b->len;
	in.path = path;
	return in;
}

static int merge_text(struct repo *r, const struct merge_three *m, const struct buf *v,
		      struct merge_outcome *ret, struct err *e)
{
	_cleanup_free_ char *ours = label(m, "HEAD", m->ours);
	_cleanup_free_ char *theirs = label(m, m->their_name, m->theirs);
	git_merge_file_options opts = { .version = GIT_MERGE_FILE_OPTIONS_VERSION };
	git_merge_file_input in[3];
	git_merge_file_result result = { 0 };
	struct buf merged = BUF_INIT;
	int rc;

	for (int i = 0; i < 3; i++)
		in[i] = input(&v[i], m->ours->path);
	opts.our_label = ours;
	opts.their_label = theirs;
	if (git_merge_file(&result, &in[0], &in[1], &in[2], &opts) < 0)
		return git_fail(e, ERR_IO, "cannot merge '%s'", m->ours->path);
	merged.data = (char *)result.ptr;
	merged.len = result.len;
	rc = repo_put(r, OBJECT_BLOB, &merged, &m->ours->oid, &ret->oid, e);
	if (!result.automergeable)
		ret->conflict = m->base ? "content" : "add/add";
	git_merge_file_result_free(&result);
	return rc;
}

static int merge_files(struct repo *r, const struct merge_three *m,
		       struct merge_outcome *ret, struct err *e)
{
	struct buf v[3] = { BUF_INIT, BUF_INIT, BUF_INIT };
	int rc = read_side(r, m->base, &v[0], e);

	if (rc == 0)
		rc = read_side(r, m->ours, &v[1], e);
	if (rc == 0)
		rc = read_side(r, m->theirs, &v[2], e);
	if (rc == 0) {
		bool binary = false;

		for (int i = 0; i < 3; i++)
			binary |= is_binary(buf_str(&v[i]), v[i].len);
		if (binary)
			ret->conflict = "binary";
		else
			rc = merge_text(r, m, v, ret, e);
	}
	for (int i = 0; i < 3; i++)
		buf_release(&v[i]);
	return rc;
}

static void merge_modes(const struct merge_three *m, struct merge_outcome *ret)
{
	unsigned int base = m->base ? m->base->mode : 0;

	if (m->ours->mode == m->theirs->mode || m->ours->mode == base)
		ret->mode = m->theirs->mode;
	else if (m->theirs->mode != base)
		ret->conflict = "mode";
}

int merge_contents(struct repo *r, const struct merge_three *m, struct merge_outcome *ret,
		   struct err *e)
{
	const char *base = m->base ? m->base->oid.hex : no_oid;
	const char *ours = m->ours->oid.hex, *theirs = m->theirs->oid.hex;

	*ret = (struct merge_outcome){ .mode = m->ours->mode, .oid = m->ours->oid };
	if ((m->ours->mode ^ m->theirs->mode) & MODE_TYPE) {
		ret->conflict = "mode";
		if ((m->ours->mode & MODE_TYPE) != MODE_FILE) {
			ret->mode = m->theirs->mode;
			ret->oid = m->theirs->oid;
		}
		return 0;
	}
	merge_modes(m, ret);
	if (!strcmp(ours, theirs) || !strcmp(ours, base)) {
		ret->oid = m->theirs->oid;
		return 0;
	}
	if (!strcmp(theirs, base))
		return 0;
	switch (m->ours->mode & MODE_TYPE) {
	case MODE_FILE:
		return merge_files(r, m, ret, e);
	case MODE_GITLINK:
		/* git looks into the submodule's history, which is not here. */
		ret->conflict = "submodule";
		return 0;
	default:
		ret->conflict = "content";
		return 0;
	}
}
