// SPDX-License-Identifier: GPL-3.0-or-later
/* Two environments, parted by a NUL byte: equal ones are alike, and whatever is not alike
 * has its reason, in one line. */
#include <stdlib.h>
#include <string.h>

#include "bench/environment.h"
#include "core/base/alloc.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	size_t first = strnlen((const char *)data, size);
	size_t behind = first < size ? first + 1 : size;
	_cleanup_free_ char *a = xstrndup((const char *)data, first);
	_cleanup_free_ char *b = xstrndup((const char *)data + behind, size - behind);
	_cleanup_free_ char *why = NULL, *none = NULL;
	enum likeness l = environment_alike(a, b, "kvm", &why);

	if ((l == ENVIRONMENT_ALIKE) != !why || (why && strchr(why, '\n')))
		abort();
	if (environment_alike(a, a, "kvm", &none) != ENVIRONMENT_ALIKE || none)
		abort();
	return 0;
}
