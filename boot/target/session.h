// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * One boot from the machine's start to its verdict. The phases decide whose fault
 * something is: until the base kernel has said "Starting new kernel" it is the
 * environment's (an error), from then on the candidate's (a status).
 */
#include "boot/target/boot.h"
#include "boot/target/machine.h"

enum session_phase {
	PHASE_BASE,  /* the base kernel starts, loads, jumps */
	PHASE_BOOT,  /* the candidate starts */
	PHASE_TASKS, /* the candidate is proven and works */
};

struct session {
	const struct boot_spec *spec;
	const struct machine_type *type;
	struct machine *machine;
	struct boot_result *result; /* filled on the way; status set = verdict reached */
	char **task_tokens;	    /* of each task's guest, borrowed */
	uint64_t life_ms;	    /* when the last sign of life came */
	uint64_t seq;		    /* of the agent's next message */
	enum session_phase phase;
	bool banner;		       /* the kernel of this phase has shown itself */
	bool armed;		       /* the candidate is loaded */
	char *panic, *oops;	       /* what the console said, owned */
	char *base_boot_id;	       /* owned */
	char *oops_count, *warn_count; /* of the proven candidate, owned */
};

/* Run it all on a machine that was just started; cmdline is the candidate's. */
_must_check_ int session_run(struct session *s, const char *cmdline, struct err *e);
void session_release(struct session *s);

/* What next_frame() came back with. */
enum session_step {
	STEP_FRAME,   /* a message of the agent, checked and in sequence */
	STEP_VERDICT, /* the candidate's status is known */
	STEP_LIMIT,   /* the time limit has passed, and nothing else happened */
};

/*
 * The agent's next message. limit_ms (clock_ms()) is a limit that is the caller's
 * business; hang: silence for the boot's time limit is the candidate's hang.
 */
_must_check_ int session_next(struct session *s, uint64_t limit_ms, bool hang,
			      enum session_step *ret, struct frame *f, struct err *e);

/* Set the verdict; the first one stays. */
void session_verdict(struct session *s, const char *status, const char *fmt, ...)
	_printf_(3, 4);

/* Send words, NULL-terminated. */
void session_send(struct session *s, ...) __attribute__((sentinel));

/* Milliseconds of silence that are a hang. */
uint64_t session_silence_ms(const struct session *s);

/* The build-id a hello message carries, "none" when there is none. Owned. */
_must_check_ char *session_build_id(const struct frame *hello);

/* Whether KEY=VALUE is a word of a kernel command line. */
bool session_on_cmdline(const char *cmdline, const char *key, const char *value);

/* Whether s is a boot id as the kernel writes them. */
bool session_is_boot_id(const char *s);

/* Text that a machine sent becomes harmless to print: one line of plain ASCII. */
void session_defang(char *s);

/* The tasks, once the candidate is proven. */
_must_check_ int session_tasks(struct session *s, struct err *e);
