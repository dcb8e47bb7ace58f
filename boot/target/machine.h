// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A machine kiln started: it has a console, a channel to the agent and a way to end it.
 * What happens there arrives as events, in the order in which it explains itself: console
 * first, then messages, then the news that the machine is gone. A kind of machine is a
 * row of functions.
 */
#include <stdbool.h>
#include <stdint.h>

#include "boot/console/console.h"
#include "boot/frame.h"
#include "boot/target/target.h"
#include "core/base/err.h"

struct arch;
struct machine;

/* What to start. Borrowed strings, read before start() returns. */
struct machine_opts {
	const struct arch *arch; /* NULL: the first row */
	const struct target *target;
	const char *accel; /* "kvm" or "tcg" */
	const char *kernel, *initrd, *append;
	const char *boot_dir;  /* share "kiln.boot" */
	const char *tools_dir; /* share "kiln.tools", NULL when no guest is wanted */
	const char *tools;     /* where the machine sees it, from tools() below */
	const char *console;   /* file that keeps all console bytes */
	unsigned int vcpus;    /* of L0; 0: as target says */
	const char *token;     /* of the run */
	/* To go on with a boot that runs (see runs() below): the base kernel's boot, and
	 * what the candidate has said since; NULL: a new boot. */
	const char *base_boot_id, *said;
};

enum machine_event_type {
	MACHINE_TIMEOUT,  /* nothing until the deadline */
	MACHINE_LIFE,	  /* console bytes without a meaning of their own */
	MACHINE_MARK,	  /* the console said something: mark */
	MACHINE_FRAME,	  /* a message: frame */
	MACHINE_BROKEN,	  /* a damaged message: text says why */
	MACHINE_DOWN,	  /* it was reset: text says how */
	MACHINE_WATCHDOG, /* its watchdog bit */
	MACHINE_ENTERED,  /* the candidate has begun, as seen from outside */
	MACHINE_GONE,	  /* what runs it has ended by itself: text is its last words */
};

/* Released with machine_event_release(); reuse needs a release in between. */
struct machine_event {
	enum machine_event_type type;
	struct console_mark mark; /* text owned by the event */
	struct frame frame;
	char *text; /* owned */
};

/* Ways to get a word out of a machine that does not answer. */
enum machine_nudge {
	MACHINE_SYSRQ, /* "show where all processors are" over the console */
	MACHINE_NMI,   /* a non-maskable interrupt */
};

struct machine_type {
	const char *name; /* "qemu" */

	/* It has a base kernel of its own, and whatever else it needs to be what it is:
	 * the candidate gets the running kernel's command line. */
	bool own_base;

	/* Kiln goes down with it. Nobody saw how a boot ended, and what could be told of it
	 * is kept until its result is. */
	bool blind;

	/* Kernel parameters every L0 wants on this machine. Owned by the caller. */
	char *(*params)(const struct arch *a, const char *accel);

	/* Folder of the boot's files, as the agent sees it. Owned. */
	char *(*place)(const struct target *t);

	/* Folder of L1's QEMU there, whose content has that digest. Owned. */
	char *(*tools)(const struct target *t, const char *digest);

	/* Where the agent mounts huge pages. Owned. */
	char *(*huge_pages)(const struct target *t);

	/*
	 * Whether the candidate with that token still runs there, and nothing happened to
	 * it while nobody watched; base_boot_id is the kernel's before it. ret_said gets
	 * its log. A blind one is also true when the candidate has been there and is gone.
	 * ERR_NETWORK when it cannot be told. NULL: it dies with kiln.
	 */
	int (*runs)(const struct target *t, const char *token, const char *base_boot_id,
		    bool *ret, struct buf *ret_said, struct err *e);

	/* Start it; errors are the environment's. */
	int (*start)(const struct machine_opts *o, struct machine **ret, struct err *e);

	/* The next event, waiting for it until the clock_ms() deadline. ERR_INTERRUPTED
	 * when kiln was asked to stop. */
	int (*wait)(struct machine *m, uint64_t deadline_ms, struct machine_event *ret,
		    struct err *e);

	/* Queue a message to the agent; words as in frame_format(). */
	void (*send)(struct machine *m, const char *token, const struct strv *words);

	/* Nudge it; false when that cannot be done here. NULL: it has no such ways. */
	bool (*nudge)(struct machine *m, enum machine_nudge how);

	/* What makes the machine, "7.2.13"; borrowed. NULL: nothing to name. */
	const char *(*version)(const struct machine *m);

	/*
	 * End it in an orderly way, by force if need be: a machine kiln made is gone, one
	 * of its own is back in its base kernel. silent: all that is known of the
	 * candidate is that it said nothing; ERR_NETWORK when it answers after all.
	 */
	int (*stop)(struct machine *m, bool silent, struct err *e);

	/* Release; kills what still runs. */
	void (*free)(struct machine *m);
};

extern const struct machine_type machine_qemu, machine_remote, machine_local;

/* What runs that target; ERR_POLICY: it is this machine, and may not
 * be rebooted. */
_must_check_ int machine_find(const struct target *t, const struct machine_type **ret,
			      struct err *e);

void machine_event_release(struct machine_event *ev);
#define _cleanup_machine_event_ _cleanup_(machine_event_release)
