// SPDX-License-Identifier: GPL-3.0-or-later
/* The stage runner and what belongs to a run: failures, threads, claims, facts, names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/stop.h"
#include "core/store/run.h"
#include "core/store/store.h"

struct world {
	char *home;
	struct store *store;
	struct run *run;
	struct err e;
};

static int world_new(void **state)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct world *w = xzalloc(sizeof(*w));

	w->home = xasprintf("%s/kiln-test-XXXXXX", getenv("TMPDIR") ?: "/tmp");
	assert_non_null(mkdtemp(w->home));
	setenv("KILN_HOME", w->home, 1);
	strv_addl(&argv, "bench", "--json", "a b", "", NULL);
	assert_int_equal(store_open(&w->store, &w->e), 0);
	assert_int_equal(run_create(w->store, "bench", &argv, &w->run, &w->e), 0);
	*state = w;
	return 0;
}

static int world_gone(void **state)
{
	struct world *w = *state;

	run_free(w->run);
	store_free(w->store);
	err_release(&w->e);
	assert_int_equal(fs_remove_tree(w->home, &w->e), 0);
	free(w->home);
	free(w);
	return 0;
}

/* A step that counts its calls and fails when told. */
struct job {
	int acts, saves, loads;
	bool fail_act, fail_save;
	char *loaded;
	pthread_t thread;
	atomic_int *running, *most;
};

static int job_act(void *ctx, struct err *e)
{
	struct job *j = ctx;

	j->acts++;
	j->thread = pthread_self();
	if (j->running) {
		int now = atomic_fetch_add(j->running, 1) + 1,
		    most = atomic_load(j->most);

		while (now > most && !atomic_compare_exchange_weak(j->most, &most, now))
			;
		poll(NULL, 0, 20); /* be seen by the others */
		atomic_fetch_sub(j->running, 1);
	}
	return j->fail_act ? err_set(e, ERR_TIMEOUT, "act says no") : 0;
}

static int job_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	struct job *j = ctx;

	j->saves++;
	if (run_set(r, "saved", "yes", e) < 0)
		return -(int)e->code;
	buf_adds(detail, "result\n1");
	return j->fail_save ? err_set(e, ERR_IO, "save says no") : 0;
}

static int job_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	struct job *j = ctx;

	(void)r;
	(void)e;
	j->loads++;
	j->loaded = xstrdup(detail);
	return 0;
}

static const struct step job_step = { job_act, job_save, job_load };

static void done_once(void **state)
{
	struct world *w = *state;
	struct job a = { 0 }, b = { 0 };

	assert_int_equal(run_step(w->run, &job_step, "x", &a, &w->e), 0);
	assert_int_equal(run_step(w->run, &job_step, "x", &b, &w->e), 0);
	assert_int_equal(a.acts + a.saves, 2);
	assert_int_equal(b.acts + b.saves, 0);
	assert_int_equal(b.loads, 1);
	assert_string_equal(b.loaded, "result\n1");
	free(b.loaded);
}

static void failed_act_is_done_again(void **state)
{
	struct world *w = *state;
	struct job j = { .fail_act = true };
	struct strv journal = STRV_INIT;

	assert_true(run_step(w->run, &job_step, "x", &j, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_TIMEOUT);
	assert_int_equal(j.saves, 0);
	assert_int_equal(run_journal(w->run, &journal, &w->e), 0);
	assert_int_equal(journal.nr, 2);
	assert_non_null(strstr(journal.v[0], "Z begin x"));
	assert_non_null(strstr(journal.v[1], "Z failed x timeout: act says no"));
	strv_release(&journal);
	err_release(&w->e);
	j.fail_act = false;
	assert_int_equal(run_step(w->run, &job_step, "x", &j, &w->e), 0);
	assert_int_equal(j.acts, 2);
}

static void failed_save_leaves_nothing(void **state)
{
	struct world *w = *state;
	struct job j = { .fail_save = true };
	char *value = NULL;

	assert_true(run_step(w->run, &job_step, "x", &j, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_IO);
	err_release(&w->e);
	assert_true(run_get(w->run, "saved", &value, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_NOT_FOUND);
}

#define JOBS 7

static void calls_init(struct step_call *calls, struct job *jobs)
{
	for (int i = 0; i < JOBS; i++)
		calls[i] = (struct step_call){ xasprintf("job-%d", i), &jobs[i] };
}

static void calls_release(struct step_call *calls)
{
	for (int i = 0; i < JOBS; i++)
		free(calls[i].name);
}

static void threads_up_to_jobs(void **state)
{
	struct world *w = *state;
	struct job jobs[JOBS] = { 0 };
	struct step_call calls[JOBS];
	atomic_int running = 0, most = 0;

	for (int i = 0; i < JOBS; i++) {
		jobs[i].running = &running;
		jobs[i].most = &most;
	}
	calls_init(calls, jobs);
	assert_int_equal(run_steps(w->run, &job_step, calls, JOBS, 3, &w->e), 0);
	assert_in_range(atomic_load(&most), 2, 3);
	for (int i = 0; i < JOBS; i++) {
		assert_int_equal(jobs[i].acts, 1);
		assert_int_equal(jobs[i].saves, 1);
		assert_false(pthread_equal(jobs[i].thread, pthread_self()));
	}
	assert_int_equal(run_steps(w->run, &job_step, calls, JOBS, 3, &w->e), 0);
	for (int i = 0; i < JOBS; i++) {
		assert_int_equal(jobs[i].acts, 1);
		assert_int_equal(jobs[i].loads, 1);
		free(jobs[i].loaded);
	}
	calls_release(calls);
}

/* The first error is returned, running steps are saved, later ones never start. */
static void threads_stop_at_failure(void **state)
{
	struct world *w = *state;
	struct job jobs[JOBS] = { 0 };
	struct step_call calls[JOBS];
	int acts = 0, saves = 0;

	jobs[2].fail_act = true;
	calls_init(calls, jobs);
	assert_true(run_steps(w->run, &job_step, calls, JOBS, 2, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_TIMEOUT);
	for (int i = 0; i < JOBS; i++) {
		acts += jobs[i].acts;
		saves += jobs[i].saves;
	}
	assert_int_equal(jobs[2].saves, 0);
	assert_int_equal(saves, acts - 1);
	assert_true(acts < JOBS);
	calls_release(calls);
}

static void no_steps_is_no_work(void **state)
{
	struct world *w = *state;

	assert_int_equal(run_steps(w->run, &job_step, NULL, 0, 4, &w->e), 0);
}

/* Blocks as a wait for QEMU does, until a signal is seen. */
static int wait_act(void *ctx, struct err *e)
{
	(void)ctx;
	for (;;) {
		if (stop_check(e) < 0)
			return -(int)e->code;
		poll(NULL, 0, -1);
	}
}

/* A signal reaches the threads, wherever the kernel delivered it. */
static void signal_ends_threads(void **state)
{
	static const struct step step = { .act = wait_act };
	int status, sig;
	sigset_t set;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		struct step_call calls[2] = { { (char *)"a", NULL },
					      { (char *)"b", NULL } };
		struct store *s = NULL;
		struct run *run = NULL;
		struct err e = { 0 };

		/* The parent's connection and claim must not be used here. */
		stop_install();
		alarm(20);
		if (store_open(&s, &e) < 0 ||
		    run_create(s, "x", &(struct strv)STRV_INIT, &run, &e) < 0)
			_exit(3);
		kill(getppid(), SIGUSR1);
		_exit(run_steps(run, &step, calls, 2, 2, &e) < 0 &&
				      e.code == ERR_INTERRUPTED
			      ? 0
			      : 2);
	}
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	assert_int_equal(sigwait(&set, &sig), 0);
	poll(NULL, 0, 100); /* let it block; too early is right too */
	kill(pid, SIGINT);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void one_process_a_run(void **state)
{
	struct world *w = *state;
	struct run *again = NULL;

	assert_true(run_is_live(run_id(w->run)));
	assert_int_equal(run_claim(w->run, &w->e), 0); /* its own claim is no obstacle */
	assert_int_equal(run_open(w->store, "last", &again, &w->e), 0);
	assert_true(run_claim(again, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_STORE);
	assert_non_null(strstr(w->e.frame[0], run_id(w->run)));
	err_release(&w->e);
	run_free(w->run);
	w->run = NULL;
	assert_false(run_is_live(run_id(again)));
	assert_int_equal(run_claim(again, &w->e), 0);
	w->run = again;
}

static void claim_dies_with_its_process(void **state)
{
	struct world *w = *state;
	char *id = xstrdup(run_id(w->run));
	int status, ready[2];
	char byte;
	pid_t pid;

	run_free(w->run);
	w->run = NULL;
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		struct run *mine = NULL;
		struct store *s = NULL;
		struct err e = { 0 };

		if (store_open(&s, &e) < 0 || run_open(s, id, &mine, &e) < 0 ||
		    run_claim(mine, &e) < 0)
			_exit(1);
		if (write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	assert_true(run_is_live(id));
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	assert_false(run_is_live(id));
	free(id);
}

static void found_by_prefix(void **state)
{
	struct world *w = *state;
	_cleanup_free_ char *prefix = xstrndup(run_id(w->run), 11);
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct run *r = NULL;

	assert_int_equal(run_open(w->store, prefix, &r, &w->e), 0);
	assert_string_equal(run_id(r), run_id(w->run));
	assert_int_equal(run_info(r)->argv.nr, 4);
	assert_string_equal(run_info(r)->argv.v[2], "a b");
	assert_string_equal(run_info(r)->argv.v[3], "");
	run_free(r);
	r = NULL;
	for (int i = 0; i < 17; i++) { /* more runs than first digits */
		assert_int_equal(run_create(w->store, "x", &argv, &r, &w->e), 0);
		run_free(r);
		r = NULL;
	}
	for (int i = 0, ambiguous = 0; i < 16; i++) {
		char digit[2] = { "0123456789abcdef"[i] };

		if (run_open(w->store, digit, &r, &w->e) < 0)
			ambiguous += w->e.code == ERR_USAGE;
		run_free(r);
		r = NULL;
		if (i == 15)
			assert_true(ambiguous > 0);
	}
	err_release(&w->e);
	assert_true(run_open(w->store, "no%_such", &r, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_NOT_FOUND);
	assert_true(run_open(w->store, "", &r, &w->e) < 0);
	assert_int_equal(w->e.code, ERR_NOT_FOUND);
}

static void end_is_recorded(void **state)
{
	struct world *w = *state;
	struct run_info *v = NULL;
	size_t nr = 0;

	assert_int_equal(run_finish(w->run, RUN_FAILED, 125, &w->e), 0);
	assert_int_equal(run_list(w->store, &v, &nr, &w->e), 0);
	assert_int_equal(nr, 1);
	assert_int_equal(v[0].state, RUN_FAILED);
	assert_int_equal(v[0].exit_code, 125);
	assert_true(v[0].ended >= v[0].started && v[0].started > 1600000000);
	run_info_release(&v[0]);
	free(v);
}

static void facts_are_kept(void **state)
{
	struct world *w = *state;
	struct strv facts = STRV_INIT;
	char *value = NULL;

	assert_int_equal(run_set(w->run, "ref", "refs/kiln/1", &w->e), 0);
	assert_int_equal(run_set(w->run, "base", "v6.1", &w->e), 0);
	assert_int_equal(run_set(w->run, "ref", "refs/kiln/2", &w->e), 0);
	assert_int_equal(run_get(w->run, "ref", &value, &w->e), 0);
	assert_string_equal(value, "refs/kiln/2");
	free(value);
	assert_int_equal(run_facts(w->run, &facts, &w->e), 0);
	assert_int_equal(facts.nr, 4);
	assert_string_equal(facts.v[0], "base");
	strv_release(&facts);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, world_new, world_gone)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(done_once),
		TEST(failed_act_is_done_again),
		TEST(failed_save_leaves_nothing),
		TEST(threads_up_to_jobs),
		TEST(threads_stop_at_failure),
		TEST(no_steps_is_no_work),
		TEST(signal_ends_threads),
		TEST(one_process_a_run),
		TEST(claim_dies_with_its_process),
		TEST(found_by_prefix),
		TEST(end_is_recorded),
		TEST(facts_are_kept),
	};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
