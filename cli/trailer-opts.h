// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Which trailers a series gets: options of every command that takes a SOURCE. */
#include "cli/cmd.h"
#include "cli/opt.h"
#include "mail/assemble.h"

struct cli_trailer_opts {
	bool none, no_cover, sloppy, link, sign_off;
	char *link_format;
	struct strv ignore_from;
};

#define TRAILER_OPTS(type, member)                                                 \
	{ "no-trailers",                                                           \
	  0,                                                                       \
	  OPT_FLAG,                                                                \
	  offsetof(type, member.none),                                             \
	  NULL,                                                                    \
	  "take no trailers from replies",                                         \
	  "kiln.noTrailers" },                                                     \
		{ "no-cover-trailers",                                             \
		  0,                                                               \
		  OPT_FLAG,                                                        \
		  offsetof(type, member.no_cover),                                 \
		  NULL,                                                            \
		  "take no trailers from replies to the cover letter",             \
		  "kiln.noCoverTrailers" },                                        \
		{ "sloppy-trailers",                                               \
		  0,                                                               \
		  OPT_FLAG,                                                        \
		  offsetof(type, member.sloppy),                                   \
		  NULL,                                                            \
		  "also take trailers that one person sends for another",          \
		  "kiln.sloppyTrailers" },                                         \
		{ "trailers-ignore-from",                                          \
		  0,                                                               \
		  OPT_LIST,                                                        \
		  offsetof(type, member.ignore_from),                              \
		  "ADDRESS",                                                       \
		  "take no trailers of or from this address; may be repeated",     \
		  "kiln.trailersIgnoreFrom" },                                     \
		{ "link",                                                          \
		  0,                                                               \
		  OPT_FLAG,                                                        \
		  offsetof(type, member.link),                                     \
		  NULL,                                                            \
		  "add a Link trailer with each patch's message-id",               \
		  "kiln.linkTrailer" },                                            \
		{ "link-format",                                                   \
		  0,                                                               \
		  OPT_STRING,                                                      \
		  offsetof(type, member.link_format),                              \
		  "URL",                                                           \
		  "its value, %s being the message-id; default: "                  \
		  "https://patch.msgid.link/%s",                                   \
		  "kiln.linkFormat" },                                             \
	{                                                                          \
		"sign-off", 's', OPT_FLAG, offsetof(type, member.sign_off), NULL,  \
			"add your Signed-off-by behind all others", "kiln.signOff" \
	}

/*
 * Put the options where the assembler reads them; what it borrows of o must outlive it.
 * *ret_sign_off holds the text of the sign-off, owned by the caller, or NULL. ERR_USAGE
 * for a link format without place for the message-id, ERR_CONFIG without an identity to
 * sign with (GIT_COMMITTER_NAME and -EMAIL, else user.name and user.email).
 */
_must_check_ int cli_trailer_opts(const struct ctx *c, const struct cli_trailer_opts *o,
				  struct assemble_opts *ret, char **ret_sign_off,
				  struct err *e);
