// SPDX-License-Identifier: GPL-3.0-or-later
/* Logs of builds, and what is kept of them: what is read can be written and read again. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "boot/build/warnings.h"
#include "core/base/alloc.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void write_and_read(const struct warnings *w)
{
	_cleanup_warnings_ struct warnings again = { 0 };
	_cleanup_warnings_news_ struct warnings_news none = { 0 };
	_cleanup_buf_ struct buf one = BUF_INIT, two = BUF_INIT;

	warnings_write(w, &one);
	assert(warnings_read(buf_str(&one), &again));
	warnings_write(&again, &two);
	assert(!strcmp(buf_str(&one), buf_str(&two)));
	warnings_compare(w, &again, &none);
	assert(!none.nr);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const char zeros[] = "0000000000000000000000000000000000000000";
	_cleanup_free_ char *text = xstrndup((const char *)data, size);
	_cleanup_warnings_ struct warnings log = { 0 }, kept = { 0 };
	_cleanup_warnings_news_ struct warnings_news news = { 0 };

	warnings_read_log(text, "/kiln/src", &log);
	memcpy(log.id.hex, zeros, sizeof(zeros));
	memcpy(log.tree.hex, zeros, sizeof(zeros));
	memcpy(log.config.hex, zeros, sizeof(zeros));
	write_and_read(&log);
	if (warnings_read(text, &kept)) {
		write_and_read(&kept);
		warnings_compare(&kept, &log, &news);
		warnings_merge(&kept, &log);
		write_and_read(&kept);
	}
	return 0;
}
