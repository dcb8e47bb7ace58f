// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One mail, read by GMime: headers, text parts, and what git mailinfo makes of them. */
#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/strv.h"
#include "mail/mailinfo.h"
#include "mail/subject.h"

struct mail {
	char *message_id;  /* without brackets; never NULL, made from the bytes when the
			      mail has none */
	char *in_reply_to; /* the first id there, may be NULL */
	struct strv references;
	char *from_name, *from_email; /* of the From header, or of who is behind it where
					 a list put its own address there */
	struct subject subject;	      /* of the Subject header */
	struct mail_date date;	      /* of the Date header */
	struct buf text;	      /* all text parts as UTF-8, LF line ends */
	struct mailinfo info;
	char *damage; /* what a web archive did to the mail, NULL = nothing known */
	struct strv kernel_test; /* X-KernelTest headers, "Version: 6.6.1-rc1" */
	bool stable_review;	 /* marked as such, or sent by quilt mail */
	bool flowed;		 /* format=flowed, undone in info */
	bool bare;		 /* a patch without mail headers */
	struct mail *attached; /* two or more patches sent as files; info is empty then */
	size_t nr_attached;
};

struct mail_opts {
	bool scissors; /* drop all text above a scissors line, as git am --scissors does */
};

/* Parse one mail (LF line ends) or a bare patch; any bytes are accepted. */
void mail_parse(const struct buf *raw, const struct mail_opts *o, struct mail *ret);

/* Whether the mail had no Message-ID. */
bool mail_id_is_made(const struct mail *m);

/* Whether a patch is in the mail, attached ones not counted. */
bool mail_has_patch(const struct mail *m);

void mail_release(struct mail *m);
#define _cleanup_mail_ _cleanup_(mail_release)
