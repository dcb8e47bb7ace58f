// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a user knows of a bisection's commits, and a bisection's log: no machine works. */
#include "cli/cmd.h"
#include "core/base/strv.h"

/* Whether the arguments are of hand_tell() or hand_log() instead of things to bisect. */
bool hand_is_tell(struct ctx *c, const struct strv *args);
bool hand_is_log(const struct strv *args);

/*
 * TERM RUN REV [VALUE...]: add to what a run remembers; `kiln resume RUN` then reckons
 * with it. A term answers like an end (VALUE: so often), "skip" says that REV cannot be
 * tested, "sample" gives the rates of one boot.
 */
_must_check_ int hand_tell(struct ctx *c, const struct strv *args, struct err *e);

/* log [RUN]: print it, or with git what `git bisect replay` reads. */
_must_check_ int hand_log(struct ctx *c, const struct strv *args, bool git,
			  struct err *e);
