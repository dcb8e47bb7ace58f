// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Why a build ended: the kernel's own fault, or the machine's. Pure, over the log. */
#include "core/base/err.h"

struct diagnosis {
	enum err_code code; /* ERR_NONE: the kernel's fault */
	char *reason;	    /* one safe line, owned */
	const char *hint;   /* constant, may be NULL */
	bool vague;	    /* nobody named a cause, only make complained */
};

/*
 * Read the log of a make that failed. strip, when given, is a folder that is cut off in
 * front of paths. A log without any error in it gives "make failed without a message".
 */
void diagnose_log(const char *log, const char *strip, struct diagnosis *ret);

void diagnosis_release(struct diagnosis *d);
#define _cleanup_diagnosis_ _cleanup_(diagnosis_release)
