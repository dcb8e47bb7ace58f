// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A run is killed instead of writing each of its journal records, then resumed by another
 * process. Whatever the record: the same rows as without a kill, and no sample twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/store/run.h"
#include "core/store/store.h"

#define STEPS 4
#define SAMPLES 3

struct boot_step {
	int nr;
	double seconds; /* what act() finds out */
	bool loaded;
};

/* Each act leaves a byte in a file, so that repeated work can be counted. */
static int boot_act(void *ctx, struct err *e)
{
	struct boot_step *b = ctx;
	_cleanup_free_ char *path = fs_path(getenv("KILN_HOME"), "acts");
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	b->seconds = 10.25 + b->nr;
	return fs_write_fd(fd, &(char){ (char)('0' + b->nr) }, 1, e);
}

static int boot_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	struct boot_step *b = ctx;
	_cleanup_free_ char *token = xasprintf("token-%d", b->nr);
	struct boot_record boot = { .token = token,
				    .status = (char *)"ok",
				    .seconds = b->seconds };

	if (store_add_boot(run_store(r), run_id(r), &boot, e) < 0)
		return -(int)e->code;
	for (int i = 0; i < SAMPLES; i++) {
		struct sample s = { .token = token,
				    .benchmark = (char *)"cpuid_rate",
				    .l0 = (char *)"npt",
				    .l1 = (char *)"npt",
				    .ordinal = i,
				    .value = 18531.5 + b->nr + i / 16.0 };

		if (store_add_sample(run_store(r), run_id(r), &s, e) < 0)
			return -(int)e->code;
	}
	buf_addf(detail, "%.17g", b->seconds);
	return 0;
}

static int boot_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	struct boot_step *b = ctx;

	(void)r;
	(void)e;
	b->seconds = strtod(detail, NULL);
	b->loaded = true;
	return 0;
}

static const struct step boot_step = { boot_act, boot_save, boot_load };

/* What a command does: begin or continue, the steps, the end. jobs 0 is one by one. */
static int work(unsigned int jobs, struct err *e)
{
	_cleanup_store_ struct store *s = NULL;
	_cleanup_run_ struct run *run = NULL;
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct boot_step b[STEPS];
	struct step_call calls[STEPS];
	int r = 0;

	strv_addl(&argv, "bench", "v6.1", NULL);
	if (store_open(&s, e) < 0)
		return -1;
	if (run_open(s, "last", &run, e) < 0) {
		err_release(e);
		if (run_create(s, "bench", &argv, &run, e) < 0)
			return -1;
	}
	if (run_claim(run, e) < 0)
		return -1;
	for (int i = 0; i < STEPS; i++) {
		b[i] = (struct boot_step){ .nr = i };
		calls[i] = (struct step_call){ xasprintf("boot:%d", i), &b[i] };
	}
	if (jobs)
		r = run_steps(run, &boot_step, calls, STEPS, jobs, e);
	for (int i = 0; i < STEPS && r == 0; i++)
		r = run_step(run, &boot_step, calls[i].name, &b[i], e);
	for (int i = 0; i < STEPS; i++) {
		if (r == 0 && b[i].seconds != 10.25 + i)
			r = -1;
		free(calls[i].name);
	}
	return r < 0 ? r : run_finish(run, RUN_DONE, 0, e);
}

/* In a process of its own; the wait status. */
static int work_in_child(unsigned int jobs, int kill_at)
{
	_cleanup_free_ char *at = xasprintf("%d", kill_at);
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct err e = { 0 };
		int r;

		if (kill_at)
			setenv("KILN_KILL_AT", at, 1);
		r = work(jobs, &e);
		err_release(&e);
		_exit(r < 0 ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All results as text, without times and with threads' order taken out; also checks that
 * each step is done once. */
static char *dump(void)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_store_ struct store *s = NULL;
	_cleanup_run_ struct run *run = NULL;
	_cleanup_samples_ struct samples samples = SAMPLES_INIT;
	_cleanup_strv_ struct strv journal = STRV_INIT, lines = STRV_INIT;
	struct boot_record *boots = NULL;
	size_t nr = 0, done = 0;

	assert_int_equal(store_open(&s, &e), 0);
	assert_int_equal(run_open(s, "last", &run, &e), 0);
	assert_int_equal(store_boots(s, run_id(run), &boots, &nr, &e), 0);
	for (size_t i = 0; i < nr; i++) {
		strv_addf(&lines, "%s %s %a", boots[i].token, boots[i].status,
			  boots[i].seconds);
		boot_record_release(&boots[i]);
	}
	free(boots);
	assert_int_equal(store_samples(s, run_id(run), NULL, &samples, &e), 0);
	for (size_t i = 0; i < samples.nr; i++)
		strv_addf(&lines, "%s %d %a", samples.v[i].token, samples.v[i].ordinal,
			  samples.v[i].value);
	assert_int_equal(run_journal(run, &journal, &e), 0);
	for (size_t i = 0; i < journal.nr; i++)
		done += strstr(journal.v[i], " done ") != NULL;
	assert_int_equal(done, STEPS);
	assert_int_equal(samples.nr, STEPS * SAMPLES);
	strv_addf(&lines, "state %d exit %d", run_info(run)->state,
		  run_info(run)->exit_code);
	qsort(lines.v, lines.nr, sizeof(*lines.v), by_text);
	return strv_join(&lines, "\n");
}

static char *home_new(void)
{
	char *dir = xasprintf("%s/kiln-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");

	assert_non_null(mkdtemp(dir));
	setenv("KILN_HOME", dir, 1);
	return dir;
}

static void home_gone(char *dir)
{
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(fs_remove_tree(dir, &e), 0);
	free(dir);
}

/* Bytes in the "acts" file. */
static size_t acts(void)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_free_ char *path = fs_path(getenv("KILN_HOME"), "acts");

	assert_int_equal(fs_read(path, 1000, &b, &e), 0);
	return b.len;
}

static void kill_everywhere(unsigned int jobs)
{
	char *home = home_new();
	char *want;
	int killed = 0;

	assert_int_equal(work_in_child(jobs, 0), 0);
	want = dump();
	home_gone(home);
	for (int at = 1;; at++) {
		_cleanup_free_ char *got = NULL;
		int status;

		home = home_new();
		status = work_in_child(jobs, at);
		if (WIFSIGNALED(status)) {
			assert_int_equal(WTERMSIG(status), SIGKILL);
			killed++;
			assert_int_equal(work_in_child(jobs, 0), 0);
		} else {
			assert_int_equal(status, 0);
		}
		got = dump();
		assert_string_equal(got, want);
		assert_true(acts() <= STEPS + (jobs ? jobs : 1));
		home_gone(home);
		if (!WIFSIGNALED(status))
			break;
	}
	/* begin and done of each step, and the end of the run */
	assert_int_equal(killed, 2 * STEPS + 1);
	free(want);
}

static void one_by_one(void **state)
{
	(void)state;
	kill_everywhere(0);
}

static void in_threads(void **state)
{
	(void)state;
	kill_everywhere(2);
}

static void killed_twice(void **state)
{
	char *home = home_new();
	char *got;

	(void)state;
	for (int i = 0; i < 2 * STEPS + 1; i++)
		assert_true(WIFSIGNALED(work_in_child(0, 2)) || i >= STEPS);
	assert_int_equal(work_in_child(0, 0), 0);
	got = dump();
	assert_non_null(strstr(got, "state 1 exit 0"));
	free(got);
	home_gone(home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_by_one),
		cmocka_unit_test(in_threads),
		cmocka_unit_test(killed_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
