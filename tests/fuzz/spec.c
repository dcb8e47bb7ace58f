// SPDX-License-Identifier: GPL-3.0-or-later
/* A benchmark as it is asked for: its name is the same work asked for again. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench/spec.h"
#include "core/base/alloc.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_free_ char *text = xstrndup((const char *)data, size);
	_cleanup_bench_ struct benchmark *b = NULL, *again = NULL;
	_cleanup_err_ struct err e = { 0 };

	if (bench_open(text, NULL, &b, &e) < 0) {
		if (b || !e.nr)
			abort();
		return 0;
	}
	if (bench_open(b->name, NULL, &again, &e) < 0 || strcmp(b->name, again->name) ||
	    b->level != again->level)
		abort();
	for (size_t i = 0; b->args[i] || again->args[i]; i++)
		if (strcmp(b->args[i], again->args[i]))
			abort();
	return 0;
}
