// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the compilers warn of in one build that they did not in another. */
#include "boot/build/warnings.h"
#include "core/store/records.h"

struct json_t;

struct build_warnings {
	struct warnings base, own;
	struct warnings_news news;
	const char *unknown; /* why not all could be told; NULL = it could. Constant */
};

/* Both are of the cache. A build that failed shows what it came to. */
void build_warnings_find(const struct build_record *base, const struct build_record *own,
			 struct build_warnings *ret);
void build_warnings_release(struct build_warnings *w);

/* "net/a.c:12: unused variable 'x' [-Wunused-variable] (in 2 objects)", owned by the
 * caller. */
_must_check_ char *build_warning_text(const struct warning_new *w);

/* 1 when there are new ones, 125 when it cannot be told, else 0. */
int build_warnings_exit_code(const struct build_warnings *w);

/* Print them for people; base and own are commits. */
void build_warnings_print(const struct build_warnings *w, const struct oid *base,
			  const struct oid *own);
struct json_t *json_warnings(const struct build_warnings *w, const struct oid *own);
