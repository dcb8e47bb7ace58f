// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "boot/agent/modules.h"
#include "boot/cmdline.h"
#include "boot/environment.h"
#include "core/base/alloc.h"

#define FACT_MAX 16384

static void read_file(const char *path, struct buf *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	while (fd >= 0 && ret->len < FACT_MAX &&
	       (n = read(fd, buf_room(ret, 4096), 4096)) > 0)
		buf_grew(ret, (size_t)n);
}

char *fact_file(const char *path)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	read_file(path, &b);
	while (b.len && b.data[b.len - 1] == '\n')
		b.data[--b.len] = '\0';
	return buf_take(&b);
}

/* A file of notes in hex. Owned. */
static char *notes(const char *path)
{
	_cleanup_buf_ struct buf b = BUF_INIT, hex = BUF_INIT;

	read_file(path, &b);
	for (size_t i = 0; i < b.len; i++)
		buf_addf(&hex, "%02x", (unsigned char)b.data[i]);
	return buf_take(&hex);
}

/* The KVM modules that were loaded, or have no use here; what is built in has no state.
 * Owned. */
static char *modules(const struct port *p)
{
	static const char *const names[] = { "kvm", "kvm_amd", "kvm_hv", "kvm_intel" };
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *path =
			xasprintf("/sys/module/%s/notes/.note.gnu.build-id", names[i]);
		_cleanup_free_ char *hex = notes(path);

		if (module_is_loaded(names[i]))
			buf_addf(&b, "%s%s=%s", b.len ? " " : "", names[i], hex);
		else if (strv_has(&p->declined, names[i]))
			buf_addf(&b, "%s%s=declined", b.len ? " " : "", names[i]);
	}
	return xstrdup(buf_str(&b));
}

char *fact_param(const char *key)
{
	_cleanup_free_ char *line = fact_file("/proc/cmdline");

	return cmdline_value(line, key);
}

void facts_add(const struct port *p, struct strv *ret)
{
	struct utsname u;

	uname(&u);
	strv_take(ret, fact_file("/proc/sys/kernel/random/boot_id"));
	strv_take(ret, notes("/sys/kernel/notes"));
	strv_addl(ret, u.release, u.version, NULL);
	strv_take(ret, fact_file("/proc/cmdline"));
	strv_take(ret, fact_file("/sys/kernel/oops_count"));
	strv_take(ret, fact_file("/sys/kernel/warn_count"));
	strv_take(ret, fact_file("/proc/sys/kernel/tainted"));
	strv_take(ret, modules(p));
}

void hello(struct port *p, const char *role)
{
	_cleanup_strv_ struct strv words = STRV_INIT;

	strv_addl(&words, "hello", role, NULL);
	facts_add(p, &words);
	if (!strcmp(role, "candidate"))
		environment_gather("", "l0", &words);
	port_send_words(p, &words);
}
