// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/index.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/git/commit-walk.h"
#include "core/stable/index-internal.h"

/* Another process may read a whole kernel's history meanwhile. */
#define LOCK_MS 600000

/* The name of the file: what the index is of. */
static char *path_of(struct repo *r, const char *rev, const struct stable_index *mainline)
{
	_cleanup_free_ char *cache = fs_cache_dir(), *dir = fs_path(cache, "upstream");
	_cleanup_free_ char *of = xasprintf("%s\n%s\n%s", repo_common_dir(r), rev,
					    mainline ? mainline->path : "");
	struct oid key;

	repo_digest(of, strlen(of), &key);
	return xasprintf("%s/%.16s.db", dir, key.hex);
}

static char *patch_ids_path(struct repo *r)
{
	_cleanup_free_ char *cache = fs_cache_dir(), *dir = fs_path(cache, "upstream");
	const char *common = repo_common_dir(r);
	struct oid key;

	repo_digest(common, strlen(common), &key);
	return xasprintf("%s/%.16s.ids", dir, key.hex);
}

static int open_files(struct stable_index *ix, struct err *e)
{
	_cleanup_free_ char *cache = fs_cache_dir(), *dir = fs_path(cache, "upstream");
	_cleanup_free_ char *ids = patch_ids_path(ix->r);

	if (fs_mkdirs(dir, e) < 0 || line_open(ix->path, &ix->line, e) < 0)
		return -(int)e->code;
	return patch_ids_open(ids, &ix->patch_ids, e);
}

static bool is_current(const struct line_state *s, const struct oid *tip,
		       const struct oid *root)
{
	return oid_equal(&s->tip, tip) && oid_equal(&s->root, root);
}

/*
 * Freeze the line at the tip, updating it first when it is behind. Without a change no
 * lock is taken, so that many may read at once.
 */
static int catch_up(struct stable_index *ix, const struct stable_index_opts *o,
		    struct err *e)
{
	_cleanup_free_ char *lock_path = xasprintf("%s.lock", ix->path);
	_cleanup_close_ int lock = -1;
	struct line_state s;
	struct oid tip, root;

	if (repo_resolve(ix->r, o->rev, &tip, e) < 0)
		return -(int)e->code;
	commit_shallow_digest(ix->r, &root);
	if (line_freeze(ix->line, e) < 0 || line_state(ix->line, &s, e) < 0)
		return -(int)e->code;
	if (is_current(&s, &tip, &root))
		return 0;
	line_thaw(ix->line);
	if (fs_lock(lock_path, LOCK_MS, &lock, e) < 0)
		return err_wrap(e, "another kiln indexes this branch");
	/* Now that nobody else moves the index on, it is the tip as it is now. */
	if (repo_resolve(ix->r, o->rev, &tip, e) < 0 ||
	    stable_index_update(ix, &tip, o->progress, e) < 0)
		return -(int)e->code;
	return line_freeze(ix->line, e);
}

static void fill_state(struct stable_index *ix, const struct line_state *s)
{
	ix->state.tip = s->tip;
	ix->state.commits = (size_t)s->commits;
	ix->state.missing = (size_t)s->missing;
	ix->state.oldest = s->oldest;
}

static int open_once(struct stable_index *ix, const struct stable_index_opts *o,
		     struct err *e)
{
	struct line_state s;

	if (open_files(ix, e) < 0 || catch_up(ix, o, e) < 0 ||
	    line_state(ix->line, &s, e) < 0)
		return -(int)e->code;
	fill_state(ix, &s);
	return 0;
}

static void close_files(struct stable_index *ix)
{
	line_free(ix->line);
	patch_ids_free(ix->patch_ids);
	ix->line = NULL;
	ix->patch_ids = NULL;
}

int stable_index_open(struct repo *r, const struct stable_index_opts *o,
		      struct stable_index **ret, struct err *e)
{
	_cleanup_stable_index_ struct stable_index *ix = xzalloc(sizeof(*ix));

	ix->r = r;
	ix->mainline = o->mainline;
	ix->path = path_of(r, o->rev, o->mainline);
	if (open_once(ix, o, e) < 0 && e->code == ERR_STORE) {
		/* Damage may show only when rows are read; it is but a cache. */
		err_release(e);
		close_files(ix);
		if (line_remove(ix->path, e) == 0 && open_once(ix, o, e) < 0)
			log_debug("index '%s' cannot be made anew", ix->path);
	}
	if (e->code != ERR_NONE)
		return err_wrap(e, "cannot index the history of '%s'", o->rev);
	*ret = take_ptr(ix);
	return 0;
}

void stable_index_free(struct stable_index *ix)
{
	if (!ix)
		return;
	close_files(ix);
	free(ix->path);
	free(ix);
}

const struct stable_index_state *stable_index_state(const struct stable_index *ix)
{
	return &ix->state;
}

struct repo *stable_index_repo(const struct stable_index *ix)
{
	return ix->r;
}

void stable_commit_release(struct stable_commit *c)
{
	free(c->subject);
	free(c->author);
	free(c->message);
	commit_notes_release(&c->notes);
	upstream_claims_release(&c->upstream);
	*c = (struct stable_commit){ 0 };
}

int stable_index_get(struct stable_index *ix, const struct oid *oid,
		     struct stable_commit *ret, struct err *e)
{
	_cleanup_commit_text_ struct commit_text c = { 0 };
	int r = line_get(ix->line, oid, NULL, e);

	if (r <= 0 || !ret)
		return r;
	r = commit_text_read(ix->r, oid, &c, e);
	if (r <= 0)
		return r;
	*ret = (struct stable_commit){
		.oid = *oid,
		.subject = take_ptr(c.subject),
		.author = take_ptr(c.author),
		.author_date = c.authored,
		.date = c.date,
		.parents = c.nr_parents,
		.message = take_ptr(c.message),
	};
	commit_notes_read(ret->message, &ret->notes);
	upstream_claims_read(ret->message, &ret->upstream);
	return 1;
}
