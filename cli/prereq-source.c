// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/prereq-source.h"

#include <stdlib.h>
#include <string.h>

#include "mail/lookup.h"

int cli_prereq_find(void *ctx, const struct prerequisite *p, struct series **ret,
		    struct err *e)
{
	const struct cli_prereqs *s = ctx;
	struct cli_source_opts o = *s->o;
	struct lookup l = { 0 };

	/* The series' own revision and picks are not those of what it needs. */
	o.revision = 0;
	o.picks = (struct cli_pick_opts){ 0 };
	if (!strcmp(p->kind, "patch-id"))
		l.patch_id = p->value;
	else if (!strcmp(p->kind, "change-id"))
		l.change_id = p->value;
	else if (strchr(p->value, '@'))
		l.message_id = p->value;
	else
		return err_set(e, ERR_UNKNOWN_MESSAGE_ID, "no archive tells mails by %s",
			       p->kind);
	return cli_series_lookup(s->c, &o, &l, ret, e);
}
