// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cfg.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

struct cfg {
	git_config *git; /* snapshot */
	struct strv overrides;
};

static const char *git_said(void)
{
	const git_error *g = git_error_last();

	return g && g->message ? g->message : "unknown cause";
}

static int cfg_load(const char *tree_path, struct cfg *c, struct err *e)
{
	git_repository *repo = NULL;
	git_config *live = NULL;
	int r = tree_path ? git_repository_open_ext(&repo, tree_path, 0, NULL)
			  : GIT_ENOTFOUND;

	/* Settings in somebody else's repository do not count, as for git. */
	if (r == GIT_ENOTFOUND || r == GIT_EOWNER)
		r = git_config_open_default(&live);
	else if (r == 0)
		r = git_repository_config(&live, repo);
	if (r == 0)
		r = git_config_snapshot(&c->git, live);
	if (r < 0) {
		err_set(e, ERR_CONFIG, "cannot read git configuration: %s", git_said());
		err_hint(e, "`git config --list --show-origin` shows the file and line");
	}
	git_config_free(live);
	git_repository_free(repo);
	return r < 0 ? -(int)e->code : 0;
}

int cfg_open(const char *tree_path, const struct strv *overrides, struct cfg **ret,
	     struct err *e)
{
	_cleanup_cfg_ struct cfg *c = xzalloc(sizeof(*c));

	git_libgit2_init(); /* counted, cfg_free() gives it back */
	if (cfg_load(tree_path, c, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; overrides && i < overrides->nr; i++) {
		if (!strchr(overrides->v[i], '='))
			return err_set(e, ERR_USAGE, "'%s' is not of the form key=value",
				       overrides->v[i]);
		strv_add(&c->overrides, overrides->v[i]);
	}
	*ret = take_ptr(c);
	return 0;
}

static const char *override_of(const struct cfg *c, const char *key)
{
	size_t n = strlen(key);

	for (size_t i = c->overrides.nr; i-- > 0;)
		if (!strncasecmp(c->overrides.v[i], key, n) &&
		    c->overrides.v[i][n] == '=')
			return c->overrides.v[i] + n + 1;
	return NULL;
}

char *cfg_get(const struct cfg *c, const char *key)
{
	const char *v = override_of(c, key);

	if (!v && git_config_get_string(&v, c->git, key) < 0)
		return NULL;
	return xstrdup(v);
}

static int bad_value(const char *key, const char *v, const char *want, struct err *e)
{
	err_set(e, ERR_CONFIG, "'%s' for %s is not %s", v, key, want);
	return err_hint(e, "correct it with `git config %s VALUE`", key);
}

int cfg_u64(const struct cfg *c, const char *key, uint64_t fallback, uint64_t *ret,
	    struct err *e)
{
	_cleanup_free_ char *v = cfg_get(c, key);
	uint64_t n = fallback;

	if (v && !parse_u64(v, &n))
		return bad_value(key, v, "a whole number", e);
	*ret = n;
	return 0;
}

int cfg_bool(const struct cfg *c, const char *key, bool fallback, bool *ret,
	     struct err *e)
{
	_cleanup_free_ char *v = cfg_get(c, key);
	int b = fallback;

	if (v && git_config_parse_bool(&b, v) < 0)
		return bad_value(key, v, "true or false", e);
	*ret = b;
	return 0;
}

int cfg_duration(const struct cfg *c, const char *key, uint64_t fallback,
		 uint64_t *ret_seconds, struct err *e)
{
	_cleanup_free_ char *v = cfg_get(c, key);
	uint64_t n = fallback;

	if (v && !parse_duration(v, &n))
		return bad_value(key, v, "a duration such as 90s, 15m or 2h", e);
	*ret_seconds = n;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "target.NAME.key" of a name in section, or NULL. */
static char *name_of(const char *section, const char *key)
{
	size_t n = strlen(section);
	const char *last = strrchr(key, '.');

	if (strncasecmp(key, section, n) || key[n] != '.' || !last || last <= key + n)
		return NULL;
	return xstrndup(key + n + 1, (size_t)(last - key) - n - 1);
}

static void name_add(char *name, struct strv *ret)
{
	if (name && !strv_has(ret, name))
		strv_take(ret, name);
	else
		free(name);
}

void cfg_names(const struct cfg *c, const char *section, struct strv *ret)
{
	git_config_iterator *it = NULL;
	git_config_entry *entry;

	if (!git_config_iterator_new(&it, c->git))
		while (!git_config_next(&entry, it))
			name_add(name_of(section, entry->name), ret);
	git_config_iterator_free(it);
	for (size_t i = 0; i < c->overrides.nr; i++) {
		_cleanup_free_ char *key =
			xstrndup(c->overrides.v[i], strcspn(c->overrides.v[i], "="));

		name_add(name_of(section, key), ret);
	}
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_name);
}

/* "key" of "SECTION.key", or NULL. git folds the case of section and key only. */
static char *key_of(const char *section, const char *name, size_t len)
{
	size_t n = strlen(section), folded = strcspn(section, ".");

	if (len <= n || name[n] != '.' || strncasecmp(name, section, folded) ||
	    strncmp(name + folded, section + folded, n - folded) ||
	    memchr(name + n + 1, '.', len - n - 1))
		return NULL;
	return xstrndup(name + n + 1, len - n - 1);
}

void cfg_keys(const struct cfg *c, const char *section, struct strv *ret)
{
	git_config_iterator *it = NULL;
	git_config_entry *entry;

	if (!git_config_iterator_new(&it, c->git))
		while (!git_config_next(&entry, it))
			name_add(key_of(section, entry->name, strlen(entry->name)), ret);
	git_config_iterator_free(it);
	for (size_t i = 0; i < c->overrides.nr; i++)
		name_add(key_of(section, c->overrides.v[i],
				strcspn(c->overrides.v[i], "=")),
			 ret);
}

static int list_add(const git_config_entry *entry, void *ctx)
{
	strv_add(ctx, entry->value);
	return 0;
}

void cfg_list(const struct cfg *c, const char *key, struct strv *ret)
{
	const char *v = override_of(c, key);

	if (v)
		strv_add(ret, v);
	else
		git_config_get_multivar_foreach(c->git, key, NULL, list_add, ret);
}

void cfg_free(struct cfg *c)
{
	if (!c)
		return;
	git_config_free(c->git);
	strv_release(&c->overrides);
	free(c);
	git_libgit2_shutdown();
}
