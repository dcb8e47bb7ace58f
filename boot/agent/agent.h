// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The static program that is /init on every machine kiln starts. Its role comes from the
 * kernel command line: kiln.role=base loads and enters a candidate by kexec, candidate
 * (L0) runs tasks, guest (L1) runs the one program of its initramfs. It talks over the
 * virtio-serial port "kiln.0"; the console stays the kernel's.
 *
 * To the host:   hello ROLE BOOT_ID NOTES RELEASE VERSION CMDLINE OOPS WARN
 *                armed c|s             loaded, the next thing is the jump
 *                line TASK TEXT        of the program's standard output
 *                note TASK TEXT        of its standard error
 *                guest TASK MESSAGE    a message of the guest, as it came
 *                console TASK TEXT     a line of the guest's console
 *                end TASK STATUS BOOT_ID OOPS WARN
 *                error TEXT
 * From the host: exec IMAGE INITRD CMDLINE
 *                run TASK guest|program ARG...
 *                stop TASK
 *                bye
 */
#include <stdbool.h>
#include <sys/types.h>

#include "boot/frame.h"

#define AGENT_LINE_MAX 4096 /* of a program's line; the rest of it is dropped */

/* The connection to who started this machine. */
struct port {
	int fd;
	char *token;
	uint64_t seq;
	struct frame_parser in;
};

/* Wait for the port named "kiln.0" and open it; false when there is none. */
bool port_open(struct port *p);

/* Send one message of these words, NULL-terminated. Blocks until the other side took it.
 */
void port_send(struct port *p, ...) __attribute__((sentinel));

/* Send "error" with formatted text. */
void port_error(struct port *p, const char *fmt, ...) _printf_(2, 3);

/* Read what is there. false at the end of the stream. */
bool port_read(struct port *p);

/* Wait for the next whole message; false at the end of the stream. */
bool port_wait(struct port *p, struct frame *ret);

/* The value of key= on the kernel command line, owned by the caller; NULL when absent. */
char *fact_param(const char *key);

/* A small file of /proc or /sys without its last newline; "" when unreadable. Owned. */
char *fact_file(const char *path);

/* /sys/kernel/notes in hex. Owned. */
char *fact_notes(void);

/* Say who we are. */
void hello(struct port *p, const char *role);

/* The three roles; they return only when the machine has nothing left to do. */
void role_base(struct port *p);
void role_candidate(struct port *p);
void role_guest(struct port *p);

/* A program that runs and what it says. */
struct task;

/* Start argv; guest: descriptors 3 and 4 are its message channel and its console. */
struct task *task_start(const char *name, bool guest, char *const *argv);

/* Kill it and all it started; its end is still reported. */
void task_kill(struct task *t);
const char *task_name(const struct task *t);

/*
 * Relay between the running task (NULL: none) and the port until the host sent something
 * or the task ended. Returns false when the task has ended and "end" was sent.
 */
bool task_relay(struct task *t, struct port *p);
void task_free(struct task *t);

/* Mount a 9p share by its tag, read-only. */
bool share_mount(struct port *p, const char *tag, const char *where);

/* Misbehave as kiln.fault= says; how kiln's own tests get sick kernels. */
void fault_before_hello(struct port *p);
bool fault_is(const char *kind);
