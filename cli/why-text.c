// SPDX-License-Identifier: GPL-3.0-or-later
/* An explanation on one screen. */
#include <string.h>

#include "cli/why-step.h"

#define MAX_HUNKS 4
#define MAX_FILES 4
#define MAX_LINES 3
#define MAX_PATCHES 8

static void add_commit(struct buf *b, const struct why_commit *c)
{
	buf_addf(b, "%.12s", c->oid.hex);
	if (c->subject)
		buf_addf(b, " (\"%s\")", c->subject);
}

/* Patches that went in or were not tried are counted when there are many. */
static void add_states(const struct series *s, const struct apply_result *a,
		       struct buf *b)
{
	int failed = a->failed->number;
	size_t left = 0;

	if (s->nr_patches > MAX_PATCHES) {
		for (size_t i = 0; i < s->nr_patches; i++)
			left += s->patches[i].number > failed;
		buf_addf(b, "applied    %zu patches\nfailed     %d/%d  %s\n", a->nr,
			 failed, s->total, a->failed->subject);
		buf_addf(b, "not tried  %zu patches\n", left);
		return;
	}
	for (size_t i = 0; i < s->nr_patches; i++) {
		const struct patch *p = &s->patches[i];

		buf_addf(b, "%-9s  %d/%d  %s\n",
			 p->number < failed    ? "applied"
			 : p->number == failed ? "failed"
					       : "not tried",
			 p->number, s->total, p->subject ? p->subject : "");
	}
}

static void add_lines(const struct why_hunk *h, struct buf *b)
{
	for (size_t i = 0; i < h->nr_differs && i < MAX_LINES; i++) {
		const struct why_line *l = &h->differs[i];

		if (l->have)
			buf_addf(b, "    line %-6zu has  %s\n", l->line, l->have);
		if (l->want)
			buf_addf(b, "    %s  %s\n",
				 l->have ? "       expected" : "is missing     ",
				 l->want);
	}
	if (h->nr_differs > MAX_LINES)
		buf_addf(b, "    and %zu more\n", h->nr_differs - MAX_LINES);
}

static void add_since(const struct why_hunk *h, struct buf *b)
{
	if (h->own_patch) {
		buf_addf(b, "    changed by patch %d of this series\n", h->own_patch);
		return;
	}
	if (oid_is_none(&h->commit.oid))
		return;
	buf_adds(b, h->kind == WHY_APPLIED ? "    brought by "
		    : h->certain	   ? "    it fits before "
					   : "    lines changed by ");
	add_commit(b, &h->commit);
	buf_addc(b, '\n');
}

static void add_place(const struct why_hunk *h, struct buf *b)
{
	long off = (long)h->nearest - (long)h->line;

	switch (h->kind) {
	case WHY_APPLIED:
		buf_adds(b, "already applied: the file has its result\n");
		return;
	case WHY_WHITESPACE:
		buf_addf(b,
			 "only white space differs at line %zu: the mail's tabs or "
			 "blanks were changed (line %zu of the diff)\n",
			 h->nearest, h->patch_line);
		return;
	case WHY_PLACE:
		buf_addf(b, "its lines are at %zu, where it may not go\n", h->nearest);
		return;
	case WHY_FOREIGN:
		buf_adds(b, "hardly a line of it is in the file\n");
		return;
	case WHY_CONTEXT:
		buf_addf(b, "%zu of %zu lines are at line %zu", h->same, h->lines,
			 h->nearest);
		if (off)
			buf_addf(b, ", %ld %s", off < 0 ? -off : off,
				 off < 0 ? "up" : "down");
		buf_addc(b, '\n');
		add_lines(h, b);
	}
}

static void add_hunks(const struct why *w, struct buf *b)
{
	for (size_t i = 0; i < w->nr_hunks && i < MAX_HUNKS; i++) {
		const struct why_hunk *h = &w->hunks[i];

		buf_addf(b, "\n%s, hunk %d of %d (line %zu): ", h->path, h->hunk, h->of,
			 h->line);
		add_place(h, b);
		add_since(h, b);
	}
	if (w->nr_hunks > MAX_HUNKS)
		buf_addf(b, "\nand %zu more hunks\n", w->nr_hunks - MAX_HUNKS);
}

static void add_blob(const struct why_file *f, struct buf *b)
{
	if (f->blob == WHY_BLOB_UNKNOWN) {
		buf_addf(b,
			 "%s: the author's version (%.12s) is not in this repository\n",
			 f->path, f->id);
	} else if (f->blob == WHY_BLOB_KNOWN && oid_is_none(&f->blob_commit.oid)) {
		buf_addf(b,
			 "%s: the author's version (%.12s) is in this repository, on "
			 "no branch searched\n",
			 f->path, f->id);
	} else if (f->blob == WHY_BLOB_KNOWN) {
		buf_addf(b, "%s: the author's version (%.12s) is that of ", f->path,
			 f->id);
		add_commit(b, &f->blob_commit);
		for (size_t i = 0; i < f->blob_refs.nr; i++)
			buf_addf(b, "%s%s", i ? ", " : " on ", f->blob_refs.v[i]);
		buf_addc(b, '\n');
	}
}

static void add_file(const struct why_file *f, struct buf *b)
{
	if (f->missing && f->moved_to) {
		buf_addf(b, "%s: renamed to %s by ", f->path, f->moved_to);
		add_commit(b, &f->commit);
		buf_adds(b, f->fits_there ? "; the patch fits there\n" : "\n");
	} else if (f->missing && !oid_is_none(&f->commit.oid)) {
		buf_addf(b, "%s: deleted by ", f->path);
		add_commit(b, &f->commit);
		buf_addc(b, '\n');
	} else if (f->missing) {
		buf_addf(b, "%s: not in the history of the base, as far as was looked\n",
			 f->path);
	} else if (f->exists) {
		buf_addf(b, "%s: exists already", f->path);
		if (!oid_is_none(&f->commit.oid)) {
			buf_adds(b, ", made by ");
			add_commit(b, &f->commit);
		}
		buf_addc(b, '\n');
	}
	add_blob(f, b);
}

static void add_nearest(const struct base_choice *n, struct buf *b)
{
	if (!n->method)
		return;
	if (n->applies)
		buf_addf(b, "\nnearest base: %s (%.12s): %s\n", n->rev, n->oid.hex,
			 n->reason);
	else
		buf_addf(b, "\nno nearest base: %s\n", n->reason);
}

void cli_why_text(const struct cli_why *w, const struct series *s,
		  const struct apply_result *a, struct buf *ret)
{
	add_states(s, a, ret);
	if (!w->known)
		return;
	if (w->why.damage)
		buf_addf(ret, "\nthe mail is damaged: %s\n", w->why.damage);
	if (!oid_is_none(&w->why.applied.oid)) {
		buf_adds(ret, "\nthe base has this patch as ");
		add_commit(ret, &w->why.applied);
		buf_addc(ret, '\n');
	}
	add_hunks(&w->why, ret);
	if (w->why.nr_files)
		buf_addc(ret, '\n');
	for (size_t i = 0; i < w->why.nr_files && i < MAX_FILES; i++)
		add_file(&w->why.files[i], ret);
	if (w->why.nr_files > MAX_FILES)
		buf_addf(ret, "and %zu more files\n", w->why.nr_files - MAX_FILES);
	add_nearest(&w->nearest, ret);
}
