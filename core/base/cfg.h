// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Settings: git-config files through libgit2, the user's and the tree's. `kiln.*` keys
 * and
 * `[target "NAME"]`, `[benchmark "NAME"]` sections. `-c key=value` on kiln's command line
 * wins.
 */
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/strv.h"

struct cfg;

/*
 * Open the system's, the user's and, when tree_path is inside a repository, that
 * repository's settings; overrides ("key=value", may be NULL) win. A missing repository
 * is not an error.
 */
_must_check_ int cfg_open(const char *tree_path, const struct strv *overrides,
			  struct cfg **ret, struct err *e);

/* The value as text, owned by the caller, or NULL when unset. */
_must_check_ char *cfg_get(const struct cfg *c, const char *key);

/* The value, else fallback. A value of the wrong form is ERR_CONFIG naming the key. */
_must_check_ int cfg_u64(const struct cfg *c, const char *key, uint64_t fallback,
			 uint64_t *ret, struct err *e);
_must_check_ int cfg_bool(const struct cfg *c, const char *key, bool fallback, bool *ret,
			  struct err *e);
_must_check_ int cfg_duration(const struct cfg *c, const char *key, uint64_t fallback,
			      uint64_t *ret_seconds, struct err *e);

/* The NAMEs of [section "NAME"] sections, sorted, each once. */
void cfg_names(const struct cfg *c, const char *section, struct strv *ret);

/* The keys of a section ("target.NAME"), lower case, each once. */
void cfg_keys(const struct cfg *c, const char *section, struct strv *ret);

/* All values of a key that may be given more than once, in order. */
void cfg_list(const struct cfg *c, const char *key, struct strv *ret);

void cfg_free(struct cfg *c);
DEFINE_FREEP(cfg_free, struct cfg *)
#define _cleanup_cfg_ _cleanup_(cfg_freep)
