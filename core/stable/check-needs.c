// SPDX-License-Identifier: GPL-3.0-or-later
/* S13: what a patch builds on. Looked for in four ways, kept once for S15 too. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/git/objects.h"
#include "core/git/path-log.h"
#include "core/stable/check-internal.h"
#include "core/stable/symbols.h"
#include "core/stable/version.h"

#define MAX_NEEDS 5
#define BLAME_COMMITS 20000 /* of mainline looked at for one file */
#define BLAME_CHANGES 64    /* versions of one file that are read */

static int read_file(struct repo *repo, const struct oid *commit, const char *path,
		     struct buf *ret, struct err *e)
{
	_cleanup_err_ struct err none = { 0 };
	int r = repo_read_file(repo, commit, path, ret, &none);

	if (r == 0)
		return 1;
	if (none.code == ERR_NO_FILE)
		return 0;
	*e = none;
	none = (struct err){ 0 };
	return r;
}

int check_read_file(struct checker *c, const struct oid *commit, const char *path,
		    struct buf *ret, struct err *e)
{
	return read_file(c->r, commit, path, ret, e);
}

int check_read_upstream(struct checker *c, const struct oid *commit, const char *path,
			struct buf *ret, struct err *e)
{
	return read_file(c->mainline, commit, path, ret, e);
}

int check_symbols(struct checker *c, const struct symbols **ret, struct err *e)
{
	if (!c->symbols && !oid_is_none(&c->o->base) &&
	    symbols_open(c->r, &c->o->base, c->o->progress, &c->symbols, e) < 0)
		return -(int)e->code;
	*ret = c->symbols;
	return 0;
}

void needs_release(struct checked *p)
{
	for (size_t i = 0; i < p->nr_needs; i++)
		free(p->needs[i].why);
	free(p->needs);
}

static bool is_known(const struct checked *p, const struct facts_commit *commit,
		     const char *why)
{
	for (size_t i = 0; i < p->nr_needs; i++)
		if (commit ? p->needs[i].commit == commit : !strcmp(p->needs[i].why, why))
			return true;
	return false;
}

int need_add(struct checker *c, size_t i, const struct facts_commit *commit, char *why,
	     struct err *e)
{
	_cleanup_free_ char *owned = why;
	struct checked *p = &c->v[i];
	struct need n = { .commit = commit };
	enum stable_held there;
	struct oid stable;

	if (is_known(p, commit, why) || p->nr_needs >= MAX_NEEDS || commit == p->up)
		return 0;
	if (commit) {
		if (check_holds(c, &commit->c.oid, &there, &stable, e) < 0)
			return -(int)e->code;
		if (check_is_there(there) ||
		    check_queued_before(c, &commit->c.oid, i, &n.at))
			return 0;
		n.behind = check_queued(c, &commit->c.oid, &n.at);
	}
	n.why = take_ptr(owned);
	*array_push(p->needs, p->nr_needs) = n;
	return 0;
}

static int read_blob(struct checker *c, const struct oid *blob, struct buf *ret,
		     struct err *e)
{
	return oid_is_none(blob) ? 0 : repo_get(c->mainline, OBJECT_BLOB, blob, ret, e);
}

static int blame_one(struct checker *c, const struct path_change *ch,
		     const struct blame *b, bool *ret, struct err *e)
{
	_cleanup_buf_ struct buf before = BUF_INIT, after = BUF_INIT;

	if (read_blob(c, &ch->before, &before, e) < 0 ||
	    read_blob(c, &ch->after, &after, e) < 0)
		return -(int)e->code;
	*ret = b->changes(b->ctx, &before, &after);
	return 0;
}

/* 1 to go on, 0 at the end of what is younger than the branch. */
static int blame_step(struct checker *c, struct path_log *log, const struct blame *b,
		      const struct facts_commit **found, struct err *e)
{
	const struct facts_commit *commit;
	enum stable_held there;
	enum facts_answer answer;
	struct path_change ch;
	struct oid stable;
	bool yes = false;
	int r = path_log_next(log, &ch, e);

	if (r <= 0)
		return r;
	if (check_holds(c, &ch.commit, &there, &stable, e) < 0)
		return -(int)e->code;
	if (there == STABLE_SHARED)
		return 0;
	if (blame_one(c, &ch, b, &yes, e) < 0)
		return -(int)e->code;
	if (!yes)
		return 1;
	if (facts_find(c->facts, ch.commit.hex, &answer, &commit, e) < 0)
		return -(int)e->code;
	*found = commit;
	return commit ? 0 : 1;
}

int blame_find(struct checker *c, size_t i, const char *path, const struct blame *b,
	       const struct facts_commit **ret, struct err *e)
{
	const struct path_log_limit limit = { .commits = BLAME_COMMITS };
	_cleanup_path_log_ struct path_log *log = NULL;
	const struct facts_commit *found = NULL;
	int r = path_log_open(c->mainline, &c->v[i].up->parent, path, &limit, &log, e);

	for (int k = 0; r == 0 && k < BLAME_CHANGES; k++) {
		int more = blame_step(c, log, b, &found, e);

		if (more < 0)
			return more;
		if (!more)
			break;
	}
	if (r < 0)
		return r;
	if (found)
		*ret = found;
	return found != NULL;
}

/* Words that make a sentence one about what is needed. */
static bool speaks_of_need(const char *line, size_t n)
{
	static const char *const words[] = { "depends on",	"depends-on",
					     "requires commit", "prerequisite",
					     "relies on",	"needs commit" };
	_cleanup_free_ char *s = xstrndup(line, n);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcasestr(s, words[i]))
			return true;
	return false;
}

/* "Cc: stable@... # 3.3.x: a1f84a3: title", for this version. */
static bool is_tag_list(const struct checker *c, const char *line, size_t n)
{
	_cleanup_free_ char *s = xstrndup(line, n), *version = NULL;
	const char *hash = strchr(s, '#');

	if (strncasecmp(s, "cc:", 3) || !strstr(s, "stable@") || !hash ||
	    !strchr(hash, ':'))
		return false;
	version = version_in(hash);
	return !version || !c->q->version || !version_compare(version, c->q->version);
}

/* All hashes of a line. */
static int needs_of_hashes(struct checker *c, size_t i, const char *p, size_t n,
			   struct err *e)
{
	const char *end = p + n;

	while (p < end) {
		const struct facts_commit *commit = NULL;
		enum facts_answer answer;
		const char *start = p;
		_cleanup_free_ char *digits = NULL;

		while (p < end && isalnum((unsigned char)*p))
			p++;
		if (p - start < 7 || p - start > 40 ||
		    !parse_is_hex(start, (size_t)(p - start))) {
			p += p == start;
			continue;
		}
		digits = xstrndup(start, (size_t)(p - start));
		if (facts_find(c->facts, digits, &answer, &commit, e) < 0)
			return -(int)e->code;
		if (commit &&
		    need_add(c, i, commit, xstrdup("is named as needed"), e) < 0)
			return -(int)e->code;
	}
	return 0;
}

static int needs_of_text(struct checker *c, size_t i, const char *text, struct err *e)
{
	for (const char *l = text; *l;) {
		size_t n = strcspn(l, "\n");

		if ((speaks_of_need(l, n) || is_tag_list(c, l, n)) &&
		    needs_of_hashes(c, i, l, n, e) < 0)
			return -(int)e->code;
		l += n + (l[n] == '\n');
	}
	return 0;
}

int needs_of_message(struct checker *c, size_t i, struct err *e)
{
	if (needs_of_text(c, i, c->v[i].up->c.message, e) < 0)
		return -(int)e->code;
	return needs_of_text(c, i, c->v[i].patch->message, e);
}

int check_needs(struct checker *c, size_t i, struct err *e)
{
	struct checked *p = &c->v[i];

	if (p->needs_known || !p->up || !p->claim || p->claim->form == UPSTREAM_REVERT ||
	    oid_is_none(&p->up->parent) || oid_is_none(&c->o->base))
		return 0;
	p->needs_known = true;
	if (needs_of_message(c, i, e) < 0 || needs_of_lines(c, i, e) < 0 ||
	    needs_of_words(c, i, e) < 0)
		return -(int)e->code;
	return needs_of_calls(c, i, e);
}

int check_prerequisite(struct checker *c, size_t i, struct err *e)
{
	const struct checked *p = &c->v[i];

	if (check_needs(c, i, e) < 0)
		return -(int)e->code;
	for (size_t k = 0; k < p->nr_needs; k++) {
		const struct need *n = &p->needs[k];

		if (n->behind)
			check_say(c, i, CHECK_WARNING,
				  "needs '%s', which comes behind it in the queue (%.12s "
				  "%s): move that up",
				  queue_entry_name(c->v[n->at].entry),
				  n->commit->c.oid.hex, n->why);
		else if (n->commit)
			check_say(
				c, i, CHECK_WARNING,
				"may need %.12s (\"%s\") first, which %s: add it, or see "
				"that the patch is right without",
				n->commit->c.oid.hex, n->commit->c.subject, n->why);
		else
			check_say(c, i, CHECK_WARNING, "%s", n->why);
	}
	return 0;
}
