// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/queue-missing.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/json.h"
#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/stable/branches.h"
#include "core/stable/missing.h"
#include "core/stable/queue-names.h"
#include "mail/stable-failed.h"

/* All that one look works with. */
struct look {
	struct ctx *c;
	const struct queue_missing_opts *o;
	struct mainline where;
	char *tree_rev;
	struct stable_index *mainline, *tree;
	struct queue_names names;
	struct failed_list failed;
	struct missing m;
	struct strv notes;
};

static void look_release(struct look *l)
{
	missing_release(&l->m);
	queue_names_release(&l->names);
	failed_list_release(&l->failed);
	stable_index_free(l->tree);
	stable_index_free(l->mainline);
	mainline_release(&l->where);
	free(l->tree_rev);
	strv_release(&l->notes);
}

static int open_mainline(struct look *l, struct err *e)
{
	struct stable_index_opts io = { .progress = l->c->progress };
	struct repo *r = l->c->repo;

	if (mainline_find(r, l->o->mainline, &l->where, e) < 0)
		return -(int)e->code;
	if (!l->where.rev)
		return mainline_missing(r, e);
	io.rev = l->where.rev;
	return stable_index_open(l->where.other ? l->where.other : r, &io, &l->mainline,
				 e);
}

static int open_indexes(struct look *l, struct err *e)
{
	struct stable_index_opts io = { .progress = l->c->progress };

	if (branches_stable(l->c->repo, l->o->version, l->o->onto, &l->tree_rev, e) < 0 ||
	    open_mainline(l, e) < 0)
		return -(int)e->code;
	io.rev = l->tree_rev;
	io.mainline = l->mainline;
	return stable_index_open(l->c->repo, &io, &l->tree, e);
}

static int read_failed(struct look *l, struct err *e)
{
	_cleanup_box_ struct box *b = box_new();

	if (!l->o->failed)
		return 0;
	if (box_read(b, l->o->failed, 0, e) < 0 ||
	    failed_list_read(b, l->o->version, &l->failed, e) < 0)
		return err_wrap(e, "cannot read the mails of what failed to apply");
	return 0;
}

static void note_gap(struct look *l, const struct stable_index *ix, const char *what,
		     const char *consequence)
{
	const struct stable_index_state *s = stable_index_state(ix);
	_cleanup_free_ char *since = clock_iso(s->oldest);

	if (s->missing)
		strv_addf(&l->notes, "the history of %s is cut off before %.10s: %s",
			  what, since, consequence);
}

/* What could not be looked at. */
static void add_notes(struct look *l)
{
	note_gap(l, l->mainline, l->where.rev, "fixes of older commits cannot be found");
	note_gap(l, l->tree, l->tree_rev,
		 "whether it has an older commit cannot be told");
	if (!l->names.folder)
		strv_addf(&l->notes,
			  "no queue of %s was found: what is queued counts as missing; "
			  "name it with --queue DIR",
			  l->o->version);
	if (l->m.unknown)
		strv_addf(
			&l->notes,
			"%zu fixes are of commits that the tree may have in the history "
			"that is not there",
			l->m.unknown);
}

/* Something to do about it. */
static bool is_open(const struct missing_fix *f)
{
	return f->why != MISSING_DROPPED && f->why != MISSING_NOT_ASKED;
}

static bool is_shown(const struct look *l, const struct missing_fix *f)
{
	return f->asked || !l->o->asked;
}

static void print_needs(const char *label, const struct missing_need *v, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		out_text("    %s %.12s (\"%s\")\n", label, v[i].oid.hex, v[i].subject);
}

static const char *why_text(enum missing_why why)
{
	static const char *const texts[] = {
		[MISSING_APPLIES] = "applies to the tree",
		[MISSING_DROPPED] = "left out",
		[MISSING_NOT_ASKED] = "not asked for",
		[MISSING_NEEDS] = "applies only behind what it needs",
		[MISSING_NO_APPLY] = "does not apply",
		[MISSING_NOT_TRIED] = "not tried",
	};

	return texts[why];
}

static void print_fix(const struct missing_fix *f)
{
	out_text("%.12s %s\n", f->oid.hex, f->subject);
	out_text("    %s %.12s (\"%s\")", f->revert ? "reverts" : "fixes", f->of.hex,
		 f->of_subject ? f->of_subject : "");
	if (!oid_equal(&f->of, &f->in_tree))
		out_text(", in the tree as %.12s", f->in_tree.hex);
	out_text("\n    %s%s%s%s\n", why_text(f->why), f->reason ? ": " : "",
		 f->reason ? f->reason : "", f->asked ? "; Cc: stable asks for it" : "");
	if (f->mail)
		out_text("    <%s> says that it failed to apply\n", f->mail);
	print_needs(f->why == MISSING_NEEDS ? "needs" : "between:", f->needs,
		    f->nr_needs);
	print_needs("and then", f->follow, f->nr_follow);
}

static size_t count(const struct look *l, bool (*is)(const struct missing_fix *f))
{
	size_t nr = 0;

	for (size_t i = 0; i < l->m.nr; i++)
		nr += is_shown(l, &l->m.v[i]) && is(&l->m.v[i]);
	return nr;
}

static bool is_asked(const struct missing_fix *f)
{
	return f->asked && is_open(f);
}

static void print_text(const struct look *l)
{
	size_t open = count(l, is_open);

	for (size_t i = 0; !l->c->quiet && i < l->m.nr; i++)
		if (is_shown(l, &l->m.v[i]))
			print_fix(&l->m.v[i]);
	for (size_t i = 0; i < l->notes.nr; i++)
		out_text("note: %s\n", l->notes.v[i]);
	if (!open)
		out_text("%s lacks no fix of %s that was not left out\n", l->tree_rev,
			 l->where.rev);
	else
		out_text("%s lacks %zu fix%s of %s, %zu of them asked for\n", l->tree_rev,
			 open, open == 1 ? "" : "es", l->where.rev, count(l, is_asked));
}

static json_t *json_needs(const struct missing_need *v, size_t nr)
{
	json_t *a = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(a, json_pack("{s:s, s:o}", "commit", v[i].oid.hex,
						   "subject", json_text(v[i].subject)));
	return a;
}

static json_t *json_fix(const struct missing_fix *f)
{
	return json_pack(
		"{s:s, s:o, s:o, s:s, s:{s:s, s:o, s:s}, s:b, s:s, s:o, s:o, s:o, s:o}",
		"commit", f->oid.hex, "subject", json_text(f->subject), "date",
		json_time(f->date), "kind", f->revert ? "revert" : "fix", "of", "commit",
		f->of.hex, "subject", json_text(f->of_subject), "in_tree", f->in_tree.hex,
		"asked", (int)f->asked, "why", missing_why_word(f->why), "reason",
		json_text(f->reason), "failed_mail", json_text(f->mail), "needs",
		json_needs(f->needs, f->nr_needs), "follow_ups",
		json_needs(f->follow, f->nr_follow));
}

static json_t *json_end(const char *rev, const struct stable_index *ix)
{
	return json_pack("{s:o, s:s, s:b}", "rev", json_text(rev), "commit",
			 stable_index_state(ix)->tip.hex, "shallow",
			 (int)(stable_index_state(ix)->missing > 0));
}

static void print_json(const struct look *l)
{
	json_t *fixes = json_array();

	for (size_t i = 0; i < l->m.nr; i++)
		if (is_shown(l, &l->m.v[i]))
			json_array_append_new(fixes, json_fix(&l->m.v[i]));
	out_json(json_pack(
		"{s:{s:s, s:o, s:o, s:o, s:o, s:i, s:i, s:o}}", "missing", "version",
		l->o->version, "tree", json_end(l->tree_rev, l->tree), "mainline",
		json_end(l->where.rev, l->mainline), "queue", json_text(l->names.folder),
		"fixes", fixes, "taken_back", (int)l->m.taken_back, "unresolved",
		(int)l->m.unresolved, "notes", json_strv(&l->notes)));
}

static int look(struct look *l, struct err *e)
{
	struct missing_opts mo = { .apply = l->o->apply, .progress = l->c->progress };
	const char *dir = l->o->queue ? l->o->queue : ".";

	if (!version_parse(l->o->version, &mo.version) || mo.version.nr < 2) {
		err_set(e, ERR_USAGE, "'%s' is no version", l->o->version);
		return err_hint(e, "write it as 6.1");
	}
	if (l->o->queue && !fs_is_dir(dir))
		return err_set(e, ERR_IO, "there is no folder '%s'", dir);
	if (queue_names_read(dir, l->o->version, &l->names, e) < 0 ||
	    read_failed(l, e) < 0 || open_indexes(l, e) < 0)
		return -(int)e->code;
	mo.tree = l->tree;
	mo.queued = l->names.queued;
	mo.dropped = l->names.dropped;
	mo.failed = l->failed.v;
	mo.nr_failed = l->failed.nr;
	return missing_find(&mo, &l->m, e);
}

int queue_missing(struct ctx *c, const struct queue_missing_opts *o, struct err *e)
{
	struct look l = { .c = c, .o = o };
	int r = look(&l, e);

	if (r == 0) {
		add_notes(&l);
		if (c->json)
			print_json(&l);
		else
			print_text(&l);
		r = count(&l, is_open) > 0;
	}
	look_release(&l);
	return r;
}
