// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/pick-opts.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"

#define MAX_REVISION 9999

int cli_pick_opts(const struct cli_pick_opts *o, struct assemble_opts *ret,
		  struct pick *ret_pick, char **ret_id, struct err *e)
{
	size_t n = o->id ? strlen(o->id) : 0;

	if (n) {
		bool brackets = n > 2 && o->id[0] == '<' && o->id[n - 1] == '>';

		*ret_id = brackets ? xstrndup(o->id + 1, n - 2) : xstrdup(o->id);
		ret->message_id = *ret_id;
		ret->must_have_id = true;
	}
	ret->no_partial = o->no_partial;
	ret->scissors = o->scissors;
	if (!o->pick)
		return 0;
	if (pick_parse(o->pick, ret_pick, e) < 0)
		return -(int)e->code;
	ret->pick = ret_pick;
	return 0;
}

/* Whether s is something of its own without what stood behind it. */
static bool is_source(const char *s)
{
	return strchr(s, '@') || strchr(s, ':') || !strcmp(s, "-") || fs_exists(s);
}

char *cli_source_revision(const char *source, int *ret_revision)
{
	const char *at = strrchr(source, '@');
	_cleanup_free_ char *front = NULL;

	*ret_revision = 0;
	if (!at || at == source || at[1] != 'v' || fs_exists(source) ||
	    !parse_int(at + 2, 1, MAX_REVISION, ret_revision))
		return xstrdup(source);
	front = xstrndup(source, (size_t)(at - source));
	if (is_source(front))
		return take_ptr(front);
	*ret_revision = 0;
	return xstrdup(source);
}
