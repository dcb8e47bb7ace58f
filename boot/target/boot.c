// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/boot.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "boot/cmdline.h"
#include "boot/environment.h"
#include "boot/target/carry.h"
#include "boot/target/initrd.h"
#include "boot/target/modules.h"
#include "boot/target/qemu-args.h"
#include "boot/target/rejoin.h"
#include "boot/target/session.h"
#include "boot/target/share.h"
#include "core/arch/arch.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/log.h"

static const struct arch *boot_arch(const struct boot_spec *spec)
{
	return spec->arch ?: arch_find(NULL);
}

const char *boot_accel(const struct arch *a)
{
	const struct arch_qemu *q = (a ?: arch_find(NULL))->qemu;
	_cleanup_close_ int fd = -1, vm = -1;

	if (!q || !q->kvm_nests)
		return "tcg";
	fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);

	/* a device node that opens may still have no hardware behind it */
	if (fd < 0 || ioctl(fd, KVM_GET_API_VERSION, 0) != KVM_API_VERSION)
		return "tcg";
	vm = ioctl(fd, KVM_CREATE_VM, 0);
	return vm >= 0 && q->kvm_nests(fd) ? "kvm" : "tcg";
}

static char *new_token(void)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	unsigned char bytes[16];

	while (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		; /* a signal while the kernel still gathers entropy */
	for (size_t i = 0; i < sizeof(bytes); i++)
		buf_addf(&b, "%02x", bytes[i]);
	return buf_take(&b);
}

/* What one boot has on the host's side. */
struct setup {
	const struct boot_spec *spec;
	bool own_base;
	struct share_boot boot;
	char *share;	   /* what the machine sees of it */
	char *place;	   /* and where */
	char *huge_pages;  /* of L1 there */
	char *tools;	   /* NULL when no task has a guest */
	char *tools_place; /* where the machine sees it */
	char *qemu;	   /* its digest, likewise */
	char *base_initrd; /* "" when the candidate starts directly */
	char *initrd;	   /* the candidate's */
	struct strv tokens;
	char *digest;	 /* of the boot, where it may outlive kiln */
	struct buf said; /* by a candidate that runs already */
};

static void setup_release(struct setup *s)
{
	share_boot_release(&s->boot);
	free(s->share);
	free(s->place);
	free(s->huge_pages);
	free(s->tools);
	free(s->tools_place);
	free(s->qemu);
	free(s->base_initrd);
	free(s->initrd);
	strv_release(&s->tokens);
	free(s->digest);
	buf_release(&s->said);
}

/*
 * What a task in L0 runs, as files NAME-... of the share; NAME itself is the command's
 * words, which the agent reads.
 */
static int setup_command(struct setup *s, const char *name, const struct boot_task *t,
			 struct err *e)
{
	_cleanup_free_ char *prefix = xasprintf("%s-", name), *file = NULL, *lib = NULL;
	_cleanup_free_ char *place = xasprintf("%s/", s->place);
	_cleanup_strv_ struct strv from = STRV_INIT, to = STRV_INIT;
	_cleanup_carry_ struct carry carry = { 0 };
	_cleanup_buf_ struct buf words = BUF_INIT;

	if (carry_make(t->program, &carry, e) < 0)
		return -(int)e->code;
	carry_words(&carry, place, prefix, &words);
	carry_files(&carry, prefix, &from, &to);
	file = fs_path(s->share, name);
	lib = xasprintf("%s-lib", file);
	if ((carry.binary.libs.nr && fs_mkdirs(lib, e) < 0) ||
	    fs_write(file, words.data, words.len, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < from.nr; i++)
		if (share_add(s->share, to.v[i], from.v[i], e) < 0)
			return -(int)e->code;
	return 0;
}

size_t task_group(const struct task_list *tasks, size_t i)
{
	size_t nr = 1;

	while (i + nr < tasks->nr && tasks->v[i + nr].joins)
		nr++;
	return nr;
}

static int setup_task(struct setup *s, size_t i, struct err *e)
{
	const struct task_list *tasks = s->spec->tasks;
	const struct boot_task *t = &tasks->v[i];
	_cleanup_free_ char *name = xasprintf("task-%zu%s", i, t->level ? ".cpio" : "");
	_cleanup_free_ char *path = fs_path(s->share, name);
	_cleanup_free_ char *token = new_token();

	strv_add(&s->tokens, token);
	if (t->level == 0)
		return setup_command(s, name, t, e);
	if (t->joins)
		return 0; /* it is in the initramfs of the one it joins */
	if (!s->spec->guest.image)
		return err_set(e, ERR_USAGE, "task '%s' needs a guest kernel", t->name);
	if (!s->tools && (share_tools(&s->tools, &s->qemu, e) < 0 ||
			  share_add(s->share, "guest", s->spec->guest.image, e) < 0))
		return -(int)e->code;
	return initrd_guest(s->spec, i, path, e);
}

/* What a machine of its own gets; it starts from what is installed there. */
static int setup_own_base(struct setup *s, struct err *e)
{
	const struct boot_spec *spec = s->spec;

	if (share_add(s->share, "candidate", spec->candidate.image, e) < 0 ||
	    share_add(s->share, "agent", spec->agent, e) < 0)
		return -(int)e->code;
	return modules_share(s->share, spec->candidate.module_dir, e);
}

static int setup_make(struct setup *s, struct err *e)
{
	const struct boot_spec *spec = s->spec;
	const char *dir;

	if (share_boot_make(&s->boot, e) < 0)
		return -(int)e->code;
	s->share = fs_path(s->boot.dir, "share");
	dir = boot_arch(spec)->qemu->shares ? NULL : s->share;
	s->base_initrd = fs_path(s->boot.dir, "base.cpio");
	s->initrd = fs_path(s->share, "candidate.cpio");
	if (fs_mkdirs(s->share, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; spec->tasks && i < spec->tasks->nr; i++)
		if (setup_task(s, i, e) < 0)
			return -(int)e->code;
	if (s->own_base)
		return setup_own_base(s, e);
	/* what each kernel gets without a share: the candidate the tasks' files, and the
	 * base those and the candidate */
	if (initrd_candidate(spec, dir, s->initrd, e) < 0 ||
	    share_add(s->share, "candidate", spec->candidate.image, e) < 0)
		return -(int)e->code;
	return spec->direct ? 0 : initrd_base(spec, dir, s->base_initrd, e);
}

/* A kernel command line. What the caller adds comes last, so that it wins. */
static int make_cmdline(const struct boot_spec *spec, const char *params, bool base,
			const char *token, char **ret, struct err *e)
{
	const char *more = base ? spec->base_append : spec->append, *why;
	_cleanup_free_ char *shape = base ? xstrdup("")
					  : qemu_shape_params(&spec->shape, false);
	_cleanup_free_ char *line =
		xasprintf("%s kiln.role=%s kiln.token=%s kiln.via=%s:%s%s%s%s", params,
			  base ? "base" : "candidate", token,
			  base || spec->direct ? "firmware" : "kexec", token, shape,
			  more && *more ? " " : "", more ?: "");

	why = cmdline_check(line);
	if (why)
		return err_set(e, strlen(line) > CMDLINE_MAX ? ERR_TOO_BIG : ERR_USAGE,
			       "the kernel command line will not do: %s", why);
	*ret = take_ptr(line);
	return 0;
}

static struct boot_result *result_new(const struct boot_spec *spec, const char *accel)
{
	struct boot_result *b = xzalloc(sizeof(*b));
	struct boot_record *r = &b->record;

	r->target = xstrdup(spec->target->name);
	r->counted = spec->counters;
	r->accel = xstrdup(accel);
	r->path = xstrdup(spec->direct ? "firmware" : "kexec");
	r->token = new_token();
	r->console = xstrdup(spec->console);
	b->nr_tasks = spec->tasks ? spec->tasks->nr : 0;
	b->tasks = xcalloc(b->nr_tasks, sizeof(*b->tasks));
	for (size_t i = 0; i < b->nr_tasks; i++)
		b->tasks[i].name = xstrdup(spec->tasks->v[i].name);
	return b;
}

void boot_result_free(struct boot_result *b)
{
	if (!b)
		return;
	boot_record_release(&b->record);
	for (size_t i = 0; i < b->nr_tasks; i++) {
		struct task_result *t = &b->tasks[i];

		free(t->name);
		strv_release(&t->lines);
		for (size_t k = 0; k < BOOT_MARKS; k++)
			strv_release(&t->marks[k]);
		free(t->guest_boot_id);
		free(t->guest_build_id);
		free(t->reason);
	}
	free(b->tasks);
	free(b->qemu);
	free(b);
}

/* Tasks that the kernel's end took along say so. */
static void explain_tasks(struct boot_result *b)
{
	for (size_t i = 0; i < b->nr_tasks; i++)
		if (!b->tasks[i].ended && !b->tasks[i].reason)
			b->tasks[i].reason = xasprintf("L0: %s: %s", b->record.status,
						       b->record.reason ?: "");
}

/*
 * The kernel's answer stands, whatever becomes of the machine afterwards; one that does
 * not come back is the next boot's problem, and told now.
 */
static int after(struct session *s, struct err *e)
{
	_cleanup_err_ struct err stop = { 0 };
	struct boot_record *r = &s->result->record;
	_cleanup_free_ char *reason = NULL;

	if (s->type->stop(s->machine, session_is_silence(r->status), &stop) == 0)
		return session_late(s, e);
	/* one that answers after all has given no answer yet */
	if (stop.code == ERR_INTERRUPTED || stop.code == ERR_NETWORK)
		return err_set(e, stop.code, "%s", stop.frame[0]);
	reason = xasprintf("%s%s%s", r->reason ?: "", r->reason ? "; then " : "",
			   stop.frame[0]);
	session_defang(reason);
	free(r->reason);
	r->reason = take_ptr(reason);
	return 0;
}

static int run_machine(struct session *s, const struct setup *setup, struct err *e)
{
	struct boot_record *r = &s->result->record;
	const struct boot_spec *spec = s->spec;
	_cleanup_free_ char *params = s->type->params(spec->arch, r->accel);
	_cleanup_free_ char *base = NULL, *candidate = NULL;
	_cleanup_strv_ struct strv words = STRV_INIT;
	struct machine_opts o = {
		.arch = spec->arch,
		.target = spec->target,
		.accel = r->accel,
		.kernel = spec->direct ? spec->candidate.image : spec->base.image,
		.initrd = spec->direct ? setup->initrd : setup->base_initrd,
		.boot_dir = setup->share,
		.tools_dir = setup->tools,
		.tools = setup->tools_place,
		.console = spec->console,
		.vcpus = spec->shape.vcpus,
		.token = r->token,
	};
	/* where kiln may die before it is kept, the result may have to be asked for again */
	bool forget = s->digest && !s->type->blind;
	int ret;

	if (make_cmdline(spec, params, true, r->token, &base, e) < 0 ||
	    make_cmdline(spec, params, false, r->token, &candidate, e) < 0)
		return -(int)e->code;
	o.append = spec->direct ? candidate : base;
	/* a machine of its own has nothing of this one */
	if (!s->type->own_base)
		environment_gather("", "host", &words);
	if (s->rejoined) {
		o.base_boot_id = s->base_boot_id;
		o.said = buf_str(&setup->said);
	}
	s->place = setup->place;
	s->tools = setup->tools_place;
	s->huge_pages = setup->huge_pages;
	if (s->type->start(&o, &s->machine, e) < 0)
		return err_wrap(e, "cannot start the machine");
	if (s->type->version)
		strv_addf(&words, "%s=%s", s->type->name, s->type->version(s->machine));
	ret = session_run(s, candidate, e);
	for (size_t i = 0; i < s->environment.nr; i++)
		strv_add(&words, s->environment.v[i]);
	r->environment = environment_text(&words);
	if (ret == 0) {
		if (forget && !session_is_silence(r->status))
			rejoin_forget(spec->console);
		session_send(s, "bye", NULL);
		ret = after(s, e);
		if (forget && ret == 0)
			rejoin_forget(spec->console);
	}
	s->type->free(s->machine);
	return ret;
}

/* What a machine of its own cannot do, said before anything happens to it. */
static int check_remote(const struct boot_spec *spec, struct err *e)
{
	const char *name = spec->target->name;

	if (spec->direct) {
		err_set(e, ERR_USAGE,
			"kiln installs no boot entry on target '%s', so its firmware "
			"cannot start a candidate",
			name);
		return err_hint(e, "use --path kexec");
	}
	return 0;
}

static int check_spec(const struct boot_spec *spec, const struct machine_type *type,
		      struct boot_result *b, struct err *e)
{
	const struct arch_qemu *q = boot_arch(spec)->qemu;
	const char *no_guests = q ? q->no_guests : NULL;
	struct boot_record *r = &b->record;

	if (!q)
		return err_set(e, ERR_USAGE, "a kernel for %s does not boot here",
			       boot_arch(spec)->name);
	if (type->own_base) {
		/* whatever it is: kiln neither knows nor chooses */
		free(r->accel);
		r->accel = xstrdup("none");
		return check_remote(spec, e);
	}
	for (size_t i = 0; spec->tasks && i < spec->tasks->nr; i++)
		if (spec->tasks->v[i].level && no_guests)
			return err_set(e, ERR_USAGE, "no guests of their own on %s: %s",
				       boot_arch(spec)->name, no_guests);
	if (strcmp(r->accel, "kvm") != 0 && strcmp(r->accel, "tcg") != 0)
		return err_set(e, ERR_USAGE, "unknown accelerator '%s'", spec->accel);
	return 0;
}

/*
 * A kiln before this one may have left the machine at work. What it keeps is deleted when
 * the machine does something else by now: then the boot is done again.
 */
static int look_for_running(struct session *s, struct setup *setup, struct err *e)
{
	const struct boot_spec *spec = s->spec;
	_cleanup_rejoin_ struct rejoin r = { 0 };

	if (rejoin_digest(spec, setup->qemu, &setup->digest, e) < 0)
		return -(int)e->code;
	s->digest = setup->digest;
	if (rejoin_read(spec->console, s->digest, &r) &&
	    r.guests.nr == setup->tokens.nr &&
	    s->type->runs(spec->target, r.token, r.base_boot_id, &s->rejoined,
			  &setup->said, e) < 0)
		return err_wrap(e, "cannot tell whether target '%s' still runs it",
				spec->target->name);
	if (!s->rejoined) {
		rejoin_forget(spec->console);
		return 0;
	}
	log_debug("target %s: still runs boot %s", spec->target->name, r.token);
	free(s->result->record.token);
	free(s->result->record.load);
	s->result->record.token = take_ptr(r.token);
	s->result->record.load = take_ptr(r.load);
	s->base_boot_id = take_ptr(r.base_boot_id);
	strv_release(&setup->tokens);
	setup->tokens = r.guests;
	r.guests = (struct strv)STRV_INIT;
	return 0;
}

/* Whether an error leaves the machine in a state that one may go on from. */
static bool may_rejoin(const struct err *e)
{
	return e->code == ERR_INTERRUPTED || e->code == ERR_NETWORK ||
	       e->code == ERR_IO || e->code == ERR_DISK_FULL;
}

int boot_run(const struct boot_spec *spec, struct boot_result **ret, struct err *e)
{
	uint64_t start = clock_ms();
	bool any = !strcmp(spec->accel, "auto");
	_cleanup_boot_ struct boot_result *b =
		result_new(spec, any ? boot_accel(spec->arch) : spec->accel);
	_cleanup_(setup_release) struct setup setup = { .spec = spec };
	_cleanup_(session_release) struct session s = { .spec = spec, .result = b };

	if (machine_find(spec->target, &s.type, e) < 0 ||
	    check_spec(spec, s.type, b, e) < 0)
		return -(int)e->code;
	setup.own_base = s.type->own_base;
	setup.place = s.type->place(spec->target);
	setup.huge_pages = s.type->huge_pages(spec->target);
	if (setup_make(&setup, e) < 0)
		return err_wrap(e, "cannot prepare the boot");
	if (setup.tools)
		setup.tools_place = s.type->tools(spec->target, setup.qemu);
	if (s.type->runs && look_for_running(&s, &setup, e) < 0)
		return -(int)e->code;
	s.task_tokens = setup.tokens.v;
	b->qemu = xstrdup(setup.qemu);
	if (run_machine(&s, &setup, e) < 0) {
		if (s.digest && !may_rejoin(e))
			rejoin_forget(spec->console);
		return err_wrap(e, "cannot boot the candidate on target '%s'",
				spec->target->name);
	}
	explain_tasks(b);
	b->record.seconds = (double)(clock_ms() - start) / 1000;
	*ret = take_ptr(b);
	return 0;
}
