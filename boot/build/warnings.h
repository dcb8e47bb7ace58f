// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What the tools of a build warned of, and what of it is new against another build.
 *
 * A build in a folder that holds an earlier one compiles only what changed, and its log
 * says nothing of the rest. So warnings are kept by the object whose making printed them,
 * for all objects of the folder, and go from build to build; a log updates the objects it
 * names. The same warning is one of the same file, function, option and text, wherever its
 * line is: two of them in one object are two.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/oid.h"

struct warning {
	char *file; /* relative to the tree, or the program that speaks of no file */
	unsigned int line; /* 0 = none */
	char *function;	   /* "" = none */
	char *option;	   /* "unused-variable"; "" = none */
	char *text;
};

/* An object (any target make prints) and what its last making printed. */
struct warned_object {
	char *name; /* "" = printed outside of any */
	/* It was not made by this build, and after its Makefiles or configuration changed
	 * nobody knows whether it still is a part of the kernel. */
	bool doubtful;
	struct warning *v;
	size_t nr;
};

struct warnings {
	struct oid id; /* of the folder's contents: another once it was emptied */
	bool whole;    /* kept since the folder was empty: no other object is in it */
	struct oid tree, config; /* what was built last */
	struct warned_object *v; /* by name */
	size_t nr;
};

/*
 * The objects and warnings of the log of one or more makes, run with output kept together
 * by target; only v is filled. Of an object made twice the last counts. src, when given,
 * is cut off in front of paths. Everything is bounded and printable.
 */
void warnings_read_log(const char *log, const char *src, struct warnings *ret);

/* Put objects of a log in place of those of the same name; from is empty afterwards. */
void warnings_merge(struct warnings *to, struct warnings *from);

/* The text that keeps them, and back: false when it is not whole. */
void warnings_write(const struct warnings *w, struct buf *ret);
_must_check_ bool warnings_read(const char *text, struct warnings *ret);

/* One that b has and a has not. */
struct warning_new {
	const struct warning *warning; /* of b */
	const char *object;	       /* the first that has it */
	size_t objects;		       /* so many have it: of a header */
};

struct warnings_news {
	struct warning_new *v; /* by file and line */
	size_t nr;
	size_t untold; /* of b, of which cannot be told whether a has them */
	/* b may have warnings that nobody kept: its folder held objects before. */
	bool partial;
};

/* a and b are borrowed by the result. */
void warnings_compare(const struct warnings *a, const struct warnings *b,
		      struct warnings_news *ret);
void warnings_news_release(struct warnings_news *n);
#define _cleanup_warnings_news_ _cleanup_(warnings_news_release)

void warned_object_release(struct warned_object *o);
void warnings_release(struct warnings *w);
#define _cleanup_warnings_ _cleanup_(warnings_release)
