// SPDX-License-Identifier: GPL-3.0-or-later
/* A bisection's log: what is read can be written, read again and told to the engine. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "cli/bisect/search.h"
#include "core/base/alloc.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_bisect_log_ struct bisect_log l = { 0 }, again = { 0 };
	_cleanup_(bisection_release) struct bisection b = { 0 };
	_cleanup_free_ char *text = xstrndup((const char *)data, size);
	_cleanup_free_ double *p_new = NULL;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf one = BUF_INIT, two = BUF_INIT;

	if (log_parse(text, &l, &e) < 0)
		return 0;
	log_write(&l, &one);
	assert(log_parse(buf_str(&one), &again, &e) == 0);
	log_write(&again, &two);
	assert(!strcmp(buf_str(&one), buf_str(&two)));
	if (search_replay(&l, &b, &p_new, &e) == 0)
		log_write_git(&again, p_new, &two);
	return 0;
}
