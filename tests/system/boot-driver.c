// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Runs one boot as told on the command line and prints what came of it, a line a fact:
 *
 *	boot-driver AGENT CONSOLE KERNEL KEY=VALUE... [-- TASK LEVEL APPEND PROGRAM
 * ARG...]...
 *
 * Keys: base, base-id, candidate, candidate-id, guest, guest-id (default: of KERNEL),
 * modules (a folder, of all three), candidate-modules, module-ids (what the KVM ones are
 * to be; default: what they are),
 * append, base-append, repeat, timeout, task-timeout, direct, accel, target (a
 * section of the settings). Exit status 0 when there is a status, else the error's.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "boot/build/module-plan.h"
#include "boot/target/boot.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/parse.h"
#include "core/base/stop.h"

static const char *value(const char *arg, const char *key)
{
	size_t n = strlen(key);

	return !strncmp(arg, key, n) && arg[n] == '=' ? arg + n + 1 : NULL;
}

static void set(struct boot_spec *s, uint64_t *task_s, const char *arg)
{
	const char *v;

	if ((v = value(arg, "base")))
		s->base.image = v;
	else if ((v = value(arg, "base-id")))
		s->base.build_id = v;
	else if ((v = value(arg, "candidate")))
		s->candidate.image = v;
	else if ((v = value(arg, "candidate-id")))
		s->candidate.build_id = v;
	else if ((v = value(arg, "guest")))
		s->guest.image = v;
	else if ((v = value(arg, "guest-id")))
		s->guest.build_id = v;
	else if ((v = value(arg, "append")))
		s->append = v;
	else if ((v = value(arg, "modules")))
		s->base.module_dir = s->candidate.module_dir = s->guest.module_dir = v;
	else if ((v = value(arg, "candidate-modules")))
		s->candidate.module_dir = v;
	else if ((v = value(arg, "module-ids")))
		s->candidate.modules = s->guest.modules = v;
	else if ((v = value(arg, "base-append")))
		s->base_append = v;
	else if ((v = value(arg, "accel")))
		s->accel = v;
	else if ((v = value(arg, "direct")))
		s->direct = !strcmp(v, "yes");
	else if (value(arg, "target"))
		return; /* known already */
	else if (!(v = value(arg, "timeout")) || !parse_u64(v, &s->boot_timeout_s))
		if (!(v = value(arg, "task-timeout")) || !parse_u64(v, task_s))
			fprintf(stderr, "unknown argument: %s\n", arg);
}

static void say(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	(void)ctx;
	(void)done;
	(void)total;
	fprintf(stderr, "%s\n", what);
}

static void print(const struct boot_result *b)
{
	const struct boot_record *r = &b->record;

	printf("status %s\nreason %s\nproven %d\npath %s\naccel %s\n", r->status,
	       r->reason ?: "-", r->proven, r->path, r->accel);
	printf("title %s\nload %s\n", r->title ?: "-", r->load ?: "-");
	printf("boot_id %s\nbuild_id %s\nseconds %.1f\n", r->boot_id ?: "-",
	       r->build_id ?: "-", r->seconds);
	for (size_t i = 0; i < b->nr_tasks; i++) {
		const struct task_result *t = &b->tasks[i];

		printf("task %s ended %d status %d proven %d reason %s\n", t->name,
		       t->ended, t->status, t->proven, t->reason ?: "-");
		for (size_t j = 0; j < t->lines.nr; j++)
			printf("line %s %s\n", t->name, t->lines.v[j]);
	}
}

/* What this process has: a leak would show from boot to boot. */
static void print_cost(void)
{
	struct rusage self;
	DIR *dir = opendir("/proc/self/fd");
	long rss = 0;
	int fds = -1;
	FILE *f = fopen("/proc/self/statm", "re");

	getrusage(RUSAGE_SELF, &self);
	while (dir && readdir(dir))
		fds++;
	if (dir)
		closedir(dir);
	if (f) {
		if (fscanf(f, "%*d %ld", &rss) != 1)
			rss = -1;
		fclose(f);
	}
	printf("cost cpu_ms %lld fds %d rss_pages %ld ended_ms %llu\n",
	       (long long)(self.ru_utime.tv_sec + self.ru_stime.tv_sec) * 1000 +
		       (self.ru_utime.tv_usec + self.ru_stime.tv_usec) / 1000,
	       fds, rss, (unsigned long long)clock_ms());
}

static int fail(struct err *e)
{
	int status = err_exit_code(e->code);

	printf("error %s\n", err_word(e->code));
	for (unsigned int i = e->nr; i-- > 0;)
		printf("cause %s\n", e->frame[i]);
	if (e->hint)
		printf("hint %s\n", e->hint);
	return status;
}

/* What is there is what is wanted, where nobody says otherwise. */
static int fill_ids(struct boot_kernel *k, char **own, struct err *e)
{
	if (k->modules || !k->module_dir)
		return 0;
	if (module_kvm_ids(k->module_dir, own, e) < 0)
		return -(int)e->code;
	k->modules = *own;
	return 0;
}

static const char *target_name(int argc, char **argv)
{
	const char *v;

	for (int i = 4; i < argc && strcmp(argv[i], "--") != 0; i++)
		if ((v = value(argv[i], "target")))
			return v;
	return "qemu";
}

int main(int argc, char **argv)
{
	struct progress progress = { .update = say };
	struct task_list tasks = { 0 };
	struct boot_spec s = { .accel = "auto", .tasks = &tasks };
	_cleanup_target_ struct target *target = NULL;
	_cleanup_cfg_ struct cfg *cfg = NULL;
	_cleanup_boot_ struct boot_result *b = NULL;
	_cleanup_free_ char *candidate_ids = NULL, *guest_ids = NULL;
	_cleanup_err_ struct err e = { 0 };
	uint64_t task_s = 0, repeat = 1;
	const char *v;
	int i = 4;

	if (argc < 4)
		return 129;
	stop_install();
	log_set_level(getenv("KILN_DEBUG") ? 2 : 0);
	if (cfg_open(NULL, NULL, &cfg, &e) < 0 ||
	    target_read(cfg, target_name(argc, argv), &target, &e) < 0)
		return fail(&e);
	s.target = target;
	s.agent = argv[1];
	s.console = argv[2];
	s.base.image = s.candidate.image = s.guest.image = argv[3];
	s.progress = &progress;
	for (; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (!(v = value(argv[i], "repeat")) || !parse_u64(v, &repeat))
			set(&s, &task_s, argv[i]);
	if (fill_ids(&s.candidate, &candidate_ids, &e) < 0 ||
	    fill_ids(&s.guest, &guest_ids, &e) < 0)
		return fail(&e);
	while (i + 4 < argc) {
		struct boot_task *t = array_push(tasks.v, tasks.nr);

		*t = (struct boot_task){ .name = argv[i + 1],
					 .level = !strcmp(argv[i + 2], "1"),
					 .append = argv[i + 3],
					 .program = argv[i + 4],
					 .timeout_s = task_s };
		for (i += 5; i < argc && strcmp(argv[i], "--") != 0; i++)
			strv_add(&t->args, argv[i]);
	}
	for (i = 0; repeat && !i; repeat--) {
		if (boot_run(&s, &b, &e) < 0) {
			i = fail(&e);
			break;
		}
		print(b);
		print_cost();
		boot_result_free(take_ptr(b));
	}
	for (size_t t = 0; t < tasks.nr; t++)
		strv_release(&tasks.v[t].args);
	free(tasks.v);
	return i;
}
