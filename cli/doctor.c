// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "boot/build/build.h"
#include "boot/target/boot.h"
#include "cli/doctor-tool.h"
#include "cli/paths.h"
#include "core/arch/arch.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "mail/notmuch.h"

#define GIB (1024.0 * 1024 * 1024)
#define SPACE_NEED 3  /* one tree, one output folder */
#define SPACE_WANT 20 /* the caches at their limits */

const char *health_name(enum health h)
{
	static const char *const names[] = { [HEALTH_OK] = "ok",
					     [HEALTH_OPTIONAL] = "optional",
					     [HEALTH_MISSING] = "missing" };

	return names[h];
}

static void add(struct findings *f, const char *name, enum health h, char *found,
		const char *fix)
{
	*array_push(f->v, f->nr) =
		(struct finding){ name, h, found, h == HEALTH_OK ? NULL : xstrdup(fix) };
}

static void look_at_kvm(struct findings *f)
{
	_cleanup_close_ int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		add(f, "kvm", HEALTH_OK, xstrdup("/dev/kvm can be used"), NULL);
	else if (errno == EACCES || errno == EPERM)
		add(f, "kvm", HEALTH_OPTIONAL, xstrdup("/dev/kvm: permission denied"),
		    "add yourself to the group kvm");
	else
		add(f, "kvm", HEALTH_OPTIONAL,
		    xasprintf("/dev/kvm: %s; machines are emulated (TCG), and numbers "
			      "are path lengths",
			      strerror(errno)),
		    "enable SVM or VMX in the firmware and load kvm_amd or kvm_intel");
}

/* 1: on, 0: off, -1: no such module. */
static int module_nested(const char *module)
{
	_cleanup_free_ char *path = xasprintf("/sys/module/%s/parameters/nested", module);
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	if (fs_read(path, 16, &b, &e) < 0)
		return -1;
	return b.len && strchr("Y1", *buf_str(&b));
}

/* By what boots go by; a module's parameter is only what can be mended. */
static void look_at_nested(struct findings *f)
{
	static const char *const modules[] = { "kvm_amd", "kvm_intel" };

	if (!strcmp(boot_accel(NULL), "kvm")) {
		add(f, "nested", HEALTH_OK, xstrdup("guests have KVM themselves"), NULL);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
		_cleanup_free_ char *fix = xasprintf(
			"modprobe -r %s; modprobe %s nested=1", modules[i], modules[i]);

		if (module_nested(modules[i]) != 0)
			continue;
		add(f, "nested", HEALTH_OPTIONAL,
		    xasprintf("%s: nested guests are off", modules[i]), fix);
		return;
	}
	add(f, "nested", HEALTH_OPTIONAL,
	    xstrdup("no KVM here gives guests SVM or VMX; TCG's SVM nests instead"),
	    "load kvm_amd or kvm_intel with nested=1");
}

static void look_at_sandbox(struct findings *f)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *why = NULL;
	bool on;

	if (build_sandbox_decide(BUILD_SANDBOX_ON, &on, &why, &e) == 0)
		add(f, "sandbox", HEALTH_OK, xstrdup("builds run in bubblewrap"), NULL);
	else
		add(f, "sandbox", HEALTH_OPTIONAL,
		    xasprintf("builds run a patch's code as you: %s",
			      e.nr ? e.frame[0] : "bubblewrap does not work"),
		    "install bubblewrap and allow user namespaces");
}

static void look_at_compilers(struct findings *f)
{
	const struct arch *a;

	for (unsigned int i = 0; (a = arch_at(i)); i++) {
		const char *prefix = arch_prefix(a);
		_cleanup_free_ char *cc = xasprintf("%sgcc", prefix);
		_cleanup_free_ char *fix =
			xasprintf("install %s", *prefix ? a->packages : "gcc binutils");
		char *found = tool_version(cc, "--version");

		add(f, a->check,
		    found     ? HEALTH_OK
		    : *prefix ? HEALTH_OPTIONAL
			      : HEALTH_MISSING,
		    found ? found : xasprintf("%s is not installed", cc), fix);
	}
}

/* What boots kernels in machines made on the spot; needed for the usual one. */
static void look_at_machines(struct findings *f)
{
	const struct arch *a;

	for (unsigned int i = 0; (a = arch_at(i)); i++) {
		const struct arch_qemu *q = a->qemu;
		_cleanup_free_ char *fix = NULL;
		char *found;

		if (!q)
			continue;
		fix = xasprintf("install %s", q->package);
		found = tool_version(q->program, "--version");
		add(f, q->check,
		    found ? HEALTH_OK
		    : i	  ? HEALTH_OPTIONAL
			  : HEALTH_MISSING,
		    found ? found
			  : xasprintf("%s is not there: no kernel for %s boots in a "
				      "machine made on the spot",
				      q->program, a->name),
		    fix);
	}
}

/* Where the caches are or will be. */
static char *existing_folder(void)
{
	char *path = fs_cache_dir();

	while (!fs_exists(path)) {
		char *slash = strrchr(path, '/');

		if (!slash || slash == path)
			break;
		*slash = '\0';
	}
	return path;
}

static void look_at_disk(struct findings *f)
{
	_cleanup_free_ char *path = existing_folder();
	struct statvfs v;
	double free_gib;

	if (statvfs(path, &v) < 0) {
		add(f, "disk", HEALTH_MISSING,
		    xasprintf("'%s': %s", path, strerror(errno)),
		    "set KILN_HOME or XDG_CACHE_HOME to a folder of yours");
		return;
	}
	free_gib = (double)v.f_bavail * (double)v.f_frsize / GIB;
	add(f, "disk",
	    free_gib < SPACE_NEED   ? HEALTH_MISSING
	    : free_gib < SPACE_WANT ? HEALTH_OPTIONAL
				    : HEALTH_OK,
	    xasprintf("%.1f GiB free in '%s'", free_gib, path),
	    "free space (kiln build --gc), or set KILN_HOME to another disk");
}

static void look_at_own(struct findings *f)
{
	static const char again[] = "build all targets, or set KILN_LIBEXEC to the "
				    "folder that has it";
	const struct arch *a;

	for (unsigned int i = 0; (a = arch_at(i)); i++) {
		_cleanup_free_ char *file = NULL, *agent = NULL, *fix = NULL;

		if (!a->qemu)
			continue;
		file = xasprintf("%skiln-agent", a->libexec);
		agent = paths_data(file);
		fix = a->libexec_packages ? xasprintf("install %s and build kiln again",
						      a->libexec_packages)
					  : xstrdup(again);
		add(f, a->agent_check,
		    agent ? HEALTH_OK
		    : i	  ? HEALTH_OPTIONAL
			  : HEALTH_MISSING,
		    agent ? xstrdup(agent) : xasprintf("%s is not beside kiln", file),
		    fix);
	}
}

static void look_at_tools(struct findings *f)
{
	const struct tool *t;

	for (unsigned int i = 0; (t = tool_at(i)); i++) {
		char *found = tool_version(t->program, t->option);
		_cleanup_free_ char *fix = xasprintf("install %s", t->package);

		add(f, t->name,
		    found	  ? HEALTH_OK
		    : t->required ? HEALTH_MISSING
				  : HEALTH_OPTIONAL,
		    found ? found
			  : xasprintf("%s is not there: %s", t->program, t->without),
		    fix);
	}
}

void doctor_look(struct findings *ret)
{
	_cleanup_err_ struct err e = { 0 };

	look_at_kvm(ret);
	look_at_nested(ret);
	look_at_sandbox(ret);
	look_at_compilers(ret);
	look_at_machines(ret);
	look_at_tools(ret);
	look_at_disk(ret);
	look_at_own(ret);
	if (notmuch_available(&e) == 0)
		add(ret, "libnotmuch", HEALTH_OK, xstrdup("notmuch:QUERY works"), NULL);
	else
		add(ret, "libnotmuch", HEALTH_OPTIONAL,
		    xstrdup(e.nr ? e.frame[0] : "not there"), e.hint ?: "install it");
}

void findings_release(struct findings *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		free(f->v[i].found);
		free(f->v[i].fix);
	}
	free(f->v);
	*f = (struct findings){ 0 };
}
