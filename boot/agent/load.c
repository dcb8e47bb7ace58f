// SPDX-License-Identifier: GPL-3.0-or-later
/* Loading a kernel for kexec, and saying why it does not go. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "boot/cmdline.h"
#include "core/base/alloc.h"

#define KEXEC_DIR "/kexec/"
#define FILE_UNLOAD 1	 /* KEXEC_FILE_UNLOAD of linux/kexec.h */
#define FILE_NO_INITRD 4 /* KEXEC_FILE_NO_INITRAMFS */

/* Whether the running kernel has kexec_file_load(). */
static bool has_file_load(void)
{
	return syscall(SYS_kexec_file_load, -1, -1, 0UL, NULL, 0UL) < 0 &&
	       errno != ENOSYS;
}

/* kexec of kexec-tools, with the loader and libraries that came along with it; without
 * them the machine's own. */
static int run_kexec(const struct strv *args)
{
	const char *own = getenv("KILN_KEXEC");
	_cleanup_strv_ struct strv argv = STRV_INIT;
	int status;
	pid_t pid;

	if (access(KEXEC_DIR "ld.so", X_OK) == 0)
		strv_addl(&argv, KEXEC_DIR "ld.so", "--library-path", KEXEC_DIR "lib",
			  KEXEC_DIR "kexec", NULL);
	else
		strv_add(&argv, own ?: "kexec");
	for (size_t i = 0; i < args->nr; i++)
		strv_add(&argv, args->v[i]);
	pid = fork();
	if (pid == 0) {
		execvp(argv.v[0], argv.v);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* kexec's own status report was inverted in some versions: ask the kernel. */
static bool is_loaded(void)
{
	_cleanup_free_ char *state = fact_file("/sys/kernel/kexec_loaded");

	return !strcmp(state, "1");
}

static void policy(struct port *p, const char *text)
{
	port_send(p, "error", text, "policy", NULL);
}

/* Whether the machine was told to load no kernel; trying would only say EPERM. */
static bool is_forbidden(struct port *p)
{
	_cleanup_free_ char *disabled = fact_file("/proc/sys/kernel/kexec_load_disabled");
	_cleanup_free_ char *lockdown = fact_file("/sys/kernel/security/lockdown");

	if (!strcmp(disabled, "1"))
		policy(p, "kernel.kexec_load_disabled is 1 until the next boot");
	else if (*lockdown && !strstr(lockdown, "[none]") && !has_file_load())
		policy(p, "the kernel is locked down and cannot check signatures");
	else
		return false;
	return true;
}

void kernel_unload(void)
{
	_cleanup_strv_ struct strv args = STRV_INIT;

	strv_add(&args, "-u");
	if (is_loaded() && has_file_load())
		syscall(SYS_kexec_file_load, -1, -1, 0UL, NULL,
			(unsigned long)FILE_UNLOAD);
	else if (is_loaded())
		run_kexec(&args);
}

static bool unload(struct port *p)
{
	kernel_unload();
	if (is_loaded())
		port_error(p, "a kernel loaded before cannot be unloaded");
	return !is_loaded();
}

/* kexec_file_load() itself; kexec-tools lost the initramfs on its way in some versions.
 * 0 or an errno. */
static int file_load(const struct command *c, const char *cmdline)
{
	_cleanup_close_ int kernel = open(c->image, O_RDONLY | O_CLOEXEC);
	_cleanup_close_ int initrd = *c->initrd ? open(c->initrd, O_RDONLY | O_CLOEXEC)
						: -1;
	unsigned long flags = *c->initrd ? 0 : FILE_NO_INITRD;

	for (int try = 0;; try++) {
		if (syscall(SYS_kexec_file_load, kernel, initrd,
			    (unsigned long)strlen(cmdline) + 1, cmdline, flags) == 0)
			return 0;
		if (errno != EBUSY || try == 3)
			return errno;
		nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
	}
}

static void file_load_failed(struct port *p, int sys)
{
	switch (sys) {
	case EPERM:
		policy(p, "the kernel may not be loaded: locked down, or no privilege");
		break;
	case ELIBBAD:
	case EKEYREJECTED:
	case ENOPKG:
	case ENOKEY:
	case EBADMSG:
		policy(p, "the image's signature is not trusted: enrol its key, or turn "
			  "secure boot off");
		break;
	default:
		port_error(p, "kexec_file_load: %s", strerror(sys));
	}
}

static bool classic_load(struct port *p, const struct command *c, const char *cmdline)
{
	_cleanup_strv_ struct strv args = STRV_INIT;
	int status;

	/* The build-id proves what runs; without -i the jump hashes everything again. */
	strv_addl(&args, "-c", "-i", "-l", c->image, NULL);
	if (*c->initrd)
		strv_addf(&args, "--initrd=%s", c->initrd);
	strv_addf(&args, "--command-line=%s", cmdline);
	status = run_kexec(&args);
	if (status == 0 && is_loaded())
		return true;
	port_error(p, "kexec -c -l ended with status %d%s", status,
		   status == 127 ? ": it is not installed"
		   : status	 ? ""
				 : " and loaded nothing");
	return false;
}

/* The command line with what only this machine knows. Owned. */
static char *complete(const char *cmdline)
{
	_cleanup_free_ char *systab = fact_file("/sys/firmware/efi/systab");
	_cleanup_free_ char *rsdp = cmdline_rsdp(systab);
	_cleanup_free_ char *given = cmdline_value(cmdline, "acpi_rsdp");

	return rsdp && !given ? xasprintf("%s acpi_rsdp=%s", cmdline, rsdp)
			      : xstrdup(cmdline);
}

bool kernel_load(struct port *p, const struct command *c, const char **ret_method)
{
	_cleanup_free_ char *cmdline = complete(c->cmdline);
	const char *why = cmdline_check(cmdline);
	bool by_file = has_file_load();
	int sys = ENOSYS;

	if (why) {
		port_error(p, "the command line will not do: %s", why);
		return false;
	}
	if (is_forbidden(p) || !unload(p))
		return false;
	if (by_file)
		sys = file_load(c, cmdline);
	*ret_method = "s";
	if (sys == 0 && is_loaded())
		return true;
	*ret_method = "c";
	/* formats that the kernel does not read itself are kexec-tools' business */
	if (sys == ENOSYS || sys == ENOEXEC)
		return classic_load(p, c, cmdline);
	file_load_failed(p, sys);
	return false;
}
