// SPDX-License-Identifier: GPL-3.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "core/base/alloc.h"

#define PORT_NAME "kiln.0"
#define PORTS "/sys/class/virtio-ports"

/* Device node of the port of that name; NULL while there is none. */
static char *port_find(void)
{
	DIR *dir = opendir(PORTS);
	char *found = NULL;
	struct dirent *d;

	while (dir && !found && (d = readdir(dir))) {
		_cleanup_free_ char *path = xasprintf(PORTS "/%s/name", d->d_name);
		_cleanup_free_ char *name = fact_file(path);

		if (d->d_name[0] != '.' && !strcmp(name, PORT_NAME))
			found = xasprintf("/dev/%s", d->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

bool port_open(struct port *p)
{
	/* The device announces its ports a moment after the driver took it. */
	for (int i = 0; i < 5000; i++) {
		_cleanup_free_ char *path = port_find();

		p->fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
		if (p->fd >= 0)
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	return false;
}

static void write_all(struct port *p, const char *data, size_t len)
{
	while (len && !p->lost) {
		ssize_t n = write(p->fd, data, len);

		if (n > 0) {
			data += n;
			len -= (size_t)n;
		} else if (n < 0 && errno != EINTR && errno != EAGAIN) {
			p->lost = true;
		}
	}
}

void port_send_words(struct port *p, const struct strv *words)
{
	_cleanup_buf_ struct buf line = BUF_INIT;

	frame_format(p->token, p->seq++, words, &line);
	if (p->seq == 1 && fault_is("badsum"))
		line.data[line.len - 2] ^= 1;
	write_all(p, line.data, line.len);
}

void port_send(struct port *p, ...)
{
	_cleanup_strv_ struct strv words = STRV_INIT;
	const char *word;
	va_list ap;

	va_start(ap, p);
	while ((word = va_arg(ap, const char *)))
		strv_add(&words, word);
	va_end(ap);
	port_send_words(p, &words);
}

void port_error(struct port *p, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	port_send(p, "error", text, NULL);
}

bool port_read(struct port *p)
{
	char block[8192];
	ssize_t n = read(p->fd, block, sizeof(block));

	if (n > 0)
		frame_feed(&p->in, block, (size_t)n);
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		p->lost = true;
	return !p->lost;
}

enum frame_status port_next(struct port *p, struct frame *ret)
{
	for (;;) {
		const char *why;
		enum frame_status status = frame_next(&p->in, ret, &why);

		if (status == FRAME_BROKEN)
			port_error(p, "a message from the host is damaged: %s", why);
		if (status != FRAME_OK || ret->seq >= p->had) {
			p->had = status == FRAME_OK ? ret->seq + 1 : p->had;
			return status;
		}
		frame_release(ret);
	}
}

bool port_wait(struct port *p, struct frame *ret)
{
	for (;;) {
		struct pollfd pfd = { .fd = p->fd, .events = POLLIN };
		enum frame_status status = port_next(p, ret);

		if (status == FRAME_OK)
			return true;
		if (status != FRAME_NONE)
			continue;
		if (p->lost || (watchdog_poll(p, &pfd, 1, -1) < 0 && errno != EINTR))
			return false;
		if (pfd.revents && !port_read(p))
			return false;
	}
}
