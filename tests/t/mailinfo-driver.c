// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What kiln makes of mails, in the form of git mailinfo, for tests that hold the two
 * against each other.
 *
 * usage: mailinfo-driver [--scissors] FILE...
 *
 * Beside each FILE: FILE.info (Author, Email, Subject, Date as "epoch zone" or "-"),
 * FILE.msg (the commit message) and FILE.diff.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/fs.h"
#include "mail/mime.h"

#define MAX_MAIL ((size_t)64 << 20)

static int put(const char *file, const char *what, const void *data, size_t len)
{
	_cleanup_free_ char *path = xasprintf("%s.%s", file, what);
	_cleanup_err_ struct err e = { 0 };

	return fs_write(path, data, len, &e);
}

static int write_mail(const char *file, const struct mail *m)
{
	const struct mailinfo *mi = &m->info;
	int tz = mi->date.tz < 0 ? -mi->date.tz : mi->date.tz;
	_cleanup_free_ char *message = mailinfo_message(mi);
	_cleanup_buf_ struct buf info = BUF_INIT;

	buf_addf(&info, "Author: %s\nEmail: %s\nSubject: %s\n", mi->author_name,
		 mi->author_email, mi->subject);
	if (mi->date.known)
		buf_addf(&info, "Date: %lld %c%02d%02d\n", (long long)mi->date.epoch,
			 mi->date.tz < 0 ? '-' : '+', tz / 60, tz % 60);
	else
		buf_adds(&info, "Date: -\n");
	if (put(file, "info", info.data, info.len) < 0 ||
	    put(file, "msg", message, strlen(message)) < 0)
		return -1;
	return put(file, "diff", buf_str(&mi->diff), mi->diff.len);
}

int main(int argc, char **argv)
{
	bool scissors = argc > 1 && !strcmp(argv[1], "--scissors");

	for (int i = scissors ? 2 : 1; i < argc; i++) {
		_cleanup_buf_ struct buf raw = BUF_INIT;
		_cleanup_err_ struct err e = { 0 };
		_cleanup_mail_ struct mail m = { 0 };

		if (fs_read(argv[i], MAX_MAIL, &raw, &e) < 0)
			return 1;
		mail_parse(&raw, &(struct mail_opts){ .scissors = scissors }, &m);
		if (write_mail(argv[i], &m) < 0)
			return 1;
	}
	return 0;
}
