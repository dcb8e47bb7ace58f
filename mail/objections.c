// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/objections.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "mail/box.h"
#include "mail/text.h"
#include "mail/thread.h"

#define MAX_WORDS 120 /* bytes of a line that are shown */

/* Phrases of those who object; each is of a sentence about the patch. */
static const char *const phrases[] = {
	"please drop",
	"please revert",
	"please don't",
	"please do not",
	"nacked-by:",
	"should not be backported",
	"not be applied to",
	"not suitable for stable",
	"don't backport",
	"do not backport",
	"shouldn't be in stable",
	"shouldn't go to stable",
	"causes a regression",
	"caused a regression",
	"introduces a regression",
	"introduced a regression",
	"regression caused by",
	"breaks boot",
	"fails to boot",
	"fails to build",
	"fix is pending",
	"will be reverted",
	"being reverted",
	"needs to be dropped",
};

bool objection_is(const char *line, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++)
		if (text_find_nocase(line, len, phrases[i]))
			return true;
	return false;
}

static bool is_quoted(const struct line *l)
{
	return l->len && (*l->p == '>' || *l->p == '|');
}

/* The first own line that objects. Owned, NULL when none does. */
static char *objection_in(const struct mail *m)
{
	const char *at = buf_str(&m->text), *end = at + m->text.len;
	struct line l;

	while (line_next(&at, end, &l)) {
		if (line_is(&l, "-- ") || line_starts(&l, "diff --git "))
			break;
		if (!is_quoted(&l) && objection_is(l.p, l.len))
			return text_clean(l.p, l.len < MAX_WORDS ? l.len : MAX_WORDS);
	}
	return NULL;
}

static bool answers(const struct thread *t, int i, const struct strv *ids)
{
	if (!ids)
		return t->v[i].parent >= 0;
	for (size_t k = 0; k < ids->nr; k++) {
		int root = thread_find(t, ids->v[k]);

		if (root >= 0 && thread_descends(t, i, root))
			return true;
	}
	return false;
}

int objections_find(const struct box *box, const struct strv *ids, struct strv *ret,
		    struct err *e)
{
	struct thread t = THREAD_INIT;
	struct mail_opts o = { 0 };

	if (!box_nr(box))
		return 0;
	if (thread_read(box, &o, &t, e) < 0)
		return -(int)e->code;
	for (int i = 0; i < (int)t.nr; i++) {
		_cleanup_free_ char *words = NULL;
		const struct mail *m;

		if (!answers(&t, i, ids) || thread_has_patch(&t, i))
			continue;
		m = thread_load(&t, i);
		words = objection_in(m);
		if (words)
			strv_addf(ret,
				  "%s wrote in <%s>: \"%s\"; see whether it is "
				  "settled",
				  m->from_name && *m->from_name ? m->from_name
								: m->from_email,
				  m->message_id, words);
	}
	thread_release(&t);
	return 0;
}
