// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/console/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boot/console/printk.h"
#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/fs.h"

#define TIMES_EVERY_MS 10 /* bytes that come closer than this share a line */
#define LAST_MAX 4096	  /* bytes searched for the last line */
#define LAST_SHOWN 160

struct keep {
	char *path;
	int fd, times;
	size_t written;	 /* to fd */
	size_t came;	 /* in all */
	uint64_t row_ms; /* when the last line of times was written */
	struct buf tail; /* what came behind KEEP_MAX, its last bytes */
};

static uint64_t epoch_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int create(const char *path, int how, int *ret, struct err *e)
{
	*ret = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0600);
	if (*ret < 0)
		return err_sys(e, errno, "cannot create '%s'", path);
	return 0;
}

static int keep_start(const char *path, int how, struct keep **ret, struct err *e)
{
	_cleanup_keep_ struct keep *k = xzalloc(sizeof(*k));
	_cleanup_free_ char *times = xasprintf("%s.times", path);
	off_t size;

	k->path = xstrdup(path);
	k->fd = k->times = -1;
	if (create(path, how, &k->fd, e) < 0 || create(times, how, &k->times, e) < 0)
		return -(int)e->code;
	size = lseek(k->fd, 0, SEEK_END);
	if (size > 0)
		k->written = k->came = (size_t)size < KEEP_MAX ? (size_t)size : KEEP_MAX;
	*ret = take_ptr(k);
	return 0;
}

int keep_open(const char *path, struct keep **ret, struct err *e)
{
	return keep_start(path, O_TRUNC, ret, e);
}

int keep_reopen(const char *path, struct keep **ret, struct err *e)
{
	return keep_start(path, O_APPEND, ret, e);
}

static int row(struct keep *k, const char *mark, struct err *e)
{
	_cleanup_free_ char *text = NULL;

	k->row_ms = clock_ms();
	text = xasprintf("%zu %llu %llu%s%s\n", k->came, (unsigned long long)k->row_ms,
			 (unsigned long long)epoch_ms(), *mark ? " " : "", mark);
	if (fs_write_fd(k->times, text, strlen(text), e) < 0)
		return err_wrap(e, "cannot keep the times of console '%s'", k->path);
	return 0;
}

int keep_mark(struct keep *k, const char *what, struct err *e)
{
	return row(k, what, e);
}

static void add_tail(struct keep *k, const char *data, size_t len)
{
	if (len > KEEP_TAIL) {
		data += len - KEEP_TAIL;
		len = KEEP_TAIL;
	}
	/* twice the room, so that most bytes are moved at most once */
	if (k->tail.len + len > 2 * KEEP_TAIL) {
		size_t drop = k->tail.len - (KEEP_TAIL - len);

		memmove(k->tail.data, k->tail.data + drop, k->tail.len - drop);
		k->tail.len -= drop;
	}
	buf_add(&k->tail, data, len);
}

int keep_write(struct keep *k, const char *data, size_t len, struct err *e)
{
	size_t room = KEEP_MAX - k->written;
	size_t now = len < room ? len : room;

	/* beyond the limit the times would go on for ever too */
	if (now && clock_ms() >= k->row_ms + TIMES_EVERY_MS && row(k, "", e) < 0)
		return -(int)e->code;
	if (fs_write_fd(k->fd, data, now, e) < 0)
		return err_wrap(e, "cannot keep the console in '%s'", k->path);
	k->written += now;
	k->came += len;
	if (len > now)
		add_tail(k, data + now, len - now);
	return 0;
}

/* An error here has nobody to go to; the console is complete up to KEEP_MAX. */
static void write_tail(struct keep *k)
{
	size_t shown = k->tail.len < KEEP_TAIL ? k->tail.len : KEEP_TAIL;
	_cleanup_free_ char *gap = xasprintf("\n[kiln: %zu bytes were not kept]\n",
					     k->came - k->written - shown);
	_cleanup_err_ struct err ignored = { 0 };

	if (shown && fs_write_fd(k->fd, gap, strlen(gap), &ignored) == 0 &&
	    fs_write_fd(k->fd, k->tail.data + k->tail.len - shown, shown, &ignored) < 0)
		return;
}

void keep_free(struct keep *k)
{
	if (!k)
		return;
	if (k->fd >= 0)
		write_tail(k);
	base_closep(&k->fd);
	base_closep(&k->times);
	buf_release(&k->tail);
	free(k->path);
	free(k);
}

/* The last LAST_MAX bytes of a file. */
static size_t read_end(const char *path, char *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	ssize_t n =
		size > 0 ? pread(fd, ret, LAST_MAX, size > LAST_MAX ? size - LAST_MAX : 0)
			 : 0;

	return n > 0 ? (size_t)n : 0;
}

char *keep_last_line(const char *path)
{
	char bytes[LAST_MAX + 1];
	size_t len = read_end(path, bytes);
	struct printk p;
	char *line, *copy;

	for (size_t i = 0; i < len; i++)
		if (!bytes[i])
			bytes[i] = '?';
	while (len && strchr("\r\n ", bytes[len - 1]))
		len--;
	bytes[len] = '\0';
	if (!len)
		return NULL;
	line = strrchr(bytes, '\n');
	printk_split(line ? line + 1 : bytes, &p);
	copy = xstrndup(p.text, LAST_SHOWN);
	for (char *c = copy; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return copy;
}
