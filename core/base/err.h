// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The error value. Every function that can fail takes `struct err *e` last and returns 0
 * or the negative code; on failure it leaves its other outputs untouched. The innermost
 * function sets code and first frame, each layer crossed adds one frame that names its
 * object:
 *
 *	return err_set(e, ERR_HUNK, "hunk %zu at line %lu does not match", nr, line);
 *	return err_wrap(e, "patch %d/%d '%s' does not apply", n, total, subject);
 *
 * A frame is one phrase: lower case, no newline, no full stop, user strings in single
 * quotes. Frames go through safe_text(), so that a hostile string cannot reach the
 * terminal.
 */
#include <stdbool.h>

#include "core/base/base.h"

/*
 * The closed list of causes: symbol, the stable word of `--json`, the exit code
 * (design.md: 1 bad, 125 cannot tell, 128 kiln or the environment failed, 129 usage).
 */
#define ERR_CODES(X)                                         \
	X(ERR_USAGE, "usage", 129)                           \
	X(ERR_INTERNAL, "internal", 128)                     \
	X(ERR_IO, "io", 128)                                 \
	X(ERR_DISK_FULL, "disk-full", 128)                   \
	X(ERR_CONFIG, "bad-config", 128)                     \
	X(ERR_TOOL_MISSING, "tool-missing", 128)             \
	X(ERR_TOOL_FAILED, "tool-failed", 128)               \
	X(ERR_TIMEOUT, "timeout", 128)                       \
	X(ERR_INTERRUPTED, "interrupted", 128)               \
	X(ERR_STORE, "store", 128)                           \
	X(ERR_NOT_FOUND, "not-found", 128)                   \
	X(ERR_NETWORK, "network", 128)                       \
	X(ERR_HTTP, "http-status", 128)                      \
	X(ERR_RATE_LIMITED, "rate-limited", 128)             \
	X(ERR_BUSY, "server-busy", 128)                      \
	X(ERR_TLS, "tls", 128)                               \
	X(ERR_PROXY, "proxy", 128)                           \
	X(ERR_REDIRECT, "bad-redirect", 128)                 \
	X(ERR_OFFLINE, "offline", 128)                       \
	X(ERR_NOT_MAIL, "not-mail", 128)                     \
	X(ERR_BOT_CHECK, "bot-check", 128)                   \
	X(ERR_TRUNCATED, "truncated", 128)                   \
	X(ERR_CORRUPT, "corrupt-gzip", 128)                  \
	X(ERR_DECOMPRESSION_BOMB, "decompression-bomb", 128) \
	X(ERR_TOO_BIG, "too-big", 128)                       \
	X(ERR_UNKNOWN_MESSAGE_ID, "unknown-message-id", 1)   \
	X(ERR_UNKNOWN_INBOX, "unknown-inbox", 128)           \
	X(ERR_NO_RESULTS, "no-results", 1)                   \
	X(ERR_NO_PATCHES, "no-patches", 128)                 \
	X(ERR_AMBIGUOUS, "ambiguous-series", 128)            \
	X(ERR_NO_TREE, "no-tree", 128)                       \
	X(ERR_UNKNOWN_REV, "unknown-revision", 128)          \
	X(ERR_INCOMPLETE, "missing-patch", 1)                \
	X(ERR_BAD_PATCH, "corrupt-patch", 1)                 \
	X(ERR_UNSAFE_PATH, "unsafe-path", 1)                 \
	X(ERR_HUNK, "hunk-mismatch", 1)                      \
	X(ERR_NO_FILE, "no-such-file", 1)                    \
	X(ERR_EXISTS, "already-exists", 1)                   \
	X(ERR_CONFLICT, "merge-conflict", 1)                 \
	X(ERR_NO_BLOB, "missing-blob", 1)                    \
	X(ERR_REGRESSION, "regression", 1)                   \
	X(ERR_BUILD, "build-failed", 125)                    \
	X(ERR_CONFIG_LOST, "config-lost", 125)               \
	X(ERR_POLICY, "target-policy", 128)                  \
	X(ERR_HARDWARE, "hardware-error", 128)               \
	X(ERR_OLD_KERNEL, "old-kernel-hung", 128)            \
	X(ERR_JUMP, "jump-failed", 125)                      \
	X(ERR_EARLY, "died-early", 125)                      \
	X(ERR_KERNEL_BUG, "kernel-bug", 125)                 \
	X(ERR_KERNEL_WARNING, "kernel-warning", 125)         \
	X(ERR_PANIC, "panic", 125)                           \
	X(ERR_HANG, "hang", 125)                             \
	X(ERR_RESET, "silent-reset", 125)                    \
	X(ERR_WRONG_KERNEL, "wrong-kernel", 128)             \
	X(ERR_AGENT, "agent-protocol", 128)                  \
	X(ERR_UNDECIDED, "undecided", 125)                   \
	X(ERR_NO_DIFFERENCE, "ends-do-not-differ", 125)      \
	X(ERR_BUDGET, "over-budget", 125)

enum err_code {
	ERR_NONE,
#define X(symbol, word, exit) symbol,
	ERR_CODES(X)
#undef X
};

struct err {
	enum err_code code;
	int sys; /* errno of the root cause, 0 when there was none */
	unsigned int nr;
	char *frame[8]; /* innermost first, owned */
	char *hint;	/* the user's next step, owned, may be NULL */
};

/* Set code and first frame, replacing what e held. All four return the negative code. */
int err_set(struct err *e, enum err_code code, const char *fmt, ...) _printf_(3, 4);

/* As err_set, with ": strerror" appended; ENOSPC and EDQUOT become ERR_DISK_FULL, else
 * ERR_IO. */
int err_sys(struct err *e, int sys, const char *fmt, ...) _printf_(3, 4);

/* Add the outer frame. With all frames used the outermost one is replaced. */
int err_wrap(struct err *e, const char *fmt, ...) _printf_(2, 3);

/* Give the next step to take; the first hint wins, as the innermost function knows best.
 */
int err_hint(struct err *e, const char *fmt, ...) _printf_(2, 3);

/* Back to "no error"; releases what e owns. */
void err_release(struct err *e);

/* The stable word ("hunk-mismatch") and the exit code of a code. */
const char *err_word(enum err_code code);
int err_exit_code(enum err_code code);

/* Name to code, ERR_NONE when unknown; the inverse of err_word(), used to read the
 * journal. */
enum err_code err_from_word(const char *word);

#define _cleanup_err_ _cleanup_(err_release)
