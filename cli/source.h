// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What every command that takes a SOURCE does first: read it and assemble the series. */
#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/pick-opts.h"
#include "cli/trailer-opts.h"
#include "core/series/series.h"

struct box;
struct lookup;

/* Options of such commands; a command's struct holds one and lists SOURCE_OPTS in its
 * table. */
struct cli_source_opts {
	struct strv archives;
	char *contact;	      /* may be NULL */
	uint64_t revision;    /* 0 = newest */
	uint64_t timeout_s;   /* 0 = 60 */
	uint64_t cache_age_s; /* 0 = ten minutes */
	bool offline, refresh;
	struct cli_trailer_opts trailers;
	struct cli_pick_opts picks;
};

#define SOURCE_OPTS(type, member)                                                        \
	{ "archive",                                                                     \
	  0,                                                                             \
	  OPT_LIST,                                                                      \
	  offsetof(type, member.archives),                                               \
	  "WHERE",                                                                       \
	  "archive to look message-ids up in; may be repeated; default: "                \
	  "https://lore.kernel.org/all",                                                 \
	  "kiln.archive" },                                                              \
		{ "offline",                                                             \
		  0,                                                                     \
		  OPT_FLAG,                                                              \
		  offsetof(type, member.offline),                                        \
		  NULL,                                                                  \
		  "ask no server: only files, local archives and the cache",             \
		  "kiln.offline" },                                                      \
		{ "refresh", 0,                                                          \
		  OPT_FLAG,  offsetof(type, member.refresh),                             \
		  NULL,	     "ask the server even where the cache is fresh",             \
		  NULL },                                                                \
		{ "cache-age",                                                           \
		  0,                                                                     \
		  OPT_DURATION,                                                          \
		  offsetof(type, member.cache_age_s),                                    \
		  "DURATION",                                                            \
		  "how long an answer in the cache is fresh; default: 10m",              \
		  "kiln.cacheAge" },                                                     \
		{ "contact",	 0,                                                      \
		  OPT_STRING,	 offsetof(type, member.contact),                         \
		  "URL",	 "address servers may write to, sent with each request", \
		  "kiln.contact" },                                                      \
		{ "revision", 'r',                                                       \
		  OPT_UINT,   offsetof(type, member.revision),                           \
		  "N",	      "revision of the series; default: the newest",             \
		  NULL },                                                                \
		{ "timeout",	      0,                                                 \
		  OPT_DURATION,	      offsetof(type, member.timeout_s),                  \
		  "DURATION",	      "limit for each request; default: 60s",            \
		  "kiln.fetchTimeout" },                                                 \
		TRAILER_OPTS(type, member.trailers), PICK_OPTS(type, member.picks)

/*
 * Take "@vN" off the source: ret is a copy of o with that revision, *ret_source the rest,
 * owned by the caller. ERR_USAGE when --revision says another.
 */
_must_check_ int cli_source_at(const struct cli_source_opts *o, const char *source,
			       struct cli_source_opts *ret, char **ret_source,
			       struct err *e);

/*
 * Read the sources, their mails one behind the other, and assemble; each may end in @vN.
 * ret_box and ret_message_id, when given, receive the mails and the id the last source
 * that names one does (may be NULL, owned by the caller): what cli_series_box() needs to
 * do it again without the network.
 */
_must_check_ int cli_series(struct ctx *c, const struct cli_source_opts *o,
			    const struct strv *sources, struct box *ret_box,
			    char **ret_message_id, struct series **ret, struct err *e);

/* Assemble mails fetched earlier. */
_must_check_ int cli_series_box(struct ctx *c, const struct cli_source_opts *o,
				const struct box *box, const char *message_id,
				struct series **ret, struct err *e);

/* The whole threads with that mail, from the user's archives, appended to ret. Errors of
 * lookup_threads(). */
_must_check_ int cli_thread(struct ctx *c, const struct cli_source_opts *o,
			    const char *message_id, struct box *ret, struct err *e);

/* The series in the threads that the user's archives have for a question of lookup.h. */
_must_check_ int cli_series_lookup(struct ctx *c, const struct cli_source_opts *o,
				   const struct lookup *l, struct series **ret,
				   struct err *e);
