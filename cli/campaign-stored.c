// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/campaign-stored.h"

#include "cli/held.h"

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

/* Two commits of one tree share its boots; no boot may stand on both sides, so each side
 * keeps those that were made for its commit. */
static void keep_own(struct samples *s, const struct oid *commit)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->nr; i++) {
		if (oid_equal(&s->v[i].commit, commit))
			s->v[kept++] = s->v[i];
		else
			sample_release(&s->v[i]);
	}
	s->nr = kept;
}

static int take_side(struct lab *l, const struct kernel *k, bool shared,
		     struct samples *ret, struct err *e)
{
	_cleanup_(shots_release) struct shots shots = { 0 };

	shots_plan(&shots, l, k, 0);
	for (size_t i = 0; i < shots.nr; i++) {
		_cleanup_free_ char *held = NULL;
		struct boots_like like = {
			.tree = &k->build.tree,
			.build_id = k->build.build_id,
			.target = "qemu",
			.accel = lab_accel(l),
			.path = "kexec",
			.benchmark = lab_bench(l)->name,
		};

		if (held_digest(l, shots.v[i].cells, shots.v[i].nr_cells, &held, e) < 0)
			return -(int)e->code;
		like.held = held;
		if (store_samples_like(run_store(lab_run(l)), &like, ret, e) < 0)
			return err_wrap(e, "cannot read earlier boots of %.12s",
					k->commit.hex);
	}
	if (shared)
		keep_own(ret, &k->commit);
	return ret->nr ? 0 : nothing(&k->commit, e);
}

int campaign_take_stored(struct lab *l, struct campaign *c, struct err *e)
{
	bool shared = oid_equal(&c->base.build.tree, &c->patched.build.tree);

	if (take_side(l, &c->base, shared, &c->stored[0], e) < 0)
		return -(int)e->code;
	return take_side(l, &c->patched, shared, &c->stored[1], e);
}
