// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/web-page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/mailinfo.h"
#include "mail/subject.h"
#include "mail/text.h"
#include "mail/web-html.h"

#define MAX_LOOK ((size_t)64 << 10)
#define MAX_HEAD_LINES 400
#define MAX_VALUE 4000
#define SAVED "a saved page"

/* Part of the address, and words the page itself or a text saved from it has. */
static const struct site {
	const char *host, *mark;
} sites[] = {
	{ "lists.openwall.net", "lists.openwall" },
	{ "www.spinics.net", "spinics.net" },
	{ "lkml.iu.edu", "iu.edu/hypermail" },
	{ "marc.info", "marc.info" },
	{ "www.mail-archive.com", "mail-archive.com" },
};

const char *web_page_site(const char *url)
{
	const char *host = url ? strstr(url, "://") : NULL;
	size_t n;

	if (!host)
		return NULL;
	host += 3;
	n = strcspn(host, "/?#");
	for (size_t i = 0; i < ARRAY_SIZE(sites); i++) {
		const char *bare = sites[i].host;

		bare += strncmp(bare, "www.", 4) ? 0 : 4;
		if (text_find_nocase(host, n, bare))
			return sites[i].host;
	}
	return NULL;
}

static const char *site_of(const char *p, size_t len, const char *url)
{
	const char *host = web_page_site(url);

	for (size_t i = 0; !host && i < ARRAY_SIZE(sites); i++)
		if (text_find_nocase(p, len < MAX_LOOK ? len : MAX_LOOK, sites[i].mark))
			host = sites[i].host;
	return host ? host : SAVED;
}

/* Fields of a mail's head that pages show. */
enum field { MESSAGE_ID, SUBJECT, FROM, DATE, OTHER, NR_FIELDS, NO_FIELD = NR_FIELDS };

static enum field field_of(const struct line *l, const char **ret_value)
{
	static const struct {
		const char *name;
		enum field field;
	} rows[] = {
		{ "Message-ID:", MESSAGE_ID },
		{ "Subject:", SUBJECT },
		{ "From:", FROM },
		{ "Date:", DATE },
		{ "To:", OTHER },
		{ "Cc:", OTHER },
		{ "List:", OTHER },
		{ "In-Reply-To:", OTHER },
		{ "References:", OTHER },
		{ "Reply-To:", OTHER },
	};
	struct line t = *l;

	while (t.len && (*t.p == ' ' || *t.p == '*' || *t.p == '\t')) {
		t.p++;
		t.len--;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (line_starts_nocase(&t, rows[i].name)) {
			*ret_value = t.p + strlen(rows[i].name);
			return rows[i].field;
		}
	return NO_FIELD;
}

/* The head shown in a text: at least two fields in lines that follow one another. */
struct shown {
	char *value[NR_FIELDS];
	size_t nr;
	size_t end; /* offset of the mail's text, behind the blank line */
};

static void shown_release(struct shown *h)
{
	for (size_t i = 0; i < NR_FIELDS; i++)
		free(h->value[i]);
	*h = (struct shown){ 0 };
}

static void shown_add(struct shown *h, enum field f, const char *p, const char *end)
{
	h->nr++;
	if (!h->value[f] && end - p <= MAX_VALUE)
		h->value[f] = text_clean(p, (size_t)(end - p));
}

static void shown_continue(struct shown *h, enum field f, const struct line *l)
{
	_cleanup_free_ char *first = NULL, *more = NULL;

	if (f == OTHER || !h->value[f] || strlen(h->value[f]) + l->len > MAX_VALUE)
		return;
	first = take_ptr(h->value[f]);
	more = text_clean(l->p, l->len);
	h->value[f] = xasprintf("%s%s%s", first, *first ? " " : "", more);
}

static bool shown_find(const char *p, size_t len, struct shown *h)
{
	const char *at = p, *end = p + len, *value;
	enum field last = NO_FIELD;
	struct line l;

	for (int i = 0; i < MAX_HEAD_LINES && line_next(&at, end, &l); i++) {
		enum field f = field_of(&l, &value);

		if (f != NO_FIELD) {
			shown_add(h, f, value, l.p + l.len);
			last = f;
		} else if (last != NO_FIELD && l.len && isspace((unsigned char)*l.p) &&
			   !line_is_blank(&l)) {
			shown_continue(h, last, &l);
		} else {
			if (h->nr >= 2)
				break;
			shown_release(h);
			last = NO_FIELD;
		}
		h->end = (size_t)(at - p);
	}
	if (h->nr >= 2)
		return true;
	shown_release(h);
	h->end = 0;
	return false;
}

/* An id that is whole: one '@', a domain, nothing masked. Owned by the caller. */
static char *whole_id(const char *s)
{
	const char *open = s ? strchr(s, '<') : NULL;
	_cleanup_free_ char *id = NULL, *masked = NULL;
	char *marc;

	if (!s)
		return NULL;
	s = open ? open + 1 : s + strspn(s, " ");
	marc = strstr(s, " () ");
	if (marc) {
		/* marc.info: "local () host ! tld". */
		_cleanup_buf_ struct buf b = BUF_INIT;

		buf_add(&b, s, (size_t)(marc - s));
		buf_addc(&b, '@');
		for (const char *p = marc + 4; *p && *p != '>'; p++)
			if (*p == '!')
				buf_addc(&b, '.');
			else if (*p != ' ')
				buf_addc(&b, *p);
		id = buf_take(&b);
	} else {
		id = xstrndup(s, strcspn(s, "> \t"));
	}
	masked = web_damage_address(id, strlen(id));
	if (masked || !strchr(id, '@') || strchr(id, '@') == id || !strchr(id, '@')[1] ||
	    strlen(id) > 500)
		return NULL;
	return take_ptr(id);
}

/* The text of a line that begins with one of the words, behind them. */
static char *behind(const char *p, size_t len, const char *words)
{
	const char *at = p, *end = p + len;
	struct line l;

	while (line_next(&at, end, &l))
		if (line_starts_nocase(&l, words))
			return text_clean(l.p + strlen(words), l.len - strlen(words));
	return NULL;
}

/* 'Patch "TITLE" has been added to the X-stable tree' from the note below it. */
static void read_stable_note(struct web_page *w)
{
	const char *p = buf_str(&w->text), *end = p + w->text.len, *at = p;
	_cleanup_free_ char *tree = behind(p, w->text.len, "to the ");
	struct line l;

	while (line_next(&at, end, &l)) {
		size_t n;

		if (!text_find_nocase(l.p, l.len, "just added the patch titled"))
			continue;
		while (line_next(&at, end, &l) && line_is_blank(&l))
			;
		free(w->title);
		w->title = text_clean(l.p, l.len);
		if (w->subject || !tree)
			return;
		n = strcspn(tree, " ");
		w->subject = xasprintf("Patch \"%s\" has been added to the %.*s tree",
				       w->title, (int)(n < 40 ? n : 40), tree);
		return;
	}
}

static bool is_patch_subject(const char *s)
{
	return *s == '[' && (text_find_nocase(s, strlen(s), "patch") ||
			     text_find_nocase(s, strlen(s), "rfc"));
}

/* What was found first stays. */
static void keep(char **field, char *value)
{
	if (*field)
		free(value);
	else
		*field = value;
}

/* A text without head: the subject on top, then perhaps the author in brackets. */
static size_t read_bare(struct web_page *w, const char *p, size_t len)
{
	const char *at = p, *end = p + len, *text = p;
	struct line l;

	for (int nr = 0; nr < 2 && line_next(&at, end, &l);) {
		_cleanup_free_ char *line = text_clean(l.p, l.len);
		size_t n = strlen(line);

		if (!n)
			continue;
		if (!nr && is_patch_subject(line))
			keep(&w->subject, take_ptr(line));
		else if (nr && n > 2 && n < 80 && line[0] == '[' && line[n - 1] == ']')
			keep(&w->from, xstrndup(line + 1, n - 2));
		else
			break;
		nr++;
		text = at;
	}
	return (size_t)(text - p);
}

/* Words a page puts in front of the subject in its title: "list - [PATCH ...". */
static char *title_subject(const char *title)
{
	const char *open = title ? strchr(title, '[') : NULL;

	return open && is_patch_subject(open) ? xstrdup(open) : NULL;
}

static char *first_of(const struct web_html *h, const char *const *keys)
{
	for (; *keys; keys++)
		if (web_html_fact(h, *keys))
			return xstrdup(web_html_fact(h, *keys));
	return NULL;
}

static void read_facts(struct web_page *w, const struct web_html *h)
{
	static const char *const ids[] = { "x-message-id", "id", "msgid", NULL };
	static const char *const subjects[] = { "x-subject", "subject", NULL };
	static const char *const dates[] = { "x-date", "sent", NULL };
	const char *name = web_html_fact(h, "name");
	const char *email = web_html_fact(h, "email");

	for (size_t i = 0; ids[i] && !w->message_id; i++)
		w->message_id = whole_id(web_html_fact(h, ids[i]));
	w->subject = first_of(h, subjects);
	w->date = first_of(h, dates);
	if (name)
		w->from = xasprintf("%s <%s>", name, email ?: "");
}

static void read_head(struct web_page *w, struct shown *h)
{
	keep(&w->message_id, whole_id(h->value[MESSAGE_ID]));
	keep(&w->subject, take_ptr(h->value[SUBJECT]));
	keep(&w->from, take_ptr(h->value[FROM]));
	keep(&w->date, take_ptr(h->value[DATE]));
}

/* A name alone gets the address its sign-off shows. */
static void add_address(struct web_page *w)
{
	_cleanup_free_ char *signer = NULL;

	if (!w->from || strchr(w->from, '@'))
		return;
	signer = behind(buf_str(&w->text), w->text.len, "Signed-off-by:");
	if (signer && strchr(signer, '@') &&
	    !strncasecmp(signer, w->from, strlen(w->from))) {
		free(w->from);
		w->from = take_ptr(signer);
	}
}

/* What the text itself tells where the page does not. */
static void fill_gaps(struct web_page *w)
{
	static const char *const lines[] = { "From:", "Author:", "Signed-off-by:" };
	_cleanup_free_ char *email = NULL;

	read_stable_note(w);
	for (size_t i = 0; !w->from && i < ARRAY_SIZE(lines); i++)
		w->from = behind(buf_str(&w->text), w->text.len, lines[i]);
	add_address(w);
	if (!w->title && w->subject)
		w->title = subject_title(w->subject);
	if (w->from && !strchr(w->from, '@')) {
		w->author = text_clean(w->from, strcspn(w->from, "<"));
	} else if (w->from) {
		mail_address(w->from, &w->author, &email);
		if (!*w->author) {
			free(w->author);
			w->author = NULL;
		}
	}
}

void web_page_read(const char *p, size_t len, const char *url, struct web_page *ret)
{
	_cleanup_web_html_ struct web_html h = { 0 };
	_cleanup_(shown_release) struct shown head = { 0 };
	const char *from = p, *end = p + len;
	size_t skip;

	ret->site = site_of(p, len, url);
	if (web_html_is(p, len)) {
		web_html_read(p, len, &h);
		read_facts(ret, &h);
		from = buf_str(&h.text);
		end = from + h.text.len;
	}
	if (shown_find(from, (size_t)(end - from), &head)) {
		read_head(ret, &head);
		skip = head.end;
	} else {
		skip = read_bare(ret, from, (size_t)(end - from));
	}
	if (!ret->subject)
		ret->subject = title_subject(web_html_fact(&h, "title"));
	if (h.has_body) {
		skip = h.body;
		end = from + h.body_end;
	}
	if (from + skip < end)
		buf_add(&ret->text, from + skip, (size_t)(end - from) - skip);
	fill_gaps(ret);
	ret->damage = web_damage_find(buf_str(&ret->text), ret->text.len);
	if (!ret->damage && ret->from) {
		_cleanup_free_ char *a = web_damage_address(ret->from, strlen(ret->from));

		if (a)
			ret->damage = xasprintf("addresses are masked ('%s')", a);
	}
}

/* Where a mail's or a patch's own first line stands, such bytes are no page. */
static bool begins_as_mail(const struct line *l)
{
	size_t n = 0;

	if (line_starts(l, "From ") || line_starts(l, "diff ") ||
	    line_starts(l, "Index: ") || line_starts(l, "--- ") ||
	    line_starts(l, "commit ") || line_starts(l, "# "))
		return true;
	while (n < l->len && l->p[n] > ' ' && l->p[n] < 0x7f && l->p[n] != ':')
		n++;
	return n && n < l->len && l->p[n] == ':';
}

bool web_page_looks(const char *p, size_t len)
{
	const char *at = p, *end = p + (len < MAX_LOOK ? len : MAX_LOOK);
	_cleanup_(shown_release) struct shown head = { 0 };
	_cleanup_free_ char *masked = NULL, *first = NULL;
	struct line l = { p, 0, false };

	while (line_next(&at, end, &l) && line_is_blank(&l))
		;
	if (begins_as_mail(&l)) {
		const char *from = NULL;

		if (shown_find(p, (size_t)(end - p), &head))
			from = head.value[FROM];
		masked = from ? web_damage_address(from, strlen(from)) : NULL;
		return masked != NULL;
	}
	if (web_html_is(p, len))
		return true;
	masked = web_damage_address(p, (size_t)(end - p));
	first = text_clean(l.p, l.len);
	return masked || is_patch_subject(first) ||
	       (strcmp(site_of(p, len, NULL), SAVED) != 0 &&
		shown_find(p, (size_t)(end - p), &head));
}

void web_page_release(struct web_page *w)
{
	free(w->message_id);
	free(w->subject);
	free(w->title);
	free(w->from);
	free(w->author);
	free(w->date);
	buf_release(&w->text);
	free(w->damage);
	*w = (struct web_page){ 0 };
}
