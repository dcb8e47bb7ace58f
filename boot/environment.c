// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/environment.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"

#define FILE_MAX 65536
#define KEY_MAX 80
#define VALUE_MAX 200
#define WORDS_MAX 256

/* Where to look, and where it goes. */
struct gather {
	const char *root, *prefix;
	struct strv *ret;
};

/* The file's first bytes; false when it cannot be read or is empty. */
static bool slurp(const struct gather *g, const char *path, struct buf *ret)
{
	_cleanup_free_ char *full = xasprintf("%s%s", g->root, path);
	_cleanup_close_ int fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	while (fd >= 0 && ret->len < FILE_MAX &&
	       (n = read(fd, buf_room(ret, 4096), 4096)) > 0)
		buf_grew(ret, (size_t)n);
	return ret->len > 0;
}

static void add(const struct gather *g, const char *key, const char *value, size_t len)
{
	while (len && strchr(" \t\n", value[len - 1]))
		len--;
	if (len)
		strv_addf(g->ret, "%s.%s=%.*s", g->prefix, key,
			  (int)(len < VALUE_MAX ? len : VALUE_MAX), value);
}

/* A file's first line. */
static void add_file(const struct gather *g, const char *key, const char *path)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (slurp(g, path, &b))
		add(g, key, b.data, strcspn(b.data, "\n"));
}

/* The value of the first line "NAME<blanks>: VALUE". */
static void add_field(const struct gather *g, const char *key, const char *path,
		      const char *name)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (!slurp(g, path, &b))
		return;
	for (const char *p = b.data; p; p = strchr(p, '\n')) {
		const char *value;

		p += *p == '\n';
		value = p + strlen(name);
		if (strncmp(p, name, strlen(name)) != 0)
			continue;
		value += strspn(value, " \t");
		if (*value++ != ':')
			continue;
		value += strspn(value, " \t");
		add(g, key, value, strcspn(value, "\n"));
		return;
	}
}

/* The chosen word of "always [madvise] never". */
static void add_choice(const struct gather *g, const char *key, const char *path)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *open;

	if (slurp(g, path, &b) && (open = strchr(b.data, '[')))
		add(g, key, open + 1, strcspn(open + 1, "]"));
}

/* The kernel changes from "tsc-early" to "tsc" a second or so after it started: when it is
 * asked is not a difference. */
static void add_clocksource(const struct gather *g)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *early;

	if (!slurp(g, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
		   &b))
		return;
	early = strstr(b.data, "-early");
	add(g, "clocksource", b.data,
	    early ? (size_t)(early - b.data) : strcspn(b.data, "\n"));
}

/* Every file of a folder, as "NAME.FILE". */
static void add_folder(const struct gather *g, const char *name, const char *path)
{
	_cleanup_free_ char *full = xasprintf("%s%s", g->root, path);
	DIR *dir = opendir(full);
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		_cleanup_free_ char *key = xasprintf("%s.%s", name, d->d_name);
		_cleanup_free_ char *file = xasprintf("%s/%s", path, d->d_name);

		if (d->d_name[0] != '.')
			add_file(g, key, file);
	}
	if (dir)
		closedir(dir);
}

static void add_load(const struct gather *g)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (slurp(g, "/proc/loadavg", &b))
		add(g, "load", b.data, strcspn(b.data, " "));
}

#define CPU "/sys/devices/system/cpu/"

void environment_gather(const char *root, const char *prefix, struct strv *ret)
{
	static const char *const modules[] = { "kvm", "kvm_amd", "kvm_hv", "kvm_intel" };
	const struct gather g = { root, prefix, ret };

	add_field(&g, "cpu", "/proc/cpuinfo", "model name");
	add_field(&g, "microcode", "/proc/cpuinfo", "microcode");
	add_file(&g, "cpus", CPU "online");
	add_field(&g, "memory", "/proc/meminfo", "MemTotal");
	add_file(&g, "governor", CPU "cpu0/cpufreq/scaling_governor");
	add_file(&g, "boost", CPU "cpufreq/boost");
	add_file(&g, "no_turbo", CPU "intel_pstate/no_turbo");
	add_file(&g, "smt", CPU "smt/control");
	add_clocksource(&g);
	add_choice(&g, "thp", "/sys/kernel/mm/transparent_hugepage/enabled");
	add_load(&g);
	add_folder(&g, "vulnerability", CPU "vulnerabilities");
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
		_cleanup_free_ char *path =
			xasprintf("/sys/module/%s/parameters", modules[i]);

		add_folder(&g, modules[i], path);
	}
}

static bool is_key(const char *s, size_t len)
{
	return len && len <= KEY_MAX &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_.-") == len;
}

void environment_read(const struct frame *f, size_t first, struct strv *ret)
{
	size_t end = first + WORDS_MAX;

	for (size_t i = first; i < f->words.nr && i < end; i++) {
		const char *word = f->words.v[i];
		size_t key = strcspn(word, "=");
		char *copy;

		if (word[key] != '=' || !is_key(word, key))
			continue;
		copy = xstrndup(word, key + 1 + VALUE_MAX);
		for (char *p = copy; *p; p++)
			if (*p < ' ' || *p > '~')
				*p = '?';
		strv_take(ret, copy);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char *environment_text(const struct strv *words)
{
	_cleanup_free_ const char **v = xcalloc(words->nr, sizeof(*v));
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < words->nr; i++)
		v[i] = words->v[i];
	if (words->nr)
		qsort(v, words->nr, sizeof(*v), by_text);
	for (size_t i = 0; i < words->nr; i++)
		buf_addf(&b, "%s\n", v[i]);
	return buf_take(&b);
}
