// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/source.h"

#include <stdlib.h>

#include "mail/quilt.h"
#include "mail/source-local.h"
#include "mail/source-net.h"

static bool is_anything(const char *s)
{
	(void)s;
	return true;
}

static int refuse(const char *source, const struct source_opts *o,
		  struct source_mails *ret, struct err *e)
{
	(void)o;
	(void)ret;
	err_set(e, ERR_NOT_FOUND, "'%s' is neither a file nor a message-id", source);
	return err_hint(e,
			"name a message-id, a public-inbox URL, an mbox file, or - for "
			"standard input");
}

static const struct source_kind source_unknown = { is_anything, refuse };

static const struct source_kind source_quilt = { quilt_knows, quilt_read };

static const struct source_kind *const kinds[] = {
	&source_stdin,	&source_url,	 &source_id,	  &source_quilt,   &source_file,
	&source_search, &source_notmuch, &source_bare_id, &source_unknown,
};

int source_read(const char *source, const struct source_opts *o, struct source_mails *ret,
		struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i]->knows(source))
			return kinds[i]->read(source, o, ret, e);
	return err_set(e, ERR_USAGE, "no source given");
}

void source_mails_release(struct source_mails *m)
{
	free(m->message_id);
	strv_release(&m->notes);
	*m = (struct source_mails){ .box = m->box };
}
