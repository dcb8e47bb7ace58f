// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Events of this kernel, counted only once somebody asks: "kvm:kvm_exit" is a tracepoint
 * through perf, "stat:exits" a file of KVM's debugfs, summed over all guests.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"

#define TRACING "/sys/kernel/tracing"
#define STATS "/sys/kernel/debug/kvm"

/* A tracepoint: one descriptor a processor. */
struct counter {
	char *name;
	int *fds;
	size_t nr;
};

struct counters {
	struct counter *v;
	size_t nr;
};

static void open_tracepoint(struct counter *c, uint64_t id)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT,
					.size = sizeof(attr),
					.config = id };
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	for (int cpu = 0; cpu < processors; cpu++) {
		long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
				  PERF_FLAG_FD_CLOEXEC);

		if (fd < 0)
			return; /* short of processors: it does not count */
		*array_push(c->fds, c->nr) = (int)fd;
	}
}

static void add(struct counters *all, const char *name)
{
	struct counter *c = array_push(all->v, all->nr);
	_cleanup_free_ char *event = xstrdup(name), *path = NULL, *text = NULL;
	uint64_t id;

	*c = (struct counter){ .name = xstrdup(name) };
	*strchrnul(event, ':') = '/';
	path = xasprintf(TRACING "/events/%s/id", event);
	text = fact_file(path);
	if (parse_u64(text, &id))
		open_tracepoint(c, id);
}

struct counters *counters_open(char *const *names)
{
	struct counters *all = xzalloc(sizeof(*all));

	if (mount("tracefs", TRACING, "tracefs", 0, NULL) < 0 ||
	    mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL) < 0)
		mkdir(TRACING, 0700); /* without them nothing is found, which is said */
	for (; *names; names++)
		add(all, *names);
	return all;
}

/* false: this kernel does not count it. */
static bool read_counter(const struct counter *c, uint64_t *ret)
{
	*ret = 0;
	if (!strncmp(c->name, "stat:", 5)) {
		_cleanup_free_ char *path = xasprintf(STATS "/%s", c->name + 5);
		_cleanup_free_ char *text = fact_file(path);

		return parse_u64(text, ret);
	}
	for (size_t i = 0; i < c->nr; i++) {
		uint64_t n;

		if (read(c->fds[i], &n, sizeof(n)) != sizeof(n))
			return false;
		*ret += n;
	}
	return c->nr == (size_t)sysconf(_SC_NPROCESSORS_ONLN);
}

void counters_send(const struct counters *all, const char *task, struct port *p)
{
	_cleanup_strv_ struct strv words = STRV_INIT;

	strv_addl(&words, "counters", task, NULL);
	for (size_t i = 0; i < all->nr; i++) {
		uint64_t n;

		if (!read_counter(&all->v[i], &n))
			continue;
		strv_add(&words, all->v[i].name);
		strv_addf(&words, "%llu", (unsigned long long)n);
	}
	port_send_words(p, &words);
}

void counters_free(struct counters *all)
{
	for (size_t i = 0; all && i < all->nr; i++) {
		for (size_t k = 0; k < all->v[i].nr; k++)
			close(all->v[i].fds[k]);
		free(all->v[i].fds);
		free(all->v[i].name);
	}
	if (all)
		free(all->v);
	free(all);
}
