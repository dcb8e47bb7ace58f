// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The result store: one SQLite file under the state folder, the only place where results
 * live. Owner of sqlite3. Not for use by two threads at once.
 */
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/strv.h"
#include "core/store/records.h"

struct store;

/* Open or create <state>/kiln.db and bring its schema up to date (user_version). */
_must_check_ int store_open(struct store **ret, struct err *e);

/* Records of a run. Each is written once: the same key again is a no-op, never a second
 * row. */
_must_check_ int store_add_build(struct store *s, const char *run,
				 const struct build_record *b, struct err *e);
_must_check_ int store_add_boot(struct store *s, const char *run,
				const struct boot_record *b, struct err *e);
_must_check_ int store_add_sample(struct store *s, const char *run,
				  const struct sample *sample, struct err *e);

/* Append all samples of a run, in order of recording, or those of one boot when token is
 * given. */
_must_check_ int store_samples(struct store *s, const char *run, const char *token,
			       struct samples *ret, struct err *e);

/* Builds and boots of a run, in order of recording; arrays and contents owned by the
 * caller. */
_must_check_ int store_builds(struct store *s, const char *run, struct build_record **ret,
			      size_t *ret_nr, struct err *e);
_must_check_ int store_boots(struct store *s, const char *run, struct boot_record **ret,
			     size_t *ret_nr, struct err *e);

/* All proven samples of a benchmark, from every run, and the boots they come from, in order
 * of recording. Samples are appended; the array and its contents are the caller's. */
_must_check_ int store_measured(struct store *s, const char *benchmark,
				struct samples *ret, struct boot_record **ret_boots,
				size_t *ret_nr, struct err *e);

/* One boot by token; ERR_NOT_FOUND. */
_must_check_ int store_boot(struct store *s, const char *token, struct boot_record *ret,
			    struct err *e);

void store_free(struct store *s);
DEFINE_FREEP(store_free, struct store *)
#define _cleanup_store_ _cleanup_(store_freep)
