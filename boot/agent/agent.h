// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The static program that is /init on every machine kiln starts. Its role comes from the
 * kernel command line: kiln.role=base loads and enters a candidate by kexec, candidate
 * (L0) runs tasks, guest (L1) runs the programs of its initramfs, as tasks "0", "1". It
 * talks over the virtio-serial port "kiln.0"; the console stays the kernel's. On a machine
 * of its own it is a command that ssh runs (attach.c), in the first two roles.
 *
 * To the host:   hello ROLE FACTS [KEY=VALUE...]   the environment, of a candidate
 *                refused MODULE ERRNO TEXT in place of hello: a module is not loaded
 *                armed c|s             loaded, the next thing is the jump
 *                line TASK TEXT        of the program's standard output
 *                note TASK TEXT        of its standard error, or why it was killed
 *                guest TASK MESSAGE    a message of the guest, as it came
 *                console TASK TEXT     a line of the guest's console
 *                end TASK STATUS FACTS
 *                counters TASK NAME VALUE...
 *                pong
 *                error TEXT [policy]   policy: the machine is told to refuse
 * From the host: see command.h
 *
 * FACTS is BOOT_ID NOTES RELEASE VERSION CMDLINE OOPS WARN TAINT MODULES, where NOTES are
 * hex and MODULES are the loaded KVM modules, "kvm=NOTES kvm_amd=NOTES"; one that came
 * along and is for another vendor's processor is there as "kvm_intel=declined".
 */
#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>

#include "boot/command.h"

#define AGENT_LINE_MAX 4096 /* of a program's line; the rest of it is dropped */

/* The connection to who started this machine. */
struct port {
	int fd;
	char *token;
	uint64_t seq;
	struct frame_parser in;
	uint64_t had;	      /* messages of the host up to this number */
	bool lost;	      /* the other side is gone */
	int watchdog;	      /* descriptor, -1: none */
	int watchdog_ms;      /* how often it wants to hear of us */
	struct strv declined; /* modules for another processor, see facts_add() */
	const char *attached; /* folder of kiln's files on a machine that is not kiln's
				 own; NULL: this is the machine's init */
};

/* Wait for the port named "kiln.0" and open it; false when there is none. */
bool port_open(struct port *p);

/* Send one message of these words, NULL-terminated. Blocks until the other side took it.
 */
void port_send(struct port *p, ...) __attribute__((sentinel));

void port_send_words(struct port *p, const struct strv *words);

/* Send "error" with formatted text. */
void port_error(struct port *p, const char *fmt, ...) _printf_(2, 3);

/* The next message that has come; who connects anew repeats what may have been lost, and
 * that is taken once. */
enum frame_status port_next(struct port *p, struct frame *ret);

/* Read what is there. false at the end of the stream. */
bool port_read(struct port *p);

/* Wait for the next whole message; false at the end of the stream. */
bool port_wait(struct port *p, struct frame *ret);

/* The value of key= on the kernel command line, owned by the caller; NULL when absent. */
char *fact_param(const char *key);

/* A small file of /proc or /sys without its last newline; "" when unreadable. Owned. */
char *fact_file(const char *path);

/* Append FACTS. */
void facts_add(const struct port *p, struct strv *ret);

/* Say who we are. */
void hello(struct port *p, const char *role);

/* The three roles; they return only when the machine has nothing left to do. */
void role_base(struct port *p);
void role_candidate(struct port *p);
void role_guest(struct port *p);

/* A program that runs and what it says. */
struct task;

/* Start what a COMMAND_RUN asks for; a guest's descriptors 3 and 4 are its message
 * channel and its console. */
struct task *task_start(const struct command *c);

/* Kill it and all it started; its end is still reported. */
void task_kill(struct task *t);
const char *task_name(const struct task *t);

/* A line to the program's standard input, or to a guest over its channel. */
void task_tell(struct task *t, const char *text);

/* Count events of those names from now on; NULL-terminated. What this kernel does not
 * count is left out when they are sent. */
struct counters;
struct counters *counters_open(char *const *names);
void counters_send(const struct counters *c, const char *task, struct port *p);
void counters_free(struct counters *c);

/*
 * Relay between the running task (NULL: none) and the port until the host sent something
 * or the task ended. Returns false when the task has ended and "end" was sent.
 */
bool task_relay(struct task *t, struct port *p);
void task_free(struct task *t);

/* Mount a 9p share by its tag, read-only; nothing on a machine that is not kiln's own. */
bool share_mount(struct port *p, const char *tag, const char *where);

/*
 * Let the machine's watchdog watch this agent from now on: it bites when nothing has fed
 * it for kiln.watchdog= seconds. Without the parameter or a device nothing happens.
 */
void watchdog_start(struct port *p);

/* poll() that feeds it meanwhile. */
int watchdog_poll(struct port *p, struct pollfd *fds, nfds_t nr, int timeout_ms);

/* Kill whatever runs guests, and unload KVM: a processor left in its mode survives no
 * jump. false, with an error sent, when KVM stays. */
bool kvm_leave(struct port *p);

/* Wait until the clock of a kernel that has just started is the one it will keep. */
void clock_settle(void);

/* Load a kernel for the jump; false, with an error sent, when it cannot be. *ret_method
 * is "s" or "c", as kexec's options. */
bool kernel_load(struct port *p, const struct command *c, const char **ret_method);

/* Forget a kernel that is loaded. */
void kernel_unload(void);

/* The agent as a command, on a machine that kiln did not start; its exit status. */
int agent_command(int argc, char **argv);

/* Misbehave as kiln.fault= says; how kiln's own tests get sick kernels. */
void fault_before_hello(struct port *p);
void fault_at_task(void);
bool fault_is(const char *kind);
