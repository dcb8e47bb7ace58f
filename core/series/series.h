// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A patch series as data: what mail/ assembles and apply, cli and reports read. Strings
 * are owned by the object that holds them and are UTF-8 without control characters except
 * in message and diff, which are as mailed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base.h"
#include "core/base/buf.h"
#include "core/base/strv.h"
#include "core/series/trailer.h"
#include "core/series/stable-note.h"
#include "core/series/upstream.h"

struct patch {
	int number;	  /* N of N/M; 1 for a single patch */
	char *message_id; /* without angle brackets */
	char *subject;	  /* title of the commit, prefix removed as git am does */
	char *author_name, *author_email;
	int64_t date;	 /* author date, seconds since the epoch */
	int date_tz;	 /* minutes east of UTC */
	char *message;	 /* whole commit message as git am makes it, trailers of replies
			  included */
	struct buf diff; /* from the first diff line on, LF, mbox quoting undone */
	char *patch_id;	 /* git patch-id --stable, NULL when the diff does not parse */
	char *damage;	 /* what is wrong with the diff ("wrapped at line 12"), NULL when
			   nothing */
	struct strv files; /* paths the diff names, in order, each once */
	struct trailer *trailers;
	size_t nr_trailers;
	struct upstream_claims upstream; /* commits the message says it comes from */
};

enum note_level { NOTE_INFO, NOTE_WARNING };

/* Something the user should know about how the mails were read. */
struct note {
	enum note_level level;
	char *text;
	char *message_id; /* may be NULL */
	bool of_trailer;  /* says of a flagged trailer what its reason says as well */
};

struct cover {
	char *message_id, *subject, *author_name, *author_email, *body;
};

/*
 * What must be there before the series, in the order named, each once. kind and value:
 *	patch-id	`git patch-id --stable`, hex, of prerequisite-patch-id lines
 *	change-id	of prerequisite-change-id, as written: "ID" or "ID:vN"
 *	message-id	of prerequisite-message-id, without brackets
 *	based-on	of Based-on (QEMU): a message-id without brackets, else as written
 *	depends-on	of Depends-on (patchwork): likewise
 */
struct prerequisite {
	char *kind;
	char *value;
};

/*
 * A word on what the series applies to, the most certain first. kind and text:
 *	base-commit		 of a base-commit line: hex or a name git may resolve
 *	prerequisite-base-commit likewise: what the prerequisites apply to
 *	commit			 a hash of 12 to 64 hex digits in prose ("based on ...")
 *	name			 a tag, branch or tree in such prose: "v6.9-rc1", "kvm/next"
 *	subject			 a tag of a subject prefix: "net-next", "6.6.y", "tip"
 */
struct base_hint {
	char *kind;
	char *text;
	char *message_id; /* of the mail that says so */
};

struct series {
	char *title;  /* subject of the cover, else of the first patch, prefix removed */
	int revision; /* 1 when none is given */
	int subrevision; /* 1 for "v5.1", else 0 */
	int *revisions;	 /* all seen in the source, ascending */
	size_t nr_revisions;
	char *message_id; /* of the cover, else of the first patch */
	bool rfc, resend;
	bool picked;  /* patches holds what the user picked; missing[] is empty then */
	bool partial; /* a revision of some patches, filled up with older ones */
	int total;    /* M of N/M */
	int *missing; /* numbers of 1..total that no mail had */
	size_t nr_missing;
	char *base_commit, *change_id; /* NULL when not given */
	struct prerequisite *prerequisites;
	size_t nr_prerequisites;
	struct strv
		tree_hints; /* the words of the subject prefixes that are no PATCH, RFC,
				   revision or counter: "net-next", "6.6.y", ... */
	char *obsoleted_by; /* id of a newer series its author names, which is not among
			       the mails; else NULL */
	struct base_hint *base_hints;
	size_t nr_base_hints;
	struct cover *cover;	    /* NULL when there is none */
	struct stable_note *stable; /* of a mail about a stable tree, else NULL */
	struct note *notes;
	size_t nr_notes;
	struct patch *patches; /* by number, ascending */
	size_t nr_patches;
};

/* An empty series, revision 1. */
_must_check_ struct series *series_new(void);

/* A zeroed patch or trailer appended to the array; valid until the next append. */
struct patch *series_add_patch(struct series *s);
struct trailer *patch_add_trailer(struct patch *p);

/* Append what is not there yet, copying the strings; past 1000 entries nothing is. */
void series_add_prerequisite(struct series *s, const char *kind, const char *value);
void series_add_base_hint(struct series *s, const char *kind, const char *text,
			  const char *message_id);

/* Note something; message_id may be NULL. */
void series_note(struct series *s, enum note_level level, const char *message_id,
		 const char *fmt, ...) _printf_(4, 5);

/* Whether every patch of 1..total is there. */
bool series_is_complete(const struct series *s);

/*
 * The name refs and reports use: change-id, else the root's message-id, reduced to
 * [A-Za-z0-9._-] and at most 100 bytes, valid as one component of a git ref.
 * Owned by the caller.
 */
_must_check_ char *series_slug(const struct series *s);

void series_free(struct series *s);
DEFINE_FREEP(series_free, struct series *)
#define _cleanup_series_ _cleanup_(series_freep)
