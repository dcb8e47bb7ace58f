// SPDX-License-Identifier: GPL-3.0-or-later
/* How fast and in how much memory all headers of a mailbox are read: mail-scan FILE. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "core/base/clock.h"
#include "mail/box.h"
#include "mail/head.h"

int main(int argc, char **argv)
{
	_cleanup_box_ struct box *box = box_new();
	_cleanup_buf_ struct buf mail = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	uint64_t start = clock_ms();
	size_t patches = 0;
	struct rusage use;
	struct stat st;
	double cpu;

	if (argc != 2 || stat(argv[1], &st) < 0 || box_read(box, argv[1], 0, &e) < 0)
		return 1;
	for (size_t i = 0; i < box_nr(box); i++) {
		_cleanup_head_ struct head h = { 0 };

		if (box_mail(box, i, &mail, &e) < 0)
			return 1;
		head_parse(&mail, &h);
		patches += h.maybe_patch;
	}
	getrusage(RUSAGE_SELF, &use);
	cpu = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	      (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
	printf("scan: %zu mails, %zu maybe with a patch, %.0f MB/s by wall, %.0f by "
	       "processor, peak %ld KiB\n",
	       box_nr(box), patches,
	       (double)st.st_size / 1e3 / (double)(clock_ms() - start + 1),
	       (double)st.st_size / 1e6 / cpu, use.ru_maxrss);
	return 0;
}
