// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The connection to an agent that stays: an ssh that runs its attach command (see
 * boot/agent/attach.c). It may break at any time; a new one goes on where it ended.
 */
#include "boot/frame.h"
#include "boot/target/target.h"
#include "core/base/err.h"

struct proc;

/* Who answers: the line "kiln-at BOOT_ID ROLE". */
enum wire_role { WIRE_BASE, WIRE_CANDIDATE, WIRE_OTHER };

/* Caller-owned, starts with WIRE_INIT. */
struct wire {
	struct proc *proc;
	int fd, log; /* fd -1: not connected */
	bool greeted;
	bool missing; /* the machine has no agent yet */
	struct frame_parser parser;
	struct buf first; /* what came before the greeting */
	struct buf sent;  /* every message to this boot's agent, who knows what he had */
	size_t written;	  /* of sent, to this connection */
	uint64_t next;	  /* number of the next message */
};
#define WIRE_INIT                   \
	{                           \
		.fd = -1, .log = -1 \
	}

/* Start an ssh; what was read of an earlier one is forgotten, whole messages taken or
 * not. boot: of the kernel that w->next belongs to. */
_must_check_ int wire_dial(struct wire *w, const struct target *t, const char *token,
			   const char *boot, struct err *e);

/* Queue a message; forget them all when another kernel listens. */
void wire_send(struct wire *w, const char *token, uint64_t seq, const struct strv *words);
void wire_forget(struct wire *w);

/* Whether there is something to write. */
bool wire_wants(const struct wire *w);

/* Drop the connection. */
void wire_hang_up(struct wire *w);

/* Read what is there; false: the connection has ended. */
bool wire_read(struct wire *w);
void wire_write(struct wire *w);

/* The greeting, once; ret_boot is owned by the caller. */
bool wire_greeting(struct wire *w, char **ret_boot, enum wire_role *ret_role);

/* Read one greeting line; false when it is none. Owned as above. */
_must_check_ bool wire_parse(const char *line, char **ret_boot, enum wire_role *ret_role);

/* What ssh said when the connection ended, its last line. Owned. */
_must_check_ char *wire_last_words(struct wire *w);

void wire_release(struct wire *w);
