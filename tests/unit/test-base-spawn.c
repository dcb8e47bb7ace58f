// SPDX-License-Identifier: GPL-3.0-or-later
/* Child processes: results, limits, and that none is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/base/spawn.h"

/* argv of sh -c SCRIPT; a test may use a shell. */
static struct strv sh(const char *script)
{
	struct strv argv = STRV_INIT;

	strv_addl(&argv, "sh", "-c", script, NULL);
	return argv;
}

static void output_and_status(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf out = BUF_INIT, tail = BUF_INIT;
	_cleanup_strv_ struct strv argv = sh("printf 'a\\0b'; echo problem >&2; exit 7");
	struct spawn s = { .argv = &argv, .timeout_ms = 30000, .out = &out };
	int status = -1;

	(void)state;
	assert_int_equal(spawn_run(&s, &status, &tail, &e), 0);
	assert_int_equal(status, 7);
	assert_int_equal(out.len, 3);
	assert_memory_equal(out.data, "a\0b", 3);
	assert_string_equal(buf_str(&tail), "problem\n");
}

static void check_says_what_failed(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv argv =
		sh("echo first >&2; echo 'the cause' >&2; exit 2");
	struct spawn s = { .argv = &argv, .timeout_ms = 30000 };

	(void)state;
	assert_true(spawn_check(&s, &e) < 0);
	assert_int_equal(e.code, ERR_TOOL_FAILED);
	assert_string_equal(e.frame[0], "'sh' ended with status 2: the cause");
}

static void death_by_signal(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv argv = sh("kill -9 $$");
	struct spawn s = { .argv = &argv, .timeout_ms = 30000 };
	int status = -1;

	(void)state;
	assert_int_equal(spawn_run(&s, &status, NULL, &e), 0);
	assert_int_equal(status, 128 + SIGKILL);
}

static void missing_program(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct spawn s = { .argv = &argv, .timeout_ms = 30000 };
	int status = -1;

	(void)state;
	strv_add(&argv, "no-such-tool");
	assert_true(spawn_run(&s, &status, NULL, &e) < 0);
	assert_int_equal(e.code, ERR_TOOL_MISSING);
	assert_non_null(strstr(e.frame[0], "'no-such-tool'"));
	assert_int_equal(status, -1);
}

static void input_comes_back(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_strv_ struct strv argv = sh("cat");
	size_t len = 3 << 20; /* more than any pipe holds */
	_cleanup_free_ char *in = xcalloc(len, 1);
	struct spawn s = {
		.argv = &argv, .timeout_ms = 60000, .in = in, .in_len = len, .out = &out
	};
	int status = -1;

	(void)state;
	for (size_t i = 0; i < len; i++)
		in[i] = (char)(i * 31 + i / 7);
	assert_int_equal(spawn_run(&s, &status, NULL, &e), 0);
	assert_int_equal(status, 0);
	assert_int_equal(out.len, len);
	assert_memory_equal(out.data, in, len);
}

static void input_nobody_reads(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv argv = sh("exec 0<&-; exit 0");
	_cleanup_free_ char *in = xcalloc(1 << 20, 1);
	struct spawn s = {
		.argv = &argv, .timeout_ms = 30000, .in = in, .in_len = 1 << 20
	};
	int status = -1;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(spawn_run(&s, &status, NULL, &e), 0);
	assert_int_equal(status, 0);
}

static void no_input_is_an_end(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv argv = sh("cat");
	struct spawn s = { .argv = &argv, .timeout_ms = 30000 };

	(void)state;
	assert_int_equal(spawn_check(&s, &e), 0);
}

static void too_much_output(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_strv_ struct strv argv = sh("yes");
	struct spawn s = {
		.argv = &argv, .timeout_ms = 30000, .out = &out, .out_max = 100000
	};
	int status;

	(void)state;
	assert_true(spawn_run(&s, &status, NULL, &e) < 0);
	assert_int_equal(e.code, ERR_TOO_BIG);
	assert_true(out.len < 1 << 20);
}

/* The process ids printed are gone, or about to be: waits for it. */
static void assert_gone(pid_t pid)
{
	uint64_t deadline = clock_ms() + 20000;

	while (kill(pid, 0) == 0 && clock_left(deadline))
		poll(NULL, 0, 10);
	assert_true(kill(pid, 0) < 0 && errno == ESRCH);
}

static pid_t pid_of(const char *text)
{
	_cleanup_free_ char *line = xstrndup(text, strcspn(text, "\n"));
	int pid = 0;

	assert_true(parse_int(line, 2, 1 << 30, &pid));
	return pid;
}

static void time_limit_takes_the_whole_group(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_strv_ struct strv argv = sh("sleep 1000 & echo $!; wait");
	struct spawn s = { .argv = &argv, .timeout_ms = 1000, .out = &out };
	uint64_t start = clock_ms();
	int status = -1;

	(void)state;
	assert_true(spawn_run(&s, &status, NULL, &e) < 0);
	assert_int_equal(e.code, ERR_TIMEOUT);
	assert_non_null(strstr(e.frame[0], "'sh' did not end within 1 s"));
	assert_in_range(clock_ms() - start, 900, 20000);
	assert_gone(pid_of(buf_str(&out)));
}

static void environment_and_folder(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_strv_ struct strv argv = sh("echo $A,$B,$C; pwd"), env = STRV_INIT;
	struct spawn s = { .argv = &argv,
			   .env = &env,
			   .dir = "/usr",
			   .timeout_ms = 30000,
			   .out = &out };

	(void)state;
	setenv("A", "old", 1);
	setenv("C", "kept", 1);
	strv_addl(&env, "A=new", "B=", NULL);
	assert_int_equal(spawn_check(&s, &e), 0);
	assert_string_equal(buf_str(&out), "new,,kept\n/usr\n");
}

static void line_add(void *ctx, const char *line)
{
	strv_add(ctx, line);
}

static void lines_and_log(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv argv =
		sh("echo one; echo; printf three; echo err >&2");
	_cleanup_strv_ struct strv lines = STRV_INIT;
	FILE *log = tmpfile();
	char text[32] = "";
	struct spawn s = { .argv = &argv,
			   .timeout_ms = 30000,
			   .line = line_add,
			   .line_ctx = &lines,
			   .log_fd = fileno(log) };

	(void)state;
	assert_int_equal(spawn_check(&s, &e), 0);
	assert_int_equal(lines.nr, 3);
	assert_string_equal(lines.v[0], "one");
	assert_string_equal(lines.v[1], "");
	assert_string_equal(lines.v[2], "three");
	rewind(log);
	assert_int_equal(fread(text, 1, sizeof(text) - 1, log), 14);
	assert_non_null(strstr(text, "one\n\nthree"));
	assert_non_null(strstr(text, "err\n"));
	fclose(log);
}

static void tail_is_the_end(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf tail = BUF_INIT;
	_cleanup_strv_ struct strv argv = sh("seq 100000 >&2");
	struct spawn s = { .argv = &argv, .timeout_ms = 30000 };
	int status;

	(void)state;
	assert_int_equal(spawn_run(&s, &status, &tail, &e), 0);
	assert_int_equal(tail.len, 4096);
	assert_string_equal(tail.data + tail.len - 7, "100000\n");
}

/* A grandchild that keeps the pipes open does not keep kiln waiting. */
static void grandchild_with_the_pipe(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf out = BUF_INIT;
	_cleanup_strv_ struct strv argv = sh("sleep 1000 & echo $!; exit 3");
	struct spawn s = { .argv = &argv, .timeout_ms = 60000, .out = &out };
	uint64_t start = clock_ms();
	int status = -1;

	(void)state;
	assert_int_equal(spawn_run(&s, &status, NULL, &e), 0);
	assert_int_equal(status, 3);
	assert_true(clock_ms() - start < 20000);
	kill(pid_of(buf_str(&out)), SIGKILL);
}

static void beside_us(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv argv = sh("read line <&3; echo \"got $line\"; exit 4");
	int in[2], out[2], status = -1;
	char text[32] = "";
	struct proc *p = NULL;

	(void)state;
	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(proc_start(&argv, out[1], &in[0], 1, &p, &e), 0);
	close(in[0]);
	close(out[1]);
	assert_true(proc_wait(p, 0, &status, &e) < 0);
	assert_int_equal(e.code, ERR_TIMEOUT);
	assert_int_equal(write(in[1], "word\n", 5), 5);
	assert_int_equal(proc_wait(p, 30000, &status, &e), 0);
	assert_int_equal(status, 4);
	assert_int_equal(read(out[0], text, sizeof(text) - 1), 9);
	assert_string_equal(text, "got word\n");
	close(in[1]);
	close(out[0]);
	proc_free(p);
}

static void freeing_kills(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv argv = sh("exec sleep 1000");
	struct proc *p = NULL;
	pid_t pid;

	(void)state;
	assert_int_equal(proc_start(&argv, -1, NULL, 0, &p, &e), 0);
	pid = proc_pid(p);
	proc_free(p);
	assert_gone(pid);
}

/* kill -9 of kiln: the kernel takes the child too. */
static void children_die_with_us(void **state)
{
	int told[2], status;
	pid_t us, child = 0;

	(void)state;
	assert_int_equal(pipe(told), 0);
	us = fork();
	if (us == 0) {
		struct err e = { 0 };
		struct strv argv = sh("exec sleep 1000");
		struct proc *p = NULL;

		if (proc_start(&argv, -1, NULL, 0, &p, &e) < 0)
			_exit(1);
		child = proc_pid(p);
		if (write(told[1], &child, sizeof(child)) == sizeof(child))
			pause();
		_exit(1);
	}
	assert_int_equal(read(told[0], &child, sizeof(child)), sizeof(child));
	kill(us, SIGKILL);
	waitpid(us, &status, 0);
	assert_gone(child);
	close(told[0]);
	close(told[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_status),
		cmocka_unit_test(check_says_what_failed),
		cmocka_unit_test(death_by_signal),
		cmocka_unit_test(missing_program),
		cmocka_unit_test(input_comes_back),
		cmocka_unit_test(input_nobody_reads),
		cmocka_unit_test(no_input_is_an_end),
		cmocka_unit_test(too_much_output),
		cmocka_unit_test(time_limit_takes_the_whole_group),
		cmocka_unit_test(environment_and_folder),
		cmocka_unit_test(lines_and_log),
		cmocka_unit_test(tail_is_the_end),
		cmocka_unit_test(grandchild_with_the_pipe),
		cmocka_unit_test(beside_us),
		cmocka_unit_test(freeing_kills),
		cmocka_unit_test(children_die_with_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
