// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/upstream.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/series/words.h"

#define MAX_CLAIMS 100
#define MAX_TEXT 500 /* of a line */

static bool at_end(const char *p)
{
	p += strspn(p, ".;");
	while (words_blank(*p))
		p++;
	return !*p;
}

static bool is_known(const struct upstream_claims *c, enum upstream_form form,
		     const char *commit)
{
	for (size_t i = 0; i < c->nr; i++)
		if (c->v[i].form == form &&
		    !strcmp(c->v[i].commit ? c->v[i].commit : "", commit ? commit : ""))
			return true;
	return false;
}

/* Takes the strings over. */
static void claim(struct upstream_claims *c, enum upstream_form form, char *commit,
		  char *reverted)
{
	if (c->nr >= MAX_CLAIMS || (!reverted && is_known(c, form, commit))) {
		free(commit);
		free(reverted);
		return;
	}
	*array_push(c->v, c->nr) = (struct upstream_claim){ form, commit, reverted };
}

/* "commit SHA upstream", "commit SHA in upstream". */
static bool read_commit(const char *p, struct upstream_claims *c)
{
	_cleanup_free_ char *h = NULL;

	if (!words_skip(&p, "commit"))
		return false;
	h = words_hash(&p);
	if (!h)
		return false;
	(void)(words_skip(&p, "in") || words_skip(&p, "from"));
	if (!words_skip(&p, "upstream") || !at_end(p))
		return false;
	claim(c, UPSTREAM_COMMIT, take_ptr(h), NULL);
	return true;
}

/* "Upstream commit SHA", "upstream commit: SHA", "mainline commit SHA". */
static bool read_upstream(const char *p, bool bracket, struct upstream_claims *c)
{
	_cleanup_free_ char *h = NULL;

	if ((!words_skip(&p, "upstream") && !words_skip(&p, "mainline")) ||
	    !words_skip(&p, "commit"))
		return false;
	(void)words_skip(&p, ":");
	h = words_hash(&p);
	if (!h || !at_end(p))
		return false;
	claim(c, bracket ? UPSTREAM_BRACKET : UPSTREAM_PLAIN, take_ptr(h), NULL);
	return true;
}

/* "cherry picked from commit SHA", "backported from commit SHA"; a tree may follow. */
static bool read_pick(const char *p, struct upstream_claims *c)
{
	char *h;

	if (!words_skip(&p, "cherry-picked") && !words_skip(&p, "backported") &&
	    !(words_skip(&p, "cherry") && words_skip(&p, "picked")))
		return false;
	if (!words_skip(&p, "from"))
		return false;
	(void)(words_skip(&p, "upstream") || words_skip(&p, "mainline"));
	if (!words_skip(&p, "commit"))
		return false;
	h = words_hash(&p);
	if (h)
		claim(c, UPSTREAM_PICK, h, NULL);
	return h != NULL;
}

static bool read_revert(const char *p, struct upstream_claims *c)
{
	_cleanup_free_ char *x = NULL, *y = NULL;

	if (!words_skip(&p, "this") || !words_skip(&p, "reverts") ||
	    !words_skip(&p, "commit"))
		return false;
	x = words_hash(&p);
	if (!x)
		return false;
	if (*p == '(')
		p += strcspn(p, ")") + (strchr(p, ')') != NULL);
	(void)words_skip(&p, ",");
	if (words_skip(&p, "which") && words_skip(&p, "is")) {
		bool said = words_skip(&p, "upstream");

		if (words_skip(&p, "commit"))
			y = words_hash(&p);
		if (y && !said && !words_skip(&p, "upstream")) {
			free(y);
			y = NULL;
		}
	}
	claim(c, UPSTREAM_REVERT, take_ptr(y), take_ptr(x));
	return true;
}

static bool read_dep(const char *p, struct upstream_claims *c)
{
	char *h;

	if (!words_skip(&p, "stable-dep-of") || !words_skip(&p, ":"))
		return false;
	h = words_hash(&p);
	if (h)
		claim(c, UPSTREAM_DEP_OF, h, NULL);
	return h != NULL;
}

/* A line that says nothing else: "no upstream commit", "commit SHA not upstream". */
static bool read_none(const char *p, struct upstream_claims *c)
{
	bool none;

	if (words_skip(&p, "commit"))
		free(words_hash(&p));
	if (words_skip(&p, "no")) {
		none = words_skip(&p, "upstream");
		(void)words_skip(&p, "commit");
	} else if (words_skip(&p, "not")) {
		(void)words_skip(&p, "in");
		none = words_skip(&p, "upstream");
	} else {
		none = words_skip(&p, "stable-only") ||
		       (words_skip(&p, "stable") && words_skip(&p, "only"));
		(void)(words_skip(&p, "patch") || words_skip(&p, "commit") ||
		       words_skip(&p, "fix"));
	}
	if (!none || !at_end(p))
		return false;
	claim(c, UPSTREAM_NONE, NULL, NULL);
	return true;
}

/* One line without blanks, and without the brackets around all of it. */
static char *bare(const char *p, size_t n, bool *ret_bracket)
{
	while (n && words_blank(p[n - 1]))
		n--;
	while (n && words_blank(*p)) {
		p++;
		n--;
	}
	*ret_bracket = n > 1 && ((p[0] == '[' && p[n - 1] == ']') ||
				 (p[0] == '(' && p[n - 1] == ')'));
	return *ret_bracket ? xstrndup(p + 1, n - 2) : xstrndup(p, n);
}

static void read_line(const char *line, size_t len, struct upstream_claims *ret)
{
	bool bracket = false;
	_cleanup_free_ char *b = len < MAX_TEXT ? bare(line, len, &bracket) : NULL;

	if (!b || !*b || read_commit(b, ret) || read_upstream(b, bracket, ret) ||
	    read_pick(b, ret) || read_dep(b, ret) || read_none(b, ret))
		return;
	if (!strncasecmp(b, "this reverts commit", 19)) {
		_cleanup_free_ char *s = words_sentence(line);

		(void)read_revert(s, ret);
	}
}

void upstream_claims_read(const char *message, struct upstream_claims *ret)
{
	for (const char *p = message; *p;) {
		size_t n = strcspn(p, "\n");

		if (!strncmp(p, "diff --git ", 11))
			return;
		read_line(p, n, ret);
		p += n + (p[n] == '\n');
	}
}

const struct upstream_claim *upstream_claims_main(const struct upstream_claims *c)
{
	const struct upstream_claim *revert = NULL;

	for (size_t i = 0; i < c->nr; i++) {
		const struct upstream_claim *k = &c->v[i];

		if (k->commit && k->form <= UPSTREAM_PICK)
			return k;
		if (k->commit && k->form == UPSTREAM_REVERT && !revert)
			revert = k;
	}
	return revert;
}

const char *upstream_form_word(enum upstream_form form)
{
	static const char *const words[] = {
		[UPSTREAM_COMMIT] = "commit", [UPSTREAM_BRACKET] = "bracket",
		[UPSTREAM_PLAIN] = "plain",   [UPSTREAM_PICK] = "cherry-pick",
		[UPSTREAM_REVERT] = "revert", [UPSTREAM_DEP_OF] = "dep-of",
		[UPSTREAM_NONE] = "none",
	};

	return words[form];
}

void upstream_claims_release(struct upstream_claims *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->v[i].commit);
		free(c->v[i].reverted);
	}
	free(c->v);
	*c = (struct upstream_claims)UPSTREAM_CLAIMS_INIT;
}
