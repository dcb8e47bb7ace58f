// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The agent as a command on a machine of its own, as ssh runs it:
 *
 *	attach DIR TOKEN BOOT_ID SEQ	standard input and output become the port
 *	leave DIR			back to what the firmware starts, in a moment
 *
 * attach says who answers first, in a line that is no message: "kiln-at BOOT_ID ROLE".
 * Messages go on with number SEQ when the machine is still in boot BOOT_ID, else with the
 * first one.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "boot/agent/keeper.h"
#include "core/base/alloc.h"

static int fail(const char *what)
{
	fprintf(stderr, "kiln-agent: %s: %s\n", what, strerror(errno));
	return 1;
}

/* "candidate" of that run, "other" for one of another run, else "base". */
static const char *role_of(const char *token)
{
	_cleanup_free_ char *have = fact_param("kiln.token");

	if (!have)
		return "base";
	return strcmp(have, token) ? "other" : "candidate";
}

static bool address(const char *path, struct sockaddr_un *ret)
{
	*ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(ret->sun_path)) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(ret->sun_path, path, strlen(path));
	return true;
}

static int dial(const struct sockaddr_un *a)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)a, sizeof(*a)) == 0)
		return fd;
	base_closep(&fd);
	return -1;
}

/* A child of nobody, with nothing of ours open but fd, which becomes 3: the lock above all
 * must end with us. */
static bool detach(int fd)
{
	int null;
	pid_t pid = fork();

	if (pid)
		return false;
	setsid();
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int i = 0; i < 3; i++)
		dup2(null, i);
	if (fd >= 0)
		dup2(fd, 3);
	close_range(fd >= 0 ? 4 : 3, ~0U, 0);
	return true;
}

/* Start the keeper; it listens before anybody can dial. */
static int keeper_start(const char *dir, const char *token, const char *path,
			const struct sockaddr_un *a)
{
	struct keeper_opts o = { .dir = dir, .token = token, .socket = path };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	unlink(path); /* of a boot before this one */
	if (fd < 0 || bind(fd, (const struct sockaddr *)a, sizeof(*a)) < 0 ||
	    listen(fd, 4) < 0)
		return -1;
	o.listen = 3;
	o.base = !strcmp(role_of(token), "base");
	if (detach(fd))
		keeper_run(&o);
	close(fd);
	return dial(a);
}

static int keeper_reach(const char *dir, const char *token)
{
	_cleanup_free_ char *path = xasprintf("%s/%s.sock", dir, token);
	_cleanup_free_ char *lock_path = xasprintf("%s/lock", dir);
	_cleanup_close_ int lock = -1;
	struct sockaddr_un a;
	int fd;

	if (!address(path, &a))
		return -1;
	lock = open(lock_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (lock < 0 || flock(lock, LOCK_EX) < 0)
		return -1;
	fd = dial(&a);
	return fd >= 0 ? fd : keeper_start(dir, token, path, &a);
}

static bool pass_on(int from, int to)
{
	char block[65536];
	ssize_t n = read(from, block, sizeof(block));

	for (ssize_t done = 0, w; done < n; done += w) {
		w = write(to, block + done, (size_t)(n - done));
		if (w < 0 && errno == EINTR)
			w = 0;
		else if (w <= 0)
			return false;
	}
	return n > 0 || (n < 0 && errno == EINTR);
}

static void relay(int fd)
{
	for (bool more = true; more;) {
		struct pollfd fds[] = { { .fd = 0, .events = POLLIN },
					{ .fd = fd, .events = POLLIN } };

		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[1].revents)
			more = pass_on(fd, 1);
		if (more && fds[0].revents)
			more = pass_on(0, fd);
	}
}

static int attach(char **argv)
{
	const char *dir = argv[0], *token = argv[1], *boot = argv[2], *seq = argv[3];
	_cleanup_free_ char *here = fact_file("/proc/sys/kernel/random/boot_id");
	_cleanup_free_ char *first = xasprintf("%s\n", strcmp(here, boot) ? "0" : seq);
	_cleanup_close_ int fd = -1;

	if (strlen(token) > FRAME_TOKEN_MAX || strchr(token, '/'))
		return 2;
	printf("kiln-at %s %s\n", here, role_of(token));
	fflush(stdout);
	if (!strcmp(role_of(token), "other"))
		return 0;
	fd = keeper_reach(dir, token);
	if (fd < 0 || write(fd, first, strlen(first)) < 0)
		return fail("cannot reach the agent that stays");
	relay(fd);
	return 0;
}

static int leave(void)
{
	if (!detach(-1))
		return 0;
	/* so that ssh ends before the machine does */
	nanosleep(&(struct timespec){ .tv_nsec = 500000000 }, NULL);
	kernel_unload();
	sync();
	setenv("SYSTEMCTL_SKIP_AUTO_KEXEC", "1", 1);
	if (access("/run/systemd/system", F_OK) == 0)
		execlp("systemctl", "systemctl", "reboot", NULL);
	reboot(RB_AUTOBOOT);
	_exit(1);
}

int agent_command(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	if (argc == 6 && !strcmp(argv[1], "attach"))
		return attach(argv + 2);
	if (argc == 3 && !strcmp(argv[1], "leave"))
		return leave();
	fputs("usage: kiln-agent attach DIR TOKEN BOOT_ID SEQ | leave DIR\n", stderr);
	return 2;
}
