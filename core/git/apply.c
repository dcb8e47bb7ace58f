// SPDX-License-Identifier: GPL-3.0-or-later
/* A series on a commit: patch by patch a tree and a commit, at the end the ref. */
#include "core/git/apply.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/apply-patch.h"
#include "core/git/commit.h"
#include "core/git/objects.h"
#include "core/git/patch.h"
#include "core/git/threeway.h"

struct applier {
	struct repo *r;
	const struct series *s;
	const struct apply_opts *o;
	char *name, *email; /* of the committer */
	struct oid tree;
	struct apply_result *result;
};

const char *apply_method_name(enum apply_method m)
{
	static const char *const names[] = { "exact", "offset", "reduced", "3way",
					     "resolved" };

	return names[m];
}

static void failure_free(struct apply_failure *f)
{
	if (!f)
		return;
	free(f->message_id);
	free(f->subject);
	free(f->path);
	free(f->reason);
	free(f->hint);
	conflicts_release(&f->conflicts);
	free(f);
}

static void skipped_free(struct apply_result *a)
{
	for (size_t i = 0; i < a->nr_skipped; i++) {
		free(a->skipped[i].message_id);
		free(a->skipped[i].subject);
	}
	free(a->skipped);
}

void apply_result_free(struct apply_result *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->nr; i++) {
		free(a->commits[i].message_id);
		free(a->commits[i].subject);
	}
	free(a->commits);
	skipped_free(a);
	free(a->ref);
	failure_free(a->failed);
	free(a);
}

static int check_complete(const struct series *s, struct err *e)
{
	_cleanup_buf_ struct buf list = BUF_INIT;

	if (!s->nr_patches)
		return err_set(e, ERR_NO_PATCHES, "the series has no patches");
	if (series_is_complete(s))
		return 0;
	for (size_t i = 0; i < s->nr_missing; i++)
		buf_addf(&list, "%s%d", i ? ", " : "", s->missing[i]);
	err_set(e, ERR_INCOMPLETE, "patch%s %s of %d %s missing",
		s->nr_missing > 1 ? "es" : "", buf_str(&list), s->total,
		s->nr_missing > 1 ? "are" : "is");
	return err_hint(e, "the archive may not have them yet; look at the thread again "
			   "later");
}

/* The patch is in the tree when taking it back works. */
static bool is_applied(struct applier *a, const struct diff *d)
{
	struct patch_opts o = { .reverse = true, .only_check = true };
	struct file_failure ignored = { 0 };
	_cleanup_err_ struct err e = { 0 };
	enum apply_method method;
	struct oid none;
	int r = patch_apply(a->r, d, &a->tree, &o, &none, &method, &ignored, &e);

	file_failure_release(&ignored);
	return r == 0;
}

static bool is_verdict(enum err_code code)
{
	return code == ERR_HUNK || code == ERR_NO_FILE || code == ERR_EXISTS ||
	       code == ERR_BAD_PATCH || code == ERR_UNSAFE_PATH || code == ERR_TOO_BIG ||
	       code == ERR_CONFLICT || code == ERR_NO_BLOB;
}

/* Why the diff does not fit, unless the cause is the repository. f may be empty. */
static void note_failure(struct applier *a, const struct patch *p, struct file_failure *f,
			 const struct err *e)
{
	struct apply_failure *failed = xzalloc(sizeof(*failed));

	failed->code = e->code;
	failed->tree = a->tree;
	failed->number = p->number;
	failed->message_id = xstrdup(p->message_id);
	failed->subject = xstrdup(p->subject);
	failed->path = take_ptr(f->path);
	failed->hunk = f->hunk;
	failed->reason = f->reason ? take_ptr(f->reason) : xstrdup(e->frame[0]);
	failed->hint = f->hint ? take_ptr(f->hint) : xstrdup(e->hint);
	a->result->failed = failed;
}

static int explain(struct applier *a, const struct diff *d, struct file_failure *f,
		   struct err *e)
{
	if (e->code != ERR_HUNK && e->code != ERR_EXISTS && e->code != ERR_NO_FILE)
		return -(int)e->code;
	if (!is_applied(a, d))
		return -(int)e->code;
	/* The same cause under its true name: keep the code, it says how it showed. */
	err_set(e, e->code, "%s: already applied: the tree has all changes of the patch",
		f->path);
	free(f->reason);
	f->reason = xstrdup("already applied: the tree has all changes of the patch");
	free(f->hint);
	f->hint = xstrdup("leave the patch out, or apply to an older base with --onto");
	return err_hint(e, "%s", f->hint);
}

/* git wants to be told that names have no a/ and b/, and so do we. */
static void hint_strip(const struct patch *p, struct err *e)
{
	struct apply_rules rules = APPLY_RULES_INIT;
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err ignored = { 0 };

	rules.strip = 0;
	if (diff_parse_rules(buf_str(&p->diff), p->diff.len, &rules, &d, &ignored) == 0)
		err_hint(e,
			 "its file names have no a/ and b/ before them: try --strip 0");
}

/* What the mail's reader found wrong says more than the parser, except about paths. */
static int parse_patch(const struct patch *p, const struct apply_rules *rules,
		       struct diff **ret, struct err *e)
{
	_cleanup_diff_ struct diff *d = NULL;
	int r;

	if (!p->diff.len && !p->damage)
		return err_set(e, ERR_BAD_PATCH, "the mail has no diff");
	r = diff_parse_rules(buf_str(&p->diff), p->diff.len, rules, &d, e);
	if (p->damage && (r == 0 || e->code != ERR_UNSAFE_PATH))
		return err_set(e, ERR_BAD_PATCH, "the mail is damaged: %s", p->damage);
	if (r == 0)
		*ret = take_ptr(d);
	else if (e->code == ERR_BAD_PATCH && (!rules || rules->strip < 0))
		hint_strip(p, e);
	return r;
}

/* What a merge made of a patch, beside the tree. */
struct merged {
	struct conflicts conflicts;
	struct oid tree;
	bool nothing; /* the tree had all of it */
};

/*
 * As git am -3: what refuses the patch first stays the cause unless the merge gets far
 * enough to have a better one.
 */
static int merge_diff(struct applier *a, const struct patch *p, const struct diff *d,
		      struct merged *ret, struct file_failure *f, struct err *e)
{
	struct threeway in = { .tree = a->tree,
			       .subject = p->subject ? p->subject : "",
			       .rules = a->o->rules };
	int r;

	err_release(e);
	r = threeway_apply(a->r, d, &in, &ret->tree, &ret->conflicts, f, e);
	ret->nothing = r == 0 && oid_equal(&ret->tree, &a->tree);
	return r;
}

static int apply_diff(struct applier *a, const struct patch *p, struct applied *ret,
		      struct merged *merged, struct file_failure *f, struct err *e)
{
	struct patch_opts o = { .rules = a->o->rules, .shift = &ret->shift };
	_cleanup_diff_ struct diff *d = NULL;

	if (a->o->resolved && p == a->s->patches) {
		merged->nothing = oid_equal(a->o->resolved, &a->tree);
		ret->tree = a->tree = *a->o->resolved;
		ret->method = APPLY_RESOLVED;
		return 0;
	}
	if (parse_patch(p, a->o->rules, &d, e) < 0)
		return -(int)e->code;
	if (patch_apply(a->r, d, &a->tree, &o, &ret->tree, &ret->method, f, e) < 0) {
		if (!is_verdict(e->code) || e->code == ERR_UNSAFE_PATH || !a->o->threeway)
			return explain(a, d, f, e);
		if (merge_diff(a, p, d, merged, f, e) < 0)
			return -(int)e->code;
		ret->tree = merged->tree;
		ret->method = APPLY_3WAY;
	}
	a->tree = ret->tree;
	return 0;
}

static int make_commit(struct applier *a, const struct patch *p, struct applied *ret,
		       struct err *e)
{
	bool own_date = a->o->committer_date != 0;
	struct commit_data c = {
		.tree = a->tree,
		.parent = a->result->head,
		.author = { p->author_name, p->author_email, p->date, p->date_tz },
		.committer = { a->name, a->email,
			       own_date ? a->o->committer_date : p->date,
			       own_date ? a->o->committer_tz : p->date_tz },
		.message = p->message ? p->message : "",
	};

	return commit_write(a->r, &c, &ret->oid, e);
}

/* The end of the series; e and f say why. */
static int stop_at(struct applier *a, const struct patch *p, struct merged *merged,
		   struct file_failure *f, struct err *e)
{
	if (is_verdict(e->code)) {
		note_failure(a, p, f, e);
		a->result->failed->conflicts = merged->conflicts;
		a->result->failed->merged = merged->tree;
		merged->conflicts = (struct conflicts){ 0 };
	}
	file_failure_release(f);
	conflicts_release(&merged->conflicts);
	return err_wrap(e, "patch %d/%d '%s' does not apply", p->number,
			a->s->total > 0 ? a->s->total : (int)a->s->nr_patches,
			p->subject ? p->subject : "");
}

static int apply_patch(struct applier *a, const struct patch *p, struct err *e)
{
	struct file_failure f = { 0 };
	struct merged merged = { 0 };
	struct applied done = { 0 };
	int r;

	repo_trim(a->r);
	r = apply_diff(a, p, &done, &merged, &f, e);
	if (r == 0 && !merged.nothing)
		r = make_commit(a, p, &done, e);
	if (r < 0)
		return stop_at(a, p, &merged, &f, e);
	file_failure_release(&f);
	if (merged.nothing) {
		*array_push(a->result->skipped, a->result->nr_skipped) =
			(struct apply_skipped){ p->number, xstrdup(p->message_id),
						xstrdup(p->subject) };
		return 0;
	}
	done.message_id = xstrdup(p->message_id);
	done.subject = xstrdup(p->subject);
	*array_push(a->result->commits, a->result->nr) = done;
	a->result->head = done.oid;
	return 0;
}

static int write_ref(struct applier *a, struct err *e)
{
	_cleanup_free_ char *message = xasprintf("kiln apply: %zu patches on %.12s",
						 a->result->nr, a->result->base.hex);

	if (!a->o->ref)
		return 0;
	if (repo_write_ref(a->r, a->o->ref, &a->result->head, message, NULL, e) < 0)
		return -(int)e->code;
	a->result->ref = xstrdup(a->o->ref);
	return 0;
}

static void set_committer(struct applier *a)
{
	_cleanup_free_ char *name = NULL, *email = NULL;

	repo_identity(a->r, &name, &email);
	if (a->o->committer_name)
		a->name = xstrdup(a->o->committer_name);
	else
		a->name = name ? take_ptr(name) : xstrdup("kiln");
	if (a->o->committer_email)
		a->email = xstrdup(a->o->committer_email);
	else
		a->email = email ? take_ptr(email) : xstrdup("kiln@localhost");
}

static int apply_all(struct applier *a, struct err *e)
{
	struct commit_info base;

	if (repo_commit(a->r, &a->o->onto, &base, e) < 0)
		return -(int)e->code;
	a->tree = base.tree;
	commit_info_release(&base);
	a->result->base = a->result->head = a->o->onto;
	set_committer(a);
	for (size_t i = 0; i < a->s->nr_patches; i++)
		if (apply_patch(a, &a->s->patches[i], e) < 0)
			return -(int)e->code;
	return write_ref(a, e);
}

int apply_series(struct repo *r, const struct series *s, const struct apply_opts *o,
		 struct apply_result **ret, struct err *e)
{
	_cleanup_apply_ struct apply_result *result = xzalloc(sizeof(*result));
	struct applier a = { .r = r, .s = s, .o = o, .result = result };
	int rc;

	if (check_complete(s, e) < 0)
		return -(int)e->code;
	rc = apply_all(&a, e);
	free(a.name);
	free(a.email);
	if (rc == 0 || result->failed)
		*ret = take_ptr(result);
	return rc;
}
