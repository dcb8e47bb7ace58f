// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/resolve-state.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "mail/assemble.h"
#include "mail/box.h"
#include "mail/write.h"

#define STATE_MAX ((size_t)64 << 20)

void resolve_state_release(struct resolve_state *s)
{
	free(s->ref);
	strv_release(&s->paths);
	json_decref(s->commits);
	*s = (struct resolve_state){ 0 };
}

static char *file_of(const struct conflict_tree *t, const char *name)
{
	return xasprintf("%s/kiln-apply/%s", t->git_dir, name);
}

int resolve_save_series(const struct conflict_tree *t, const struct series *s,
			struct err *e)
{
	_cleanup_free_ char *dir = fs_path(t->git_dir, "kiln-apply");
	_cleanup_free_ char *path = file_of(t, "series.mbox");
	_cleanup_buf_ struct buf mbox = BUF_INIT;

	series_to_mbox(s, &mbox);
	if (fs_mkdirs(dir, e) < 0)
		return -(int)e->code;
	return fs_write(path, buf_str(&mbox), mbox.len, e);
}

int resolve_save(const struct conflict_tree *t, const struct resolve_state *s,
		 struct err *e)
{
	_cleanup_free_ char *path = file_of(t, "state.json"), *text = NULL;
	json_t *paths = json_array(), *doc;

	for (size_t i = 0; i < s->paths.nr; i++)
		json_array_append_new(paths, json_stringn_nocheck(s->paths.v[i],
								  strlen(s->paths.v[i])));
	doc = json_pack("{s:i, s:s, s:s, s:s, s:i, s:b, s:o, s:O}", "version", 1, "onto",
			s->onto.hex, "head", s->head.hex, "ref", s->ref, "next", s->next,
			"laid", s->laid, "paths", paths, "commits", s->commits);
	text = doc ? json_dumps(doc, JSON_INDENT(2)) : NULL;
	json_decref(doc);
	if (!text)
		return err_set(e, ERR_INTERNAL, "cannot write the state of '%s'", t->dir);
	return fs_write(path, text, strlen(text), e);
}

static bool read_oid(const char *hex, struct oid *ret)
{
	if (!hex || strlen(hex) != 40 || !parse_is_hex(hex, 40))
		return false;
	memcpy(ret->hex, hex, 41);
	return true;
}

static bool state_parse(json_t *doc, struct resolve_state *s)
{
	const char *onto = NULL, *head = NULL, *ref = NULL;
	json_t *paths = NULL, *commits = NULL, *path;
	int version = 0, laid = 0;
	size_t i;

	if (json_unpack(doc, "{s:i, s:s, s:s, s:s, s:i, s:b, s:o, s:o}", "version",
			&version, "onto", &onto, "head", &head, "ref", &ref, "next",
			&s->next, "laid", &laid, "paths", &paths, "commits",
			&commits) < 0 ||
	    version != 1 || !json_is_array(paths) || !json_is_array(commits) ||
	    !read_oid(onto, &s->onto) || !read_oid(head, &s->head))
		return false;
	json_array_foreach(paths, i, path) if (json_is_string(path))
		strv_add(&s->paths, json_string_value(path));
	s->laid = laid != 0;
	s->ref = xstrdup(ref);
	s->commits = json_incref(commits);
	return true;
}

static int load_state(const struct conflict_tree *t, struct resolve_state *ret,
		      struct err *e)
{
	_cleanup_free_ char *path = file_of(t, "state.json");
	_cleanup_buf_ struct buf text = BUF_INIT;
	json_t *doc;
	bool ok;

	if (!fs_exists(path)) {
		err_set(e, ERR_NOT_FOUND, "kiln keeps no series in '%s'", t->dir);
		return err_hint(e, "`kiln apply SOURCE --resolve DIR` makes such a "
				   "worktree; `git worktree remove` removes this one");
	}
	if (fs_read(path, STATE_MAX, &text, e) < 0)
		return -(int)e->code;
	doc = json_loadb(buf_str(&text), text.len, 0, NULL);
	ok = doc && state_parse(doc, ret);
	json_decref(doc);
	return ok ? 0 : err_set(e, ERR_STORE, "the state in '%s' is damaged", path);
}

int resolve_load(const struct conflict_tree *t, struct resolve_state *ret,
		 struct series **ret_series, struct err *e)
{
	_cleanup_free_ char *path = file_of(t, "series.mbox");
	_cleanup_resolve_state_ struct resolve_state s = { 0 };
	/* The trailers of replies are in the messages already. */
	struct assemble_opts o = { .no_trailers = true };
	_cleanup_box_ struct box *box = box_new();

	if (load_state(t, &s, e) < 0 || box_read(box, path, 0, e) < 0 ||
	    series_from_box(box, &o, ret_series, e) < 0)
		return -(int)e->code;
	*ret = s;
	s = (struct resolve_state){ 0 };
	return 0;
}

void resolve_stopped(struct resolve_state *s, const struct apply_result *a)
{
	const struct conflicts *c = &a->failed->conflicts;

	s->head = a->head;
	s->next = a->failed->number;
	s->laid = false;
	strv_release(&s->paths);
	s->paths = (struct strv)STRV_INIT;
	for (size_t i = 0; i < c->nr; i++)
		strv_add(&s->paths, c->v[i].path);
}
