// SPDX-License-Identifier: GPL-3.0-or-later
/* Checks of the commit a patch says it comes from: S03, S04, S18, S21. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/stable/check-internal.h"
#include "core/stable/version.h"

#define FULL 40
#define WEEK (INT64_C(7) * 24 * 3600)

/* What the title would say: one commit of that name, or none. */
static int hint_of_title(struct checker *c, size_t i, char **ret, struct err *e)
{
	const char *title = c->v[i].patch->subject;
	_cleanup_facts_list_ struct facts_list same = { 0 };

	if (title && facts_by_title(c->facts, title, &same, e) < 0)
		return -(int)e->code;
	if (same.nr == 1)
		*ret = xasprintf("; mainline has its title as %s",
				 same.v[0].commit->c.oid.hex);
	else if (same.nr > 1)
		*ret = xasprintf("; mainline has its title %zu times", same.nr);
	else
		*ret = xstrdup("; mainline has no such title either");
	return 0;
}

/* Nothing can be said of a commit that a cut-off history may hide. */
static bool may_be_hidden(struct checker *c)
{
	if (!facts_is_shallow(c->facts))
		return false;
	check_gap_add(c,
		      "the history of %s is cut off: what is not found may be older "
		      "(git fetch --unshallow)",
		      facts_mainline(c->facts));
	return true;
}

static int say_missing(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_free_ char *hint = NULL;

	if (hint_of_title(c, i, &hint, e) < 0)
		return -(int)e->code;
	if (may_be_hidden(c))
		check_say(c, i, CHECK_WARNING, "%s is not in what there is of %s%s",
			  p->claim->commit, facts_mainline(c->facts), hint);
	else
		check_say(c, i, CHECK_ERROR, "%s is no commit of %s%s: correct the line",
			  p->claim->commit, facts_mainline(c->facts), hint);
	return 0;
}

int check_exists(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	const char *commit = p->claim ? p->claim->commit : NULL;
	size_t n = commit ? strlen(commit) : 0;

	if (!commit)
		return 0;
	if (n > FULL) {
		_cleanup_free_ char *hint = NULL;

		if (hint_of_title(c, i, &hint, e) < 0)
			return -(int)e->code;
		check_say(c, i, CHECK_ERROR,
			  "%s has %zu digits, a commit has 40%s: correct the line",
			  commit, n, hint);
		return 0;
	}
	switch (p->resolved) {
	case FACTS_NONE:
		return say_missing(c, i, e);
	case FACTS_SEVERAL:
		check_say(c, i, CHECK_ERROR,
			  "%s may be several commits: write all 40 digits", commit);
		return 0;
	case FACTS_ELSEWHERE:
		check_say(
			c, i, CHECK_ERROR,
			"%s is a commit, but not in %s (linux-next, or a stable tree?): "
			"wait until it is, or correct the line",
			commit, facts_mainline(c->facts));
		return 0;
	default:
		if (n < FULL && n > 16)
			check_say(c, i, CHECK_WARNING,
				  "%s has %zu digits, %zu are missing: it must be %s",
				  commit, n, FULL - n, p->up->c.oid.hex);
		return 0;
	}
}

/* Names and addresses change; both at once do not. */
static bool same_author(const struct patch *p, const struct facts_commit *up)
{
	return !p->author_email || !up->email ||
	       !strcasecmp(p->author_email, up->email) ||
	       (p->author_name && up->author_name &&
		!strcasecmp(p->author_name, up->author_name));
}

/* Blanks and the bracketed prefix of a mail that was applied as it was do not count. */
static bool same_title(const char *a, const char *b)
{
	while (*a || *b) {
		bool blank = *a == ' ' || *b == ' ';

		if (*a != *b)
			return false;
		a += blank ? strspn(a, " ") : 1;
		b += blank ? strspn(b, " ") : 1;
	}
	return true;
}

static const char *without_prefix(const char *title)
{
	const char *end;

	while (!strncasecmp(title, "[PATCH", 6) && (end = strchr(title, ']')))
		title = end + 1 + strspn(end + 1, " ");
	return title;
}

static int say_other_title(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_free_ char *hint = NULL;

	if (hint_of_title(c, i, &hint, e) < 0)
		return -(int)e->code;
	check_say(c, i, CHECK_ERROR,
		  "its title is not that of %.12s, \"%s\"%s: correct "
		  "the commit or the title",
		  p->up->c.oid.hex, p->up->c.subject, hint);
	return 0;
}

/* Whether the patch makes the change of that commit, and of no other with its title. */
static int is_change_of(struct checker *c, size_t i, const struct facts_commit *twin,
			bool *ret, struct err *e)
{
	const struct checked *p = &c->v[i];
	const char *id;

	*ret = false;
	if (!p->patch->patch_id || p->verdict->compared == QUEUE_IDENTICAL)
		return 0;
	if (facts_patch_id(c->facts, twin, &id, e) < 0)
		return -(int)e->code;
	*ret = id && !strcmp(p->patch->patch_id, id);
	return 0;
}

/* Of commits with one title the named one may be the wrong one. */
static int check_twin(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_facts_list_ struct facts_list same = { 0 };

	if (facts_by_title(c->facts, p->up->c.subject, &same, e) < 0)
		return -(int)e->code;
	for (size_t k = 0; k < same.nr; k++) {
		const struct facts_commit *twin = same.v[k].commit;
		bool other;

		if (twin == p->up)
			continue;
		if (is_change_of(c, i, twin, &other, e) < 0)
			return -(int)e->code;
		if (other)
			check_say(c, i, CHECK_ERROR,
				  "names %.12s and makes the change of %.12s, which has "
				  "the same title: correct the line",
				  p->up->c.oid.hex, twin->c.oid.hex);
		else
			check_say(
				c, i, CHECK_INFO,
				"mainline has a second commit of this title, %.12s: see "
				"that the right ones are there, in order",
				twin->c.oid.hex);
	}
	return 0;
}

int check_same_title(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	const char *title = p->patch->subject ? without_prefix(p->patch->subject) : "";

	if (!p->up || p->claim->form == UPSTREAM_REVERT)
		return 0;
	if (!same_title(title, p->up->c.subject) && say_other_title(c, i, e) < 0)
		return -(int)e->code;
	if (!same_author(p->patch, p->up))
		check_say(c, i, CHECK_ERROR,
			  "its author is not that of %.12s, %s <%s>: correct the From "
			  "line",
			  p->up->c.oid.hex, p->up->author_name, p->up->email);
	return check_twin(c, i, e);
}

int check_age(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	int64_t age;

	(void)e;
	if (!p->up || p->claim->form == UPSTREAM_REVERT)
		return 0;
	age = c->o->now - p->up->c.date;
	if (age >= 0 && age < WEEK)
		check_say(c, i, CHECK_INFO, "is %lld days old in mainline",
			  (long long)(age / (24 * 3600)));
	if (!p->up->c.notes.stable.nr)
		check_say(c, i, CHECK_INFO, "its author did not mark it for stable");
	return 0;
}

/* What stands behind "Cc: stable": whether this queue's version is at or above it. */
static void check_bound(struct checker *c, size_t i, const char *text)
{
	_cleanup_free_ char *least = version_in(text);

	/* "3.3.x: a1f84a3: title" names a prerequisite for one version. */
	if (!least || strchr(text, ':') || strchr(text, ','))
		return;
	if (version_compare(c->q->version, least) < 0)
		check_say(c, i, CHECK_WARNING,
			  "its author wants it in %s and later (\"%s\"): leave it out of "
			  "%s, or make sure that the bug is there",
			  least, text, c->q->version);
}

int check_range_of_tag(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	const struct commit_notes *n;

	(void)e;
	if (!p->up || p->claim->form == UPSTREAM_REVERT)
		return 0;
	n = &p->up->c.notes;
	if (n->no_autosel)
		check_say(c, i, CHECK_WARNING,
			  "its author asks not to take it into stable (noautosel): ask "
			  "before doing so");
	for (size_t k = 0; c->q->version && k < n->stable.nr; k++)
		check_bound(c, i, n->stable.v[k]);
	return 0;
}
