// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Before the first message: console on, machine in its base kernel, files there. */
#include "boot/target/remote.h"

_must_check_ int remote_prepare(struct machine *m, struct err *e);

/* The same for a candidate that runs already: console on, and what it said kept. */
_must_check_ int remote_rejoin(struct machine *m, const struct machine_opts *o,
			       struct err *e);
