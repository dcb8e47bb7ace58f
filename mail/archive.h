// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* public-inbox web archives: addresses of threads, and what their servers answer. */
#include <stdbool.h>

#include "core/base/base.h"

struct lookup;

#define ARCHIVE_DEFAULT "https://lore.kernel.org/all"

/* A message-id as component of a URL's path. Owned by the caller. */
_must_check_ char *archive_escape(const char *message_id);

/*
 * Take a URL apart: *ret_id is the message-id in it, percent signs decoded once;
 * *ret_base the inbox's address without slash at the end, or NULL when the URL does not
 * say which server holds the mail (redirectors, patchwork). False when no message-id is
 * in the URL.
 */
_must_check_ bool archive_split(const char *url, char **ret_base, char **ret_id);

/* A query as value in the search part of a URL. Owned by the caller. */
_must_check_ char *archive_escape_query(const char *query);

/* The query that finds what l looks for, message-ids excepted. Owned by the caller. */
_must_check_ char *archive_query(const struct lookup *l);

/* The address of a search page, "BASE/?q=QUERY", taken apart; false when it is none. */
_must_check_ bool archive_split_search(const char *url, char **ret_base,
				       char **ret_query);

/* Whether the URL is one of patchwork that counts patches instead of naming the mail. */
bool archive_is_numeric_patchwork(const char *url);
