// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/pick.h"

#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

#define MAX_NUMBER 99999

/* "3", "3-5", "5-", "-1": the last but none, "-3" the third from the end. */
static bool range(const char *s, struct pick_range *ret)
{
	size_t n = strspn(s, "0123456789");
	_cleanup_free_ char *first = xstrndup(s, n);

	if (*s == '-') {
		if (!parse_int(s + 1, 1, MAX_NUMBER, &ret->from))
			return false;
		ret->to = ret->from = -ret->from;
		return true;
	}
	if (!parse_int(first, 1, MAX_NUMBER, &ret->from))
		return false;
	ret->to = ret->from;
	if (!s[n])
		return true;
	if (s[n] != '-')
		return false;
	ret->to = INT_MAX;
	return !s[n + 1] ||
	       (parse_int(s + n + 1, 1, MAX_NUMBER, &ret->to) && ret->to >= ret->from);
}

static bool take(struct pick *p, const char *word)
{
	struct pick_range r = { 0 };

	if (!strcmp(word, "_")) {
		p->named = true;
		return true;
	}
	if (range(word, &r)) {
		*array_push(p->v, p->nr) = r;
		return true;
	}
	if (!strpbrk(word, "*?["))
		return false;
	strv_add(&p->globs, word);
	return true;
}

int pick_parse(const char *text, struct pick *ret, struct err *e)
{
	_cleanup_pick_ struct pick p = { 0 };

	for (const char *at = text;;) {
		size_t n = strcspn(at, ",");
		_cleanup_free_ char *word = xstrndup(at, n);

		if (!take(&p, word)) {
			err_set(e, ERR_USAGE, "'%s' picks no patch", word);
			return err_hint(e, "as in 1-3,5,-1,_ or *word of the title*");
		}
		if (!at[n])
			break;
		at += n + 1;
	}
	if (p.named && (p.nr || p.globs.nr))
		return err_set(e, ERR_USAGE, "'_' is the mail named, and no other");
	*ret = p;
	p = (struct pick){ 0 };
	return 0;
}

static int resolve(int number, int total)
{
	return number < 0 ? total + 1 + number : number;
}

bool pick_has(const struct pick *p, int number, int total, const char *title)
{
	if (p->named)
		return true;
	for (size_t i = 0; i < p->nr; i++)
		if (number >= resolve(p->v[i].from, total) &&
		    number <= resolve(p->v[i].to, total))
			return true;
	for (size_t i = 0; i < p->globs.nr; i++)
		if (!fnmatch(p->globs.v[i], title, FNM_CASEFOLD))
			return true;
	return false;
}

int pick_absent(const struct pick *p, const int *numbers, size_t nr, int total)
{
	for (size_t i = 0; i < p->nr; i++) {
		int want = resolve(p->v[i].from, total);
		size_t k = 0;

		if (p->v[i].from != p->v[i].to)
			continue;
		while (k < nr && numbers[k] != want)
			k++;
		if (k == nr)
			return want ? want : p->v[i].from;
	}
	return 0;
}

void pick_release(struct pick *p)
{
	free(p->v);
	strv_release(&p->globs);
	*p = (struct pick){ 0 };
}
