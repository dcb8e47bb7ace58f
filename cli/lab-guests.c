// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Whether guests can run on a machine that is not made on the spot: it is asked before it
 * is rebooted for them.
 */
#include <string.h>

#include "boot/target/check.h"
#include "cli/lab-internal.h"
#include "core/base/alloc.h"

/* What a machine says, as the journal keeps it; "-off": its command line forbids nesting. */
#define NEITHER "neither"
static const char *const words[] = { "svm", "vmx", "svm-off", "vmx-off", NEITHER };

struct ask {
	const struct target *target;
	const char *word;
};

static const char *word_of(const struct target_guests *g)
{
	if (!*g->cpu)
		return NEITHER;
	if (!strcmp(g->cpu, "svm"))
		return g->nested ? "svm" : "svm-off";
	return g->nested ? "vmx" : "vmx-off";
}

static int ask_act(void *ctx, struct err *e)
{
	struct ask *a = ctx;
	struct target_guests g;

	if (target_guests(a->target, &g, e) < 0)
		return -(int)e->code;
	a->word = word_of(&g);
	return 0;
}

static int ask_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	(void)r;
	(void)e;
	buf_adds(detail, ((struct ask *)ctx)->word);
	return 0;
}

static int ask_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	struct ask *a = ctx;

	(void)r;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(detail, words[i]))
			a->word = words[i];
	if (!a->word)
		return err_set(e, ERR_STORE,
			       "the journal's record of target '%s' is damaged",
			       a->target->name);
	return 0;
}

int lab_machine(struct lab *l, const char **ret, struct err *e)
{
	static const struct step step = { ask_act, ask_save, ask_load };
	_cleanup_free_ char *name = xasprintf("guests:%s", l->target->name);
	struct ask a = { .target = l->target };

	if (l->target->kind == TARGET_QEMU || l->opts->boots_only) {
		*ret = l->accel;
		return 0;
	}
	if (run_step(l->run, &step, name, &a, e) < 0)
		return err_wrap(e, "cannot ask target '%s' whether guests can run there",
				l->target->name);
	*ret = a.word;
	return 0;
}

int lab_check_guests(const struct lab *l, const char *machine, struct err *e)
{
	bool any = false, nested = false;

	for (size_t i = 0; i < l->choice.nr_points; i++) {
		const struct benchmark *b = l->choice.points[i].bench;

		nested |= b->level == 2;
		any |= b->level == 2 || b->payload;
	}
	if (any && !strcmp(machine, NEITHER)) {
		err_set(e, ERR_POLICY,
			"no guest can run on target '%s': its processor has neither svm "
			"nor vmx",
			l->target->name);
		return err_hint(e, "turn virtualisation on in its firmware, or have the "
				   "host of a virtual machine nest it");
	}
	if (nested && strstr(machine, "-off")) {
		err_set(e, ERR_POLICY,
			"guests of target '%s' can have none of their own: its command "
			"line turns nesting off",
			l->target->name);
		return err_hint(e,
				"take nested=0 off it, or set cmdline = of the target");
	}
	return 0;
}
