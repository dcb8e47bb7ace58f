// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Proof of boot: what a running kernel says of itself, taken when it starts and again
 * after its work. One missing or lying piece, and there is no proof.
 */
#include <stdbool.h>

#include "boot/frame.h"
#include "core/base/base.h"

/* The facts of one message, in the order of agent.h's FACTS. Caller-owned. */
struct proof {
	char *boot_id;
	char *build_id; /* "none" when the kernel shows no note */
	char *release;
	char *cmdline;
	char *oops, *warn, *taint; /* as the kernel writes them */
	char *modules; /* "kvm=BUILD-ID kvm_amd=BUILD-ID kvm_intel=declined", the last
			  being of another processor; "" when none is loaded */
};

/* What the kernel must be. Borrowed strings. */
struct proof_want {
	const char *build_id;
	const char *token;
	const char *path; /* "kexec": kiln.via= must say it with the token; NULL: any */
	const char *other_boot_id; /* it must not be this one; may be NULL */
	const char
		*modules; /* "kvm=BUILD-ID kvm_amd=BUILD-ID"; NULL: no KVM module may be
				loaded */
};

enum { PROOF_WORDS = 9 }; /* of a message */

/* Take the facts out of a message, beginning at its word `first`. */
void proof_read(const struct frame *f, size_t first, struct proof *ret);

/* Why p is not the kernel wanted, owned by the caller; NULL when it is. */
_must_check_ char *proof_check(const struct proof *p, const struct proof_want *w);

/*
 * Whether it is still the kernel of `before` and unharmed: NULL, or why not, owned by the
 * caller. *ret_status is then "wrong-kernel", "kernel-bug" or "kernel-warning".
 */
_must_check_ char *proof_compare(const struct proof *before, const struct proof *after,
				 const char **ret_status);

/* Why a kernel that just started is worth nothing: it has died before, or its hardware
 * failed. NULL when it is fine. Owned. */
_must_check_ char *proof_harmed(const struct proof *p);

/*
 * A message that a module was refused, beginning at its word `first`: what that says of
 * the kernel whose module it is. "wrong-kernel" when its loader did not take it, as what
 * was to run is then not what was built; "kernel-bug" when the module itself failed; NULL
 * when the command line has a value that it does not know, which is the user's.
 */
const char *proof_refusal(const struct frame *f, size_t first);

/* Whether a string has the form of a boot id. */
bool proof_is_boot_id(const char *s);

void proof_release(struct proof *p);
#define _cleanup_proof_ _cleanup_(proof_release)
