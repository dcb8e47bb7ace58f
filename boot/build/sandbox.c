// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/sandbox.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/build/build.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

#define SRC "/kiln/src"
#define OUT "/kiln/out"
#define CCACHE "/kiln/ccache"

/* Merged-/usr systems have links here, others folders. */
static void bind_system(struct strv *v)
{
	static const char *const dirs[] = { "bin",   "sbin",  "lib",
					    "lib32", "lib64", "libx32" };
	static const char *const files[] = { "/etc/alternatives", "/etc/ld.so.cache" };

	strv_addl(v, "--ro-bind", "/usr", "/usr", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		_cleanup_free_ char *path = xasprintf("/%s", dirs[i]);
		_cleanup_free_ char *link = realpath(path, NULL);

		if (link && strcmp(link, path))
			strv_addl(v, "--symlink", link, path, NULL);
		else if (link)
			strv_addl(v, "--ro-bind", path, path, NULL);
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		strv_addl(v, "--ro-bind-try", files[i], files[i], NULL);
}

static void add_bwrap(const struct sandbox *s, struct strv *v)
{
	strv_addl(v, "bwrap", "--unshare-all", "--die-with-parent", "--new-session",
		  "--cap-drop", "ALL", "--hostname", "kiln", NULL);
	bind_system(v);
	strv_addl(v, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", NULL);
	if (s->src)
		strv_addl(v, "--ro-bind", s->src, SRC, NULL);
	if (s->out)
		strv_addl(v, "--bind", s->out, OUT, NULL);
	if (s->ccache)
		strv_addl(v, "--bind", s->ccache, CCACHE, NULL);
	if (s->out)
		strv_addl(v, "--chdir", OUT, NULL);
	strv_add(v, "--");
}

void sandbox_argv(const struct sandbox *s, struct strv *v)
{
	if (s->on)
		add_bwrap(s, v);
	/* Nothing of the caller's environment: MAKEFLAGS, CROSS_COMPILE or KBUILD_* there
	 * would change the kernel behind the cache's back. */
	strv_addl(v, "env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
		  "LC_ALL=C", "TZ=UTC0", "HOME=/nonexistent", NULL);
	strv_addl(v, "KBUILD_BUILD_TIMESTAMP=1970-01-01", "KBUILD_BUILD_USER=kiln",
		  "KBUILD_BUILD_HOST=kiln", "KBUILD_BUILD_VERSION=0",
		  "LOCALVERSION=", NULL);
	if (!s->ccache)
		return;
	/* No CCACHE_BASEDIR: it rewrites the source paths that the kernel's
	 * -fmacro-prefix-map= looks for, and objects would differ from plain gcc's. */
	strv_addf(v, "CCACHE_DIR=%s", s->on ? CCACHE : s->ccache);
	strv_add(v, "CCACHE_MAXSIZE=3G");
	/* Not CCACHE_DEPEND: without the preprocessor's output ccache does not see
	 * .incbin, and piggy.S gets the packed kernel of an earlier build. Objects made
	 * so are left behind. */
	strv_add(v, "CCACHE_NAMESPACE=kiln-2");
	if (s->ccache_off)
		strv_add(v, "CCACHE_DISABLE=1");
}

const char *sandbox_src(const struct sandbox *s)
{
	return s->on ? SRC : s->src;
}

const char *sandbox_out(const struct sandbox *s)
{
	return s->on ? OUT : s->out;
}

bool sandbox_has_ccache(void)
{
	return !access("/usr/bin/ccache", X_OK) || !access("/usr/local/bin/ccache", X_OK);
}

static int probe(struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct sandbox s = { .on = true };

	sandbox_argv(&s, &argv);
	strv_add(&argv, "true");
	return spawn_check(&(struct spawn){ .argv = &argv, .timeout_ms = 20000 }, e);
}

/* The probe's error with a hint that says what a sandbox takes. */
static int refuse(struct err *e)
{
	_cleanup_free_ char *why = xstrdup(e->nr ? e->frame[0] : "unknown");

	err_set(e, e->code, "%s", why);
	err_hint(e, "install bubblewrap and allow user namespaces, or set "
		    "kiln.sandbox=auto");
	return err_wrap(e, "cannot build in a sandbox");
}

int build_sandbox_decide(enum build_sandbox wanted, bool *ret, char **ret_why,
			 struct err *e)
{
	*ret_why = NULL;
	if (wanted == BUILD_SANDBOX_OFF) {
		*ret = false;
		return 0;
	}
	if (probe(e) == 0) {
		*ret = true;
		return 0;
	}
	if (e->code == ERR_INTERRUPTED)
		return -(int)e->code;
	if (wanted == BUILD_SANDBOX_ON) {
		return refuse(e);
	}
	*ret_why = xstrdup(e->nr ? e->frame[0] : "unknown");
	*ret = false;
	err_release(e);
	return 0;
}
