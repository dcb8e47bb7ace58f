// SPDX-License-Identifier: GPL-3.0-or-later
/* QEMU's side of the control connection. */
#include <stddef.h>

#include "boot/target/qmp.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_err_ struct err e = { 0 };
	enum qmp_news news = QMP_OTHER;
	struct qmp q = { 0 };

	if (qmp_feed(&q, (const char *)data, size, &e) == 0)
		while (news != QMP_NOTHING && qmp_next(&q, &news, &e) == 0)
			;
	qmp_release(&q);
	return 0;
}
