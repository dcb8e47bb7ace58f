// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the parts of the ssh target share: the machine, and what is known of it. */
#include "boot/console/keep.h"
#include "boot/target/machine.h"
#include "boot/target/wire.h"
#include "core/base/spawn.h"

struct machine {
	const struct target *target; /* borrowed */
	char *token, *share, *console_path;
	char *tools_dir, *tools; /* L1's QEMU here and there; NULL: no guest is wanted */
	int lock;		 /* on the target */
	struct wire wire;	 /* to the agent */
	struct proc *console_proc;
	int console_fd;
	struct keep *kept;
	struct console console;
	struct console remains; /* what a dead kernel left, read as a console */
	uint64_t seq;		/* of our next message */
	uint64_t dial_ms;	/* when to try again */
	char *base_boot;	/* boot id of the kernel that was there first */
	char *boot;		/* of the kernel that answered last */
	bool told_to_jump;	/* whatever answers next may be the candidate */
	bool entered;		/* the candidate has begun, as far as one can see */
	bool say_entered;	/* not reported yet */
	bool life;		/* bytes came that have not been reported yet */
	bool unheard; /* it is to be left since no connection came to be, and only so */
	uint64_t stay_ms; /* when a base kernel that was told to jump must be gone */
	char *down;	  /* to be reported, owned */
};

/* What a machine says of itself. Owned. */
struct remote_facts {
	char *boot_id, *cmdline, *arch, *user;
};
_must_check_ int remote_facts(const struct target *t, uint64_t timeout_ms,
			      struct remote_facts *ret, struct err *e);
void remote_facts_release(struct remote_facts *f);

/* See struct machine_type. */
_must_check_ int remote_runs(const struct target *t, const char *token,
			     const char *base_boot_id, bool *ret, struct buf *ret_said,
			     struct err *e);

/* The same of this machine. */
_must_check_ int local_runs(const struct target *t, const char *token,
			    const char *base_boot_id, bool *ret, struct buf *ret_said,
			    struct err *e);

/* Read "BOOT_ID\nARCH\nUID\nCMDLINE"; false when it is nothing of the kind. */
_must_check_ bool remote_facts_parse(const char *text, struct remote_facts *ret);

/*
 * Bring a machine that runs something else back to what its firmware starts: by its
 * agent, by sysrq over ssh, by waiting for panic= and watchdog, by sysrq over the console,
 * by its power. Not in boot
 * not_boot (may be NULL) any more, and no run's token on its command line, is back.
 * ERR_TIMEOUT: it does not come back; that is remembered (target-log.h).
 */
_must_check_ int remote_return(struct machine *m, const char *not_boot, struct err *e);

/* Take what the console has, waiting for it up to ms. */
_must_check_ int remote_drain(struct machine *m, int ms, struct err *e);

/* What the kernel before this one left in pstore, and in /var/crash since the boot of
 * this token began; both emptied. Nothing there is no error. */
_must_check_ int remote_remains(const struct target *t, const char *token,
				struct buf *ret, struct err *e);

/* Whether they are of the kernel of that run, as far as its command line is in them. */
bool remote_remains_ours(const char *text, const char *token);

/* The command that prints them. Owned. */
_must_check_ char *remote_remains_command(const struct target *t, const char *token);
