// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A mail's text: parsed by several rules, its id taken, binary data inflated, every hunk put
 * on a small file, both ways, and the whole on a small tree, where it also gets merged.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "core/git/diff-internal.h"
#include "core/git/image.h"
#include "core/git/threeway.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char file[] = "a\nb\nc\n\nint main(void)\n{\n\treturn 0;\n}\n\na\nb\nc\nend";

static void apply(const struct file_diff *f, bool reverse)
{
	_cleanup_image_ struct image img = { 0 };
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct hunk_lines l[8] = { 0 };
	static const struct apply_rules rules = APPLY_RULES_INIT;
	struct fit fit = { &rules, reverse, 100000 };
	size_t nr = f->nr_hunks < 8 ? f->nr_hunks : 8;

	image_init(&img, file, sizeof(file) - 1);
	for (size_t i = 0; i < nr; i++) {
		struct place at;

		hunk_lines_init(&l[i], &f->hunks[i], reverse);
		if (image_find(&img, &f->hunks[i], &l[i], &fit, &at) == PLACE_FOUND)
			image_replace(&img, at.found, &l[i]);
		else
			image_explain(&img, &l[i], &at, &out);
	}
	image_text(&img, &out);
	for (size_t i = 0; i < nr; i++)
		hunk_lines_release(&l[i]);
}

static void binary(const struct file_diff *f)
{
	_cleanup_buf_ struct buf old = BUF_INIT, new = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	buf_add(&old, file, sizeof(file) - 1);
	if (f->forward.kind != BINARY_NONE &&
	    binary_data(&f->forward, &old, &new, &e) < 0)
		return;
}

/* A repository for the time of the process; objects made stay in memory. */
struct world {
	struct repo *repo;
	struct oid tree;
	char *dir;
};

static struct world world;

static void leave(void)
{
	_cleanup_err_ struct err e = { 0 };

	repo_free(world.repo);
	if (world.dir && fs_remove_tree(world.dir, &e) < 0)
		abort();
	free(world.dir);
}

static void enter(void)
{
	static const char script[] =
		"git init -q . && printf 'a\nb\nc\n' >x && mkdir d && echo 1 >d/y && "
		"ln -s d l && : >e && git add -A && "
		"printf 'a\\nB\\nc\\n' | git hash-object -w --stdin >/dev/null && "
		"git -c user.name=a -c user.email=a@b commit -q -m m";
	char template[] = "/tmp/kiln-fuzz-XXXXXX";
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct commit_info c;
	struct oid head;

	world.dir = xstrdup(mkdtemp(template));
	atexit(leave);
	strv_addl(&argv, "sh", "-c", script, NULL);
	if (spawn_check(&(struct spawn){ .argv = &argv,
					 .dir = world.dir,
					 .timeout_ms = 60000 },
			&e) < 0 ||
	    repo_open(world.dir, &world.repo, &e) < 0 ||
	    repo_resolve(world.repo, "HEAD", &head, &e) < 0 ||
	    repo_commit(world.repo, &head, &c, &e) < 0)
		abort();
	world.tree = c.tree;
	commit_info_release(&c);
}

static void on_tree(const struct diff *d, const struct apply_rules *rules)
{
	struct patch_opts o = { .rules = rules };
	struct threeway in = { world.tree, "subject", rules };
	struct conflicts conflicts = { 0 };
	struct file_failure f = { 0 };
	_cleanup_err_ struct err e = { 0 };
	_cleanup_err_ struct err e2 = { 0 };
	enum apply_method method;
	struct oid tree;

	if (patch_apply(world.repo, d, &world.tree, &o, &tree, &method, &f, &e) < 0 &&
	    threeway_apply(world.repo, d, &in, &tree, &conflicts, &f, &e2) < 0 &&
	    e2.code == ERR_INTERNAL)
		abort();
	file_failure_release(&f);
	conflicts_release(&conflicts);
	repo_discard(world.repo);
}

/* The same text by other rules. */
static void by_rules(const char *text, size_t size)
{
	const struct apply_rules rules[] = {
		{ .strip = 0, .context = 0, .ignore_space_change = true },
		{ .strip = -1, .context = 1, .whitespace = WHITESPACE_FIX },
		{ .strip = 2, .context = 0, .directory = "d" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		_cleanup_diff_ struct diff *d = NULL;
		_cleanup_err_ struct err e = { 0 };

		if (diff_parse_rules(text, size, &rules[i], &d, &e) == 0)
			on_tree(d, &rules[i]);
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv paths = STRV_INIT;

	if (!world.repo)
		enter();
	by_rules((const char *)data, size);
	if (diff_parse((const char *)data, size, &d, &e) < 0)
		return 0;
	on_tree(d, NULL);
	diff_paths(d, &paths);
	free(diff_patch_id(d));
	for (size_t i = 0; i < d->nr; i++) {
		apply(&d->files[i], false);
		apply(&d->files[i], true);
		binary(&d->files[i]);
	}
	return 0;
}
