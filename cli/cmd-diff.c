// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/diff-side.h"
#include "cli/json-diff.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

struct diff_opts {
	struct cli_source_opts source;
	char *onto;
	uint64_t factor;
	bool raw;
};

static const struct opt diff_table[] = {
	SOURCE_OPTS(struct diff_opts, source),
	{ "onto", 0, OPT_STRING, offsetof(struct diff_opts, onto), "REV",
	  "commit both revisions are put on; default: the base each names, else HEAD",
	  NULL },
	{ "creation-factor", 0, OPT_UINT, offsetof(struct diff_opts, factor), "N",
	  "how much of a patch may change, in per cent, before it is a new one; default: "
	  "60",
	  "kiln.creationFactor" },
	{ "range-diff", 0, OPT_FLAG, offsetof(struct diff_opts, raw), NULL,
	  "print what git range-diff prints and nothing else", NULL },
	{ 0 },
};

static void print_version(const char *label, const struct diff_side *s)
{
	if (!s->s)
		out_text("%s  %s\n", label, s->source);
	else if (oid_is_none(&s->base))
		out_text("%s  v%d, %zu patches\n", label, s->s->revision,
			 s->s->nr_patches);
	else
		out_text("%s  v%d, %zu patches on %.12s\n", label, s->s->revision,
			 s->s->nr_patches, s->base.hex);
}

static void print_mailed(const char *label, const struct diff_side *s)
{
	if (s->why_mailed)
		out_text(
			"note: compared as mailed, not as commits: the %s patches do not "
			"apply: %s\n",
			label, s->why_mailed);
}

static void print_number(int n)
{
	if (n)
		out_text("%3d ", n);
	else
		out_text("  - ");
}

static void print_row(const struct range_pair *p)
{
	static const char *const words[] = {
		[PAIR_UNCHANGED] = "unchanged",
		[PAIR_MESSAGE] = "message only",
		[PAIR_CONTEXT] = "context only",
		[PAIR_CHANGED] = "changed",
		[PAIR_NEW] = "new",
		[PAIR_DROPPED] = "dropped",
	};

	print_number(p->old_number);
	print_number(p->new_number);
	out_text(" %-12s  %s%s%s\n", words[p->state],
		 p->b ? p->b->subject : p->a->subject,
		 p->message && p->state != PAIR_MESSAGE ? "  [message]" : "",
		 p->moved ? "  [moved]" : "");
}

static void print_summary(const struct diff_sides *d, const struct range_pair *v,
			  size_t nr)
{
	print_version("old", &d->old);
	print_version("new", &d->new);
	print_mailed("old", &d->old);
	print_mailed("new", &d->new);
	out_text("\n");
	for (size_t i = 0; i < nr; i++)
		print_row(&v[i]);
}

static int print_text(struct ctx *c, const struct diff_opts *o,
		      const struct diff_sides *d, const struct range_pair *v, size_t nr,
		      struct err *e)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (!o->raw)
		print_summary(d, v, nr);
	if (c->quiet && !o->raw)
		return 0;
	if (range_print(c->repo, v, nr, &text, e) < 0)
		return -(int)e->code;
	/* A pipe gets git's bytes, a terminal no control characters. */
	if (o->raw && !isatty(STDOUT_FILENO))
		return fs_write_fd(STDOUT_FILENO, buf_str(&text), text.len, e);
	out_text("%s%s", o->raw ? "" : "\n", buf_str(&text));
	return 0;
}

static int compare(struct ctx *c, const struct diff_opts *o, struct diff_sides *d,
		   struct err *e)
{
	_cleanup_free_ struct range_pair *v = NULL;
	size_t nr = 0;

	if (range_match(&d->old.range, &d->new.range, (unsigned int)o->factor, e) < 0)
		return -(int)e->code;
	range_pairs(&d->old.range, &d->new.range, &v, &nr);
	if (!c->json)
		return print_text(c, o, d, v, nr, e);
	return json_diff(d, v, nr, e);
}

static int diff_run(struct ctx *c, const void *opts, const struct strv *args,
		    struct err *e)
{
	struct diff_opts o = *(const struct diff_opts *)opts;
	struct diff_sides d = { 0 };
	int r;

	if (!o.factor)
		o.factor = RANGE_CREATION_FACTOR;
	if (o.factor > 10000)
		return err_set(e, ERR_USAGE, "a creation factor of %llu per cent",
			       (unsigned long long)o.factor);
	if (o.source.revision) {
		err_set(e, ERR_USAGE, "-r names one revision, and two are compared");
		return err_hint(e, "write SOURCE@v1 @v2");
	}
	r = diff_sides_read(c, &o.source, args, o.onto, &d, e);
	if (r == 0)
		r = compare(c, &o, &d, e);
	diff_sides_release(&d);
	return r;
}

const struct cmd cmd_diff = {
	.name = "diff",
	.summary = "Show what changed between two revisions of a series",
	.usage = "SOURCE[@vN] [@vM | SOURCE[@vM]]",
	.opts = diff_table,
	.opts_size = sizeof(struct diff_opts),
	.needs = CMD_MAYBE_TREE,
	.min_args = 1,
	.max_args = 2,
	.run = diff_run,
};
