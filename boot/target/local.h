// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The machine kiln itself runs on. A jump ends kiln; before it, a script is written that
 * starts kiln again, and a unit of systemd, or the target's resume command, has it run at
 * the next start of the machine. Whatever kernel that is: the script goes on with the run,
 * and then leaves a candidate for the base kernel.
 *
 * No loop: the base kernel's start takes the script away before anything else, and only
 * the next jump writes it again. LOCAL_STARTS is for a reset that leads into the candidate
 * once more.
 */
#include <stdbool.h>

#include "boot/target/target.h"
#include "core/base/err.h"
#include "core/base/strv.h"

enum { LOCAL_STARTS = 3 };

/* What is started again. Borrowed. */
struct local_again {
	const struct strv *argv; /* absolute program and its arguments */
	const struct strv *env;	 /* name, value, name, value ... */
	const char *agent;	 /* absolute path */
};

/* ERR_POLICY when this machine must not, or cannot, be rebooted by kiln; all that can be
 * known before. */
_must_check_ int local_check(const struct target *t, struct err *e);

/* Have it started again at every start of the machine from now on; on disk at return. */
_must_check_ int local_arm(const struct target *t, const struct local_again *a,
			   struct err *e);

/* Take that back. Nothing armed is success. */
_must_check_ int local_disarm(const struct target *t, struct err *e);

/* The run's token on this kernel's command line, owned; NULL: it is no candidate. */
_must_check_ char *local_token(void);

/* Note one more start in a candidate since the last one in the base kernel. ERR_POLICY
 * beyond LOCAL_STARTS, and for a second one in the same boot: what the first one asked of
 * the agent is not known. */
_must_check_ int local_count(const struct target *t, struct err *e);

/* The script and the unit that runs it, as text. Owned. */
_must_check_ char *local_script(const struct target *t, const struct local_again *a);
_must_check_ char *local_unit(const char *script);

/* Where they are; systemd's folder must exist already. Owned. */
_must_check_ char *local_script_path(const struct target *t);
_must_check_ char *local_unit_path(const struct target *t);

/* Whether a folder, or the nearest one there is, loses all it has at a reboot. */
bool local_is_volatile(const char *path);

/* Whether systemd runs here. */
bool local_has_systemd(void);
