// SPDX-License-Identifier: GPL-3.0-or-later
/* What programs that measure have in common. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/guest/run/payload.h"

int fail(const char *what)
{
	fprintf(stderr, "guest: %s: %s\n", what, strerror(errno));
	return -1;
}

uint64_t args_number(const struct args *a, const char *key, uint64_t fallback)
{
	size_t n = strlen(key);

	for (int i = 0; i < a->nr; i++) {
		uint64_t value = 0;

		if (strncmp(a->v[i], key, n) != 0 || a->v[i][n] != '=')
			continue;
		for (const char *p = a->v[i] + n + 1; *p >= '0' && *p <= '9'; p++)
			value = value * 10 + (uint64_t)(*p - '0');
		return value;
	}
	return fallback;
}

static int by_ticks(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

uint64_t lower_quartile(uint64_t *times, size_t n)
{
	qsort(times, n, sizeof(*times), by_ticks);
	return times[n / 4];
}

int mark(int nr)
{
	char c = 0;

	printf("@mark %d\n", nr);
	fflush(stdout);
	while (c != '\n')
		if (read(STDIN_FILENO, &c, 1) != 1)
			return fail("nobody counts");
	return 0;
}
