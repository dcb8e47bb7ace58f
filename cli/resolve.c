// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/resolve.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/apply-step.h"
#include "cli/json-apply.h"
#include "cli/json.h"
#include "cli/out.h"
#include "cli/resolve-state.h"
#include "core/base/alloc.h"
#include "core/base/log.h"
#include "core/git/commit-diff.h"

/* Everything of one --continue. */
struct resolving {
	struct ctx *c;
	struct conflict_tree tree;
	struct resolve_state state;
	struct series *series;
	struct apply_result *result; /* of the patches from state.next on */
};

static void resolving_release(struct resolving *r)
{
	conflict_tree_release(&r->tree);
	resolve_state_release(&r->state);
	series_free(r->series);
	apply_result_free(r->result);
}
#define _cleanup_resolving_ _cleanup_(resolving_release)

static void tell_what_to_do(struct ctx *c, const struct conflict_tree *t)
{
	if (!c->quiet)
		out_talk("resolve it in %s: edit, `git add`, then `kiln apply --continue "
			 "%s`",
			 t->dir, t->dir);
}

/* Put the conflict into the worktree; the state says before and after where it is. */
static int lay(struct ctx *c, const struct conflict_tree *t, struct resolve_state *s,
	       const struct apply_result *a, struct err *e)
{
	const struct apply_failure *f = a->failed;
	const struct oid *tree = oid_is_none(&f->merged) ? &f->tree : &f->merged;

	if (repo_flush(c->repo, e) < 0 || resolve_save(t, s, e) < 0 ||
	    conflict_tree_lay(t, &s->head, tree, &f->conflicts, e) < 0)
		return -(int)e->code;
	s->laid = true;
	return resolve_save(t, s, e);
}

/* The commits of a result behind those already there. */
static void add_commits(json_t *to, const struct apply_result *a)
{
	json_t *doc = json_apply(a, NULL);

	json_array_extend(to, json_object_get(doc, "commits"));
	json_decref(doc);
}

int resolve_start(struct ctx *c, const struct series *s, const struct apply_result *a,
		  const char *dir, struct err *e)
{
	_cleanup_conflict_tree_ struct conflict_tree t = { 0 };
	_cleanup_resolve_state_ struct resolve_state state = { .onto = a->base };

	state.ref = cli_ref(s, &a->base);
	state.commits = json_array();
	add_commits(state.commits, a);
	resolve_stopped(&state, a);
	if (repo_flush(c->repo, e) < 0 ||
	    conflict_tree_add(c->repo, dir, &a->head, &t, e) < 0 ||
	    resolve_save_series(&t, s, e) < 0 || lay(c, &t, &state, a, e) < 0)
		return -(int)e->code;
	tell_what_to_do(c, &t);
	return 0;
}

/* The patches from number n on, borrowed from s. */
static struct series rest_of(const struct series *s, int n)
{
	struct series rest = *s;

	while (rest.nr_patches && rest.patches->number < n) {
		rest.patches++;
		rest.nr_patches--;
	}
	return rest;
}

/* Apply from the stopped patch on, tree being what was made of it, NULL to try again. */
static int apply_rest(struct resolving *r, const struct oid *tree, struct err *e)
{
	struct series rest = rest_of(r->series, r->state.next);

	if (!rest.nr_patches)
		return err_set(e, ERR_STORE, "the series in '%s' has no patch %d",
			       r->tree.dir, r->state.next);
	return cli_commits_from(r->c, &rest, &r->state.head, tree, &r->result, e);
}

/* What the user made is not what was mailed: both ids are kept with the commit. */
static int mark_resolved(struct resolving *r, json_t *commits, struct err *e)
{
	struct series rest = rest_of(r->series, r->state.next);
	_cleanup_free_ char *id = NULL;
	json_t *first;

	if (!r->result->nr || r->result->commits[0].method != APPLY_RESOLVED)
		return 0;
	if (commit_patch_id(r->c->repo, &r->result->commits[0].oid, SIZE_MAX, &id, e) < 0)
		return -(int)e->code;
	first = json_array_get(commits, json_array_size(r->state.commits));
	json_object_set_new(first, "patch_id", json_text(id));
	json_object_set_new(first, "mailed_patch_id", json_text(rest.patches->patch_id));
	return 0;
}

static const char *word(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "-";
}

static void print_commit(const json_t *o)
{
	const char *id = json_string_value(json_object_get(o, "patch_id"));

	out_text("%.12s  %-8s  %s\n", word(o, "oid"), word(o, "method"),
		 word(o, "subject"));
	if (id)
		out_text("%14spatch id %.12s, as mailed %.12s\n", "", id,
			 word(o, "mailed_patch_id"));
}

/* The document of the whole series: this result with the commits before it. */
static void print(struct resolving *r, const char *ref, json_t *commits)
{
	json_t *doc = json_apply(r->result, NULL), *commit;
	size_t i;

	json_object_set_new(doc, "base", json_string(r->state.onto.hex));
	json_object_set_new(doc, "ref", json_text(ref));
	json_object_set(doc, "commits", commits);
	if (r->c->json) {
		out_json(doc);
		return;
	}
	json_array_foreach(commits, i, commit) print_commit(commit);
	if (ref)
		out_text("\nref   %s\nhead  %s\nbase  %s\n", ref, r->result->head.hex,
			 r->state.onto.hex);
	json_decref(doc);
}

static size_t count_resolved(const json_t *commits)
{
	const json_t *commit;
	size_t i, nr = 0;

	json_array_foreach(commits, i, commit)
		nr += !strcmp(word(commit, "method"), "resolved");
	return nr;
}

static int finish(struct resolving *r, json_t *commits, struct err *e)
{
	_cleanup_free_ char *message = xasprintf(
		"kiln apply: %zu patches on %.12s, %zu resolved by hand",
		json_array_size(commits), r->state.onto.hex, count_resolved(commits));

	if (repo_write_ref(r->c->repo, r->state.ref, &r->result->head, message, NULL, e) <
		    0 ||
	    conflict_tree_remove(r->c->repo, &r->tree, e) < 0)
		return -(int)e->code;
	print(r, r->state.ref, commits);
	return 0;
}

/* The next patch has stopped, too: its conflict takes the place of the last one. */
static int stop_again(struct resolving *r, json_t *commits, struct err *e)
{
	_cleanup_err_ struct err cannot = { 0 };
	json_t *old = r->state.commits;

	r->state.commits = json_incref(commits);
	json_decref(old);
	resolve_stopped(&r->state, r->result);
	if (lay(r->c, &r->tree, &r->state, r->result, &cannot) < 0) {
		err_release(e);
		*e = cannot;
		cannot = (struct err){ 0 };
		return -(int)e->code;
	}
	tell_what_to_do(r->c, &r->tree);
	if (!r->c->json)
		return -(int)e->code;
	out_error(e, false);
	print(r, NULL, commits);
	return 1;
}

/* A kill came between the state and the files: lay out the same conflict again. */
static int lay_again(struct resolving *r, struct err *e)
{
	if (apply_rest(r, NULL, e) == 0)
		return err_set(e, ERR_STORE,
			       "patch %d applies now; `kiln apply --abort` "
			       "and start again",
			       r->state.next);
	if (!r->result)
		return -(int)e->code;
	return stop_again(r, r->state.commits, e);
}

static int go_on(struct resolving *r, struct err *e)
{
	json_t *commits = json_copy(r->state.commits);
	struct oid tree;
	int rc =
		conflict_tree_result(&r->tree, &r->state.head, &r->state.paths, &tree, e);

	if (rc == 0) {
		rc = apply_rest(r, &tree, e);
		if (r->result) {
			_cleanup_err_ struct err failed = { 0 };

			add_commits(commits, r->result);
			if (mark_resolved(r, commits, &failed) < 0)
				log_debug("no patch id: %s", failed.frame[0]);
			rc = rc < 0 ? stop_again(r, commits, e) : finish(r, commits, e);
		}
	}
	json_decref(commits);
	return rc;
}

int resolve_continue(struct ctx *c, const char *dir, struct err *e)
{
	_cleanup_resolving_ struct resolving r = { .c = c };

	if (conflict_tree_open(c->repo, dir, &r.tree, e) < 0 ||
	    resolve_load(&r.tree, &r.state, &r.series, e) < 0)
		return err_wrap(e, "cannot continue in '%s'", dir);
	return r.state.laid ? go_on(&r, e) : lay_again(&r, e);
}

int resolve_abort(struct ctx *c, const char *dir, struct err *e)
{
	_cleanup_resolving_ struct resolving r = { .c = c };

	if (conflict_tree_open(c->repo, dir, &r.tree, e) < 0 ||
	    resolve_load(&r.tree, &r.state, &r.series, e) < 0)
		return err_wrap(e, "cannot abort in '%s'", dir);
	return conflict_tree_remove(c->repo, &r.tree, e);
}
