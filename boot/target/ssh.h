// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Commands on a target, by the OpenSSH client with the user's own configuration. Host
 * keys are kept a target, in kiln's state: accepted when first seen, and never changed
 * silently. No command holds a string that kiln did not check. On a target of kind local
 * they are commands of this machine's shell.
 */
#include "boot/target/target.h"
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/strv.h"

/* What a command for the target is the last argument of: the client's command line up to the
 * host, or the shell. */
void ssh_argv(const struct target *t, struct strv *ret);

/* Where a target's files are: "$STATE/targets/NAME.SUFFIX". Owned. */
_must_check_ char *ssh_state_path(const struct target *t, const char *suffix);

/* A command for the target's shell. in may be NULL; out may be NULL. */
struct ssh_call {
	const char *command;
	const void *in;
	size_t len;
	struct buf *out; /* up to 16 MiB */
	uint64_t timeout_ms;
};

/*
 * Run it. ERR_NETWORK: the target cannot be reached, with what to do; ERR_TIMEOUT;
 * ERR_TOOL_FAILED: the command itself failed.
 */
_must_check_ int ssh_run(const struct target *t, const struct ssh_call *call,
			 struct err *e);

/* Explain what the client said last on its standard error, with a hint. ERR_NETWORK. */
int ssh_unreachable(const struct target *t, const char *said, struct err *e);

/* Files for a target. Borrowed. */
struct ssh_files {
	const char *from;	  /* local folder: what is in it is copied, with modes */
	const char *to;		  /* folder there, made when it is not there */
	const char *first, *then; /* commands before and after it; NULL: none */
	struct buf *out;	  /* what they print; may be NULL */
};

/* Put them there, by tar on both sides. */
_must_check_ int ssh_put(const struct target *t, const struct ssh_files *f,
			 struct err *e);
