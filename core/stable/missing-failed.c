// SPDX-License-Identifier: GPL-3.0-or-later
/* Missing fixes of which a mail says that they failed to apply. */
#include <string.h>

#include "core/base/alloc.h"
#include "core/stable/missing-internal.h"
#include "core/stable/index-internal.h"

static const struct missing_failed *mail_of(const struct missing_opts *o,
					    const struct missing_fix *f)
{
	for (size_t i = o->nr_failed; i-- > 0;)
		if (!strcmp(o->failed[i].message_id, f->mail))
			return &o->failed[i];
	return NULL;
}

/* A dependency counts when it is one commit of mainline that the tree lacks. */
static int add_need(const struct missing_opts *o, const struct commit_name *name,
		    struct missing_fix *f, struct err *e)
{
	_cleanup_stable_commit_ struct stable_commit c = { 0 };
	struct stable_index *mainline = o->tree->mainline;
	enum stable_match match;
	enum stable_held held;
	struct oid oid, there;
	int r;

	if (stable_index_resolve(mainline, name, &match, &oid, e) < 0)
		return -(int)e->code;
	if (match == STABLE_NONE || match == STABLE_MANY || oid_equal(&oid, &f->oid))
		return 0;
	if (stable_index_holds(o->tree, &oid, &held, &there, e) < 0)
		return -(int)e->code;
	if (held != STABLE_ABSENT && held != STABLE_DROPPED)
		return 0;
	r = stable_index_get(mainline, &oid, &c, e);
	if (r == 1)
		missing_add_need(&f->needs, &f->nr_needs, &oid, c.subject);
	return r < 0 ? r : 0;
}

int missing_believe(const struct missing_opts *o, struct missing_fix *f, struct err *e)
{
	const struct missing_failed *mail = mail_of(o, f);

	if (f->why == MISSING_NOT_TRIED) {
		f->why = MISSING_NO_APPLY;
		f->reason = xstrdup("the stable maintainers wrote so");
	}
	if (!mail || f->why != MISSING_NO_APPLY || f->nr_needs)
		return 0;
	for (size_t i = 0; i < mail->needs.nr; i++)
		if (add_need(o, &mail->needs.v[i], f, e) < 0)
			return -(int)e->code;
	return 0;
}
