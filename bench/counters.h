// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Events counted in L0 beside a rate: tracepoints ("kvm:kvm_exit") and KVM's statistics
 * ("stat:exits"). They slow what they count, so they are taken in boots of their own.
 */
#include <stdint.h>

#include "core/arch/arch.h"
#include "core/base/strv.h"

/* The table of an architecture (NULL: the first one); NULL behind its end. */
const struct counter_row *counter_at(const struct arch *a, size_t i);

/* All names and aliases: what the agent is asked for. */
void counter_names(const struct arch *a, struct strv *ret);

/*
 * Events an operation: marks are three lists of name and value by turns, before nothing,
 * before the work and behind it; ops > 0. false when the counter is missing from one of
 * them, not a number, or runs backwards: it is then unknown, which is not zero.
 */
_must_check_ bool counter_per_op(const struct counter_row *c, const struct strv marks[3],
				 uint64_t ops, double *ret);
