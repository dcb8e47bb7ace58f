// SPDX-License-Identifier: GPL-3.0-or-later
/* The diff between two patches, its length and its text, and what is around it. */
#include <ctype.h>
#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/abbrev.h"
#include "core/git/assign.h"
#include "core/git/range-internal.h"

#define HEADING_MAX 80 /* what git keeps of a hunk's heading */

static void diff_options(git_diff_options *o)
{
	git_diff_options_init(o, GIT_DIFF_OPTIONS_VERSION);
	o->flags = GIT_DIFF_FORCE_TEXT;
}

static int count_hunk(const git_diff_delta *d, const git_diff_hunk *h, void *ctx)
{
	(void)d;
	(void)h;
	++*(int *)ctx;
	return 0;
}

static int count_line(const git_diff_delta *d, const git_diff_hunk *h,
		      const git_diff_line *l, void *ctx)
{
	(void)d;
	(void)h;
	(void)l;
	++*(int *)ctx;
	return 0;
}

int range_cost(const char *old, const char *new)
{
	git_diff_options o;
	int count = 0;

	diff_options(&o);
	if (git_diff_buffers(old, strlen(old), NULL, new, strlen(new), NULL, &o, NULL,
			     NULL, count_hunk, count_line, &count) < 0)
		return ASSIGN_COST_MAX;
	return count;
}

struct lines {
	const char **v; /* starts; one more marks the end */
	size_t nr;
};

static void split(const char *s, struct lines *ret)
{
	*ret = (struct lines){ 0 };
	while (*s) {
		*array_push(ret->v, ret->nr) = s;
		s += strcspn(s, "\n");
		s += *s == '\n';
	}
	*array_push(ret->v, ret->nr) = s;
	ret->nr--;
}

struct inner {
	struct buf *out;
	struct lines old;
	const char *heading; /* in old */
	size_t heading_len;
	long searched; /* last line looked at for a heading, -1 = none */
};

/* " ## NAME ##" and "@@ NAME", the latter also behind a marker: the heading in the line,
 * NULL when it is none. */
static const char *heading_of(const char *s, size_t n, size_t *ret_len)
{
	if (n >= 7 && !memcmp(s, " ## ", 4) && !memcmp(s + n - 3, " ##", 3)) {
		*ret_len = n - 7;
		return s + 4;
	}
	for (size_t i = 0; i < 2 && i + 3 <= n; i++)
		if (!memcmp(s + i, "@@ ", 3)) {
			*ret_len = n - i - 3;
			return s + i + 3;
		}
	return NULL;
}

static void keep_heading(struct inner *in, const char *s, size_t n)
{
	if (n > HEADING_MAX)
		n = HEADING_MAX;
	else
		while (n && isspace((unsigned char)s[n - 1]))
			n--;
	in->heading = s;
	in->heading_len = n;
}

/* The nearest heading above a hunk, as far back as the hunk before it. */
static void find_heading(struct inner *in, long above)
{
	for (long l = above; l > in->searched && l >= 0; l--) {
		const char *s = in->old.v[l], *found;
		size_t n = (size_t)(in->old.v[l + 1] - s), len;

		n -= n && s[n - 1] == '\n';
		found = heading_of(s, n, &len);
		if (!found)
			continue;
		keep_heading(in, found, len);
		break;
	}
	in->searched = above;
}

static int inner_hunk(const git_diff_delta *d, const git_diff_hunk *h, void *ctx)
{
	struct inner *in = ctx;
	long first = h->old_lines ? h->old_start - 1 : h->old_start;
	size_t n;

	(void)d;
	find_heading(in, first - 1);
	buf_adds(in->out, "    @@");
	n = range_utf8_prefix(in->heading, in->heading_len);
	if (n) {
		buf_addc(in->out, ' ');
		buf_add(in->out, in->heading, n);
	}
	buf_addc(in->out, '\n');
	return 0;
}

static int inner_line(const git_diff_delta *d, const git_diff_hunk *h,
		      const git_diff_line *l, void *ctx)
{
	struct inner *in = ctx;

	(void)d;
	(void)h;
	buf_addf(in->out, "    %c", l->origin);
	buf_add(in->out, l->content, l->content_len);
	return 0;
}

int range_diff_text(const struct range_pair *p, struct buf *ret, struct err *e)
{
	const char *old = p->a->text, *new = p->b->text;
	struct inner in = { .out = ret, .searched = -1 };
	git_diff_options o;
	int rc;

	if (!strcmp(old, new))
		return 0;
	diff_options(&o);
	o.flags |= GIT_DIFF_INDENT_HEURISTIC;
	split(old, &in.old);
	rc = git_diff_buffers(old, strlen(old), NULL, new, strlen(new), NULL, &o, NULL,
			      NULL, inner_hunk, inner_line, &in);
	free(in.old.v);
	if (rc < 0)
		return err_set(e, ERR_INTERNAL, "cannot compare two patches");
	return 0;
}

/* Ids as short as the repository allows, or as many dashes for a patch that is none. */
struct printer {
	struct repo *r;
	int width; /* of a patch's number */
	char *dashes;
	struct buf *out;
};

static char *dashes(const char *like)
{
	size_t n = strlen(like);
	char *s = xstrdup(like);

	memset(s, '-', n);
	return s;
}

/* The id's short form; or what stands for a patch that is no commit. */
static char *id_of(struct printer *p, const struct range_patch *patch)
{
	return oid_is_none(&patch->oid) ? xstrdup("(mail)")
					: repo_abbrev(p->r, &patch->oid);
}

static void print_side(struct printer *p, const struct range_patch *patch, int number,
		       const char *end)
{
	_cleanup_free_ char *id = patch ? id_of(p, patch) : NULL;

	if (patch)
		buf_addf(p->out, "%*d:  %s%s", p->width, number, id, end);
	else
		buf_addf(p->out, "%*s:  %s%s", p->width, "-", p->dashes, end);
}

static int print_pair(struct printer *p, const struct range_pair *pair, struct err *e)
{
	const struct range_patch *first = pair->a ? pair->a : pair->b;
	const char *sign = !pair->b				  ? "< "
			   : !pair->a				  ? "> "
			   : strcmp(pair->a->text, pair->b->text) ? "! "
								  : "= ";

	if (!p->dashes) {
		_cleanup_free_ char *id = id_of(p, first);

		p->dashes = dashes(id);
	}
	print_side(p, pair->a, pair->old_number, " ");
	buf_adds(p->out, sign);
	print_side(p, pair->b, pair->new_number, " ");
	buf_addf(p->out, "%s\n", first->subject);
	if (!pair->a || !pair->b)
		return 0;
	return range_diff_text(pair, p->out, e);
}

static int decimal_width(size_t n)
{
	int w = 1;

	for (; n >= 10; n /= 10)
		w++;
	return w;
}

int range_print(struct repo *r, const struct range_pair *v, size_t nr, struct buf *ret,
		struct err *e)
{
	struct printer p = { .r = r, .out = ret };
	size_t most = 0;
	int rc = 0;

	for (size_t i = 0; i < nr; i++) {
		if ((size_t)v[i].old_number > most)
			most = (size_t)v[i].old_number;
		if ((size_t)v[i].new_number > most)
			most = (size_t)v[i].new_number;
	}
	p.width = decimal_width(most + 1);
	for (size_t i = 0; i < nr && rc == 0; i++)
		rc = print_pair(&p, &v[i], e);
	free(p.dashes);
	return rc;
}
