// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/stable-failed.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/series/words.h"
#include "mail/stable-mail.h"
#include "mail/text.h"

#define MAX_NEEDS 100

void failed_list_release(struct failed_list *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		free(l->v[i].message_id);
		commit_names_release(&l->v[i].name);
		commit_names_release(&l->v[i].needs);
	}
	free(l->v);
	*l = (struct failed_list){ 0 };
}

static void add_name(struct commit_names *v, char *hex, char *title)
{
	*array_push(v->v, v->nr) = (struct commit_name){ .hex = hex, .title = title };
}

/* "0123456789ab ("title")", one a line, until a line that is none. */
static void read_needs(const struct mail *m, struct commit_names *ret)
{
	const char *at = buf_str(&m->text), *end = at + m->text.len;
	bool inside = false;
	struct line l;

	while (line_next(&at, end, &l) && ret->nr < MAX_NEEDS) {
		_cleanup_free_ char *line = xstrndup(l.p, l.len);
		const char *p = line;
		char *hex;

		if (line_starts(&l, "Possible dependencies:")) {
			inside = true;
			continue;
		}
		if (!inside || !line[strspn(line, " \t")])
			continue;
		hex = words_hash(&p);
		if (!hex)
			return;
		add_name(ret, hex, NULL);
	}
}

/* FAILED: patch "[PATCH] TITLE" failed to apply ... Owned, NULL when it is cut off. */
static char *title_of(const char *subject)
{
	const char *quote = strchr(subject, '"'), *end;

	if (!quote)
		return NULL;
	quote++;
	if (*quote == '[' && strchr(quote, ']'))
		quote = strchr(quote, ']') + 1;
	quote += strspn(quote, " ");
	end = strstr(quote, "\" failed to apply");
	return end && end > quote ? xstrndup(quote, (size_t)(end - quote)) : NULL;
}

/* Of the recipe, else by title. */
static void read_commit(const struct mail *m, struct commit_names *ret)
{
	struct patch p = { .message = xstrdup("") };
	const struct upstream_claim *claim;
	char *title = title_of(m->subject.title);

	stable_patch_read(m, &p);
	claim = upstream_claims_main(&p.upstream);
	if (claim)
		add_name(ret, xstrdup(claim->commit), NULL);
	else if (title)
		add_name(ret, NULL, xstrdup(title));
	free(title);
	upstream_claims_release(&p.upstream);
	free(p.message);
}

static void add_mail(const struct mail *m, const char *version, struct failed_list *ret)
{
	struct stable_note *n = stable_note_read(m);
	struct missing_failed f = { 0 };

	if (n && n->state == STABLE_FAILED && !strcmp(n->version, version))
		read_commit(m, &f.name);
	if (f.name.nr) {
		f.message_id = xstrdup(m->message_id);
		read_needs(m, &f.needs);
		*array_push(ret->v, ret->nr) = f;
	}
	stable_note_free(n);
}

int failed_list_read(const struct box *b, const char *version, struct failed_list *ret,
		     struct err *e)
{
	const struct mail_opts opts = { 0 };

	for (size_t i = 0; i < box_nr(b); i++) {
		_cleanup_mail_ struct mail m = { 0 };
		_cleanup_buf_ struct buf raw = BUF_INIT;

		if (box_mail(b, i, &raw, e) < 0)
			return -(int)e->code;
		mail_parse(&raw, &opts, &m);
		add_mail(&m, version, ret);
	}
	return 0;
}
