// SPDX-License-Identifier: GPL-3.0-or-later
/* A whole log. */
#include "cli/bisect/log.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/safe.h"

#define TITLE "kiln-bisect-log 1"
#define MAX_POINTS (1u << 24)

void bisect_log_release(struct bisect_log *l)
{
	free(l->question);
	free(l->old);
	free(l->new);
	space_release(&l->space);
	for (size_t i = 0; i < l->nr; i++)
		log_entry_release(&l->v[i]);
	free(l->v);
	*l = (struct bisect_log){ 0 };
}

static void point_write(const struct space *s, size_t i, struct buf *ret)
{
	_cleanup_free_ char *subject = safe_text(xstrdup(s->v[i].subject ?: ""), false);

	buf_addf(ret, "point %zu %s weight=%.17g parents=", i, s->v[i].commit.hex,
		 s->weight ? s->weight[i] : 1);
	if (!s->parent_start || s->parent_start[i] == s->parent_start[i + 1])
		buf_addc(ret, '-');
	for (size_t k = s->parent_start ? s->parent_start[i] : 0;
	     s->parent_start && k < s->parent_start[i + 1]; k++)
		buf_addf(ret, "%s%zu", k > s->parent_start[i] ? "," : "", s->parents[k]);
	buf_addf(ret, " : %s\n", subject);
}

void log_points_write(const struct space *s, struct buf *ret)
{
	for (size_t i = 0; i < s->nr; i++)
		point_write(s, i, ret);
}

void log_head_write(const struct bisect_log *l, struct buf *ret)
{
	buf_addf(ret, TITLE "\nquestion %s\nterms %s %s\nengine ", l->question, l->old,
		 l->new);
	log_engine_write(&l->o, ret);
	buf_addc(ret, '\n');
}

void log_space_write(const struct space *s, bool first_parent, struct buf *ret)
{
	buf_addf(ret, "space %s %zu\n",
		 !s->parent_start ? "chain"
		 : first_parent	  ? "mainline"
				  : "graph",
		 s->nr);
}

static void title_write(const struct space *s, size_t i, struct buf *ret)
{
	_cleanup_free_ char *subject = safe_text(xstrdup(s->v[i].subject ?: ""), false);

	buf_addf(ret, "# %.12s %s\n", s->v[i].commit.hex, subject);
}

void log_write(const struct bisect_log *l, struct buf *ret)
{
	log_head_write(l, ret);
	log_space_write(&l->space, l->first_parent, ret);
	for (size_t i = 0; i < l->nr; i++) {
		if (!i || l->v[i].at != l->v[i - 1].at)
			title_write(&l->space, l->v[i].at, ret);
		log_entry_write(&l->v[i], ret);
		buf_addc(ret, '\n');
	}
	buf_adds(ret, "# the points\n");
	log_points_write(&l->space, ret);
}

static int read_parents(struct space *s, size_t i, char *list, struct err *e)
{
	size_t nr = s->parent_start ? s->parent_start[i] : 0;
	char *word;
	uint64_t n;

	while (strcmp(list ?: "-", "-") && (word = strsep(&list, ","))) {
		if (!s->parent_start || !parse_u64(word, &n) || n >= i)
			return err_set(e, ERR_CONFIG, "point %zu has no parent '%.20s'",
				       i, word);
		*array_push(s->parents, nr) = n;
	}
	if (s->parent_start)
		s->parent_start[i + 1] = nr;
	return 0;
}

/* AT OID weight=W parents=P : subject */
static int read_point(struct space *s, size_t i, char *rest, struct err *e)
{
	const char *at = strsep(&rest, " "), *commit = strsep(&rest, " ");
	char *weight = strsep(&rest, " "), *parents = strsep(&rest, " ");
	uint64_t n;

	if (!parents || !parse_u64(at, &n) || n != i || i >= s->nr ||
	    strlen(commit) != 40 || !parse_is_hex(commit, 40) ||
	    strncmp(weight, "weight=", 7) || strncmp(parents, "parents=", 8) ||
	    !parse_double(weight + 7, &s->weight[i]) || s->weight[i] < 0)
		return err_set(e, ERR_CONFIG, "point %zu is damaged or out of turn", i);
	memcpy(s->v[i].commit.hex, commit, 41);
	if (rest && !strncmp(rest, ": ", 2))
		rest += 2;
	s->v[i].subject = safe_text(xstrdup(rest ?: ""), false);
	return read_parents(s, i, parents + 8, e);
}

static int read_space(struct bisect_log *l, const char *rest, size_t room, struct err *e)
{
	const char *size = strchr(rest, ' ');
	bool mainline = !strncmp(rest, "mainline ", 9);
	bool graph = mainline || !strncmp(rest, "graph ", 6);
	uint64_t n;

	/* A point takes 60 bytes at least: no more memory than the text can fill. */
	if (l->space.v || !size || (!graph && strncmp(rest, "chain ", 6)) ||
	    !parse_u64(size + 1, &n) || n < 2 || n > MAX_POINTS || n > room / 60)
		return err_set(e, ERR_CONFIG, "'space %.30s' is no size of a bisection",
			       rest);
	l->first_parent = mainline;
	l->space.nr = n;
	l->space.v = xcalloc(n, sizeof(*l->space.v));
	l->space.weight = xcalloc(n, sizeof(*l->space.weight));
	if (graph)
		l->space.parent_start = xcalloc(n + 1, sizeof(*l->space.parent_start));
	return 0;
}

static int read_terms(struct bisect_log *l, char *rest, struct err *e)
{
	const char *old = strsep(&rest, " ");

	if (!rest || !*old || !*rest || l->old)
		return err_set(e, ERR_CONFIG, "two terms are wanted, once");
	l->old = safe_text(xstrdup(old), false);
	l->new = safe_text(xstrdup(rest), false);
	return 0;
}

static int read_question(struct bisect_log *l, const char *rest, struct err *e)
{
	if (l->question)
		return err_set(e, ERR_CONFIG, "one question is wanted");
	l->question = safe_text(xstrdup(rest), false);
	return 0;
}

/* room: bytes of the whole text; points: how many were read. */
static int read_line(struct bisect_log *l, char *line, size_t room, size_t *points,
		     struct err *e)
{
	char *rest = strchr(line, ' ');

	if (!*line || *line == '#' || !strcmp(line, TITLE))
		return 0;
	rest = rest ? rest + 1 : line + strlen(line);
	if (!strncmp(line, "question ", 9))
		return read_question(l, rest, e);
	if (!strncmp(line, "terms ", 6))
		return read_terms(l, rest, e);
	if (!strncmp(line, "engine ", 7))
		return log_engine_parse(rest, &l->o, e);
	if (!strncmp(line, "space ", 6))
		return read_space(l, rest, room, e);
	if (!strncmp(line, "point ", 6))
		return read_point(&l->space, (*points)++, rest, e);
	return log_entry_parse(line, array_push(l->v, l->nr), e);
}

static int check(const struct bisect_log *l, size_t points, struct err *e)
{
	if (!l->question || !l->old || !l->o.end_boots || !l->space.nr ||
	    points != l->space.nr)
		return err_set(e, ERR_CONFIG, "the log is cut off: %zu of %zu points",
			       points, l->space.nr);
	for (size_t i = 0; i < l->nr; i++)
		if (l->v[i].at >= l->space.nr ||
		    !oid_equal(&l->v[i].commit, &l->space.v[l->v[i].at].commit))
			return err_set(e, ERR_CONFIG,
				       "a line is of commit %.12s, which is not point "
				       "%zu",
				       l->v[i].commit.hex, l->v[i].at);
	return 0;
}

int log_parse(const char *text, struct bisect_log *ret, struct err *e)
{
	_cleanup_bisect_log_ struct bisect_log l = { 0 };
	_cleanup_free_ char *copy = xstrdup(text);
	size_t points = 0, nr = 0, room = strlen(text);
	char *rest = copy, *line;

	if (strncmp(text, TITLE "\n", sizeof(TITLE)) != 0)
		return err_set(e, ERR_CONFIG, "this is no log of kiln bisect");
	while ((line = strsep(&rest, "\n"))) {
		size_t had = l.nr;

		nr++;
		if (read_line(&l, line, room, &points, e) < 0) {
			/* a slot that was not filled is zeroed by nobody else */
			l.nr = had;
			return err_wrap(e, "line %zu", nr);
		}
	}
	if (check(&l, points, e) < 0)
		return -(int)e->code;
	*ret = l;
	l = (struct bisect_log){ 0 };
	return 0;
}

static void write_git_line(const struct bisect_log *l, size_t i, const char *word,
			   struct buf *ret)
{
	const struct point *p = &l->space.v[i];

	buf_addf(ret, "# %s: [%s] %s\ngit bisect %s %s\n", word, p->commit.hex,
		 p->subject ?: "", word, p->commit.hex);
}

void log_write_git(const struct bisect_log *l, const double *p_new, struct buf *ret)
{
	_cleanup_free_ bool *seen = xcalloc(l->space.nr, sizeof(*seen));
	size_t bad = l->space.nr - 1;

	buf_adds(ret, "git bisect start");
	if (strcmp(l->old, "good") || strcmp(l->new, "bad"))
		buf_addf(ret, " '--term-old=%s' '--term-new=%s'", l->old, l->new);
	buf_addc(ret, '\n');
	write_git_line(l, bad, l->new, ret);
	write_git_line(l, 0, l->old, ret);
	seen[0] = seen[bad] = true;
	for (size_t i = 0; i < l->nr; i++) {
		size_t at = l->v[i].at;

		if (seen[at] || l->v[i].kind == LOG_BUILT)
			continue;
		seen[at] = true;
		write_git_line(l, at,
			       l->v[i].kind == LOG_SKIP		  ? "skip"
			       : p_new[at] >= l->o.confidence	  ? l->new
			       : p_new[at] <= 1 - l->o.confidence ? l->old
								  : "skip",
			       ret);
	}
}
