// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What kiln asks of its agent, as the words of a message (frame.h):
 *
 *	exec IMAGE INITRD CMDLINE	load the kernel; INITRD may be empty
 *	jump				enter it
 *	run TASK program|guest CPU_S WALL_S OUT_BYTES PATH ARG...
 *	stop TASK
 *	count TASK NAME...		answered with "counters"; the names of the first
 *					request are those of all
 *	tell TASK TEXT			a line to the program's standard input, to a
 *					guest's channel
 *	ping				answered with "pong"
 *	bye
 *
 * Limits of a run are 0 for none: processor seconds, seconds on the machine's own clock,
 * bytes printed. Shared by kiln and the agent, hence without struct err.
 */
#include "boot/frame.h"

#define COMMAND_LIMIT_MAX ((uint64_t)1 << 40)

enum command_type {
	COMMAND_EXEC,
	COMMAND_JUMP,
	COMMAND_RUN,
	COMMAND_STOP,
	COMMAND_COUNT,
	COMMAND_TELL,
	COMMAND_PING,
	COMMAND_BYE
};

struct command_limits {
	uint64_t cpu_s, wall_s, out_bytes;
};

/* Strings are borrowed from the message. */
struct command {
	enum command_type type;
	const char *image, *initrd, *cmdline; /* COMMAND_EXEC */
	const char *task; /* COMMAND_RUN, COMMAND_STOP, COMMAND_COUNT, COMMAND_TELL */
	const char *text; /* COMMAND_TELL */
	bool guest;
	struct command_limits limits;
	char *const *argv; /* NULL-terminated, argv[0] an absolute path; or the names of
			      COMMAND_COUNT */
};

/* NULL when ret was filled, else what is wrong with the message, a constant phrase. */
_must_check_ const char *command_parse(const struct frame *f, struct command *ret);

/* The words of a run up to its arguments, which the caller adds. */
void command_run(const char *task, bool guest, const struct command_limits *limits,
		 struct strv *ret);
