// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A command of the user, run on the host once a kernel is built, with the exit codes of
 * `git bisect run`: 0 good, 125 cannot be tested, 1 to 127 bad. 128 and above (killed by a
 * signal, out of memory) says nothing of the kernel: it is run once more, and then the
 * commit cannot be tested.
 */
#include "cli/bisect/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "cli/ahead.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/base/safe.h"
#include "core/base/spawn.h"

#define DEFAULT_TIMEOUT_S 3600
#define SKIP 125
#define INFRA 128
/* What an exit status cannot be. */
#define TIMED_OUT 1000

struct test_call {
	const struct probe *probe;
	const struct question *q;
	char *log;
	int status;
	double seconds;
	char *last; /* last line of standard error, owned */
};

static void test_env(const struct test_call *t, struct strv *env)
{
	const struct build_record *b = &t->q->kernel->build;

	strv_addf(env, "KILN_COMMIT=%s", t->q->kernel->commit.hex);
	strv_addf(env, "KILN_TREE=%s", repo_common_dir(t->probe->o.repo));
	strv_addf(env, "KILN_IMAGE=%s", b->image ?: "");
	strv_addf(env, "KILN_BUILD_ID=%s", b->build_id ?: "");
	strv_addf(env, "KILN_BUILD_LOG=%s", b->log ?: "");
	strv_addf(env, "KILN_LOG=%s", t->log);
}

static void keep_last_line(struct test_call *t, const struct buf *tail)
{
	_cleanup_free_ char *text = xstrdup(buf_str(tail));
	size_t len = strlen(text);
	const char *line;

	while (len && strchr("\n ", text[len - 1]))
		text[--len] = '\0';
	line = strrchr(text, '\n');
	free(t->last);
	t->last = safe_text(xstrdup(line ? line + 1 : text), false);
}

static int test_once(struct test_call *t, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT, env = STRV_INIT;
	_cleanup_buf_ struct buf tail = BUF_INIT;
	_cleanup_close_ int fd =
		open(t->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	uint64_t limit = t->probe->o.test_timeout_s ?: DEFAULT_TIMEOUT_S;
	struct spawn s = {
		.argv = &argv,
		.env = &env,
		.timeout_ms = limit * 1000,
		.log_fd = fd,
	};

	if (fd < 0)
		return err_sys(e, errno, "cannot write '%s'", t->log);
	strv_addl(&argv, "/bin/sh", "-c", t->probe->o.test, NULL);
	test_env(t, &env);
	if (spawn_run(&s, &t->status, &tail, e) < 0) {
		if (e->code != ERR_TIMEOUT)
			return err_wrap(e, "cannot run the test");
		err_release(e);
		t->status = TIMED_OUT;
	}
	keep_last_line(t, &tail);
	return 0;
}

static int test_act(void *ctx, struct err *e)
{
	struct test_call *t = ctx;
	uint64_t start = clock_ms();

	for (int attempt = 0; attempt < 2; attempt++) {
		if (test_once(t, e) < 0)
			return -(int)e->code;
		if (t->status < INFRA || t->status == TIMED_OUT)
			break;
	}
	t->seconds = (double)(clock_ms() - start) / 1000;
	return 0;
}

static int test_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	const struct test_call *t = ctx;

	(void)r;
	(void)e;
	buf_addf(detail, "%d %.17g %s", t->status, t->seconds, t->last ?: "");
	return 0;
}

static int test_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	struct test_call *t = ctx;
	_cleanup_free_ char *copy = xstrdup(detail);
	char *rest = copy;
	const char *status = strsep(&rest, " "), *seconds = strsep(&rest, " ");

	(void)r;
	if (!seconds || !parse_int(status, 0, TIMED_OUT, &t->status) ||
	    !parse_double(seconds, &t->seconds))
		return err_set(e, ERR_STORE, "the journal's record of a test is damaged");
	t->last = xstrdup(rest ?: "");
	return 0;
}

static char *test_name(const struct question *q)
{
	_cleanup_free_ char *kernel = kernel_name(q->kernel);

	return xasprintf("test:%s:%u", kernel, q->boot);
}

static void test_answer(const struct test_call *t, struct answer *ret)
{
	bool timed_out = t->status == TIMED_OUT;
	bool skip = t->status == SKIP || (timed_out && !t->probe->o.timeout_is_bad) ||
		    (!timed_out && t->status >= INFRA);

	*ret = (struct answer){
		.kind = skip ? ANSWER_UNTESTABLE : ANSWER_PASS,
		.passed = t->status == 0,
		.failed = !skip && t->status,
		.stage = timed_out ? BISECT_AT_TIMEOUT : BISECT_AT_BENCHMARK,
		.seconds = t->seconds,
	};
	if (timed_out)
		ret->reason = xstrdup("the test did not end in time");
	else if (t->status)
		ret->reason = xasprintf("the test ended with status %d%s%s", t->status,
					t->last && *t->last ? ": " : "", t->last ?: "");
}

int probe_ask_test(const struct probe *p, struct lab *l, const struct question *q,
		   size_t nr, struct lab_ahead *ahead, struct answer *ret, struct err *e)
{
	static const struct step step = { test_act, test_save, test_load };
	_cleanup_free_ struct test_call *calls = xcalloc(nr, sizeof(*calls));
	_cleanup_free_ struct step_call *steps = xcalloc(nr, sizeof(*steps));
	int r;

	for (size_t i = 0; i < nr; i++) {
		_cleanup_free_ char *file = test_name(&q[i]);

		steps[i] = (struct step_call){ xstrdup(file), &calls[i] };
		for (char *c = file; *c; c++)
			*c = *c == ':' ? '-' : *c;
		calls[i] = (struct test_call){ .probe = p, .q = &q[i] };
		calls[i].log = xasprintf("%s/%s.log", p->o.dir, file);
	}
	/* One at a time: two tests at once may want the same machine or file. */
	r = lab_steps(l, &step, steps, nr, 1, ahead, e);
	for (size_t i = 0; i < nr; i++) {
		if (r == 0)
			test_answer(&calls[i], &ret[i]);
		free(steps[i].name);
		free(calls[i].log);
		free(calls[i].last);
	}
	return r;
}
