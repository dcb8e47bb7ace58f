// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A diff on a tree by git-apply's rules. Diffs of one patch are a set, not a sequence: a
 * rename or copy takes the file as it was before the patch, so that two files can swap
 * names; a plain change goes on what an earlier diff of the same file left.
 */
#include "core/git/apply-patch.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"
#include "core/git/image.h"
#include "core/git/overlay.h"

/* Line comparisons one patch may cost: seconds, where a real patch takes thousands. */
#define PATCH_BUDGET 2000000000ULL

struct patcher {
	struct overlay tree;
	const struct patch_opts *o;
	const struct apply_rules *rules;
	enum apply_method method;
	struct fit fit;
	struct file_failure *failure;
	struct err *e;
};

/* One file's diff under way: the diff, maybe turned round, and what it starts from. */
struct job {
	const struct file_diff *f;
	const char *old_name, *new_name;
	unsigned int old_mode, new_mode;
	const char *old_id, *new_id;
	bool is_new, is_delete, has_pre;
	unsigned int pre_mode;
	const struct node *pre_node; /* the result of an earlier diff, else pre_oid */
	struct oid pre_oid;
};

void file_failure_release(struct file_failure *f)
{
	free(f->path);
	free(f->reason);
	free(f->hint);
	*f = (struct file_failure){ 0 };
}

static const char *job_name(const struct job *j)
{
	return j->new_name ? j->new_name : j->old_name;
}

static int _printf_(5, 6) refuse(struct patcher *p, enum err_code code, const char *path,
				 int hunk, const char *fmt, ...)
{
	struct file_failure f = { .path = xstrdup(path), .hunk = hunk };
	va_list ap;

	va_start(ap, fmt);
	f.reason = xvasprintf(fmt, ap);
	va_end(ap);
	file_failure_release(p->failure);
	*p->failure = f;
	return err_set(p->e, code, "%s: %s", path, f.reason);
}

static int hint(struct patcher *p, const char *text)
{
	free(p->failure->hint);
	p->failure->hint = xstrdup(text);
	return err_hint(p->e, "%s", text);
}

static struct job job_of(const struct file_diff *f, bool reverse)
{
	struct job j = { .f = f,
			 .old_name = f->old_name,
			 .new_name = f->new_name,
			 .old_mode = f->old_mode,
			 .new_mode = f->new_mode,
			 .old_id = f->old_id,
			 .new_id = f->new_id,
			 .is_new = f->is_new > 0,
			 .is_delete = f->is_delete > 0 };

	if (reverse) {
		j.old_name = f->new_name;
		j.new_name = f->old_name;
		j.old_mode = f->new_mode;
		j.new_mode = f->new_mode ? f->old_mode : 0;
		j.old_id = f->new_id;
		j.new_id = f->old_id;
		j.is_new = f->is_delete > 0;
		j.is_delete = f->is_new > 0;
	}
	return j;
}

static bool moves(const struct job *j)
{
	return j->f->is_rename || j->f->is_copy;
}

/* Whether a folder on the way to path is a symbolic link or a file, now. */
static int check_way(struct patcher *p, const char *path)
{
	for (const char *s = strchr(path, '/'); s; s = strchr(s + 1, '/')) {
		_cleanup_free_ char *folder = xstrndup(path, (size_t)(s - path));
		const struct node *n = overlay_find(&p->tree, folder);
		unsigned int mode = 0;
		struct oid oid;
		int r;

		if (n && n->seen == SEEN_GONE && !n->present)
			continue;
		if (n && n->present) {
			mode = n->mode;
		} else {
			r = overlay_base(&p->tree, folder, &mode, &oid, p->e);
			if (r <= 0)
				return r;
		}
		if ((mode & MODE_TYPE) != MODE_LINK)
			continue;
		return refuse(p, ERR_UNSAFE_PATH, path, 0,
			      "lies beyond the symbolic link '%s'", folder);
	}
	return 0;
}

static int no_file(struct patcher *p, const struct job *j)
{
	if (check_way(p, j->old_name) < 0)
		return -(int)p->e->code;
	refuse(p, ERR_NO_FILE, j->old_name, 0, "no such file in the tree");
	return hint(p,
		    "the base may be another tree, or a patch this one needs is missing");
}

static int check_pre_mode(struct patcher *p, struct job *j)
{
	if (!j->old_mode)
		j->old_mode = j->pre_mode;
	if ((j->pre_mode ^ j->old_mode) & MODE_TYPE)
		return refuse(p, ERR_HUNK, j->old_name, 0,
			      "the tree has another type of file there (mode %o, not %o)",
			      j->pre_mode, j->old_mode);
	if (!j->new_mode && !j->is_delete)
		j->new_mode = j->pre_mode;
	return 0;
}

/* Find what the diff starts from. */
static int check_pre(struct patcher *p, struct job *j)
{
	const struct node *n = j->old_name ? overlay_find(&p->tree, j->old_name) : NULL;
	int r;

	if (!j->old_name || j->is_new) {
		j->old_name = NULL;
		return 0;
	}
	if (n && !moves(j) && n->seen == SEEN_GONE)
		return refuse(p, ERR_NO_FILE, j->old_name, 0,
			      "was moved or deleted earlier in the same patch");
	if (n && !moves(j) && n->seen == SEEN_HERE) {
		j->pre_node = n;
		j->pre_mode = n->mode;
		j->pre_oid = n->oid;
	} else {
		r = overlay_base(&p->tree, j->old_name, &j->pre_mode, &j->pre_oid, p->e);
		if (r < 0)
			return r;
		if (r == 0 || j->pre_mode == 040000) {
			/* A plain diff does not say that the file is new. */
			if (j->f->is_new >= 0 || p->o->reverse)
				return no_file(p, j);
			j->is_new = true;
			j->old_name = NULL;
			return 0;
		}
	}
	j->has_pre = true;
	return check_pre_mode(p, j);
}

/* Whether the place of a new file is free. */
static int check_free(struct patcher *p, struct job *j)
{
	const struct node *n = overlay_find(&p->tree, j->new_name);
	unsigned int mode;
	struct oid oid;
	int r = 0;

	if (n && (n->seen == SEEN_GONE || n->seen == SEEN_LEAVING))
		return 0;
	if (!n || n->seen != SEEN_HERE) {
		r = overlay_base(&p->tree, j->new_name, &mode, &oid, p->e);
		if (r < 0)
			return r;
	}
	if ((n && n->seen == SEEN_HERE) || (r && mode != 040000))
		return refuse(p, ERR_EXISTS, j->new_name, 0,
			      "already exists in the tree");
	return 0;
}

static int check_post(struct patcher *p, struct job *j)
{
	bool creates = j->is_new || (p->o->reverse ? j->f->is_rename : moves(j));

	if (!j->new_name || j->is_delete)
		return 0;
	if (creates && check_free(p, j) < 0)
		return -(int)p->e->code;
	if (!j->new_mode)
		j->new_mode = j->has_pre ? j->old_mode : MODE_FILE | 0644;
	if (j->old_name && (j->old_mode ^ j->new_mode) & MODE_TYPE)
		return refuse(p, ERR_BAD_PATCH, j->new_name, 0,
			      "mode %o does not go with mode %o", j->new_mode,
			      j->old_mode);
	return check_way(p, j->new_name);
}

static int hunk_failed(struct patcher *p, const struct job *j, size_t i,
		       const struct image *img, const struct hunk_lines *l,
		       const struct place *at)
{
	const struct hunk *h = &j->f->hunks[i];
	_cleanup_buf_ struct buf why = BUF_INIT;

	if (!p->o->only_check)
		image_explain(img, l, at, &why);
	return refuse(p, ERR_HUNK, job_name(j), (int)i + 1,
		      "hunk %zu of %zu at line %lu does not match%s%s", i + 1,
		      j->f->nr_hunks, h->old_pos, why.len ? ": " : "", buf_str(&why));
}

static void note_shift(size_t *shift, const struct place *at)
{
	size_t moved = at->found > at->want ? at->found - at->want : at->want - at->found;

	if (shift && moved > *shift)
		*shift = moved;
}

/* Put one hunk on the image. */
static int apply_hunk(struct patcher *p, const struct job *j, size_t i, struct image *img,
		      struct hunk_lines *l)
{
	const struct hunk *h = &j->f->hunks[i];
	struct place at;

	hunk_lines_init(l, h, p->o->reverse);
	if (p->rules->whitespace == WHITESPACE_FIX && !p->o->reverse)
		hunk_lines_fix(l);
	switch (image_find(img, h, l, &p->fit, &at)) {
	case PLACE_TOO_LONG:
		return refuse(p, ERR_BAD_PATCH, job_name(j), (int)i + 1,
			      "takes too long to place");
	case PLACE_NONE:
		return hunk_failed(p, j, i, img, l, &at);
	case PLACE_FOUND:
		break;
	}
	if (p->rules->whitespace == WHITESPACE_REFUSE && l->blank_end &&
	    at.found + l->pre.nr >= img->nr)
		return refuse(p, ERR_BAD_PATCH, job_name(j), (int)i + 1,
			      "adds blank lines at the end of the file");
	note_shift(p->o->shift, &at);
	if (at.reduced)
		p->method = APPLY_REDUCED;
	else if (at.found != at.want && p->method == APPLY_EXACT)
		p->method = APPLY_OFFSET;
	image_replace(img, at.found, l);
	return 0;
}

static int apply_hunks(struct patcher *p, const struct job *j, const struct buf *pre,
		       struct buf *ret)
{
	_cleanup_free_ struct hunk_lines *l = xcalloc(j->f->nr_hunks, sizeof(*l));
	struct image img;
	int r = 0;

	image_init(&img, pre->data, pre->len);
	for (size_t i = 0; r == 0 && i < j->f->nr_hunks; i++)
		r = apply_hunk(p, j, i, &img, &l[i]);
	if (r == 0)
		image_text(&img, ret);
	image_release(&img);
	for (size_t i = 0; i < j->f->nr_hunks; i++)
		hunk_lines_release(&l[i]);
	return r;
}

/* The object a binary diff says it makes, when the repository has it already. */
static bool known_result(struct patcher *p, const struct job *j, struct buf *ret)
{
	_cleanup_err_ struct err ignored = { 0 };
	struct oid oid;

	memcpy(oid.hex, j->new_id, sizeof(oid.hex));
	return overlay_read(&p->tree, MODE_FILE, &oid, ret, &ignored) == 0;
}

static int apply_binary(struct patcher *p, const struct job *j, const struct buf *pre,
			struct buf *ret)
{
	static const char none[] = "0000000000000000000000000000000000000000";
	const char *name = job_name(j);
	struct oid have;

	if (strlen(j->old_id) != 40 || strlen(j->new_id) != 40)
		return refuse(p, ERR_BAD_PATCH, name, 0,
			      "a binary patch needs the full ids of its index line");
	repo_digest(buf_str(pre), pre->len, &have);
	if (j->has_pre ? strcmp(have.hex, j->old_id) != 0 : pre->len != 0)
		return refuse(p, ERR_HUNK, name, 0,
			      "the binary patch is for other contents (%.12s, not %.12s)",
			      j->old_id, have.hex);
	if (!strcmp(j->new_id, none))
		return 0;
	if (p->o->reverse ? !known_result(p, j, ret)
			  : j->f->forward.kind == BINARY_NONE && !known_result(p, j, ret))
		return refuse(p, ERR_BAD_PATCH, name, 0,
			      "the mail does not carry the binary data");
	if (!p->o->reverse && j->f->forward.kind != BINARY_NONE) {
		_cleanup_err_ struct err why = { 0 };

		if (binary_data(&j->f->forward, pre, ret, &why) < 0)
			return refuse(p, ERR_BAD_PATCH, name, 0, "%s", why.frame[0]);
	}
	repo_digest(buf_str(ret), ret->len, &have);
	if (strcmp(have.hex, j->new_id))
		return refuse(p, ERR_BAD_PATCH, name, 0,
			      "the binary patch makes %.12s, not the %.12s it announces",
			      have.hex, j->new_id);
	return 0;
}

/* git's modes: only the owner's x bit of a file counts. */
static unsigned int canonical(unsigned int mode)
{
	if ((mode & MODE_TYPE) != MODE_FILE)
		return mode & MODE_TYPE;
	return MODE_FILE | (mode & 0100 ? 0755 : 0644);
}

static int read_pre(struct patcher *p, const struct job *j, struct buf *ret)
{
	if (!j->has_pre)
		return 0;
	if (j->pre_node && j->pre_node->has_data) {
		buf_add(ret, j->pre_node->data.data, j->pre_node->data.len);
		return 0;
	}
	return overlay_read(&p->tree, j->pre_mode, &j->pre_oid, ret, p->e);
}

/* The new contents; *changed is false when a diff is about names and modes only. */
static int make_post(struct patcher *p, const struct job *j, struct buf *ret,
		     bool *changed)
{
	_cleanup_buf_ struct buf pre = BUF_INIT;
	int r;

	*changed = j->f->nr_hunks || j->f->is_binary || !j->has_pre || j->is_delete;
	if (!*changed)
		return 0;
	if (read_pre(p, j, &pre) < 0)
		return -(int)p->e->code;
	if (j->f->is_binary)
		r = apply_binary(p, j, &pre, ret);
	else
		r = apply_hunks(p, j, &pre, ret);
	if (r == 0 && j->is_delete && ret->len)
		return refuse(p, ERR_HUNK, j->old_name, 0,
			      "the patch deletes the file but leaves %zu bytes of it",
			      ret->len);
	return r;
}

static void record_old(struct patcher *p, const struct job *j)
{
	struct node *n = overlay_node(&p->tree, j->old_name);

	/* A rename takes away what was there before the patch, not what another made. */
	if (!n->created || !j->f->is_rename)
		n->present = n->created = false;
	n->touched = true;
	n->seen = SEEN_GONE;
}

static void record(struct patcher *p, const struct job *j, struct buf *post, bool changed)
{
	struct node *n;

	if (j->new_name && !j->is_delete) {
		struct oid oid = j->pre_oid;

		n = overlay_node(&p->tree, j->new_name);
		n->created |= j->is_new || moves(j);
		n->touched = n->present = true;
		n->seen = SEEN_HERE;
		n->mode = canonical(j->new_mode);
		if (changed) {
			buf_release(&n->data);
			n->data = *post;
			*post = (struct buf)BUF_INIT;
			n->has_data = true;
			n->from = oid;
		} else if (n != j->pre_node) {
			n->oid = oid;
			n->has_data = false;
		}
	}
	if (j->old_name && (j->is_delete || j->f->is_rename))
		record_old(p, j);
}

static int apply_file(struct patcher *p, const struct file_diff *f)
{
	struct job j = job_of(f, p->o->reverse);
	_cleanup_buf_ struct buf post = BUF_INIT;
	bool changed;

	/* The reverse of a copy is a deletion, and nothing that says "already applied".
	 */
	if (p->o->reverse && f->is_copy)
		return refuse(p, ERR_HUNK, j.old_name, 0, "copies are not taken back");
	if (check_pre(p, &j) < 0 || check_post(p, &j) < 0 ||
	    make_post(p, &j, &post, &changed) < 0)
		return -(int)p->e->code;
	record(p, &j, &post, changed);
	return 0;
}

/* Names a diff will take away are free for others, whatever the order. */
static void announce_leaving(struct patcher *p, const struct diff *d)
{
	for (size_t i = 0; i < d->nr; i++) {
		struct job j = job_of(&d->files[i], p->o->reverse);

		if (j.old_name && (!j.new_name || j.is_delete || j.f->is_rename))
			overlay_node(&p->tree, j.old_name)->seen = SEEN_LEAVING;
	}
}

static int write_result(struct patcher *p, struct oid *ret)
{
	_cleanup_free_ char *conflict = NULL;

	if (overlay_write(&p->tree, ret, &conflict, p->e) == 0)
		return 0;
	if (conflict)
		return refuse(p, ERR_EXISTS, conflict, 0,
			      "would be both a file and a folder");
	return -(int)p->e->code;
}

int patch_apply(struct repo *r, const struct diff *d, const struct oid *tree,
		const struct patch_opts *o, struct oid *ret_tree,
		enum apply_method *ret_method, struct file_failure *failure,
		struct err *e)
{
	static const struct apply_rules defaults = APPLY_RULES_INIT;
	const struct apply_rules *rules = o->rules ? o->rules : &defaults;
	struct patcher p = { .tree = { .r = r, .tree = *tree },
			     .o = o,
			     .rules = rules,
			     .method = APPLY_EXACT,
			     .fit = { rules, o->reverse, PATCH_BUDGET },
			     .failure = failure,
			     .e = e };
	int rc = 0;

	announce_leaving(&p, d);
	for (size_t i = 0; rc == 0 && i < d->nr; i++)
		rc = apply_file(&p, &d->files[i]);
	if (rc == 0 && !o->only_check)
		rc = write_result(&p, ret_tree);
	overlay_release(&p.tree);
	if (rc == 0)
		*ret_method = p.method;
	return rc;
}
