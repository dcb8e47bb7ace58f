// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Options on which mails and patches of a SOURCE are meant. */
#include "cli/opt.h"
#include "mail/assemble.h"
#include "mail/pick.h"

struct cli_pick_opts {
	char *pick;
	char *id; /* of a mail among those of the source */
	bool no_partial, scissors;
};

#define PICK_OPTS(type, member)                                                          \
	{ "pick",                                                                        \
	  'P',                                                                           \
	  OPT_STRING,                                                                    \
	  offsetof(type, member.pick),                                                   \
	  "LIST",                                                                        \
	  "patches by number or title: 1-3,5,-1 (the last), *word*; _ is the mail "      \
	  "named",                                                                       \
	  NULL },                                                                        \
		{ "id",		0,                                                       \
		  OPT_STRING,	offsetof(type, member.id),                               \
		  "MESSAGE-ID", "the mail meant, where the source holds several series", \
		  NULL },                                                                \
		{ "no-partial-reroll",                                                   \
		  0,                                                                     \
		  OPT_FLAG,                                                              \
		  offsetof(type, member.no_partial),                                     \
		  NULL,                                                                  \
		  "do not fill a revision of single patches up from the older one",      \
		  "kiln.noPartialReroll" },                                              \
	{                                                                                \
		"scissors", 0, OPT_FLAG, offsetof(type, member.scissors), NULL,          \
			"drop all text above a scissors line, as git am --scissors",     \
			"kiln.scissors"                                                  \
	}

/*
 * Put them into ret; *ret_pick and *ret_id own what ret->pick and, where --id is given,
 * ret->message_id point to.
 */
_must_check_ int cli_pick_opts(const struct cli_pick_opts *o, struct assemble_opts *ret,
			       struct pick *ret_pick, char **ret_id, struct err *e);

/*
 * The source without "@vN" behind it, and N (0 = none was there). A file of that very
 * name, and an id with no other "@" in it, are left whole. Owned by the caller.
 */
_must_check_ char *cli_source_revision(const char *source, int *ret_revision);
