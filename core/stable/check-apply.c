// SPDX-License-Identifier: GPL-3.0-or-later
/* S06: the queue on its tree, step by step. What does not apply is left out, so that the
 * rest is looked at too. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/stop.h"
#include "core/git/rules.h"
#include "core/stable/check-internal.h"

/* git apply -C1: what patch(1) calls fuzz. */
#define FUZZ_CONTEXT 1

static bool is_verdict(enum err_code code)
{
	return err_exit_code(code) == 1;
}

/* One patch; 1 and c's state is set, 0 when it does not apply, *ret_why saying why. */
static int try_one(struct checker *c, size_t i, unsigned int context, char **ret_why,
		   struct err *e)
{
	struct checked *p = &c->v[i];
	struct series one = { .patches = (struct patch *)p->patch,
			      .nr_patches = 1,
			      .total = 1 };
	struct apply_rules rules = APPLY_RULES_INIT;
	struct apply_opts o = { 0 };
	_cleanup_apply_ struct apply_result *a = NULL;
	_cleanup_err_ struct err why = { 0 };

	if (c->o->apply)
		o = *c->o->apply;
	if (o.rules)
		rules = *o.rules;
	rules.context = context < rules.context ? context : rules.context;
	o.rules = &rules;
	o.onto = c->ret->head;
	o.ref = NULL;
	o.threeway = false;
	if (apply_series(c->r, &one, &o, &a, &why) == 0) {
		p->verdict->commit = a->head;
		p->verdict->method = a->commits[0].method;
		p->shift = a->commits[0].shift;
		c->ret->head = a->head;
		return 1;
	}
	if (!is_verdict(why.code)) {
		*e = why;
		why = (struct err){ 0 };
		return -(int)e->code;
	}
	*ret_why = a && a->failed && a->failed->path
			   ? xasprintf("%s: %s", a->failed->path, a->failed->reason)
			   : xstrdup(why.frame[0] ? why.frame[0] : err_word(why.code));
	return 0;
}

static int apply_one(struct checker *c, size_t i, struct err *e)
{
	_cleanup_free_ char *ignored = NULL;
	struct checked *p = &c->v[i];
	int r;

	p->before = c->ret->head;
	r = try_one(c, i, UINT_MAX, &p->failure, e);
	if (r == 0 && p->patch->diff.len && !p->patch->damage)
		r = try_one(c, i, FUZZ_CONTEXT, &ignored, e);
	if (r > 0) {
		free(p->failure);
		p->failure = NULL;
	}
	return r < 0 ? r : 0;
}

int check_apply_all(struct checker *c, struct err *e)
{
	c->ret->head = c->o->base;
	c->ret->applied = !oid_is_none(&c->o->base);
	for (size_t i = 0; c->ret->applied && i < c->nr; i++) {
		if (apply_one(c, i, e) < 0)
			return err_wrap(e, "cannot apply '%s'",
					queue_entry_name(c->v[i].entry));
		if (stop_check(e) < 0)
			return -(int)e->code;
		progress_update(c->o->progress, "apply", i + 1, c->nr);
	}
	for (size_t i = 0; i < c->nr; i++)
		c->ret->applied = c->ret->applied && !c->v[i].failure;
	return 0;
}

/* An earlier patch that does not apply and changes a file of this one. */
static const struct checked *earlier_failure(const struct checker *c, size_t i)
{
	const struct strv *files = &c->v[i].patch->files;

	while (i-- > 0) {
		const struct checked *p = &c->v[i];

		for (size_t k = 0; p->failure && k < p->patch->files.nr; k++)
			if (strv_has(files, p->patch->files.v[k]))
				return p;
	}
	return NULL;
}

static void say_failure(struct checker *c, size_t i)
{
	const struct checked *p = &c->v[i], *cause = earlier_failure(c, i);

	if (p->patch->damage)
		check_say(c, i, CHECK_ERROR, "cannot be applied: its diff is damaged");
	else if (cause)
		check_say(c, i, CHECK_ERROR,
			  "does not apply (%s); maybe because '%s' before it does not",
			  p->failure, queue_entry_name(cause->entry));
	else
		check_say(c, i, CHECK_ERROR,
			  "does not apply: %s; rebase it on the tree, or add what it "
			  "needs in front of it",
			  p->failure);
}

int check_applies(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];

	(void)e;
	if (p->failure)
		say_failure(c, i);
	else if (p->verdict->method == APPLY_REDUCED)
		check_say(c, i, CHECK_WARNING,
			  "applies only with fuzz, which quilt import and git refuse: "
			  "refresh it");
	else if (p->shift > c->o->max_shift)
		check_say(c, i, CHECK_WARNING,
			  "a hunk goes %zu lines from where it says it belongs: look "
			  "whether that is the right place, and refresh it",
			  p->shift);
	else if (p->shift)
		check_say(c, i, CHECK_INFO, "applies with an offset of %zu line%s",
			  p->shift, p->shift == 1 ? "" : "s");
	return 0;
}
