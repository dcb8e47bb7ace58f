// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/upstream.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"

#define MAX_CLAIMS 100
#define MAX_TEXT 500 /* of a sentence that wraps */
#define MIN_HEX 7
#define MAX_HEX 64

static bool is_space(char c)
{
	return isspace((unsigned char)c);
}

/* Move *p over a word with blanks around it, in letters of either case. */
static bool word(const char **p, const char *w)
{
	const char *s = *p;
	size_t n = strlen(w);

	while (is_space(*s))
		s++;
	if (strncasecmp(s, w, n) ||
	    (isalnum((unsigned char)w[n - 1]) && isalnum((unsigned char)s[n])))
		return false;
	s += n;
	while (is_space(*s))
		s++;
	*p = s;
	return true;
}

/* Move *p over a hash; NULL when there is none. Owned, lower case. */
static char *hash(const char **p)
{
	size_t n = strspn(*p, "0123456789abcdefABCDEF");
	char *h;

	if (n < MIN_HEX || n > MAX_HEX || isalnum((unsigned char)(*p)[n]))
		return NULL;
	h = xstrndup(*p, n);
	for (char *c = h; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	*p += n;
	while (is_space(**p))
		++*p;
	return h;
}

static bool at_end(const char *p)
{
	p += strspn(p, ".;");
	while (is_space(*p))
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

	if (!word(&p, "commit"))
		return false;
	h = hash(&p);
	if (!h)
		return false;
	(void)(word(&p, "in") || word(&p, "from"));
	if (!word(&p, "upstream") || !at_end(p))
		return false;
	claim(c, UPSTREAM_COMMIT, take_ptr(h), NULL);
	return true;
}

/* "Upstream commit SHA", "upstream commit: SHA", "mainline commit SHA". */
static bool read_upstream(const char *p, bool bracket, struct upstream_claims *c)
{
	_cleanup_free_ char *h = NULL;

	if ((!word(&p, "upstream") && !word(&p, "mainline")) || !word(&p, "commit"))
		return false;
	(void)word(&p, ":");
	h = hash(&p);
	if (!h || !at_end(p))
		return false;
	claim(c, bracket ? UPSTREAM_BRACKET : UPSTREAM_PLAIN, take_ptr(h), NULL);
	return true;
}

/* "cherry picked from commit SHA", "backported from commit SHA"; a tree may follow. */
static bool read_pick(const char *p, struct upstream_claims *c)
{
	char *h;

	if (!word(&p, "cherry-picked") && !word(&p, "backported") &&
	    !(word(&p, "cherry") && word(&p, "picked")))
		return false;
	if (!word(&p, "from"))
		return false;
	(void)(word(&p, "upstream") || word(&p, "mainline"));
	if (!word(&p, "commit"))
		return false;
	h = hash(&p);
	if (h)
		claim(c, UPSTREAM_PICK, h, NULL);
	return h != NULL;
}

static bool read_revert(const char *p, struct upstream_claims *c)
{
	_cleanup_free_ char *x = NULL, *y = NULL;

	if (!word(&p, "this") || !word(&p, "reverts") || !word(&p, "commit"))
		return false;
	x = hash(&p);
	if (!x)
		return false;
	if (*p == '(')
		p += strcspn(p, ")") + (strchr(p, ')') != NULL);
	(void)word(&p, ",");
	if (word(&p, "which") && word(&p, "is")) {
		bool said = word(&p, "upstream");

		if (word(&p, "commit"))
			y = hash(&p);
		if (y && !said && !word(&p, "upstream")) {
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

	if (!word(&p, "stable-dep-of") || !word(&p, ":"))
		return false;
	h = hash(&p);
	if (h)
		claim(c, UPSTREAM_DEP_OF, h, NULL);
	return h != NULL;
}

/* A line that says nothing else: "no upstream commit", "commit SHA not upstream". */
static bool read_none(const char *p, struct upstream_claims *c)
{
	bool none;

	if (word(&p, "commit"))
		free(hash(&p));
	if (word(&p, "no")) {
		none = word(&p, "upstream");
		(void)word(&p, "commit");
	} else if (word(&p, "not")) {
		(void)word(&p, "in");
		none = word(&p, "upstream");
	} else {
		none = word(&p, "stable-only") ||
		       (word(&p, "stable") && word(&p, "only"));
		(void)(word(&p, "patch") || word(&p, "commit") || word(&p, "fix"));
	}
	if (!none || !at_end(p))
		return false;
	claim(c, UPSTREAM_NONE, NULL, NULL);
	return true;
}

/* One line without blanks, and without the brackets around all of it. */
static char *bare(const char *p, size_t n, bool *ret_bracket)
{
	while (n && is_space(p[n - 1]))
		n--;
	while (n && is_space(*p)) {
		p++;
		n--;
	}
	*ret_bracket = n > 1 && ((p[0] == '[' && p[n - 1] == ']') ||
				 (p[0] == '(' && p[n - 1] == ')'));
	return *ret_bracket ? xstrndup(p + 1, n - 2) : xstrndup(p, n);
}

/* The sentence that begins with the line, over line ends up to a blank line. */
static char *sentence(const char *p)
{
	size_t n = 0;

	while (p[n] && n < MAX_TEXT && !(p[n] == '\n' && p[n + 1] == '\n'))
		n++;
	return xstrndup(p, n);
}

static void read_line(const char *line, size_t len, struct upstream_claims *ret)
{
	bool bracket = false;
	_cleanup_free_ char *b = len < MAX_TEXT ? bare(line, len, &bracket) : NULL;

	if (!b || !*b || read_commit(b, ret) || read_upstream(b, bracket, ret) ||
	    read_pick(b, ret) || read_dep(b, ret) || read_none(b, ret))
		return;
	if (!strncasecmp(b, "this reverts commit", 19)) {
		_cleanup_free_ char *s = sentence(line);

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
