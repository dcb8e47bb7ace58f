// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/warnings.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

#define TEXT_MAX 400
#define OBJECT_WARNINGS_MAX 1000

struct reading {
	const char *src;
	struct warnings *out;
	char *function; /* the messages are about; NULL = none */
	size_t at;	/* the object's in out, SIZE_MAX = it has none yet */
};

void warned_object_release(struct warned_object *o)
{
	for (size_t i = 0; i < o->nr; i++) {
		free(o->v[i].file);
		free(o->v[i].function);
		free(o->v[i].option);
		free(o->v[i].text);
	}
	free(o->v);
	free(o->name);
	*o = (struct warned_object){ 0 };
}

void warnings_release(struct warnings *w)
{
	for (size_t i = 0; i < w->nr; i++)
		warned_object_release(&w->v[i]);
	free(w->v);
	*w = (struct warnings){ 0 };
}

/* Bounded and printable, without the folder of the sources in front of paths. */
static char *clean(const char *p, size_t n, const char *src)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t k = src ? strlen(src) : 0;

	for (size_t i = 0; i < n && b.len < TEXT_MAX; i++) {
		if (k && n - i > k && !strncmp(p + i, src, k) && p[i + k] == '/')
			i += k;
		else
			buf_addc(&b,
				 (unsigned char)p[i] < 0x20 || p[i] == 0x7f ? ' ' : p[i]);
	}
	return xstrdup(buf_str(&b));
}

/* "  CC [M]  drivers/a.o": the target of the group that begins; NULL = it is no such line. */
static char *group_of(const char *line, size_t n)
{
	size_t at = 2;

	if (n < 5 || line[0] != ' ' || line[1] != ' ' || !isupper((unsigned char)line[2]))
		return NULL;
	while (at < n && (isupper((unsigned char)line[at]) ||
			  isdigit((unsigned char)line[at]) || line[at] == '_'))
		at++;
	if (at + 4 < n && !strncmp(line + at, " [M]", 4))
		at += 4;
	if (at >= n || line[at] != ' ')
		return NULL;
	while (at < n && line[at] == ' ')
		at++;
	return at < n ? clean(line + at, n - at, NULL) : NULL;
}

/* Takes the name over. */
static void begin_group(struct reading *r, char *object)
{
	free(take_ptr(r->function));
	r->at = r->out->nr;
	*array_push(r->out->v, r->out->nr) = (struct warned_object){ .name = object };
}

/* "12:5" or "12" behind the last colons: where the name of the file ends, and its line. */
static size_t place_of(const char *p, size_t n, unsigned int *ret_line)
{
	size_t end = n;

	*ret_line = 0;
	for (int i = 0; i < 2; i++) {
		unsigned int value = 0, unit = 1;
		size_t k = end;

		for (; k && end - k < 9 && isdigit((unsigned char)p[k - 1]); unit *= 10)
			value += unit * (unsigned int)(p[--k] - '0');
		if (k == end || !k || p[k - 1] != ':')
			break;
		*ret_line = value;
		end = k - 1;
	}
	return end;
}

/* " [-Wname]" at the end: its length, and the name. */
static size_t option_of(const char *p, size_t n, char **ret)
{
	size_t at = n;

	*ret = NULL;
	if (n < 6 || p[n - 1] != ']')
		return 0;
	while (at && p[at - 1] != '[')
		at--;
	if (at < 2 || n - at < 4 || strncmp(p + at, "-W", 2) != 0 || p[at - 2] != ' ')
		return 0;
	*ret = clean(p + at + 2, n - at - 3, NULL);
	return n - at + 2;
}

static const char *find(const char *p, size_t n, const char *what)
{
	return memmem(p, n, what, strlen(what));
}

/* The source as gcc shows it: "  12 | code". */
static bool is_quoted(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n && (p[i] == ' ' || isdigit((unsigned char)p[i])))
		i++;
	return i + 1 < n && p[i] == '|' && p[i + 1] == ' ';
}

static void add(struct reading *r, const char *place, size_t place_len, const char *text,
		size_t len)
{
	struct warned_object *o;
	struct warning *w;
	char *option;

	if (r->at == SIZE_MAX)
		begin_group(r, xstrdup(""));
	o = &r->out->v[r->at];
	if (o->nr >= OBJECT_WARNINGS_MAX)
		return;
	w = array_push(o->v, o->nr);
	*w = (struct warning){ 0 };
	place_len = place_of(place, place_len, &w->line);
	w->file = clean(place, place_len, r->src);
	len -= option_of(text, len, &option);
	w->option = option ? option : xstrdup("");
	w->text = clean(text, len, r->src);
	w->function = xstrdup(r->function ? r->function : "");
}

/* "x.c: In function 'f':", "x.c: At top level:". */
static bool read_function(struct reading *r, const char *p, size_t n)
{
	const char *in = find(p, n, ": In function "), *end = p + n;

	if (in) {
		in += strlen(": In function ");
		while (end > in && strchr(":,'`", end[-1]))
			end--;
		while (in < end && (*in == '\'' || *in == '`'))
			in++;
		free(r->function);
		r->function = clean(in, (size_t)(end - in), NULL);
		return true;
	}
	if (!find(p, n, ": At top level:"))
		return false;
	free(take_ptr(r->function));
	return true;
}

static void read_line(struct reading *r, const char *p, size_t n)
{
	static const char modpost[] = "WARNING: modpost: ", word[] = ": warning: ",
			  bare[] = "warning: ";
	char *group = group_of(p, n);
	const char *at;

	if (group) {
		begin_group(r, group);
		return;
	}
	if (is_quoted(p, n) || read_function(r, p, n))
		return;
	if (n > strlen(modpost) && !strncmp(p, modpost, strlen(modpost)))
		add(r, "modpost", 7, p + strlen(modpost), n - strlen(modpost));
	else if (n > strlen(bare) && !strncmp(p, bare, strlen(bare)))
		add(r, "", 0, p + strlen(bare), n - strlen(bare));
	else if ((at = find(p, n, word)))
		add(r, p, (size_t)(at - p), at + strlen(word),
		    n - (size_t)(at - p) - strlen(word));
}

/* Those of one name in the order they were made. */
static int by_name_and_age(const void *a, const void *b)
{
	const struct warned_object *x = *(struct warned_object *const *)a,
				   *y = *(struct warned_object *const *)b;
	int d = strcmp(x->name, y->name);

	return d ? d : x < y ? -1 : x > y;
}

/* Sorted by name, of equal ones the last. */
static void settle(struct warnings *w)
{
	_cleanup_free_ struct warned_object **p = xcalloc(w->nr + 1, sizeof(*p));
	struct warned_object *v = xcalloc(w->nr + 1, sizeof(*v));
	size_t kept = 0;

	for (size_t i = 0; i < w->nr; i++)
		p[i] = &w->v[i];
	qsort(p, w->nr, sizeof(*p), by_name_and_age);
	for (size_t i = 0; i < w->nr; i++) {
		if (i + 1 < w->nr && !strcmp(p[i]->name, p[i + 1]->name))
			warned_object_release(p[i]);
		else
			v[kept++] = *p[i];
	}
	free(w->v);
	w->v = v;
	w->nr = kept;
}

void warnings_read_log(const char *log, const char *src, struct warnings *ret)
{
	struct reading r = { .src = src, .out = ret, .at = SIZE_MAX };

	*ret = (struct warnings){ 0 };
	for (const char *p = log; *p;) {
		size_t n = strcspn(p, "\n");

		read_line(&r, p, n);
		p += n + (p[n] == '\n');
	}
	free(r.function);
	settle(ret);
}

void warnings_merge(struct warnings *to, struct warnings *from)
{
	to->v = xreallocarray(to->v, to->nr + from->nr + 1, sizeof(*to->v));
	if (from->nr)
		memcpy(to->v + to->nr, from->v, from->nr * sizeof(*to->v));
	to->nr += from->nr;
	free(from->v);
	*from = (struct warnings){ 0 };
	settle(to);
}
