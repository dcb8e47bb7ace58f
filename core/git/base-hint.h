// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Words on the tree a series is for ("net-next", "kvm/next", "6.6.y", "5.10-6.1") and the
 * branches and tags they name.
 */
#include <stdbool.h>

#include "core/git/base-refs.h"

/* Up to three numbers; missing ones are 0. Compared number by number: 5.10 > 5.4. */
struct version {
	int v[3];
	int nr; /* numbers given */
};

/* "6.6", "v6.6.12", "6.6.y", "linux-6.6.y": the version of a word that names one. */
bool version_parse(const char *s, struct version *ret);

/* Below, equal, above 0, by the first nr numbers. */
int version_cmp(const struct version *a, const struct version *b, int nr);

/* "6.6.y" is a range of one series, "5.10-6.1" and "5.10.y - 6.1.y" are of several. */
bool version_range(const char *word, struct version *lo, struct version *hi);

/*
 * How well a word names a ref, 0 best, -1 not at all. url is that of the ref's remote,
 * NULL when it has none.
 */
int base_hint_rank(const char *word, const struct base_ref *ref, const char *url);

/* The default branches of a tree, as a rank from 0; -1 for any other name. */
int base_default_branch(const char *branch);

/* The path of a URL, without scheme, host, ".git" and slashes at its end; owned by the
 * caller: "pub/scm/virt/kvm/kvm". */
_must_check_ char *base_url_path(const char *url);
