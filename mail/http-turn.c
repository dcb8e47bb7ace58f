// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/http-turn.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/base/stop.h"

#define MAX_HOST 200
#define SLICE_MS 100

int http_wait(uint64_t until_ms, struct err *e)
{
	int left;

	while ((left = clock_left(until_ms)) > 0) {
		if (stop_check(e) < 0)
			return -(int)e->code;
		if (poll(NULL, 0, left < SLICE_MS ? left : SLICE_MS) < 0 &&
		    errno != EINTR)
			return err_sys(e, errno, "cannot wait");
	}
	return stop_check(e);
}

/* "CACHE/turns/HOST_PORT": the lock, whose modification time is the end of the last turn.
 */
static char *lock_path(const char *dir, const char *url)
{
	_cleanup_buf_ struct buf name = BUF_INIT;
	const char *host = strstr(url, "://");

	host = host ? host + 3 : url;
	for (size_t i = 0; i < MAX_HOST && host[i] && !strchr("/?#", host[i]); i++)
		buf_addc(&name, isalnum((unsigned char)host[i]) || host[i] == '-' ||
						(i && host[i] == '.')
					? (char)tolower((unsigned char)host[i])
					: '_');
	return fs_path(dir, buf_str(&name));
}

static int64_t age_ms(int fd)
{
	struct timespec now;
	struct stat st;

	if (fstat(fd, &st) < 0 || !st.st_size)
		return INT32_MAX; /* nobody had a turn yet */
	clock_gettime(CLOCK_REALTIME, &now);
	return ((int64_t)now.tv_sec - st.st_mtim.tv_sec) * 1000 +
	       (now.tv_nsec - st.st_mtim.tv_nsec) / 1000000;
}

int http_turn_take(const char *url, int gap_ms, uint64_t deadline_ms, int *ret_fd,
		   struct err *e)
{
	_cleanup_free_ char *cache = fs_cache_dir(), *dir = fs_path(cache, "turns");
	_cleanup_free_ char *path = lock_path(dir, url);
	_cleanup_close_ int fd = -1;
	int64_t age;

	*ret_fd = -1;
	if (fs_mkdirs(dir, e) < 0 || fs_lock(path, clock_left(deadline_ms), &fd, e) < 0) {
		if (e->code == ERR_TIMEOUT || e->code == ERR_INTERRUPTED)
			return err_wrap(e, "another kiln asks the same server");
		log_debug("no turns: %s", e->nr ? e->frame[0] : "");
		err_release(e);
		return 0;
	}
	age = age_ms(fd);
	if (age >= 0 && age < gap_ms &&
	    http_wait(clock_ms() + (uint64_t)(gap_ms - age), e) < 0)
		return -(int)e->code;
	*ret_fd = take_fd(fd);
	return 0;
}

void http_turn_end(int fd)
{
	if (fd < 0)
		return;
	/* Not futimens(): the size tells a new lock from a used one. */
	if (pwrite(fd, "\n", 1, 0) < 0)
		log_debug("cannot note the end of a turn");
	close(fd);
}
