// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/base-step.h"

#include <stdlib.h>
#include <string.h>

#include "cli/apply-step.h"
#include "cli/cmd.h"
#include "cli/out.h"
#include "cli/prereq-source.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"

void cli_base_release(struct cli_base *b)
{
	base_choice_release(&b->choice);
}

static int named(struct ctx *c, const char *rev, const char *option, struct cli_base *ret,
		 struct err *e)
{
	struct oid oid;

	if (repo_resolve(c->repo, rev, &oid, e) < 0) {
		err_wrap(e, "cannot apply to '%s'", rev);
		return err_hint(e, "name a commit, tag or branch of the repository with "
				   "--onto REV");
	}
	ret->choice = (struct base_choice){ .method = "given",
					    .rev = xstrdup(rev),
					    .reason = xstrdup(option),
					    .oid = oid };
	ret->onto = oid;
	return 0;
}

static void tell(const struct ctx *c, const struct base_choice *b)
{
	if (c->quiet)
		return;
	for (size_t i = 0; i < b->notes.nr; i++)
		out_talk("note: %s", b->notes.v[i]);
	for (size_t i = 0; i < b->prereqs.nr; i++) {
		const struct prereq *p = &b->prereqs.v[i];

		out_talk("needs: %s %s%s%s%s: %s", p->kind, p->value,
			 p->title ? " '" : "", p->title ? p->title : "",
			 p->title ? "'" : "", prereq_state_name(&b->prereqs, p));
	}
	out_talk("base: %s (%.12s): %s", b->rev, b->oid.hex, b->reason);
}

/* The prerequisites as commits of their own, kept by a ref. */
static int put_prereqs(struct ctx *c, const struct series *s, struct cli_base *b,
		       struct err *e)
{
	struct prereqs *p = &b->choice.prereqs;
	_cleanup_(cli_apply_release) struct cli_apply_opts o = { 0 };
	_cleanup_free_ char *ref = NULL;
	int rc;

	b->onto = b->choice.oid;
	if (!p->nr_needed)
		return 0;
	cli_apply_opts_fill(c, &o);
	o.apply.onto = b->choice.oid;
	rc = base_put_needed(c->repo, &o.apply, p->needed, p->nr_needed, &b->onto, e);
	if (rc < 0)
		return err_wrap(e, "cannot put prerequisites on '%s'", b->choice.rev);
	if (oid_equal(&b->onto, &b->choice.oid))
		return 0;
	ref = cli_needed_ref(s, &b->choice.oid);
	return repo_write_ref(c->repo, ref, &b->onto, "kiln apply: prerequisites", NULL,
			      e);
}

static int look(struct ctx *c, const struct cli_base_query *q,
		int (*how)(struct repo *, const struct series *, const struct base_opts *,
			   struct base_choice *, struct err *),
		struct base_choice *ret, struct err *e)
{
	_cleanup_(cli_apply_release) struct cli_apply_opts apply = { 0 };
	struct cli_prereqs sources = { .c = c, .o = q->source };
	struct prereq_source source = { cli_prereq_find, &sources };
	struct base_opts o = { .branches = q->opts->branches,
			       .depth = (size_t)q->opts->depth,
			       .apply = &apply.apply,
			       .source = &source,
			       .progress = c->progress };

	cli_apply_opts_fill(c, &apply);
	return how(c->repo, q->series, &o, ret, e);
}

int cli_base(struct ctx *c, const struct cli_base_query *q, struct cli_base *ret,
	     struct err *e)
{
	_cleanup_cli_base_ struct cli_base b = { 0 };
	const char *base = q->opts->base;

	if (q->opts->onto && base) {
		err_set(e, ERR_USAGE, "both --onto and --base are given");
		return err_hint(e, "--onto names a commit, --base auto looks for one");
	}
	if (q->opts->onto)
		return named(c, q->opts->onto, "named by --onto", ret, e);
	if (base && strcmp(base, "auto"))
		return named(c, base, "named by --base", ret, e);
	if (look(c, q, base_choose, &b.choice, e) < 0) {
		err_wrap(e, "cannot look for a base");
		return err_hint(e, "name a commit with --onto");
	}
	if (put_prereqs(c, q->series, &b, e) < 0)
		return -(int)e->code;
	tell(c, &b.choice);
	*ret = b;
	b = (struct cli_base){ 0 };
	return 0;
}

int cli_base_nearest(struct ctx *c, const struct cli_base_query *q,
		     struct base_choice *ret, struct err *e)
{
	return look(c, q, base_nearest, ret, e);
}

struct base_ctx {
	struct ctx *c;
	const struct cli_base_query *q;
	struct cli_base *b;
};

static int base_act(void *ctx, struct err *e)
{
	struct base_ctx *s = ctx;

	return cli_base(s->c, s->q, s->b, e);
}

static int base_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	struct base_ctx *s = ctx;

	(void)r;
	(void)e;
	buf_addf(detail, "%s %s %s %s %s", s->b->onto.hex, s->b->choice.oid.hex,
		 s->b->choice.method, s->b->choice.rev, s->b->choice.reason);
	return 0;
}

static int base_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	_cleanup_free_ char *copy = xstrdup(detail);
	struct base_ctx *s = ctx;
	struct cli_base *b = s->b;
	char *at = copy, *onto = strsep(&at, " "), *oid = strsep(&at, " ");
	const char *method = base_method_of(strsep(&at, " "));
	char *rev = strsep(&at, " ");

	(void)r;
	if (!at || !method || strlen(onto) != 40 || strlen(oid) != 40 ||
	    !parse_is_hex(onto, 40) || !parse_is_hex(oid, 40))
		return err_set(e, ERR_STORE,
			       "the journal's record of the base is damaged");
	b->choice = (struct base_choice){ .method = method,
					  .rev = xstrdup(rev),
					  .reason = xstrdup(at),
					  .applies = strcmp(method, "none") != 0 };
	memcpy(b->onto.hex, onto, 40);
	memcpy(b->choice.oid.hex, oid, 40);
	return 0;
}

int step_base(struct ctx *c, struct run *r, const struct cli_base_query *q,
	      struct cli_base *ret, struct err *e)
{
	static const struct step step = { base_act, base_save, base_load };
	struct base_ctx s = { c, q, ret };

	return run_step(r, &step, "base", &s, e);
}
