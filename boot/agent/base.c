// SPDX-License-Identifier: GPL-3.0-or-later
/* The base kernel's part: load what the host names, say so, jump. */
#include <errno.h>
#include <linux/reboot.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "core/base/alloc.h"

#define KEXEC_DIR "/kexec/"

/* Whether the running kernel has kexec_file_load(). */
static bool has_file_load(void)
{
	return syscall(SYS_kexec_file_load, -1, -1, 0UL, NULL, 0UL) < 0 &&
	       errno != ENOSYS;
}

/* kexec of kexec-tools, with the loader and libraries that came along with it. */
static int run_kexec(const struct strv *args)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	int status;
	pid_t pid;

	strv_addl(&argv, KEXEC_DIR "ld.so", "--library-path", KEXEC_DIR "lib",
		  KEXEC_DIR "kexec", NULL);
	for (size_t i = 0; i < args->nr; i++)
		strv_add(&argv, args->v[i]);
	pid = fork();
	if (pid == 0) {
		execv(argv.v[0], argv.v);
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

static bool load(struct port *p, const struct frame *f, bool file_load)
{
	_cleanup_strv_ struct strv unload = STRV_INIT, args = STRV_INIT;
	int status;

	strv_addl(&unload, "-u", NULL);
	if (run_kexec(&unload) != 0 || is_loaded()) {
		port_error(p, "kexec -u left a kernel loaded");
		return false;
	}
	strv_add(&args, file_load ? "-s" : "-c");
	/* The build-id proves what runs; without -i the jump hashes everything again. */
	strv_addl(&args, "-i", "-l", frame_word(f, 1), NULL);
	strv_addf(&args, "--initrd=%s", frame_word(f, 2));
	strv_addf(&args, "--command-line=%s", frame_word(f, 3));
	status = run_kexec(&args);
	if (status == 0 && is_loaded())
		return true;
	port_error(p, "kexec %s -l ended with status %d%s", args.v[0], status,
		   status ? "" : " and loaded nothing");
	return false;
}

static void jump(struct port *p)
{
	bool file_load = has_file_load();

	port_send(p, "armed", file_load ? "s" : "c", NULL);
	umount2("/boot", MNT_DETACH);
	sync();
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2,
		LINUX_REBOOT_CMD_KEXEC, NULL);
	port_error(p, "the kernel refused the jump: %s", strerror(errno));
}

void role_base(struct port *p)
{
	struct frame f = { 0 };

	hello(p, "base");
	if (!share_mount(p, "kiln.boot", "/boot"))
		return;
	while (port_wait(p, &f)) {
		if (!strcmp(f.words.v[0], "exec") && load(p, &f, has_file_load()))
			jump(p);
		frame_release(&f);
	}
}
