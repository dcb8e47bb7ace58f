// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/web-html.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/text.h"

#define MAX_FACTS 200
#define MAX_FACT 2000

/* Where the reader is in the page. */
struct reader {
	const char *p, *end;
	bool no_close; /* no '>' is left: what follows is text */
	bool pre;      /* blanks count */
	size_t title;  /* where the title began in the text, SIZE_MAX = not in one */
	struct web_html *out;
};

bool web_html_is(const char *p, size_t len)
{
	static const char *const marks[] = { "<!doctype", "<html",  "<head",
					     "<pre",	  "<!--X-", "<title" };
	size_t n = len < 512 ? len : 512;

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (text_find_nocase(p, n, marks[i]))
			return true;
	return false;
}

/* A code point as UTF-8; what is none is dropped. */
static void add_code(struct buf *b, unsigned long c)
{
	if (!c || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return;
	if (c < 0x80) {
		buf_addc(b, (char)c);
		return;
	}
	if (c < 0x800) {
		buf_addc(b, (char)(0xc0 | c >> 6));
	} else if (c < 0x10000) {
		buf_addc(b, (char)(0xe0 | c >> 12));
		buf_addc(b, (char)(0x80 | (c >> 6 & 0x3f)));
	} else {
		buf_addc(b, (char)(0xf0 | c >> 18));
		buf_addc(b, (char)(0x80 | (c >> 12 & 0x3f)));
		buf_addc(b, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	buf_addc(b, (char)(0x80 | (c & 0x3f)));
}

static bool named_entity(const char *p, size_t len, struct buf *b)
{
	static const struct {
		const char *name, *text;
	} rows[] = { { "lt", "<" },    { "gt", ">" },	{ "amp", "&" },
		     { "quot", "\"" }, { "apos", "'" }, { "nbsp", " " } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (len == strlen(rows[i].name) && !memcmp(p, rows[i].name, len)) {
			buf_adds(b, rows[i].text);
			return true;
		}
	return false;
}

/* "#45" or "#x2d"; false when it is no number. */
static bool number_entity(const char *p, size_t len, struct buf *b)
{
	bool hex = len > 2 && (p[1] == 'x' || p[1] == 'X');
	unsigned long c = 0;

	if (len < 2 || len > 9 || *p != '#')
		return false;
	for (size_t i = hex ? 2 : 1; i < len; i++) {
		unsigned char ch = (unsigned char)p[i];

		if (hex ? !isxdigit(ch) : !isdigit(ch))
			return false;
		c = c * (hex ? 16 : 10) +
		    (unsigned long)(isdigit(ch) ? ch - '0' : tolower(ch) - 'a' + 10);
	}
	add_code(b, c == 0xa0 ? ' ' : c);
	return true;
}

/* Append what stands at p, "&" of an entity or not; returns how many bytes it took. */
static size_t add_entity(const char *p, const char *end, struct buf *b)
{
	size_t n = 1;

	while (n < 10 && p + n < end && (isalnum((unsigned char)p[n]) || p[n] == '#'))
		n++;
	if (p + n < end && p[n] == ';' &&
	    (named_entity(p + 1, n - 1, b) || number_entity(p + 1, n - 1, b)))
		return n + 1;
	buf_addc(b, *p);
	return 1;
}

static void add_fact(struct web_html *h, char *key, const char *value, size_t len)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (char *k = key; *k; k++)
		*k = (char)tolower((unsigned char)*k);
	for (size_t i = 0; i < len && len <= MAX_FACT;)
		if (value[i] == '&')
			i += add_entity(value + i, value + len, &b);
		else
			buf_addc(&b, value[i++]);
	if (h->keys.nr < MAX_FACTS && len <= MAX_FACT) {
		strv_add(&h->keys, key);
		strv_take(&h->values, text_clean(buf_str(&b), b.len));
	}
}

const char *web_html_fact(const struct web_html *h, const char *key)
{
	for (size_t i = 0; i < h->keys.nr; i++)
		if (!strcmp(h->keys.v[i], key))
			return h->values.v[i];
	return NULL;
}

/* Line ends, where there is not one already; two make a blank line. */
static void break_line(struct reader *r, int nr)
{
	struct buf *t = &r->out->text;

	while (t->len && t->data[t->len - 1] == ' ' && !r->pre)
		t->data[--t->len] = '\0';
	if (t->len && t->data[t->len - 1] != '\n')
		buf_addc(t, '\n');
	if (nr > 1 && t->len > 1 && t->data[t->len - 2] != '\n')
		buf_addc(t, '\n');
}

static void mark_body(struct reader *r, bool end)
{
	struct web_html *h = r->out;

	if (!end && !h->has_body) {
		h->body = h->text.len;
		h->body_end = SIZE_MAX;
		h->has_body = true;
	} else if (end && h->has_body && h->body_end == SIZE_MAX) {
		h->body_end = h->text.len;
	}
}

/* MHonArc: "X-Name: value". Hypermail: name="value". Both also bracket the mail's text. */
static void comment(struct reader *r, const char *p, const char *end)
{
	size_t n = 0, len;

	while (p < end && *p == ' ')
		p++;
	while (end > p && end[-1] == ' ')
		end--;
	len = (size_t)(end - p);
	if (len >= 17 && !strncasecmp(p, "X-Body-of-Message", 17)) {
		mark_body(r, len > 17);
		return;
	}
	while (n < len && (isalnum((unsigned char)p[n]) || p[n] == '-'))
		n++;
	if (n && n + 1 < len && p[n] == ':') {
		_cleanup_free_ char *key = xstrndup(p, n);

		add_fact(r->out, key, p + n + 1, len - n - 1);
	} else if (n && n + 3 <= len && p[n] == '=' && p[n + 1] == '"' &&
		   end[-1] == '"') {
		_cleanup_free_ char *key = xstrndup(p, n);

		if (!strcasecmp(key, "body"))
			mark_body(r, p[n + 2] == 'e');
		else
			add_fact(r->out, key, p + n + 2, len - n - 3);
	}
}

/* The value of an attribute inside a tag, borrowed; NULL when it is not there. */
static const char *attribute(const char *p, const char *end, const char *name,
			     size_t *ret_len)
{
	size_t n = strlen(name);
	const char *at = p;

	while ((at = text_find_nocase(at, (size_t)(end - at), name))) {
		const char *v = at + n;

		at = v;
		if (v[-1 - (long)n] != ' ' || v + 1 >= end || *v != '=')
			continue;
		v++;
		if (*v == '"' || *v == '\'') {
			const char *close = memchr(v + 1, *v, (size_t)(end - v - 1));

			*ret_len = close ? (size_t)(close - v - 1) : 0;
			return close ? v + 1 : NULL;
		}
		*ret_len = 0;
		while (v + *ret_len < end && v[*ret_len] > ' ')
			++*ret_len;
		return v;
	}
	return NULL;
}

/* mail-archive.com names the parts of its head by class, and the id in a form. */
static void read_attributes(struct reader *r, const char *p, const char *end, bool input)
{
	static const char *const rows[][2] = { { "subject", "Subject: " },
					       { "sender", "From: " },
					       { "date", "Date: " } };
	size_t n = 0, len = 0;
	const char *name = attribute(p, end, input ? "name" : "class", &n), *value;

	if (input && name && n == 5 && !memcmp(name, "msgid", 5) &&
	    (value = attribute(p, end, "value", &len))) {
		char key[] = "msgid";

		add_fact(r->out, key, value, len);
	}
	for (size_t i = 0; !input && name && !r->pre && i < ARRAY_SIZE(rows); i++)
		if (n >= strlen(rows[i][0]) &&
		    !strncasecmp(name, rows[i][0], strlen(rows[i][0])) &&
		    (n == strlen(rows[i][0]) || name[strlen(rows[i][0])] == ' ')) {
			break_line(r, 1);
			buf_adds(&r->out->text, rows[i][1]);
		}
}

static bool is_one_of(const char *name, const char *list)
{
	size_t n = strlen(name);

	for (const char *p = list; *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (strcspn(p, " ") == n && !strncasecmp(p, name, n))
			return true;
	return false;
}

static void end_title(struct reader *r)
{
	struct buf *t = &r->out->text;
	char key[] = "title";

	if (r->title < t->len) {
		add_fact(r->out, key, t->data + r->title, t->len - r->title);
		t->len = r->title;
		t->data[t->len] = '\0';
	}
	r->title = SIZE_MAX;
}

static void skip_to_close(struct reader *r, const char *name)
{
	_cleanup_free_ char *close = xasprintf("</%s", name);
	const char *at = text_find_nocase(r->p, (size_t)(r->end - r->p), close);

	r->p = at ? at : r->end;
}

/* r->p is behind the tag that stands in [p, end). */
static void tag(struct reader *r, const char *p, const char *end)
{
	bool closes = *p == '/';
	char name[12] = "";

	p += closes;
	for (size_t i = 0;
	     i + 1 < sizeof(name) && p + i < end && isalnum((unsigned char)p[i]); i++)
		name[i] = p[i];
	if (!closes && is_one_of(name, "script style"))
		skip_to_close(r, name);
	else if (is_one_of(name, "title") && closes)
		end_title(r);
	else if (is_one_of(name, "title"))
		r->title = r->out->text.len;
	else if (is_one_of(name, "pre"))
		break_line(r, closes ? 2 : 1);
	else if (is_one_of(name, "ul ol dl table hr blockquote"))
		break_line(r, closes || is_one_of(name, "hr") ? 2 : 1);
	else if (is_one_of(name, "br p div li tr dt dd h1 h2 h3 h4 h5 form center"))
		break_line(r, 1);
	if (is_one_of(name, "pre"))
		r->pre = !closes;
	if (!closes)
		read_attributes(r, p, end, is_one_of(name, "input"));
}

/* "<" of a comment or tag; false when it is but a character. */
static bool markup(struct reader *r)
{
	const char *p = r->p + 1, *close;

	if (r->end - p >= 3 && !memcmp(p, "!--", 3)) {
		close = memmem(p + 3, (size_t)(r->end - p - 3), "-->", 3);
		r->p = close ? close + 3 : r->end;
		comment(r, p + 3, close ? close : r->end);
		return true;
	}
	if (r->no_close || p >= r->end ||
	    (!isalpha((unsigned char)*p) && *p != '/' && *p != '!'))
		return false;
	close = memchr(p, '>', (size_t)(r->end - p));
	r->no_close = !close;
	if (!close)
		return false;
	r->p = close + 1;
	if (*p != '!')
		tag(r, p, close);
	return true;
}

/* White space outside of <pre> is one blank, and none at the start of a line. */
static void add_char(struct reader *r, char c)
{
	struct buf *t = &r->out->text;

	if (c == '\r' || !c)
		return;
	if (!r->pre && isspace((unsigned char)c)) {
		if (t->len && t->data[t->len - 1] != '\n' && t->data[t->len - 1] != ' ')
			buf_addc(t, ' ');
		return;
	}
	buf_addc(t, c);
}

void web_html_read(const char *p, size_t len, struct web_html *ret)
{
	struct reader r = { .p = p, .end = p + len, .title = SIZE_MAX, .out = ret };

	while (r.p < r.end) {
		if (*r.p == '<' && markup(&r))
			continue;
		if (*r.p == '&') {
			r.p += add_entity(r.p, r.end, &ret->text);
			continue;
		}
		add_char(&r, *r.p++);
	}
	/* Blanks and a title taken back may have shortened the text since. */
	if (ret->body_end > ret->text.len)
		ret->body_end = ret->text.len;
	if (ret->body > ret->body_end)
		ret->body = ret->body_end;
}

void web_html_release(struct web_html *h)
{
	buf_release(&h->text);
	strv_release(&h->keys);
	strv_release(&h->values);
	*h = (struct web_html){ 0 };
}
