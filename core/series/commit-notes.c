// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/commit-notes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/series/words.h"

/* Of each kind; a hostile message may have any number. */
#define MAX_NAMES 100
#define MAX_TEXT 1000 /* of a line that is read */
#define MAX_ID 400

static bool add_name(struct commit_names *v, struct commit_name n)
{
	if (v->nr >= MAX_NAMES || (!n.hex && !n.title)) {
		free(n.hex);
		free(n.title);
		return false;
	}
	*array_push(v->v, v->nr) = n;
	return true;
}

static char *trimmed(const char *p, size_t n)
{
	while (n && words_blank(*p)) {
		p++;
		n--;
	}
	while (n && words_blank(p[n - 1]))
		n--;
	return n ? xstrndup(p, n) : NULL;
}

/* How a title is found: where no id stands before it, both brackets and quotes must be
 * there; in a sentence it ends with the first quote and bracket, else with the last. */
enum title { TITLE_LINE, TITLE_ALONE, TITLE_SENTENCE };

static const char *title_end(const char *open, char quote, enum title how)
{
	const char ends[] = { quote, ')', '\0' };
	const char *close = how == TITLE_SENTENCE ? strstr(open, ends) : NULL;

	close = close ? close : strrchr(open, quote);
	return close ? close : strrchr(open, ')');
}

/* ("title") behind an id; brackets or quotes may be missing. Blanks are made one. */
static char *read_title(const char *p, enum title how)
{
	const char *open, *close;
	char *title;

	while (words_blank(*p))
		p++;
	if (*p != '(' && (how != TITLE_LINE || (*p != '"' && *p != '\'')))
		return NULL;
	open = *p == '(' ? p + 1 : p;
	while (words_blank(*open))
		open++;
	if (*open == '"' || *open == '\'') {
		close = title_end(open + 1, *open, how);
		open++;
	} else {
		close = how == TITLE_LINE ? strrchr(open, ')') : NULL;
	}
	title = close ? trimmed(open, (size_t)(close - open)) : NULL;
	for (char *c = title; c && *c; c++)
		if (words_blank(*c))
			*c = ' ';
	return title;
}

/* What a line names behind its "Fixes:"; a bug's address names nothing. */
static void read_name(const char *p, struct commit_names *v)
{
	struct commit_name n = { 0 };

	(void)words_skip(&p, "commit");
	while (*p == '<' || *p == '"')
		p++;
	n.hex = words_hash(&p);
	n.title = read_title(p + strspn(p, ">,:"), n.hex ? TITLE_LINE : TITLE_ALONE);
	(void)add_name(v, n);
}

/* "and", "," and "&" between the ids that one sentence takes back. */
static bool skip_and(const char **p)
{
	bool any = words_skip(p, ",");

	any |= words_skip(p, "and");
	any |= words_skip(p, "&");
	return words_skip(p, "commit") || any;
}

/* "This [partially] reverts commit SHA ("title"), SHA and SHA", over line ends. */
static void read_revert(const char *line, struct commit_names *v)
{
	_cleanup_free_ char *s = words_sentence(line);
	const char *p = s;
	bool partial = false, more = true;

	if (!words_skip(&p, "this"))
		return;
	(void)(words_skip(&p, "effectively") || words_skip(&p, "commit"));
	partial = words_skip(&p, "partially") || words_skip(&p, "partly");
	if (!words_skip(&p, "reverts"))
		return;
	partial |= words_skip(&p, "part") && words_skip(&p, "of");
	(void)(words_skip(&p, "upstream") || words_skip(&p, "the"));
	(void)words_skip(&p, "following");
	if (!words_skip(&p, "commit") && !words_skip(&p, "commits"))
		return;
	(void)words_skip(&p, ":");
	while (more) {
		struct commit_name n = { .partial = partial };

		n.hex = words_hash(&p);
		if (!n.hex)
			return;
		n.title = read_title(p, TITLE_SENTENCE);
		if (*p == '(')
			p += strcspn(p, ")") + (strchr(p, ')') != NULL);
		more = add_name(v, n) && skip_and(&p);
	}
}

/* Revert "title"; Reapply "title", which takes back the commit Revert "title". */
static void read_subject(const char *subject, struct commit_names *v)
{
	static const char *const heads[] = { "Revert \"", "Reapply \"" };

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		size_t n = strlen(heads[i]), len = strlen(subject);
		struct commit_name name = { 0 };

		if (strncasecmp(subject, heads[i], n) || len < n + 2 ||
		    subject[len - 1] != '"')
			continue;
		if (i == 0)
			name.title = xstrndup(subject + n, len - n - 1);
		else
			name.title = xasprintf("Revert \"%.*s\"", (int)(len - n - 1),
					       subject + n);
		(void)add_name(v, name);
	}
}

static int unhex(char c)
{
	if (!isxdigit((unsigned char)c))
		return -1;
	return isdigit((unsigned char)c) ? c - '0' : (c | 0x20) - 'a' + 10;
}

static void add_link(const char *p, size_t n, struct strv *ret)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (n > MAX_ID || ret->nr >= MAX_NAMES)
		return;
	for (size_t i = 0; i < n; i++) {
		char c = p[i];

		if (c == '%' && i + 2 < n && unhex(p[i + 1]) >= 0 &&
		    unhex(p[i + 2]) >= 0) {
			c = (char)(unhex(p[i + 1]) << 4 | unhex(p[i + 2]));
			i += 2;
		}
		if (words_blank(c) || !c || (unsigned char)c < 32 || c == '<' || c == '>')
			return;
		buf_addc(&b, c);
	}
	if (strchr(buf_str(&b), '@') && !strv_has(ret, buf_str(&b)))
		strv_add(ret, buf_str(&b));
}

/*
 * The part of a list archive's address that has an '@': https://lore.kernel.org/r/ID,
 * /all/ID/, https://patch.msgid.link/ID; no other site names mails so.
 */
static void read_link(const char *p, struct strv *ret)
{
	static const char *const hosts[] = { "lore.kernel.org/", "lkml.kernel.org/",
					     "patch.msgid.link/", "msgid.link/" };
	size_t n = strcspn(p, " \t\r");
	const char *host = strstr(p, "://");

	if (!host || host > p + n)
		return;
	host += 3;
	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		const char *at = host + strlen(hosts[i]), *end = p + n;

		if (strncasecmp(host, hosts[i], strlen(hosts[i])))
			continue;
		for (const char *s = at; s < end && *s != '#' && *s != '?'; s = at) {
			at = s + strcspn(s, "/ \t\r#?");
			at = at > end ? end : at;
			add_link(s, (size_t)(at - s), ret);
			at += at < end && *at == '/';
			if (at == s)
				return;
		}
		return;
	}
}

static void read_id(const char *p, struct strv *ret)
{
	p += *p == '<';
	add_link(p, strcspn(p, " \t\r>"), ret);
}

/* Cc: stable@vger.kernel.org # 5.15.x; the range may stand in brackets as well. */
static void read_cc(const char *p, struct commit_notes *ret)
{
	const char *at = strcasestr(p, "stable@vger.kernel.org"), *s;
	char *text;

	at = at ? at : strcasestr(p, "stable@kernel.org");
	if (strcasestr(p, "stable+noautosel@kernel.org")) {
		ret->no_autosel = true;
		return;
	}
	if (!at || (at > p && isalnum((unsigned char)at[-1])) ||
	    ret->stable.nr >= MAX_NAMES)
		return;
	s = at + strcspn(at, "> \t#([,");
	s += strspn(s, "> \t#([,");
	text = trimmed(s, strlen(s));
	if (text && strlen(text) > 1 && strspn(s, "#") == 0 &&
	    strchr(")]", text[strlen(text) - 1]))
		text[strlen(text) - 1] = '\0';
	strv_add(&ret->stable, text ? text : "");
	free(text);
}

static void read_line(const char *line, size_t len, struct commit_notes *ret)
{
	_cleanup_free_ char *own = len < MAX_TEXT ? trimmed(line, len) : NULL;
	const char *p = own;

	if (!p)
		return;
	if (words_skip(&p, "fixes:"))
		read_name(p, &ret->fixes);
	else if (words_skip(&p, "reverts:"))
		read_name(p, &ret->reverts);
	else if (words_skip(&p, "link:") || words_skip(&p, "patch-link:"))
		read_link(p, &ret->links);
	else if (words_skip(&p, "message-id:"))
		read_id(p, &ret->links);
	else if (words_skip(&p, "cc:"))
		read_cc(p, ret);
	else if (!strncasecmp(p, "this ", 5))
		read_revert(line, &ret->reverts);
}

/* The first paragraph as one line, as git shows it. Owned. */
static char *subject_of(const char *message, const char **ret_end)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *p = message;

	p += strspn(p, " \t\r\n");
	while (*p && b.len < MAX_TEXT) {
		size_t n = strcspn(p, "\n");
		_cleanup_free_ char *line = trimmed(p, n);

		p += n + (p[n] == '\n');
		if (!line)
			break;
		if (b.len)
			buf_addc(&b, ' ');
		buf_adds(&b, line);
	}
	*ret_end = p;
	return xstrdup(buf_str(&b));
}

void commit_notes_read(const char *message, struct commit_notes *ret)
{
	const char *p;
	_cleanup_free_ char *subject = subject_of(message, &p);

	for (; *p;) {
		size_t n = strcspn(p, "\n");

		read_line(p, n, ret);
		p += n + (p[n] == '\n');
	}
	/* A title names worse than an id. */
	if (!ret->reverts.nr)
		read_subject(subject, &ret->reverts);
}

void commit_names_release(struct commit_names *v)
{
	for (size_t i = 0; i < v->nr; i++) {
		free(v->v[i].hex);
		free(v->v[i].title);
	}
	free(v->v);
}

void commit_notes_release(struct commit_notes *n)
{
	commit_names_release(&n->fixes);
	commit_names_release(&n->reverts);
	strv_release(&n->links);
	strv_release(&n->stable);
	*n = (struct commit_notes){ 0 };
}
