// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/promisor.h"

#include <git2.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/spawn.h"
#include "core/git/repo-internal.h"

#define FETCH_TIMEOUT_MS (5 * 60 * 1000)

/* remote.<name>.promisor of git-config(1). */
static bool is_promisor_key(const char *key)
{
	static const char end[] = ".promisor";
	size_t n = strlen(key), k = sizeof(end) - 1;

	return !strncmp(key, "remote.", 7) && n > 7 + k && !strcmp(key + n - k, end);
}

/* Whether a remote promises what it left out. */
static bool is_partial(struct repo *r)
{
	git_config_iterator *it = NULL;
	git_config_entry *entry;
	git_config *cfg = NULL;
	bool found = false;

	if (git_repository_config(&cfg, r->git) == 0 &&
	    git_config_iterator_new(&it, cfg) == 0)
		while (!found && git_config_next(&entry, it) == 0) {
			int value = 0;

			if (!is_promisor_key(entry->name))
				continue;
			found = git_config_parse_bool(&value, entry->value) == 0 && value;
		}
	git_config_iterator_free(it);
	git_config_free(cfg);
	return found;
}

/* libgit2 1.5 knows nothing of promisors; git fetches what it is asked about. */
bool promisor_fetch(struct repo *r, const struct oid *oid)
{
	_cleanup_strv_ struct strv argv = STRV_INIT, env = STRV_INIT;
	struct spawn s = { .argv = &argv, .env = &env, .timeout_ms = FETCH_TIMEOUT_MS };
	_cleanup_err_ struct err e = { 0 };

	if (!is_partial(r))
		return false;
	strv_add(&argv, "git");
	strv_addf(&argv, "--git-dir=%s", r->common_dir);
	strv_addl(&argv, "cat-file", "-e", oid->hex, NULL);
	strv_addl(&env, "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", NULL);
	if (spawn_check(&s, &e) < 0) {
		log_debug("cannot fetch object %s: %s", oid->hex, e.frame[0]);
		return false;
	}
	return true;
}
