// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The words of a kernel tree: every identifier of its C and assembler files, every symbol
 * its Kconfig files define. A word that is nowhere in a tree cannot be defined there. Kept
 * in the cache, one file a repository, and brought from the tree it was made for to
 * another by the files that differ; what only went away since stays known.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/progress.h"
#include "core/git/repo.h"

struct symbols;

_must_check_ int symbols_open(struct repo *r, const struct oid *commit,
			      const struct progress *progress, struct symbols **ret,
			      struct err *e);
void symbols_free(struct symbols *s);

/* Whether the tree has the word of n bytes; of a configuration symbol, given without
 * CONFIG_, whether a Kconfig file defines it. */
bool symbols_has(const struct symbols *s, const char *word, size_t n);
bool symbols_has_config(const struct symbols *s, const char *word, size_t n);

/* Whether the tree has Kconfig files at all. */
bool symbols_knows_config(const struct symbols *s);
