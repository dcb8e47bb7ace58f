// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/cmdline.h"
#include "boot/target/boot.h"
#include "boot/target/local.h"
#include "boot/target/ssh.h"
#include "boot/target/target-log.h"
#include "core/arch/arch.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/base/spawn.h"

#define PROBE_MS 60000
#define NEED_KIB (256 << 10) /* agent, kernels, programs, L1's QEMU, and some to spare */

/*
 * One line a fact. All of it reads; "free" asks the nearest folder there is. What a
 * target does not have prints nothing or an empty value.
 */
#define PROBE                                                                            \
	"p() { printf '%%s %%s\\n' \"$1\" \"$(cat \"$2\" 2>/dev/null | head -n 1)\"; "   \
	"}\n"                                                                            \
	"echo kiln-probe 1\n"                                                            \
	"echo uid $(id -u)\n"                                                            \
	"echo arch $(uname -m)\n"                                                        \
	"p disabled /proc/sys/kernel/kexec_load_disabled\n"                              \
	"p lockdown /sys/kernel/security/lockdown\n"                                     \
	"p loaded /sys/kernel/kexec_loaded\n"                                            \
	"p cmdline /proc/cmdline\n"                                                      \
	"k=%s; command -v \"$k\" >/dev/null 2>&1 && "                                    \
	"echo kexec $(\"$k\" -v 2>&1 | head -n 1)\n"                                     \
	"test -r /etc/default/kexec && "                                                 \
	"echo LOAD_KEXEC $(sed -n 's/^LOAD_KEXEC=//p' /etc/default/kexec | tail -n 1)\n" \
	"echo guests $(ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c anon_inode:kvm-vm)\n" \
	"echo cpu $(grep -o -w -e svm -e vmx /proc/cpuinfo | head -n 1)\n"               \
	"test -c /dev/kvm && echo kvm yes\n"                                             \
	"for m in kvm_intel kvm_amd; do "                                                \
	"p nested /sys/module/$m/parameters/nested; done\n"                              \
	"test -c /dev/watchdog && echo watchdog yes\n"                                   \
	"test -d /sys/fs/pstore && echo pstore $(ls /sys/module | grep -c "              \
	"-e ramoops -e efi_pstore -e erst)\n"                                            \
	"for d in /boot/grub /boot/grub2; do test -d $d && "                             \
	"echo grubfs $(stat -f -c %%T $d 2>/dev/null); done\n"                           \
	"test -d /run/systemd/system && echo systemd yes\n"                              \
	"d=%s; while test -n \"$d\" && ! test -d \"$d\"; do d=${d%%/*}; done\n"          \
	"echo free $(df -Pk \"${d:-/}\" | awk 'NR==2 {print $4}')\n"                     \
	"command -v tar >/dev/null && echo tar yes\n"                                    \
	"test -z '%s' || { test -r '%s' && echo initrd yes; }\n"

static void add(struct target_findings *f, enum finding_level level, const char *what,
		const char *fix, const char *fmt, ...) _printf_(5, 6);
static void add(struct target_findings *f, enum finding_level level, const char *what,
		const char *fix, const char *fmt, ...)
{
	struct target_finding *n = array_push(f->v, f->nr);
	va_list ap;

	va_start(ap, fmt);
	*n = (struct target_finding){ .level = level,
				      .what = what,
				      .text = xvasprintf(fmt, ap),
				      .fix = fix ? xstrdup(fix) : NULL };
	va_end(ap);
}

void target_findings_release(struct target_findings *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		free(f->v[i].text);
		free(f->v[i].fix);
	}
	free(f->v);
	*f = (struct target_findings){ 0 };
}

/* The value of the first line "KEY VALUE" that has one, owned; NULL: there is none. */
static char *fact(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (!strncmp(at, key, n) && at[n] == ' ' && at[n + 1] &&
		    at[n + 1] != '\n')
			return xstrndup(at + n + 1, strcspn(at + n + 1, "\n"));
	return NULL;
}

static bool is_here(const struct target *t)
{
	return t->kind == TARGET_LOCAL;
}

static void judge_user(const struct target *t, const char *text,
		       struct target_findings *ret)
{
	_cleanup_free_ char *uid = fact(text, "uid"), *arch = fact(text, "arch");
	_cleanup_free_ char *tar = fact(text, "tar");
	const char *wanted = arch_find(NULL)->machine;

	if (!uid || strcmp(uid, "0") != 0)
		add(ret, FINDING_ERROR, "root",
		    is_here(t) ? "only root may load kernels: run kiln as root"
			       : "only root may load kernels: have ssh log in as root",
		    "the user there is %s, not root", uid ?: "unknown");
	else
		add(ret, FINDING_OK, "root", NULL, "the user there is root");
	if (!arch || strcmp(arch, wanted) != 0)
		add(ret, FINDING_ERROR, "arch",
		    "name a target of the architecture that is built",
		    "the machine is a %s, kernels are built for %s", arch ?: "unknown",
		    wanted);
	else
		add(ret, FINDING_OK, "arch", NULL, "%s", wanted);
	if (!tar)
		add(ret, FINDING_ERROR, "tar", "install it there",
		    "there is no tar to unpack kiln's files");
}

/* Versions before 2.0.19 know no -s on every distribution, and lose the initramfs. */
static bool is_old(const char *version)
{
	const char *at = strstr(version, "kexec-tools ");
	_cleanup_free_ char *copy = NULL;
	char *rest, *major, *minor, *patch;
	int a, b, c;

	if (!at)
		return false;
	copy = xstrndup(at + 12, strspn(at + 12, "0123456789."));
	rest = copy;
	major = strsep(&rest, ".");
	minor = strsep(&rest, ".");
	patch = strsep(&rest, ".");
	if (!major || !minor || !parse_int(major, 0, 99, &a) ||
	    !parse_int(minor, 0, 99, &b))
		return false;
	if (!patch || !parse_int(patch, 0, 999, &c))
		c = 0;
	return a < 2 || (a == 2 && b == 0 && c < 19);
}

static void judge_kexec(const char *text, struct target_findings *ret)
{
	_cleanup_free_ char *disabled = fact(text, "disabled");
	_cleanup_free_ char *lockdown = fact(text, "lockdown");
	_cleanup_free_ char *loaded = fact(text, "loaded");
	_cleanup_free_ char *tools = fact(text, "kexec");
	_cleanup_free_ char *load = fact(text, "LOAD_KEXEC");
	size_t before = ret->nr;

	if (!loaded)
		add(ret, FINDING_ERROR, "kexec",
		    "run a base kernel with CONFIG_KEXEC or CONFIG_KEXEC_FILE",
		    "the kernel there has no kexec");
	if (disabled && !strcmp(disabled, "1"))
		add(ret, FINDING_ERROR, "kexec",
		    "remove kernel.kexec_load_disabled=1 from sysctl.d and reboot: it "
		    "cannot be taken back",
		    "kernel.kexec_load_disabled is 1");
	if (lockdown && !strstr(lockdown, "[none]"))
		add(ret, FINDING_ERROR, "lockdown",
		    "turn secure boot off, or sign kernels with a key enrolled there",
		    "the kernel is locked down: %s", lockdown);
	if (!tools)
		add(ret, FINDING_ERROR, "kexec-tools",
		    "install kexec-tools there, or say where it is with kexec =",
		    "there is no kexec program");
	else if (is_old(tools))
		add(ret, FINDING_WARN, "kexec-tools", "install 2.0.19 or newer",
		    "%s is old", tools);
	if (load && (!strcmp(load, "true") || !strcmp(load, "\"true\"")))
		add(ret, FINDING_ERROR, "load-kexec",
		    "set LOAD_KEXEC=false in /etc/default/kexec there",
		    "a plain reboot loads a kernel by kexec instead of going through "
		    "the firmware (LOAD_KEXEC=true)");
	if (ret->nr == before)
		add(ret, FINDING_OK, "kexec", NULL, "%s", tools);
}

static void judge_base(const struct target *t, const char *text,
		       struct target_findings *ret)
{
	_cleanup_free_ char *cmdline = fact(text, "cmdline"), *fs = fact(text, "grubfs");
	_cleanup_free_ char *initrd = fact(text, "initrd");

	if (cmdline && strstr(cmdline, "kiln.token="))
		add(ret, FINDING_WARN, "base",
		    "nothing to do: the next boot brings it back first",
		    "it still runs the kernel of an earlier run");
	else
		add(ret, FINDING_OK, "base", NULL, "it runs its base kernel");
	if (fs && (!strcmp(fs, "btrfs") || !strcmp(fs, "zfs")))
		add(ret, FINDING_WARN, "grubenv",
		    "keep the base kernel GRUB's fixed default, not GRUB_DEFAULT=saved",
		    "GRUB's environment is on %s, where GRUB cannot write: a one-time "
		    "entry would stay for ever",
		    fs);
	if (t->initrd && !initrd)
		add(ret, FINDING_ERROR, "initrd", "correct initrd = of the target",
		    "'%s' cannot be read there", t->initrd);
}

void check_guests(const struct target *t, const char *text, struct target_guests *ret)
{
	static const char *const off[] = { "kvm_amd.nested", "kvm_intel.nested" };
	_cleanup_free_ char *cpu = fact(text, "cpu"), *running = fact(text, "cmdline");
	const char *line = t->cmdline ?: running ?: "";

	ret->cpu = !cpu			 ? ""
		   : !strcmp(cpu, "svm") ? "svm"
		   : !strcmp(cpu, "vmx") ? "vmx"
					 : "";
	ret->nested = true;
	for (size_t i = 0; i < ARRAY_SIZE(off); i++) {
		_cleanup_free_ char *v = cmdline_value(line, off[i]);

		ret->nested &= !v || !strchr("0nN", *v);
	}
}

static void judge_kvm(const struct target *t, const char *text,
		      struct target_findings *ret)
{
	_cleanup_free_ char *guests = fact(text, "guests");
	_cleanup_free_ char *nested = fact(text, "nested");
	_cleanup_free_ char *kvm = fact(text, "kvm");
	struct target_guests can;
	uint64_t n;

	check_guests(t, text, &can);
	if (!*can.cpu)
		add(ret, FINDING_WARN, "kvm",
		    "turn virtualisation on in its firmware, or have its host nest it",
		    "its processor has neither svm nor vmx: no guest can be measured");
	else if (!kvm)
		add(ret, FINDING_WARN, "kvm",
		    "load KVM there: it would say whether firmware allows guests",
		    "its base kernel has no /dev/kvm: a candidate may have none either");
	else
		add(ret, FINDING_OK, "kvm", NULL, "%s and /dev/kvm", can.cpu);
	if (guests && parse_u64(guests, &n) && n)
		add(ret, FINDING_ERROR, "kvm-in-use",
		    "stop the guests: a boot would kill them",
		    "%s virtual machines run there", guests);
	if (!can.nested)
		add(ret, FINDING_WARN, "nested",
		    "take nested=0 off its command line: it is the candidate's too",
		    "its command line has KVM give guests no KVM");
	else if (nested && (*nested == 'N' || *nested == '0'))
		add(ret, FINDING_WARN, "nested",
		    "load KVM with nested=1 where guests of guests are measured",
		    "KVM there gives its guests no KVM");
}

static void judge_rescue(const struct target *t, const char *text,
			 struct target_findings *ret)
{
	_cleanup_free_ char *watchdog = fact(text, "watchdog");
	_cleanup_free_ char *pstore = fact(text, "pstore"), *room = fact(text, "free");
	uint64_t kib;

	if (t->watchdog_s && !watchdog)
		add(ret, FINDING_ERROR, "watchdog",
		    "load its driver there, or take watchdog = away",
		    "there is no /dev/watchdog");
	else if (!t->watchdog_s && !t->power)
		add(ret, FINDING_WARN, "watchdog",
		    watchdog	 ? "say watchdog = 60s; there is a device"
		    : is_here(t) ? "give it a watchdog device"
				 : "give it power =, or a watchdog device",
		    "a candidate that hangs stays: neither watchdog nor power is set");
	if (!t->console && (!pstore || !strcmp(pstore, "0")))
		add(ret, FINDING_WARN, "console",
		    is_here(t) ? "give it pstore (ramoops, EFI, ERST)"
			       : "give it console =, or pstore (ramoops, EFI, ERST)",
		    "nobody sees how far a dead candidate came: no console, no pstore");
	if (room && parse_u64(room, &kib) && kib < NEED_KIB)
		add(ret, FINDING_ERROR, "space", "make room, or set dir = elsewhere",
		    "only %llu MiB are free for '%s'", (unsigned long long)kib >> 10,
		    t->dir);
}

void check_judge(const struct target *t, const char *text, struct target_findings *ret)
{
	_cleanup_free_ char *probe = fact(text, "kiln-probe");

	if (!probe) {
		add(ret, FINDING_ERROR, "shell",
		    "root's login shell there must be a POSIX shell",
		    "what answers is no shell that kiln can use");
		return;
	}
	judge_user(t, text, ret);
	judge_base(t, text, ret);
	judge_kexec(text, ret);
	judge_kvm(t, text, ret);
	judge_rescue(t, text, ret);
}

static int probe(const struct target *t, struct buf *ret, struct err *e)
{
	_cleanup_free_ char *command = xasprintf(PROBE, t->kexec ?: "kexec", t->dir,
						 t->initrd ?: "", t->initrd ?: "");
	struct ssh_call call = { .command = command, .out = ret, .timeout_ms = PROBE_MS };
	int r = ssh_run(t, &call, e);

	/* the probe's last line may well be one that was not true */
	if (r == -ERR_TOOL_FAILED) {
		err_release(e);
		r = 0;
	}
	return r;
}

int target_guests(const struct target *t, struct target_guests *ret, struct err *e)
{
	_cleanup_buf_ struct buf out = BUF_INIT;

	if (probe(t, &out, e) < 0)
		return -(int)e->code;
	check_guests(t, buf_str(&out), ret);
	return 0;
}

static int check_ssh(const struct target *t, struct target_findings *ret, struct err *e)
{
	_cleanup_free_ char *away = target_log_read(t);
	_cleanup_buf_ struct buf out = BUF_INIT;
	int r = probe(t, &out, e);

	if (r == -ERR_INTERRUPTED || r == -ERR_TOOL_MISSING || r == -ERR_IO)
		return r;
	if (away && r < 0)
		add(ret, FINDING_ERROR, "away", "bring it up by hand",
		    "it did not come back %s", away);
	if (r < 0)
		add(ret, FINDING_ERROR, "reach", e->hint, "%s", e->frame[0]);
	err_release(e);
	if (r < 0)
		return 0;
	target_log_back(t);
	add(ret, FINDING_OK, "reach", NULL, "%s answers", t->host);
	check_judge(t, buf_str(&out), ret);
	return 0;
}

static int check_qemu(const struct target *t, struct target_findings *ret)
{
	const struct arch_qemu *q = arch_find(NULL)->qemu;
	_cleanup_free_ char *qemu = fs_find_program(q->program);
	_cleanup_free_ char *fix = xasprintf("install %s", q->package);
	_cleanup_free_ char *kexec = fs_find_program("kexec");
	const char *can = boot_accel(NULL), *want = t->accel ?: "auto";

	if (!qemu)
		add(ret, FINDING_ERROR, "qemu", fix, "there is no %s", q->program);
	if (!kexec)
		add(ret, FINDING_ERROR, "kexec-tools", "install kexec-tools",
		    "there is no kexec program");
	if (!strcmp(want, "kvm") && strcmp(can, "kvm") != 0)
		add(ret, FINDING_ERROR, "accel",
		    "enable KVM with nested=1 here, or say accel = auto",
		    "kvm is asked for, but does not work here");
	else
		add(ret, FINDING_OK, "accel", NULL, "%s",
		    strcmp(want, "auto") ? want : can);
	return 0;
}

/* Whether kiln would be started again, and find what it left. */
static void judge_resume(const struct target *t, struct target_findings *ret)
{
	_cleanup_free_ char *script = local_script_path(t), *unit = local_unit_path(t);
	_cleanup_free_ char *folder = xstrndup(unit, (size_t)(strrchr(unit, '/') - unit));
	_cleanup_free_ char *self = realpath("/proc/self/exe", NULL);
	const char *const places[] = { script, t->dir, self };

	if (t->resume)
		add(ret, FINDING_OK, "resume", NULL, "by the target's resume command");
	else if (!local_has_systemd())
		add(ret, FINDING_ERROR, "resume",
		    "name a command that arranges it with resume =",
		    "nothing would start kiln again after a reboot: systemd does not run "
		    "here");
	else if (access(folder, W_OK) < 0)
		add(ret, FINDING_ERROR, "resume", "run kiln as root",
		    "no unit can be written to '%s'", folder);
	else
		add(ret, FINDING_OK, "resume", NULL, "by a unit of systemd");
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (places[i] && local_is_volatile(places[i]))
			add(ret, FINDING_ERROR, "volatile",
			    "keep kiln, KILN_HOME and dir = on a disk",
			    "'%s' is in memory, and lost at a reboot", places[i]);
}

static int check_local(const struct target *t, struct target_findings *ret, struct err *e)
{
	_cleanup_buf_ struct buf out = BUF_INIT;

	if (!t->reboot)
		add(ret, FINDING_ERROR, "consent",
		    "say allowReboot = true when kiln may reboot this machine",
		    "this machine may not be rebooted");
	judge_resume(t, ret);
	if (probe(t, &out, e) < 0)
		return -(int)e->code;
	check_judge(t, buf_str(&out), ret);
	return 0;
}

int target_check(const struct target *t, struct target_findings *ret, struct err *e)
{
	if (t->kind == TARGET_SSH)
		return check_ssh(t, ret, e);
	return t->kind == TARGET_QEMU ? check_qemu(t, ret) : check_local(t, ret, e);
}
