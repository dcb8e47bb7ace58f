// SPDX-License-Identifier: GPL-3.0-or-later
/* S05: a patch against the commit it says it comes from. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/stop.h"
#include "core/git/range-diff.h"
#include "core/stable/check-internal.h"

/* The texts range-diff compares; a patch that does not apply is taken as mailed. */
static int own_range(struct checker *c, const struct checked *p,
		     struct range_texts *texts, struct range *ret, struct err *e)
{
	const struct range_ends ends = { p->before, p->verdict->commit };
	const struct series one = { .patches = (struct patch *)p->patch,
				    .nr_patches = 1,
				    .total = 1 };

	if (!oid_is_none(&p->verdict->commit))
		return range_read(c->r, &ends, texts, ret, e);
	range_from_series(&one, ret);
	return 0;
}

static enum queue_compared class_of(enum pair_state s)
{
	switch (s) {
	case PAIR_CONTEXT:
		return QUEUE_CONTEXT;
	case PAIR_CHANGED:
		return QUEUE_CHANGED;
	default:
		return QUEUE_IDENTICAL;
	}
}

/* The part of a range's text behind its message. */
static char *diff_text(const struct range *r)
{
	return xstrdup(r->v[0].text + r->v[0].diff_at);
}

static int compare_texts(struct checked *p, struct range *up, struct range *own,
			 struct err *e)
{
	_cleanup_free_ struct range_pair *pairs = NULL;
	_cleanup_buf_ struct buf text = BUF_INIT;
	size_t nr = 0;

	/* The patch names its partner, so nothing is to be found. */
	up->v[0].match = own->v[0].match = 0;
	range_pairs(up, own, &pairs, &nr);
	if (nr != 1)
		return 0;
	p->verdict->compared = class_of(pairs[0].state);
	if (p->verdict->compared == QUEUE_IDENTICAL)
		return 0;
	p->upstream_text = diff_text(up);
	p->own_text = diff_text(own);
	if (range_diff_text(&pairs[0], &text, e) < 0)
		return -(int)e->code;
	p->range_text = buf_take(&text);
	return 0;
}

static int compare(struct checker *c, struct checked *p, struct err *e)
{
	const struct range_ends ends = { p->up->parent, p->up->c.oid };
	_cleanup_range_ struct range up = { 0 }, own = { 0 };
	struct range_texts *texts = range_texts_new();
	int r = range_read(c->mainline, &ends, texts, &up, e);

	if (r == 0)
		r = own_range(c, p, texts, &own, e);
	if (r == 0 && up.nr == 1 && own.nr == 1)
		r = compare_texts(p, &up, &own, e);
	range_texts_free(texts);
	return r;
}

static bool can_compare(const struct checked *p)
{
	return p->up && !oid_is_none(&p->up->parent) && p->claim &&
	       p->claim->form != UPSTREAM_REVERT;
}

int check_compare_all(struct checker *c, struct err *e)
{
	for (size_t i = 0; i < c->nr; i++) {
		struct checked *p = &c->v[i];
		const char *id;

		if (!can_compare(p))
			continue;
		if (facts_patch_id(c->facts, p->up, &id, e) < 0)
			return -(int)e->code;
		if (!id)
			continue;
		if (p->patch->patch_id && !strcmp(p->patch->patch_id, id)) {
			p->verdict->compared = QUEUE_IDENTICAL;
			continue;
		}
		if (compare(c, p, e) < 0)
			return err_wrap(e, "cannot compare '%s' with %.12s",
					queue_entry_name(p->entry), p->up->c.oid.hex);
		if (stop_check(e) < 0)
			return -(int)e->code;
		progress_update(c->o->progress, "compare", i + 1, c->nr);
	}
	return 0;
}

int check_same_patch(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	struct finding *f;

	(void)e;
	if (p->verdict->compared == QUEUE_CONTEXT) {
		f = check_say(c, i, CHECK_INFO,
			      "differs from %.12s in the lines around its changes alone",
			      p->up->c.oid.hex);
	} else if (p->verdict->compared != QUEUE_CHANGED) {
		return 0;
	} else if (queue_has_backport_note(p->patch->message)) {
		f = check_say(c, i, CHECK_INFO,
			      "is %.12s adapted to this tree, and says so",
			      p->up->c.oid.hex);
	} else {
		f = check_say(
			c, i, CHECK_WARNING,
			"makes another change than %.12s and does not say why: look "
			"at the difference, and add a line \"[ name: what was "
			"changed ]\" above the sign-off",
			p->up->c.oid.hex);
	}
	f->detail = xstrdup(p->range_text);
	return 0;
}
