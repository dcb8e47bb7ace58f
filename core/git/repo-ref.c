// SPDX-License-Identifier: GPL-3.0-or-later
/* What is written about commits: refs below refs/kiln/, and who writes. */
#include <git2.h>
#include <poll.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/git/repo-internal.h"

/* git waits 100 ms for a ref's lock; a fetch that packs refs may hold it longer. */
#define LOCK_MS 2000

/* One try. A libgit2 code; GIT_EMODIFIED when another process was faster. */
static int write_once(git_repository *git, const char *name, const git_oid *id,
		      const char *message, git_oid *old)
{
	git_reference *ref = NULL;
	int rc = git_reference_name_to_id(old, git, name);

	if (rc == GIT_ENOTFOUND)
		memset(old, 0, sizeof(*old));
	else if (rc < 0)
		return rc;
	rc = git_reference_ensure_log(git, name);
	if (rc == 0)
		rc = git_reference_create_matching(&ref, git, name, id, 1, old, message);
	git_reference_free(ref);
	return rc;
}

/*
 * A ref that stands where name needs a folder, as kiln once wrote them, moves into it
 * under the first digits of its commit.
 */
static int make_room(git_repository *git, const char *name)
{
	_cleanup_free_ char *above = xstrdup(name), *moved = NULL;
	git_reference *ref = NULL;
	struct oid at;
	git_oid id;
	int rc;

	*strrchr(above, '/') = '\0';
	if (git_reference_name_to_id(&id, git, above) < 0)
		return 0;
	at = oid_from_git(&id);
	moved = xasprintf("%s/%.12s", above, at.hex);
	rc = git_reference_remove(git, above);
	if (rc == 0)
		rc = git_reference_create(&ref, git, moved, &id, 0, "kiln: moved");
	git_reference_free(ref);
	return rc == GIT_EEXISTS || rc == GIT_ENOTFOUND ? 0 : rc;
}

int repo_write_ref(struct repo *r, const char *name, const struct oid *commit,
		   const char *message, struct oid *ret_old, struct err *e)
{
	uint64_t until = clock_ms() + LOCK_MS;
	git_oid id, old = { 0 };
	int rc;

	if (strncmp(name, "refs/kiln/", 10) || !oid_to_git(commit, &id))
		return err_set(e, ERR_INTERNAL, "will not write the ref '%s'", name);
	if (repo_flush(r, e) < 0)
		return -(int)e->code;
	for (;;) {
		rc = make_room(r->git, name);
		if (rc == 0)
			rc = write_once(r->git, name, &id, message, &old);
		if ((rc != GIT_ELOCKED && rc != GIT_EMODIFIED) || !clock_left(until))
			break;
		poll(NULL, 0, 20); /* a lock file gives no event to wait for */
	}
	if (rc < 0) {
		git_fail(e, ERR_IO, "cannot write the ref '%s'", name);
		if (rc == GIT_ELOCKED)
			err_hint(e, "another git process works on it, or died and left "
				    "its .lock file");
		return -(int)e->code;
	}
	if (ret_old)
		*ret_old = git_oid_is_zero(&old) ? (struct oid){ 0 } : oid_from_git(&old);
	return 0;
}

void repo_identity(struct repo *r, char **ret_name, char **ret_email)
{
	git_config *live = NULL, *cfg = NULL;
	const char *name = NULL, *email = NULL;

	if (!git_repository_config(&live, r->git) && !git_config_snapshot(&cfg, live)) {
		if (git_config_get_string(&name, cfg, "user.name") < 0)
			name = NULL;
		if (git_config_get_string(&email, cfg, "user.email") < 0)
			email = NULL;
	}
	*ret_name = xstrdup(name);
	*ret_email = xstrdup(email);
	git_config_free(cfg);
	git_config_free(live);
}
