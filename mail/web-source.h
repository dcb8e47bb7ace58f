// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Pages of archives that damage mail as sources: the original is looked for. */
#include "mail/box.h"
#include "mail/source.h"

/* Whether the URL is of an archive whose pages have to be read as pages. */
bool web_source_is_page(const char *url);

/*
 * Fetch and read the page. The mail it stands for is looked up in the archives; where
 * they do not have it, the text of the page becomes a mail that carries the archive's
 * damage in X-Kiln-Damage, so that its patch is not applied. ERR_NOT_MAIL when no mail is
 * in the page; errors of fetch_run().
 */
_must_check_ int web_source_url(const char *url, const struct source_opts *o,
				struct source_mails *ret, struct err *e);

/*
 * Move the mails of b to ret; where b is but one saved page, what web_source_url() makes
 * of it. The standard archive is not asked, as nobody named it.
 */
_must_check_ int web_source_box(struct box *b, const struct source_opts *o,
				struct source_mails *ret, struct err *e);
