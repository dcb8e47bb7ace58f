// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * One boot from the machine's start to its verdict. The phases decide whose fault
 * something is: until the base kernel has said "Starting new kernel" it is the
 * environment's (an error), from then on the candidate's (a status).
 */
#include "boot/target/boot.h"
#include "boot/target/machine.h"
#include "boot/target/proof.h"

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
	/* Folders there, as struct machine_type names them. Borrowed; tools NULL: no guest */
	const char *place, *tools, *huge_pages;
	uint64_t life_ms; /* when the last sign of life came */
	uint64_t seq;	  /* of the agent's next message */
	enum session_phase phase;
	bool banner;   /* the kernel of this phase has shown itself */
	bool init;     /* and started user space */
	bool armed;    /* the candidate is loaded */
	bool rejoined; /* it was running already */
	const char
		*digest;  /* of the boot (rejoin.h); NULL: it dies with kiln. Borrowed */
	bool bitten;	  /* by the watchdog */
	bool bug, warned; /* the console had a report of that kind, in this phase */
	unsigned int report; /* the first one's number, 0: none */
	/* What the console said, and what came of nudging the machine. All owned. */
	char *title, *panic, *hardware, *agent_lost, *rescue;
	char *base_boot_id;	 /* owned */
	struct proof proof;	 /* of the candidate */
	struct strv environment; /* as the candidate says */
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

/* The machine's state is final: whose fault and which status. */
_must_check_ int session_conclude(struct session *s, const char *status, const char *what,
				  struct err *e);

/* The candidate begins here; what came before was the base kernel's. */
void session_entered(struct session *s);

/* Whether a status says no more than that nobody answered. */
bool session_is_silence(const char *status);

/* A mark of the console. */
_must_check_ int session_mark(struct session *s, const struct console_mark *m,
			      struct err *e);

/* What a dead kernel left, found only now, may name what its silence did not. */
_must_check_ int session_late(struct session *s, struct err *e);

/* Climb the ladder with a machine that is silent; s->rescue tells how far it got. */
_must_check_ int session_rescue(struct session *s, struct err *e);

/* Text that a machine sent becomes harmless to print: one line of plain ASCII. */
void session_defang(char *s);

/* The tasks, once the candidate is proven. */
_must_check_ int session_tasks(struct session *s, struct err *e);
