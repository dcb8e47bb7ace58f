// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Counting while a program measures. It prints "@mark 0", "@mark 1", "@mark 2" and waits
 * each time; L0's agent then reads the counters, and the program is told to go on. The
 * work is between 1 and 2, nothing between 0 and 1: that is what marks cost themselves.
 * "@ops N" says how much work it was.
 */
#include "boot/frame.h"
#include "boot/target/boot.h"

/* What a line of the program means: nothing to do with counting, a mark, or taken. */
enum counting { COUNTING_NOT, COUNTING_MARK, COUNTING_TAKEN };
enum counting counting_line(const char *text, struct task_result *out);

/* "counters TASK NAME VALUE..." of L0's agent becomes the task's next mark. */
void counting_take(const struct frame *f, struct task_result *out);

/*
 * The words that let the program go on: to L0's agent, for its own program or, when
 * guest_token is not NULL, for program nr of the guest with that token; seq counts what
 * was sent to the guest.
 */
void counting_go(const char *task, const char *guest_token, uint64_t seq, size_t nr,
		 struct strv *ret);
