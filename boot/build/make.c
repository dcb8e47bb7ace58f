// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/make.h"

#include <sched.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/alloc.h"
#include "core/base/spawn.h"

static unsigned int processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return 1;
	return (unsigned int)CPU_COUNT(&set);
}

bool make_line_is_object(const char *line)
{
	return !strncmp(line, "  CC ", 5) || !strncmp(line, "  AS ", 5) ||
	       !strncmp(line, "  HOSTCC ", 9);
}

static void on_line(void *ctx, const char *line)
{
	struct make_job *j = ctx;
	_cleanup_free_ char *what = NULL;
	uint64_t s = (clock_ms() - j->started_ms) / 1000;

	j->objects += make_line_is_object(line);
	if (!j->progress)
		return;
	what = xasprintf("build %s, %llu:%02llu, objects", j->what,
			 (unsigned long long)s / 60, (unsigned long long)s % 60);
	progress_update(j->progress, what, j->objects, 0);
}

/* ccache in front makes one word for make and two for the shell. It stays on CC alone:
 * LLVM=1 still chooses every other tool. */
static void tools_argv(const struct make_job *j, struct strv *v)
{
	const char *prefix = arch_prefix(j->arch);

	if (j->llvm)
		strv_add(v, "LLVM=1");
	else if (*prefix)
		strv_addf(v, "CROSS_COMPILE=%s", prefix);
	if (j->box->ccache)
		strv_addf(v, "CC=ccache %s%s", j->llvm ? "" : prefix,
			  j->llvm ? "clang" : "gcc");
}

static void make_argv(const struct make_job *j, const char *target, struct strv *v)
{
	sandbox_argv(j->box, v);
	strv_addl(v, "make", "-C", sandbox_src(j->box), NULL);
	strv_addf(v, "O=%s", sandbox_out(j->box));
	strv_addf(v, "ARCH=%s", j->arch->kbuild);
	tools_argv(j, v);
	/* So that a warning stands below the line that names its object. */
	strv_add(v, "--output-sync=target");
	strv_addf(v, "-j%u", j->jobs ? j->jobs : processors());
	for (size_t i = 0; i < ARRAY_SIZE(j->extra) && j->extra[i]; i++)
		strv_add(v, j->extra[i]);
	for (const char *p = target; *(p += strspn(p, " "));) {
		size_t n = strcspn(p, " ");

		strv_take(v, xstrndup(p, n));
		p += n;
	}
}

int make_run(struct make_job *j, const char *target, int *ret_status, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct spawn s = {
		.argv = &argv, .log_fd = j->log_fd, .line = on_line, .line_ctx = j
	};
	uint64_t now = clock_ms();
	int status;

	if (now >= j->deadline_ms)
		return err_set(e, ERR_TIMEOUT, "no time left for 'make %s'", target);
	s.timeout_ms = j->deadline_ms - now;
	s.in = j->answers;
	s.in_len = j->answers ? strlen(j->answers) : 0;
	make_argv(j, target, &argv);
	if (spawn_run(&s, &status, NULL, e) < 0)
		return err_wrap(e, "'make %s' did not come to an end", target);
	if (status == 127)
		return err_set(e, ERR_TOOL_MISSING, "program 'make' not found");
	if (status >= 128) {
		err_set(e, ERR_TOOL_FAILED, "'make %s' was killed by signal %d", target,
			status - 128);
		return err_hint(e, "free memory or use fewer jobs (--jobs 1)");
	}
	*ret_status = status;
	return 0;
}
