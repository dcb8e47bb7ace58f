// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/local.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "boot/cmdline.h"
#include "boot/target/ssh.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/base/spawn.h"

#define UNITS "/etc/systemd/system"
#define WANTS UNITS "/multi-user.target.wants"
#define RESUME_MS 60000
#define COUNT_MAX 128

char *local_script_path(const struct target *t)
{
	return ssh_state_path(t, "resume");
}

static char *unit_name(const struct target *t)
{
	return xasprintf("kiln-resume-%s.service", t->name);
}

char *local_unit_path(const struct target *t)
{
	_cleanup_free_ char *name = unit_name(t);

	return fs_path(UNITS, name);
}

bool local_has_systemd(void)
{
	return fs_is_dir("/run/systemd/system");
}

bool local_is_volatile(const char *path)
{
	_cleanup_free_ char *at = xstrdup(path);
	struct statfs s;

	while (statfs(at, &s) < 0) {
		char *slash = strrchr(at, '/');

		if (errno != ENOENT || !slash || slash == at)
			return false;
		*slash = '\0';
	}
	return s.f_type == TMPFS_MAGIC || s.f_type == RAMFS_MAGIC;
}

/* The only line of a small file of /proc. Owned. */
static int read_line(const char *path, char **ret, struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (fs_read(path, 1 << 16, &b, e) < 0)
		return -(int)e->code;
	while (b.len && b.data[b.len - 1] == '\n')
		b.data[--b.len] = '\0';
	*ret = xstrdup(buf_str(&b));
	return 0;
}

char *local_token(void)
{
	_cleanup_err_ struct err ignored = { 0 };
	_cleanup_free_ char *line = NULL;

	return read_line("/proc/cmdline", &line, &ignored) < 0
		       ? NULL
		       : cmdline_value(line, "kiln.token");
}

/* It is a word of a unit file and of a shell. */
static bool is_plain(const char *path)
{
	return *path == '/' && strspn(path, "abcdefghijklmnopqrstuvwxyz"
					    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					    "0123456789/._-") == strlen(path);
}

static int check_places(const struct target *t, struct err *e)
{
	_cleanup_free_ char *script = local_script_path(t);
	const char *const places[] = { script, t->dir };

	if (!is_plain(script)) {
		err_set(e, ERR_POLICY, "systemd cannot be given the path '%s'", script);
		return err_hint(e, "set KILN_HOME to one of letters, digits and '/._-'");
	}
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		if (!local_is_volatile(places[i]))
			continue;
		err_set(e, ERR_POLICY, "'%s' is in memory, and lost at a reboot",
			places[i]);
		return err_hint(e, i ? "set dir = of the target to a folder on a disk"
				     : "set KILN_HOME to a folder on a disk");
	}
	return 0;
}

int local_check(const struct target *t, struct err *e)
{
	_cleanup_free_ char *here = local_token();

	if (!t->reboot) {
		err_set(e, ERR_POLICY,
			"target '%s' is the machine kiln runs on, and kiln may not "
			"reboot it",
			t->name);
		return err_hint(e,
				"allow it with `git config target.%s.allowReboot true`",
				t->name);
	}
	if (geteuid() != 0) {
		err_set(e, ERR_POLICY,
			"only root may load kernels and reboot target '%s'", t->name);
		return err_hint(e, "run kiln as root there");
	}
	if (!t->resume && !local_has_systemd() && !here) {
		err_set(e, ERR_POLICY,
			"nothing would start kiln again after a reboot of "
			"target '%s': systemd does not run here",
			t->name);
		return err_hint(e,
				"name a command that arranges it: `git config "
				"target.%s.resume COMMAND`, see kiln-target(1)",
				t->name);
	}
	return check_places(t, e);
}

/* One word of a shell. */
static void quote(struct buf *b, const char *s)
{
	buf_addc(b, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			buf_adds(b, "'\\''");
		else
			buf_addc(b, *s);
	}
	buf_addc(b, '\'');
}

char *local_script(const struct target *t, const struct local_again *a)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_adds(&b, "#!/bin/sh\n# Goes on with a run of kiln after a reboot; kiln "
		     "writes and removes this file.\n");
	for (size_t i = 0; i + 1 < a->env->nr; i += 2) {
		buf_addf(&b, "export %s=", a->env->v[i]);
		quote(&b, a->env->v[i + 1]);
		buf_addc(&b, '\n');
	}
	for (size_t i = 0; i < a->argv->nr; i++) {
		buf_adds(&b, i ? " " : "");
		quote(&b, a->argv->v[i]);
	}
	buf_adds(&b, "\nstatus=$?\n"
		     "# whatever came of it, nobody stays in a candidate\n"
		     "case \" $(cat /proc/cmdline)\" in\n"
		     "*' kiln.token='*) exec ");
	quote(&b, a->agent);
	buf_adds(&b, " leave ");
	quote(&b, t->dir);
	buf_adds(&b, " ;;\nesac\nexit $status\n");
	return buf_take(&b);
}

char *local_unit(const char *script)
{
	/* KillMode: what leaves the machine outlives the script that started it */
	return xasprintf("# kiln writes and removes this file.\n"
			 "[Unit]\n"
			 "Description=kiln goes on with a run after a reboot\n"
			 "ConditionPathExists=%s\n"
			 "After=local-fs.target remote-fs.target network.target\n"
			 "\n"
			 "[Service]\n"
			 "Type=idle\n"
			 "ExecStart=/bin/sh %s\n"
			 "KillMode=process\n"
			 "StandardOutput=journal\n"
			 "StandardError=journal\n"
			 "\n"
			 "[Install]\n"
			 "WantedBy=multi-user.target\n",
			 script, script);
}

/* The target's own command: "on SCRIPT" or "off". */
static int resume_do(const struct target *t, const char *what, const char *script,
		     struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct spawn s = { .argv = &argv, .timeout_ms = RESUME_MS };

	strv_addl(&argv, "/bin/sh", "-c", NULL);
	strv_addf(&argv, "%s \"$@\"", t->resume);
	strv_addl(&argv, "kiln-resume", what, script, NULL);
	if (spawn_check(&s, e) < 0)
		return err_wrap(e, "the resume command of target '%s' failed (%s)",
				t->name, what);
	return 0;
}

/* As `systemctl enable` does, which needs no systemd that listens. */
static int unit_add(const struct target *t, const char *script, struct err *e)
{
	_cleanup_free_ char *name = unit_name(t), *path = local_unit_path(t);
	_cleanup_free_ char *text = local_unit(script), *link = fs_path(WANTS, name);

	if (fs_write(path, text, strlen(text), e) < 0)
		return -(int)e->code;
	if (chmod(path, 0644) < 0 || (mkdir(WANTS, 0755) < 0 && errno != EEXIST))
		return err_sys(e, errno, "cannot prepare unit '%s'", name);
	if (symlink(path, link) < 0 && errno != EEXIST)
		return err_sys(e, errno, "cannot enable unit '%s'", name);
	return 0;
}

static int unit_drop(const struct target *t, struct err *e)
{
	_cleanup_free_ char *name = unit_name(t), *path = local_unit_path(t);
	_cleanup_free_ char *link = fs_path(WANTS, name);

	if ((unlink(link) < 0 && errno != ENOENT) ||
	    (unlink(path) < 0 && errno != ENOENT))
		return err_sys(e, errno, "cannot remove unit '%s'", name);
	return 0;
}

static int arm(const struct target *t, const char *script, struct err *e)
{
	return t->resume ? resume_do(t, "on", script, e) : unit_add(t, script, e);
}

int local_arm(const struct target *t, const struct local_again *a, struct err *e)
{
	_cleanup_free_ char *script = local_script_path(t), *text = local_script(t, a);
	_cleanup_err_ struct err ignored = { 0 };

	if (fs_write(script, text, strlen(text), e) < 0 || arm(t, script, e) < 0) {
		if (local_disarm(t, &ignored) < 0)
			err_hint(e, "remove '%s' by hand", script);
		return err_wrap(e, "cannot have kiln started again after the reboot");
	}
	sync();
	return 0;
}

static char *count_path(const struct target *t)
{
	return ssh_state_path(t, "starts");
}

int local_disarm(const struct target *t, struct err *e)
{
	_cleanup_free_ char *script = local_script_path(t), *count = count_path(t);
	bool armed = fs_exists(script);

	unlink(count);
	/* without it the unit does nothing, whatever becomes of the unit */
	if (unlink(script) < 0 && errno != ENOENT)
		return err_sys(e, errno, "cannot remove '%s'", script);
	if (!armed)
		return 0;
	return t->resume ? resume_do(t, "off", NULL, e) : unit_drop(t, e);
}

/* What was noted: "N BOOT_ID", of the last of N starts. */
static int read_count(const char *path, const char *boot_id, uint64_t *ret, struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	char *space;

	*ret = 0;
	if (!fs_exists(path))
		return 0;
	if (fs_read(path, COUNT_MAX, &b, e) < 0)
		return -(int)e->code;
	space = b.len ? strchr(b.data, ' ') : NULL;
	if (space)
		*space++ = '\0';
	/* whatever it is then, it is no reason to go on */
	if (!space || !parse_u64(b.data, ret))
		*ret = LOCAL_STARTS;
	if (!space || strcmp(space, boot_id) != 0)
		return 0;
	err_set(e, ERR_POLICY,
		"kiln has been started in this candidate before, and has "
		"not come to its end");
	return err_hint(e, "reboot this machine, then `kiln resume`");
}

int local_count(const struct target *t, struct err *e)
{
	_cleanup_free_ char *path = count_path(t), *text = NULL, *boot_id = NULL;
	_cleanup_free_ char *dir = xstrndup(path, (size_t)(strrchr(path, '/') - path));
	uint64_t n;

	if (read_line("/proc/sys/kernel/random/boot_id", &boot_id, e) < 0 ||
	    fs_mkdirs(dir, e) < 0 || read_count(path, boot_id, &n, e) < 0)
		return -(int)e->code;
	if (n >= LOCAL_STARTS) {
		err_set(e, ERR_POLICY,
			"target '%s' has started kiln %llu times in a candidate, and "
			"not once in its base kernel",
			t->name, (unsigned long long)n);
		return err_hint(e,
				"see that a plain reboot leads to the base kernel: "
				"`kiln target check %s`",
				t->name);
	}
	text = xasprintf("%llu %s", (unsigned long long)n + 1, boot_id);
	return fs_write(path, text, strlen(text), e);
}
