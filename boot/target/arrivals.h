// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What came from a machine on its two ways, the console and the agent's channel, in the
 * order in which it happened: console first, as it explains the messages. Only where one
 * kernel leaves for the next it is the other way about: the agent says so before it jumps,
 * and what was sent from before the jump comes before the console's word of it.
 */
#include "boot/console/console.h"
#include "boot/frame.h"
#include "boot/target/machine.h"

/* Caller-owned, starts zeroed. Feed console and parser; after the console was read, the
 * channel is to be read before the next arrivals_next(). */
struct arrivals {
	struct console console;
	struct frame_parser parser;
	struct frame held; /* of the next kernel, when holds */
	bool holds;
};

/* The next of what was fed: a mark, a message or a broken one. false: nothing left. */
bool arrivals_next(struct arrivals *a, struct machine_event *ret);

void arrivals_release(struct arrivals *a);
