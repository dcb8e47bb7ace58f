// SPDX-License-Identifier: GPL-3.0-or-later
/* Checks of what the patches themselves say: S01, S02, S08, S15, S19, S20, S22. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/stable/check-internal.h"

int check_files(struct checker *c, struct err *e)
{
	(void)e;
	for (size_t i = 0; i < c->q->nr_flaws; i++) {
		const struct queue_flaw *f = &c->q->flaws[i];
		enum check_severity s = f->minor ? CHECK_WARNING : CHECK_ERROR;
		size_t at = 0;

		while (f->file && at < c->nr &&
		       strcmp(queue_entry_name(c->v[at].entry), f->file))
			at++;
		if (f->file && at < c->nr)
			check_say(c, at, s, "%s", f->text);
		else if (f->file)
			check_say_whole(c, s, "'%s' %s", f->file, f->text);
		else
			check_say_whole(c, s, "%s", f->text);
	}
	return 0;
}

/* The commit of its "From" line, where that is one of mainline with this title. */
static int say_from_line(struct checker *c, size_t i, bool *ret_said, struct err *e)
{
	const struct checked *p = &c->v[i];
	const struct facts_commit *up = NULL;
	enum facts_answer answer;

	*ret_said = false;
	if (!c->facts || !p->entry->from)
		return 0;
	if (facts_find(c->facts, p->entry->from, &answer, &up, e) < 0)
		return -(int)e->code;
	if (!up || !p->patch->subject || strcmp(up->c.subject, p->patch->subject))
		return 0;
	check_say(c, i, CHECK_ERROR,
		  "does not name its commit upstream: add the line \"commit %s "
		  "upstream.\", which is what its From line says",
		  up->c.oid.hex);
	*ret_said = true;
	return 0;
}

/* The same for a title that mainline has once. */
static int say_by_title(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_facts_list_ struct facts_list same = { 0 };

	if (c->facts && p->patch->subject &&
	    facts_by_title(c->facts, p->patch->subject, &same, e) < 0)
		return -(int)e->code;
	if (same.nr == 1)
		check_say(c, i, CHECK_ERROR,
			  "does not name its commit upstream: add the line \"commit %s "
			  "upstream.\" if that is the one (it has this title)",
			  same.v[0].commit->c.oid.hex);
	else
		check_say(c, i, CHECK_ERROR,
			  "names no commit upstream: add \"commit SHA upstream.\", or "
			  "\"[ no upstream commit ]\" and why");
	return 0;
}

int check_names_upstream(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	bool said;

	if (p->claim && p->claim->form == UPSTREAM_REVERT)
		return 0;
	if (p->claim && strlen(p->claim->commit) < 40) {
		check_say(c, i, CHECK_INFO,
			  "names its commit upstream by %zu digits: write all 40",
			  strlen(p->claim->commit));
		return 0;
	}
	if (p->claim)
		return 0;
	if (queue_is_stable_only(p->patch)) {
		check_say(c, i, CHECK_INFO, "says that there is no such commit upstream");
		return 0;
	}
	if (p->patch->subject && !strncmp(p->patch->subject, "Revert \"", 8)) {
		check_say(c, i, CHECK_WARNING,
			  "does not say which commit it reverts: add \"This reverts "
			  "commit SHA which is commit SHA upstream.\"");
		return 0;
	}
	if (say_from_line(c, i, &said, e) < 0)
		return -(int)e->code;
	return said ? 0 : say_by_title(c, i, e);
}

/* The later of two takes back what was there: not a duplicate. */
static bool taken_back_between(const struct checker *c, size_t from, size_t to)
{
	for (size_t i = from + 1; i < to; i++)
		if (c->v[i].claim && c->v[i].claim->form == UPSTREAM_REVERT &&
		    c->v[i].claim->commit && c->v[from].claim &&
		    c->v[from].claim->commit &&
		    !strcmp(c->v[i].claim->commit, c->v[from].claim->commit))
			return true;
	return false;
}

static bool same_commit(const struct checked *a, const struct checked *b)
{
	const char *x = a->claim ? a->claim->commit : NULL;
	const char *y = b->claim ? b->claim->commit : NULL;

	if (a->claim && b->claim &&
	    (a->claim->form == UPSTREAM_REVERT) != (b->claim->form == UPSTREAM_REVERT))
		return false;
	if (a->up && b->up)
		return oid_equal(&a->up->c.oid, &b->up->c.oid);
	if (!x || !y)
		return false;
	return !strncmp(x, y, strlen(x) < strlen(y) ? strlen(x) : strlen(y));
}

static bool same_patch(const struct checked *a, const struct checked *b)
{
	return a->patch->patch_id && b->patch->patch_id &&
	       !strcmp(a->patch->patch_id, b->patch->patch_id);
}

int check_duplicate(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];

	(void)e;
	for (size_t k = 0; k < i; k++) {
		const struct checked *other = &c->v[k];
		bool commit = same_commit(other, p);

		if ((!commit && !same_patch(other, p)) || taken_back_between(c, k, i))
			continue;
		check_say(c, i, CHECK_ERROR,
			  "is in the queue already, as '%s' (%s): take "
			  "one of them out",
			  queue_entry_name(other->entry),
			  commit ? "the same commit upstream" : "the same patch-id");
		return 0;
	}
	return 0;
}

static void say_dropped(struct checker *c, size_t i, const char *commit, const char *how)
{
	const struct queue_dropped *d = queue_find_dropped(c->q, commit, false);

	if (d)
		check_say(c, i, CHECK_ERROR,
			  "%s%.12s was dropped from %s%s before (dropped_commits): find "
			  "out why, and take this out too or the line there",
			  how, commit, d->version ? "the queue of " : "queues",
			  d->version ? d->version : "");
}

/* The commit itself, what it names as needed or fixed, and what fixes it. */
int check_dropped(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_facts_list_ struct facts_list fixers = { 0 }, fixed = { 0 };

	if (!c->q->nr_dropped)
		return 0;
	if (!p->up) {
		if (p->claim && p->claim->commit && p->claim->form != UPSTREAM_REVERT)
			say_dropped(c, i, p->claim->commit, "");
		return 0;
	}
	if (p->claim->form == UPSTREAM_REVERT)
		return 0;
	say_dropped(c, i, p->up->c.oid.hex, "");
	if (facts_related(c->facts, p->up, FACTS_FIXERS, &fixers, e) < 0 ||
	    facts_related(c->facts, p->up, FACTS_FIXED, &fixed, e) < 0)
		return -(int)e->code;
	for (size_t k = 0; k < fixers.nr; k++)
		say_dropped(c, i, fixers.v[k].commit->c.oid.hex, "its fix ");
	for (size_t k = 0; k < fixed.nr; k++)
		say_dropped(c, i, fixed.v[k].commit->c.oid.hex, "what it fixes, ");
	if (check_needs(c, i, e) < 0)
		return -(int)e->code;
	for (size_t k = 0; k < p->nr_needs; k++)
		if (p->needs[k].commit)
			say_dropped(c, i, p->needs[k].commit->c.oid.hex,
				    "what it needs, ");
	return 0;
}

static const char *const stable_people[] = { "gregkh@linuxfoundation.org",
					     "sashal@kernel.org" };

/* The value of the last Signed-off-by line, owned; NULL without any. */
static char *last_sign_off(const char *message)
{
	const char *last = NULL;

	for (const char *p = message; (p = strcasestr(p, "signed-off-by:")); p++)
		if (p == message || p[-1] == '\n')
			last = p + strlen("signed-off-by:");
	return last ? xstrndup(last, strcspn(last, "\n")) : NULL;
}

static bool is_stable_person(const char *who)
{
	for (size_t i = 0; i < ARRAY_SIZE(stable_people); i++)
		if (strcasestr(who, stable_people[i]))
			return true;
	return false;
}

/* Trailers upstream has and the patch lost. */
static void check_trailers_kept(struct checker *c, size_t i)
{
	const struct checked *p = &c->v[i];
	const char *m = p->up->c.message;

	for (const char *s = m; (s = strstr(s, "igned-off-by:")); s++) {
		size_t n = strcspn(s, "\n");
		_cleanup_free_ char *line = xstrndup(s, n);

		if (s - 1 > m && s[-2] != '\n')
			continue;
		if (!strstr(p->patch->message, line)) {
			check_say(c, i, CHECK_WARNING,
				  "lost a line of the commit upstream: \"S%s\"", line);
			return;
		}
	}
}

int check_sign_off(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	_cleanup_free_ char *last = last_sign_off(p->patch->message);
	const char *email = p->patch->author_email;

	(void)e;
	if (email && is_stable_person(email) && p->up && p->up->email &&
	    strcasecmp(email, p->up->email))
		check_say(c, i, CHECK_WARNING,
			  "lost its author: add \"From: %s <%s>\" as first line",
			  p->up->author_name, p->up->email);
	if (!last)
		check_say(c, i, CHECK_WARNING, "nobody signed it off");
	else if (c->q->whole && !is_stable_person(last))
		check_say(c, i, CHECK_WARNING,
			  "the last sign-off is%s's, not a stable maintainer's", last);
	if (p->up && p->claim->form != UPSTREAM_REVERT)
		check_trailers_kept(c, i);
	return 0;
}

/* Lines added and removed. */
static size_t count_lines(const struct buf *diff)
{
	const char *p = buf_str(diff);
	size_t nr = 0;

	for (; *p; p += strcspn(p, "\n"), p += *p == '\n')
		if ((*p == '+' && strncmp(p, "+++ ", 4)) ||
		    (*p == '-' && strncmp(p, "--- ", 4) && strncmp(p, "-- \n", 4)))
			nr++;
	return nr;
}

int check_size(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];
	size_t nr = count_lines(&p->patch->diff);

	(void)e;
	if (nr > c->o->max_lines)
		check_say(c, i, CHECK_INFO, "changes %zu lines; stable takes up to %zu",
			  nr, c->o->max_lines);
	if (p->claim && p->patch->upstream.nr > 1 &&
	    p->patch->upstream.v[1].form < UPSTREAM_REVERT)
		check_say(c, i, CHECK_INFO, "is made of several commits upstream");
	return 0;
}

/* Whether a patch behind i, or before it, is the backport of the commit. */
static bool find_claim(const struct checker *c, const char *commit, size_t *ret)
{
	for (size_t k = 0; k < c->nr; k++) {
		const struct upstream_claim *m = c->v[k].claim;
		size_t n = m && m->commit ? strlen(m->commit) : 0, l = strlen(commit);

		if (n && m->form != UPSTREAM_REVERT &&
		    !strncmp(m->commit, commit, n < l ? n : l)) {
			*ret = k;
			return true;
		}
	}
	return false;
}

int check_dependency(struct checker *c, size_t i, struct err *e)
{
	const struct upstream_claims *claims = &c->v[i].patch->upstream;
	enum stable_held there;
	struct oid stable;
	size_t at;

	for (size_t k = 0; k < claims->nr; k++) {
		const char *commit = claims->v[k].commit;
		const struct facts_commit *up = NULL;
		enum facts_answer answer;

		if (claims->v[k].form != UPSTREAM_DEP_OF || !commit || !c->q->whole)
			continue;
		if (find_claim(c, commit, &at)) {
			if (at < i)
				check_say(c, i, CHECK_WARNING,
					  "is a dependency of '%s', which comes before "
					  "it: move it up",
					  queue_entry_name(c->v[at].entry));
			continue;
		}
		if (c->facts && facts_find(c->facts, commit, &answer, &up, e) < 0)
			return -(int)e->code;
		if (up && facts_holds(c->facts, &up->c.oid, &there, &stable, e) < 0)
			return -(int)e->code;
		if (!up || !check_is_there(there))
			check_say(c, i, CHECK_WARNING,
				  "is a dependency of %.12s, which is not in the queue: "
				  "add that, or take this out",
				  commit);
	}
	return 0;
}
