// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/inputs.h"

#include <string.h>

#include "boot/build/config.h"
#include "boot/build/toolchain.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

#define CONFIG_MAX (4 << 20)

const char *build_fragment(const char *arch)
{
	const struct arch *a = arch_find(arch);

	return a ? a->fragment : NULL;
}

int build_arch(const char *name, const struct arch **ret, struct err *e)
{
	_cleanup_buf_ struct buf names = BUF_INIT;

	*ret = arch_find(name);
	if (*ret)
		return 0;
	for (unsigned int i = 0; arch_at(i); i++)
		buf_addf(&names, " %s", arch_at(i)->name);
	err_set(e, ERR_USAGE, "cannot build for '%s'", name);
	return err_hint(e, "architectures:%s", buf_str(&names));
}

static int read_settings(const char *path, struct buf *ret, struct err *e)
{
	if (!path)
		return 0;
	if (fs_read(path, CONFIG_MAX, ret, e) < 0 ||
	    config_validate(buf_str(ret), path, e) < 0)
		return err_wrap(e, "cannot use the configuration");
	return 0;
}

static void add_digest(struct buf *b, const char *name, const struct buf *data)
{
	struct oid d;

	repo_digest(data->data, data->len, &d);
	buf_addf(b, "%s %s\n", name, d.hex);
}

/* The identity of a build (design.md): tree, configuration, toolchain, architecture. */
void inputs_key(struct build_job *j)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_addf(&b, "kiln-build 3\ntree %s\ninputs %s\n", j->rec.tree.hex,
		 j->inputs.hex);
	repo_digest(b.data, b.len, &j->key);
}

static void add_base(struct build_job *j, struct buf *b)
{
	if (j->opts->base_file)
		add_digest(b, "base", &j->base);
	else if (j->opts->base)
		buf_addf(b, "target %s\n", j->opts->base);
	if (j->opts->lsmod)
		add_digest(b, "lsmod", &j->lsmod);
}

static void make_keys(struct build_job *j)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_addf(&b, "kiln-build-inputs 1\narch %s\ntoolchain %s\n", j->rec.arch,
		 j->rec.toolchain);
	add_base(j, &b);
	add_digest(&b, "fragment", &j->fragment);
	add_digest(&b, "require", &j->require);
	if (j->opts->overlay)
		add_digest(&b, "overlay", &j->overlay);
	repo_digest(b.data, b.len, &j->inputs);
	inputs_key(j);
}

static int find_arch(struct build_job *j, struct err *e)
{
	if (build_arch(j->opts->arch, &j->arch, e) < 0)
		return -(int)e->code;
	j->rec.arch = xstrdup(j->arch->name);
	/* What another compiler left is no start for this one. */
	if (j->arch != arch_at(0) || j->opts->llvm)
		j->variant =
			xasprintf("%s%s", j->arch->name, j->opts->llvm ? "-llvm" : "");
	return 0;
}

static int read_files(struct build_job *j, struct err *e)
{
	const struct build_opts *o = j->opts;

	if (read_settings(o->base_file, &j->base, e) < 0 ||
	    read_settings(o->fragment, &j->fragment, e) < 0 ||
	    read_settings(o->overlay, &j->overlay, e) < 0 ||
	    read_settings(o->require, &j->require, e) < 0)
		return -(int)e->code;
	return o->lsmod ? fs_read(o->lsmod, CONFIG_MAX, &j->lsmod, e) : 0;
}

int inputs_read(struct build_job *j, struct repo *r, const struct oid *commit,
		struct err *e)
{
	_cleanup_free_ char *cache = fs_cache_dir();
	struct commit_info info = { 0 };
	struct oid toolchain;

	if (find_arch(j, e) < 0 || repo_commit(r, commit, &info, e) < 0)
		return -(int)e->code;
	j->rec.commit = *commit;
	j->rec.tree = info.tree;
	commit_info_release(&info);
	if (read_files(j, e) < 0)
		return -(int)e->code;
	j->box.on = j->opts->sandbox;
	if (toolchain_digest(&j->box, j->arch, j->opts->llvm, &toolchain, e) < 0)
		return -(int)e->code;
	j->rec.toolchain = xstrdup(toolchain.hex);
	make_keys(j);
	j->ccache = sandbox_has_ccache() ? fs_path(cache, "ccache") : NULL;
	j->what = xstrndup(commit->hex, 12);
	return 0;
}
