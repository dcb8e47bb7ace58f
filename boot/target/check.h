// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What would go wrong on a target, found out before any reboot. */
#include "boot/target/target.h"
#include "core/base/err.h"

enum finding_level {
	FINDING_OK,
	FINDING_WARN,  /* works, but something is lost without it */
	FINDING_ERROR, /* no kernel can be tried */
};

/* Owned by the list. */
struct target_finding {
	enum finding_level level;
	const char *what; /* "kexec", "watchdog": a stable word, constant */
	char *text;	  /* what was found */
	char *fix;	  /* NULL when there is nothing to fix */
};

struct target_findings {
	struct target_finding *v;
	size_t nr;
};

/*
 * Look at the target without changing anything there. Unreachable is a finding, not an
 * error. ERR_INTERRUPTED, or the environment's errors, on this side.
 */
_must_check_ int target_check(const struct target *t, struct target_findings *ret,
			      struct err *e);

/* Judge what the probe printed: "KEY VALUE" lines; the rest is ignored. */
void check_judge(const struct target *t, const char *text, struct target_findings *ret);

/* What the target says about guests before any reboot. */
struct target_guests {
	const char *cpu; /* "svm" or "vmx", what its processor has; "": neither */
	bool nested;	 /* its command line does not turn KVM for guests off */
};

/* Ask it. ERR_NETWORK when it cannot be reached, and the like. */
_must_check_ int target_guests(const struct target *t, struct target_guests *ret,
			       struct err *e);

/* What the probe printed of it. */
void check_guests(const struct target *t, const char *text, struct target_guests *ret);

void target_findings_release(struct target_findings *f);
#define _cleanup_target_findings_ _cleanup_(target_findings_release)
