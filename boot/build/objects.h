// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The quick question about one commit of many: do the objects it touches compile? Asked in
 * an output folder where the kernel was linked before, of the object of each changed source
 * file and of those that include a changed file, as make's own dependency lists have it.
 */
#include "boot/build/build.h"

enum objects_answer {
	OBJECTS_COMPILE, /* all of them; none at all for what is no part of this kernel */
	OBJECTS_WHOLE,	 /* only a whole build can tell: why says the reason */
};

struct objects_record {
	enum objects_answer answer;
	size_t nr; /* compiled */
	char *why; /* one line, owned; NULL with OBJECTS_COMPILE */
};

/*
 * Compile what commit changes against before. A failure to compile is OBJECTS_WHOLE too:
 * the verdict on the kernel is build_commit()'s. Linking is not tried. Errors are those of
 * build_commit().
 */
_must_check_ int build_objects(struct repo *r, const struct oid *before,
			       const struct oid *commit, const struct build_opts *o,
			       struct objects_record *ret, struct err *e);
/* The same question has the same digest: of both trees, configuration and tools. */
_must_check_ int build_objects_key(struct repo *r, const struct oid *before,
				   const struct oid *commit, const struct build_opts *o,
				   struct oid *ret, struct err *e);
void objects_record_release(struct objects_record *r);
