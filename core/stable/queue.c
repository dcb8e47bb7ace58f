// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/queue.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/stable/version.h"

#define MAX_DROPPED 200000
#define MIN_COMMIT 8
#define MAX_COMMIT 40

struct queue *queue_new(const char *name)
{
	struct queue *q = xzalloc(sizeof(*q));

	q->name = xstrdup(name);
	return q;
}

void queue_free(struct queue *q)
{
	if (!q)
		return;
	free(q->name);
	free(q->version);
	free(q->release);
	series_free(q->series);
	for (size_t i = 0; i < q->nr; i++) {
		free(q->v[i].file);
		free(q->v[i].from);
	}
	free(q->v);
	for (size_t i = 0; i < q->nr_flaws; i++) {
		free(q->flaws[i].file);
		free(q->flaws[i].text);
	}
	free(q->flaws);
	for (size_t i = 0; i < q->nr_dropped; i++) {
		free(q->dropped[i].version);
		free(q->dropped[i].commit);
	}
	free(q->dropped);
	for (size_t i = 0; i < q->nr_siblings; i++) {
		free(q->siblings[i].version);
		strv_release(&q->siblings[i].commits);
	}
	free(q->siblings);
	strv_release(&q->active);
	free(q);
}

const char *queue_entry_name(const struct queue_entry *e)
{
	return e->file ? e->file : e->patch->subject ? e->patch->subject : "";
}

struct queue_flaw *queue_add_flaw(struct queue *q, const char *file, const char *fmt, ...)
{
	struct queue_flaw *f = array_push(q->flaws, q->nr_flaws);
	va_list ap;

	va_start(ap, fmt);
	*f = (struct queue_flaw){ xstrdup(file), xvasprintf(fmt, ap), false };
	va_end(ap);
	return f;
}

static bool is_commit(const char *word)
{
	size_t n = strlen(word);

	return n >= MIN_COMMIT && n <= MAX_COMMIT && parse_is_hex(word, n);
}

static char *next_word(const char **at, const char *end)
{
	const char *p = *at, *start;

	while (p < end && isspace((unsigned char)*p))
		p++;
	start = p;
	while (p < end && !isspace((unsigned char)*p))
		p++;
	*at = p;
	return p == start || *start == '#' ? NULL : xstrndup(start, (size_t)(p - start));
}

static void dropped_line(struct queue *q, const char *p, const char *end, bool ignored)
{
	_cleanup_free_ char *version = NULL, *commit = NULL;

	for (char *w; !commit && (w = next_word(&p, end));) {
		if (is_commit(w)) {
			commit = w;
		} else {
			if (!version && version_is(w))
				version = take_ptr(w);
			free(w);
		}
	}
	if (!commit || q->nr_dropped >= MAX_DROPPED)
		return;
	for (char *c = commit; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	*array_push(q->dropped, q->nr_dropped) =
		(struct queue_dropped){ take_ptr(version), take_ptr(commit), ignored };
}

void queue_read_dropped(struct queue *q, const char *text, bool ignored)
{
	for (const char *p = text; *p;) {
		size_t n = strcspn(p, "\n");

		dropped_line(q, p, p + n, ignored);
		p += n + (p[n] == '\n');
	}
}

const struct queue_dropped *queue_find_dropped(const struct queue *q, const char *commit,
					       bool ignored)
{
	for (size_t i = 0; i < q->nr_dropped; i++) {
		const struct queue_dropped *d = &q->dropped[i];

		if (d->ignored != ignored ||
		    strncmp(commit, d->commit, strlen(d->commit)))
			continue;
		if (!d->version || !q->version ||
		    !version_compare(d->version, q->version))
			return d;
	}
	return NULL;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void queue_add_sibling(struct queue *q, const char *version, const char *commits)
{
	struct queue_sibling *s = array_push(q->siblings, q->nr_siblings);

	*s = (struct queue_sibling){ .version = xstrdup(version) };
	for (const char *p = commits; *p;) {
		size_t n = strcspn(p, "\n");

		if (n >= MIN_COMMIT && n <= MAX_COMMIT)
			strv_take(&s->commits, xstrndup(p, n));
		p += n + (p[n] == '\n');
	}
	if (s->commits.nr)
		qsort(s->commits.v, s->commits.nr, sizeof(*s->commits.v), by_text);
}

/* The greatest that is not above commit: an abbreviation of it sorts right before it. */
static bool has_commit(const struct strv *v, const char *commit)
{
	size_t lo = 0, hi = v->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (strcmp(v->v[mid], commit) <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && !strncmp(v->v[lo - 1], commit, strlen(v->v[lo - 1]));
}

bool queue_sibling_has(const struct queue *q, const char *version, const char *commit)
{
	for (size_t i = 0; i < q->nr_siblings; i++)
		if (!version_compare(q->siblings[i].version, version) &&
		    has_commit(&q->siblings[i].commits, commit))
			return true;
	return false;
}

/* Words by which authors of stable-only patches say so. */
static const char *const only_words[] = {
	"no upstream commit",
	"no direct upstream",
	"no upstream equivalent",
	"no mainline commit",
	"not upstream",
	"not in upstream",
	"not in mainline",
	"stable-only",
	"stable only",
	"not applicable upstream",
	"does not exist upstream",
	"does not exist in mainline",
	"there is no upstream",
	"only affects stable",
};

static bool has_words(const char *text, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strcasestr(text, words[i]))
			return true;
	return false;
}

bool queue_is_stable_only(const struct patch *p)
{
	for (size_t i = 0; i < p->upstream.nr; i++)
		if (p->upstream.v[i].form == UPSTREAM_NONE)
			return true;
	if (p->subject && !strncmp(p->subject, "Linux ", 6) && version_is(p->subject + 6))
		return true;
	return p->message && has_words(p->message, only_words, ARRAY_SIZE(only_words));
}

/* A line "[...]" or "[who: ..." that is no claim of a commit. */
static bool is_note(const char *p, size_t n)
{
	static const char *const not_notes[] = { "upstream commit", "mainline commit",
						 "no upstream", "commit " };

	while (n && isspace((unsigned char)*p)) {
		p++;
		n--;
	}
	if (n < 4 || *p != '[')
		return false;
	for (p++, n--; n && isspace((unsigned char)*p); n--)
		p++;
	for (size_t i = 0; i < ARRAY_SIZE(not_notes); i++)
		if (!strncasecmp(p, not_notes[i], strlen(not_notes[i])))
			return false;
	/* "[1] https://..." is a footnote. */
	return !isdigit((unsigned char)*p);
}

bool queue_has_backport_note(const char *message)
{
	static const char *const words[] = { "backport", "adapted", "adjusted for",
					     "conflict" };

	for (const char *p = message; *p;) {
		size_t n = strcspn(p, "\n");

		if (is_note(p, n))
			return true;
		p += n + (p[n] == '\n');
	}
	return has_words(message, words, ARRAY_SIZE(words));
}
