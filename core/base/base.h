// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Attributes and scope cleanup used everywhere.
 *
 * A local that owns something is declared with its _cleanup_ attribute, initialised in
 * the same statement and handed over with take_ptr(). A function uses either goto or
 * _cleanup_, never both.
 */
#include <stddef.h>

#define _must_check_ __attribute__((warn_unused_result))
#define _printf_(fmt, args) __attribute__((format(printf, fmt, args)))
#define _cleanup_(fn) __attribute__((cleanup(fn)))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Hand over an owned pointer: yields its value and leaves NULL behind. */
#define take_ptr(p)                               \
	({                                        \
		__typeof__(p) *take_at_ = &(p);   \
		__typeof__(p) taken_ = *take_at_; \
		*take_at_ = NULL;                 \
		taken_;                           \
	})

/* Hand over an owned file descriptor: yields its value and leaves -1 behind. */
#define take_fd(fd)                     \
	({                              \
		int *take_at_ = &(fd);  \
		int taken_ = *take_at_; \
		*take_at_ = -1;         \
		taken_;                 \
	})

/* Define fn##p(), the form _cleanup_() wants, for a NULL-safe destructor fn(type). */
#define DEFINE_FREEP(fn, type)            \
	static inline void fn##p(type *p) \
	{                                 \
		fn(*p);                   \
	}

/* free(*p) for _cleanup_free_; p is a pointer to any object pointer. */
void base_freep(void *p);

/* close(*fd) unless negative, for _cleanup_close_; errno is kept. */
void base_closep(int *fd);

#define _cleanup_free_ _cleanup_(base_freep)
#define _cleanup_close_ _cleanup_(base_closep)
