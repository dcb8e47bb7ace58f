// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Boots of the machine kiln runs on. A run goes on after each reboot: the base kernel
 * jumps, the candidate works and its result is kept, the base kernel takes the next step.
 */
#include "cli/lab-internal.h"

/*
 * Before the first step. *ret_token is that of the candidate this kernel is, owned; NULL
 * in the base kernel, where nothing is to be started again any more. ERR_POLICY: the
 * machine does not leave its candidate.
 */
_must_check_ int lab_here_begin(struct lab *l, char **ret_token, struct err *e);

/* For struct boot_spec: have this run resumed at the machine's next start. ctx is the
 * lab. */
_must_check_ int lab_before_jump(void *ctx, struct err *e);

/* The result is kept: the rest of the run is the base kernel's. ERR_INTERRUPTED. */
_must_check_ int lab_here_leave(struct err *e);

/* After the last step, or the one that failed with r; returns r. What failed is not
 * started again by itself. */
_must_check_ int lab_here_end(struct lab *l, int r, struct err *e);
