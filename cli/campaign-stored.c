// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/campaign-stored.h"

#include "cli/held.h"
#include "cli/lab-internal.h"

static int nothing(const struct oid *commit, struct err *e)
{
	err_set(e, ERR_NOT_FOUND, "no stored boot of commit %.12s fits", commit->hex);
	return err_hint(e, "measure: the same command without --stored");
}

int campaign_check_stored(struct lab *l, const struct oid commits[2], struct err *e)
{
	bool cached[2];

	if (lab_cached(l, commits, 2, cached, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < 2; i++)
		if (!cached[i])
			return nothing(&commits[i], e);
	return 0;
}

static int take_boots(struct lab *l, const struct kernel *k, const struct shot *shot,
		      struct samples *ret, struct err *e)
{
	_cleanup_free_ char *held = NULL;
	struct boots_like like = {
		.tree = &k->build.tree,
		.build_id = k->build.build_id,
		.target = "qemu",
		.accel = lab_accel(l),
		.path = "kexec",
	};

	if (held_digest(l, shot, &held, e) < 0)
		return -(int)e->code;
	like.held = held;
	for (size_t i = 0; i < l->choice.nr_benches; i++) {
		like.benchmark = l->choice.benches[i].bench->name;
		if (store_samples_like(run_store(lab_run(l)), &like, ret, e) < 0)
			return err_wrap(e, "cannot read earlier boots of %.12s",
					k->commit.hex);
	}
	return 0;
}

static int take_side(struct lab *l, const struct kernel *k, struct samples *ret,
		     struct err *e)
{
	_cleanup_(shots_release) struct shots shots = { 0 };

	shots_plan(&shots, l, k, 0);
	for (size_t i = 0; i < shots.nr; i++)
		if (take_boots(l, k, &shots.v[i], ret, e) < 0)
			return -(int)e->code;
	return ret->nr ? 0 : nothing(&k->commit, e);
}

int campaign_take_stored(struct lab *l, struct campaign *c, struct err *e)
{
	if (take_side(l, &c->base, &c->stored[0], e) < 0)
		return -(int)e->code;
	return take_side(l, &c->patched, &c->stored[1], e);
}
