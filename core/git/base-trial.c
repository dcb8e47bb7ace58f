// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/base-trial.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/git/apply-patch.h"
#include "core/git/git-free.h"
#include "core/git/patch.h"
#include "core/git/repo-internal.h"

struct base_trial {
	struct repo *scratch; /* a handle of its own, whose writes stay in memory */
	const struct series *series;
	struct apply_opts apply;
	struct base_needed *needed;
	size_t nr_needed, count;
};

static bool is_verdict(enum err_code code)
{
	return err_exit_code(code) == 1;
}

/* Whether the tree of a commit has all changes of the patch: it can be taken back. */
static bool has_patch(struct repo *r, const struct diff *d, const struct oid *commit)
{
	struct patch_opts o = { .reverse = true, .only_check = true };
	struct file_failure ignored = { 0 };
	_cleanup_err_ struct err e = { 0 };
	struct commit_info info;
	enum apply_method method;
	struct oid none;
	int rc;

	if (repo_commit(r, commit, &info, &e) < 0)
		return false;
	rc = patch_apply(r, d, &info.tree, &o, &none, &method, &ignored, &e);
	commit_info_release(&info);
	file_failure_release(&ignored);
	return rc == 0;
}

static int put_one(struct repo *r, const struct apply_opts *o, struct base_needed *n,
		   struct oid *head, struct err *e)
{
	struct series one = { .revision = 1,
			      .total = 1,
			      .patches = (struct patch *)n->patch,
			      .nr_patches = 1 };
	const struct buf *text = &n->patch->diff;
	_cleanup_apply_ struct apply_result *a = NULL;
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err damaged = { 0 };
	struct apply_opts opts = *o;

	opts.onto = *head;
	opts.ref = NULL;
	if (diff_parse(buf_str(text), text->len, &d, &damaged) == 0 &&
	    has_patch(r, d, head)) {
		n->state = NEEDED_PRESENT;
		return 1;
	}
	n->state = NEEDED_FAILED;
	if (apply_series(r, &one, &opts, &a, e) < 0)
		return is_verdict(e->code) ? 0 : -(int)e->code;
	n->state = NEEDED_APPLIED;
	*head = a->head;
	return 1;
}

int base_put_needed(struct repo *r, const struct apply_opts *o, struct base_needed *v,
		    size_t nr, struct oid *ret_head, struct err *e)
{
	*ret_head = o->onto;
	for (size_t i = 0; i < nr; i++)
		v[i].state = NEEDED_NOT_TRIED;
	for (size_t i = 0; i < nr; i++) {
		int rc = put_one(r, o, &v[i], ret_head, e);

		if (rc <= 0)
			return rc;
	}
	return 1;
}

int base_trial_open(struct repo *r, const struct series *s,
		    const struct apply_opts *apply, struct base_trial **ret,
		    struct err *e)
{
	_cleanup_base_trial_ struct base_trial *t = xzalloc(sizeof(*t));

	if (repo_open(repo_common_dir(r), &t->scratch, e) < 0)
		return -(int)e->code;
	t->series = s;
	if (apply)
		t->apply = *apply;
	t->apply.ref = NULL;
	*ret = take_ptr(t);
	return 0;
}

void base_trial_free(struct base_trial *t)
{
	if (!t)
		return;
	repo_free(t->scratch);
	free(t);
}

void base_trial_need(struct base_trial *t, struct base_needed *v, size_t nr)
{
	t->needed = v;
	t->nr_needed = nr;
}

size_t base_trial_count(const struct base_trial *t)
{
	return t->count;
}

static int run(struct base_trial *t, const struct oid *commit, size_t *done,
	       struct err *e)
{
	_cleanup_apply_ struct apply_result *a = NULL;
	struct apply_opts o = t->apply;
	struct oid head;
	int rc;

	o.onto = *commit;
	rc = base_put_needed(t->scratch, &o, t->needed, t->nr_needed, &head, e);
	if (rc <= 0)
		return rc;
	o.onto = head;
	rc = apply_series(t->scratch, t->series, &o, &a, e);
	if (a)
		*done = a->nr;
	if (rc < 0)
		return is_verdict(e->code) ? 0 : rc;
	return 1;
}

int base_trial_run(struct base_trial *t, const struct oid *commit, size_t *ret_done,
		   struct err *e)
{
	_cleanup_err_ struct err why = { 0 };
	size_t done = 0;
	int rc = run(t, commit, &done, &why);

	t->count++;
	repo_discard(t->scratch);
	if (ret_done)
		*ret_done = done;
	/* Rewritten and collected, or beyond the end of a shallow or partial clone. */
	if (rc < 0 && (why.code == ERR_UNKNOWN_REV || why.code == ERR_IO))
		return 0;
	if (rc < 0)
		return err_set(e, why.code, "%s", why.frame[0]);
	return rc;
}
