// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/stable-mail.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "mail/text.h"

#define MAX_HEAD 60 /* lines in which a note says what it is */
#define MAX_NAME 255

/* The version that ends right at p: "6.9" of "6.9-stable". NULL when none does. Owned. */
static char *version_before(const char *text, const char *p)
{
	const char *s = p;

	while (s > text && (isdigit((unsigned char)s[-1]) || s[-1] == '.'))
		s--;
	if (s == p || !isdigit((unsigned char)*s) || p[-1] == '.' ||
	    !memchr(s, '.', (size_t)(p - s)) || p - s > 12)
		return NULL;
	return xstrndup(s, (size_t)(p - s));
}

/* The version of the first "X.Y-stable" + tail in text. Owned, NULL when there is none. */
static char *version_in(const char *text, const char *tail)
{
	_cleanup_free_ char *needle = xasprintf("-stable%s", tail);

	for (const char *p = text; (p = strstr(p, needle)); p++) {
		char *v = version_before(text, p);

		if (v)
			return v;
	}
	return NULL;
}

/* The first lines, without the diff and all that follows; a saved note's first line was
 * taken for its title. Owned. */
static char *head_of(const struct mail *m)
{
	const char *at = buf_str(&m->text), *end = at + m->text.len;
	_cleanup_buf_ struct buf b = BUF_INIT;
	struct line l;

	if (m->bare)
		buf_addf(&b, "%s\n", m->subject.title);
	for (int i = 0; i < MAX_HEAD && line_next(&at, end, &l); i++) {
		if (line_starts(&l, "diff --git ") || line_starts(&l, "--- a/"))
			break;
		text_to_utf8(l.p, l.len, NULL, &b);
		buf_addc(&b, '\n');
	}
	return buf_take(&b);
}

/* The first word behind a phrase, on its line or the next. Owned, NULL without one. */
static char *word_behind(const char *text, const char *phrase)
{
	const char *p = strstr(text, phrase);
	size_t n;

	if (!p)
		return NULL;
	p += strlen(phrase);
	p += strspn(p, " \t\r\n:");
	n = strcspn(p, " \t\r\n");
	return n && n <= MAX_NAME ? text_clean(p, n) : NULL;
}

static char *file_name_in(const char *text)
{
	char *name = word_behind(text, "The filename of the patch is");

	if (name && (strchr(name, '/') || name[0] == '.')) {
		free(name);
		return NULL;
	}
	return name;
}

/* "queue-6.9" of "found in the queue-6.9 subdirectory". */
static char *queue_in(const char *text)
{
	char *q = word_behind(text, "it can be found in the");

	if (q && (strncmp(q, "queue-", 6) || strchr(q, '/'))) {
		free(q);
		return NULL;
	}
	return q;
}

/* The hash on a line "commit SHA" that an "Author:" line follows: git show. Owned. */
static char *shown_commit(const char *text)
{
	for (const char *p = strstr(text, "\ncommit "); p;
	     p = strstr(p + 1, "\ncommit ")) {
		size_t n = strspn(p + 8, "0123456789abcdef");

		if (n >= 12 && n <= 64 && !strncmp(p + 8 + n, "\nAuthor:", 8))
			return xstrndup(p + 8, n);
	}
	return NULL;
}

static struct stable_note *new_note(enum stable_state state, char *version)
{
	struct stable_note *n = xzalloc(sizeof(*n));

	n->state = state;
	n->version = version;
	return n;
}

static struct stable_note *read_queued(const char *head)
{
	struct stable_note *n;
	char *version;

	if (!strstr(head, "just added the patch titled"))
		return NULL;
	version = version_in(head, " tree");
	if (!version)
		return NULL;
	n = new_note(STABLE_QUEUED, version);
	n->file = file_name_in(head);
	n->queue = queue_in(head);
	n->commit = shown_commit(head);
	return n;
}

static bool is_failed_title(const char *title)
{
	return !strncasecmp(title, "FAILED: patch", 13);
}

static struct stable_note *read_failed(const struct mail *m, const char *head)
{
	const char *title = m->subject.title;
	char *version = NULL;

	if (is_failed_title(title) && strstr(title, "failed to apply to "))
		version = version_in(title, " tree");
	if (!version && strstr(head, "The patch below does not apply to the "))
		version = version_in(head, " tree");
	return version ? new_note(STABLE_FAILED, version) : NULL;
}

/* "6.6" of "6.6.1-rc1". */
static char *series_version(const char *release)
{
	const char *dot = strchr(release, '.');

	return dot ? xstrndup(release,
			      (size_t)(dot - release) + 1 + strspn(dot + 1, "0123456789"))
		   : NULL;
}

/* "6.6.1-rc1 review" as title; owned, NULL when it is another. */
static char *release_in(const char *title)
{
	size_t n = strcspn(title, " ");
	const char *rc = strstr(title, "-rc");

	if (!rc || rc >= title + n || !isdigit((unsigned char)*title) ||
	    strspn(title, "0123456789.-rc") != n || strcmp(title + n, " review"))
		return NULL;
	return xstrndup(title, n);
}

static char *deadline_in(const char *head)
{
	const char *p = strstr(head, "Responses should be made by ");
	size_t n;

	if (!p)
		return NULL;
	p += strlen("Responses should be made by ");
	n = strcspn(p, "\n");
	while (n && p[n - 1] == '.')
		n--;
	return text_clean(p, n);
}

static struct stable_note *read_review(const struct mail *m, const char *head)
{
	_cleanup_free_ char *release = release_in(m->subject.title);
	char *version = release ? series_version(release)
				: version_in(head, " review patch.");
	const char *tag = subject_version(&m->subject);
	struct stable_note *n;

	if (!version && m->stable_review && m->subject.counted)
		version = xstrdup(tag);
	if (!version)
		return NULL;
	n = new_note(STABLE_REVIEW, version);
	n->release = take_ptr(release);
	n->deadline = deadline_in(head);
	for (size_t i = 0; i < m->kernel_test.nr; i++)
		strv_add(&n->tests, m->kernel_test.v[i]);
	return n;
}

struct stable_note *stable_note_read(const struct mail *m)
{
	_cleanup_free_ char *head = head_of(m);
	struct stable_note *n = read_queued(head);

	if (!n)
		n = read_failed(m, head);
	return n ? n : read_review(m, head);
}

static void set(char **to, const char *value)
{
	char *copy = xstrdup(value);

	free(*to);
	*to = copy;
}

static void set_author(struct patch *p, const char *from)
{
	free(p->author_name);
	free(p->author_email);
	mail_address(from, &p->author_name, &p->author_email);
}

/* The message becomes this title and text; four blanks of git show are taken off. */
static void set_message(struct patch *p, const char *title, const char *text)
{
	struct mailinfo mi = { .subject = (char *)title };
	const char *at = text, *end = at + strlen(at);
	struct line l;

	while (line_next(&at, end, &l)) {
		size_t skip = line_starts(&l, "    ") ? 4 : 0;

		buf_add(&mi.message, l.p + skip, l.len - skip);
		buf_addc(&mi.message, '\n');
	}
	free(p->message);
	p->message = mailinfo_message(&mi);
	set(&p->subject, title);
	buf_release(&mi.message);
}

static bool is_rule(const struct line *l)
{
	size_t n = 0;

	while (n < l->len && l->p[n] == '-')
		n++;
	return n >= 10 && n == l->len;
}

/*
 * "X.Y-stable review patch. ...", a line of dashes, then "From: author" and the message
 * as it is in the queue.
 */
static void read_review_patch(struct patch *p)
{
	const char *body = strchr(p->message, '\n');
	const char *at = body ? body : "", *end = at + strlen(at), *from;
	_cleanup_free_ char *title = xstrdup(p->subject), *rest = NULL;
	struct line l = { 0 };

	at += strspn(at, "\n");
	from = strstr(at, "-stable review patch.");
	if (!from || memchr(at, '\n', (size_t)(from - at)))
		return;
	while (line_next(&at, end, &l) && !is_rule(&l))
		;
	if (!l.p || !is_rule(&l))
		return;
	while (line_next(&at, end, &l) && line_is_blank(&l))
		;
	if (line_starts_nocase(&l, "From:")) {
		_cleanup_free_ char *author = xstrndup(l.p + 5, l.len - 5);

		set_author(p, author);
	} else {
		at = l.p;
	}
	rest = xstrdup(at);
	set_message(p, title, rest);
}

/* A note that shows its patch as git show does: "commit", "Author:", "Date:", text. */
static void read_shown_patch(struct patch *p)
{
	_cleanup_free_ char *commit = shown_commit(p->message), *title = NULL;
	_cleanup_free_ char *rest = NULL;
	struct mail_date date;
	const char *at, *end;
	struct line l;

	if (!commit || !strstr(p->message, "just added the patch titled"))
		return;
	at = strstr(p->message, commit) + strlen(commit) + 1;
	end = at + strlen(at);
	if (line_next(&at, end, &l)) {
		_cleanup_free_ char *author = xstrndup(l.p + 7, l.len - 7);

		set_author(p, author);
	}
	while (line_next(&at, end, &l) &&
	       (line_is_blank(&l) || line_starts(&l, "Date:"))) {
		_cleanup_free_ char *when = xstrndup(l.p, l.len);

		date = mail_date_parse(l.len > 5 ? when + 5 : "");
		if (date.known) {
			p->date = date.epoch;
			p->date_tz = date.tz;
		}
	}
	title = text_clean(l.p, l.len);
	rest = xstrdup(at);
	set_message(p, title, rest);
}

/* A FAILED mail names the commit in its recipe, or shows it as git format-patch does. */
static void read_failed_commit(const struct mail *m, struct patch *p)
{
	static const char *const in_front[] = { "git cherry-pick -x", "\nFrom " };

	for (size_t i = 0; i < ARRAY_SIZE(in_front) && !p->upstream.nr; i++) {
		_cleanup_free_ char *sha = word_behind(buf_str(&m->text), in_front[i]);
		_cleanup_free_ char *line = NULL;

		if (!sha || !parse_is_hex(sha, strlen(sha)))
			continue;
		line = xasprintf("Upstream commit %s", sha);
		upstream_claims_read(line, &p->upstream);
	}
}

void stable_patch_read(const struct mail *m, struct patch *p)
{
	if (strstr(p->message, "-stable review patch."))
		read_review_patch(p);
	else if (strstr(p->message, "-stable tree"))
		read_shown_patch(p);
	upstream_claims_read(p->message, &p->upstream);
	if (is_failed_title(m->subject.title))
		read_failed_commit(m, p);
}
