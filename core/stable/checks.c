// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of checks. The order is that in which they run and are listed. */
#include <string.h>
#include <strings.h>

#include "core/stable/check-internal.h"

#define M CHECK_NEEDS_MAINLINE
#define B CHECK_NEEDS_BASE
#define R CHECK_NEEDS_RUN

/* clang-format off: a row a line, or two */
const struct check checks[] = {
	{ "S01", "files", CHECK_ERROR,
	  "the series names files that are there and intact, and all of them", 0, NULL,
	  check_files },
	{ "S02", "upstream", CHECK_ERROR,
	  "names its commit upstream, or says that there is none", 0,
	  check_names_upstream, NULL },
	{ "S03", "exists", CHECK_ERROR, "that commit exists and is in mainline", M,
	  check_exists, NULL },
	{ "S04", "title", CHECK_ERROR, "title and author are those of that commit", M,
	  check_same_title, NULL },
	{ "S05", "same", CHECK_WARNING,
	  "makes the change of that commit, or says how it was adapted", M | B,
	  check_same_patch, NULL },
	{ "S06", "applies", CHECK_ERROR,
	  "applies in its place, without fuzz and near the lines it names", B,
	  check_applies, NULL },
	{ "S07", "already", CHECK_ERROR, "is not in the tree yet", B, check_already_there,
	  NULL },
	{ "S08", "duplicate", CHECK_ERROR, "is in the queue once, under whatever name", 0,
	  check_duplicate, NULL },
	{ "S09", "bug", CHECK_WARNING, "the commit it fixes is in the tree", M | B,
	  check_fixes_present, NULL },
	{ "S10", "follow-up", CHECK_ERROR, "later fixes of it in mainline are there too",
	  M, check_follow_up, NULL },
	{ "S11", "reverted", CHECK_ERROR, "it was not reverted in mainline", M,
	  check_reverted, NULL },
	{ "S12", "order", CHECK_ERROR, "comes before what builds on it", M | B,
	  check_order, NULL },
	{ "S13", "prerequisite", CHECK_WARNING,
	  "the lines, symbols and functions it builds on are there", M | B,
	  check_prerequisite, NULL },
	{ "S14", "series", CHECK_WARNING,
	  "other patches of its series are not left behind", M, check_same_series, NULL },
	{ "S15", "dropped", CHECK_ERROR,
	  "neither it nor what it needs was dropped from this queue before", 0,
	  check_dropped, NULL },
	{ "S16", "newer", CHECK_WARNING, "newer stable branches have it", M | B,
	  check_newer_branches, NULL },
	{ "S17", "objection", CHECK_WARNING, "nobody objected on the lists",
	  CHECK_NEEDS_MAIL, check_objections, NULL },
	{ "S18", "age", CHECK_INFO,
	  "has been in mainline for a week, and was meant for stable", M, check_age,
	  NULL },
	{ "S19", "sign-off", CHECK_WARNING,
	  "author and sign-offs are there, a stable maintainer's last", 0, check_sign_off,
	  NULL },
	{ "S20", "size", CHECK_INFO, "is small and does one thing", 0, check_size, NULL },
	{ "S21", "versions", CHECK_WARNING, "is meant for this version", M,
	  check_range_of_tag, NULL },
	{ "S22", "dependency", CHECK_WARNING,
	  "what it is a dependency of comes behind it", 0, check_dependency, NULL },
	{ "S23", "builds", CHECK_ERROR, "the kernel builds with it", R, NULL, NULL },
	{ "S24", "new-warnings", CHECK_WARNING, "the compiler has nothing new to say", R,
	  NULL, NULL },
	{ "S25", "boots", CHECK_ERROR, "the kernel boots, as guest and as host", R, NULL,
	  NULL },
	{ "S26", "performance", CHECK_ERROR, "nothing is slower than in the last release",
	  R, NULL, NULL },
	{ "S27", "config", CHECK_WARNING, "the configuration symbols it asks for exist",
	  B, check_config_symbols, NULL },
	{ "S28", "own-fixes", CHECK_WARNING,
	  "the stable commit it fixes is one of this branch", B, check_own_fixes, NULL },
	{ 0 },
};
/* clang-format on */

const struct check *check_find(const char *word)
{
	for (const struct check *k = checks; k->id; k++)
		if (!strcasecmp(k->id, word) || !strcasecmp(k->name, word))
			return k;
	return NULL;
}

int check_words(const struct strv *words, struct err *e)
{
	for (size_t i = 0; words && i < words->nr; i++) {
		if (check_find(words->v[i]))
			continue;
		err_set(e, ERR_USAGE, "there is no check '%s'", words->v[i]);
		return err_hint(e, "checks are S01 to S28; `kiln queue --list` has their "
				   "names");
	}
	return 0;
}
