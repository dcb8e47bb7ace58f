// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What this machine can do for kiln, and what would help where it cannot. */
#include <stddef.h>

enum health {
	HEALTH_OK,
	HEALTH_OPTIONAL, /* kiln does without it */
	HEALTH_MISSING,	 /* no kernel is built or booted without it */
};

struct finding {
	const char *name; /* a stable word: "kvm", "compiler-arm64" */
	enum health health;
	char *found; /* what is there, or why it is not; one line, owned */
	char *fix;   /* the next step, owned; NULL when there is nothing to do */
};

struct findings {
	struct finding *v;
	size_t nr;
};

/* Look at everything. Never fails: what cannot be looked at is a finding. */
void doctor_look(struct findings *ret);

/* "ok", "optional", "missing" */
const char *health_name(enum health h);

void findings_release(struct findings *f);
#define _cleanup_findings_ _cleanup_(findings_release)
