// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside core/bisect only: random numbers that are the same on every machine and for any
 * number of workers: splitmix64 (Steele, Lea and Flood, 2014). */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t random_u64(uint64_t *s)
{
	uint64_t z = (*s += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Inside (0, 1). */
static inline double random_uniform(uint64_t *s)
{
	return ((double)(random_u64(s) >> 11) + 0.5) / 9007199254740992.0;
}

static inline double random_normal(uint64_t *s)
{
	double radius = sqrt(-2 * log(random_uniform(s)));

	return radius * cos(2 * M_PI * random_uniform(s));
}

/* Below n. */
static inline size_t random_below(uint64_t *s, size_t n)
{
	return (size_t)(random_uniform(s) * (double)n);
}
