// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * QEMU's control connection: JSON lines over a stream. Feed it what was read and take
 * what it has to say; what it wants to write stands in out.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

enum qmp_news {
	QMP_NOTHING,  /* more bytes are needed */
	QMP_ACCEL,    /* the answer about the accelerator has come: see kvm */
	QMP_DOWN,     /* SHUTDOWN or RESET: text says why */
	QMP_PANICKED, /* GUEST_PANICKED */
	QMP_WATCHDOG, /* WATCHDOG: it bit */
	QMP_OTHER,    /* an answer or event of no interest */
};

/* Caller-owned, starts zeroed. */
struct qmp {
	struct buf in, out;
	size_t used;
	bool greeted;
	bool kvm_known, kvm; /* whether KVM is what runs the machine */
	char version[32];    /* of QEMU, "7.2.13"; "" before the greeting */
	char *text;	     /* of the last news, owned */
};

/* Give it what was read. ERR_TOOL_FAILED when a line has no end. */
_must_check_ int qmp_feed(struct qmp *q, const char *data, size_t len, struct err *e);

/* The next piece of news; ERR_TOOL_FAILED when QEMU speaks no JSON or refuses a command.
 */
_must_check_ int qmp_next(struct qmp *q, enum qmp_news *ret, struct err *e);

/* Ask QEMU to end. */
void qmp_quit(struct qmp *q);

/* Send the machine a non-maskable interrupt, or a break on the character device. */
void qmp_nmi(struct qmp *q);
void qmp_break(struct qmp *q, const char *chardev);

void qmp_release(struct qmp *q);
