#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mails for the mail benchmarks: threads of a patch series and its answers.

usage: mail-archive.py mbox NR [SKIP]       mboxrd on standard output
       mail-archive.py fast-import NR [SKIP] a stream for an epoch of public-inbox; SKIP > 0
                                             appends to refs/heads/master
"""
import random
import sys

THREAD = 10
WORDS = "nested page table flush guest walk shadow entry vmcb exit bit mask lock free".split()


def mail(nr):
    rnd = random.Random(nr)
    root, pos = nr - nr % THREAD, nr % THREAD
    text = "\n".join(" ".join(rnd.choice(WORDS) for _ in range(11)) for _ in range(12))
    refs = "" if pos == 0 else f"In-Reply-To: <m{root}@x.org>\nReferences: <m{root}@x.org>\n"
    if pos == 0:
        subject, body = f"[PATCH 0/4] work {root}", text + "\n"
    elif pos < 5:
        subject = f"[PATCH {pos}/4] step {pos} of {root}"
        hunks = "".join(
            f"@@ -{40 * h + 1},6 +{40 * h + 1},7 @@ static int walk_{h}(void)\n a\n b\n c\n"
            f"+\treturn {rnd.randrange(99999)};\n d\n e\n f\n" for h in range(1 + rnd.randrange(200)))
        body = (text + "\n\nSigned-off-by: A U Thor <a@x.org>\n---\n f.c | 1 +\n"
                f"diff --git a/f{nr}.c b/f{nr}.c\nindex 78981922613b..61780798228d 100644\n"
                f"--- a/f{nr}.c\n+++ b/f{nr}.c\n{hunks}-- \n2.39.5\n")
    else:
        subject = f"Re: [PATCH {pos - 4}/4] step {pos - 4} of {root}"
        body = "\n".join("> " + line for line in text.splitlines()) + \
            "\n\nLooks right.\n\nReviewed-by: R Viewer <r@x.org>\n"
    # What servers add on the way is a third of most list mails.
    trace = "".join(f"Received: from host{k}.x.org (host{k}.x.org [192.0.2.{k}])\n"
                    f"\tby mx{k}.x.org (Postfix) with ESMTPS id {rnd.getrandbits(48):012X}\n"
                    f"\tfor <list@x.org>; Wed,  1 May 2024 00:00:0{k} +0000 (UTC)\n"
                    for k in range(8))
    trace += "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=x.org; s=s1;\n" + "".join(
        f"\t{rnd.getrandbits(256):064x}\n" for _ in range(8))
    return (f"{trace}From: A U Thor <a@x.org>\nTo: list@x.org\nMessage-ID: <m{nr}@x.org>\n{refs}"
            f"Subject: {subject}\nDate: Wed, 1 May 2024 {nr // 3600 % 24:02}:{nr // 60 % 60:02}:"
            f"{nr % 60:02} +0000\n\n{body}")


def main():
    form, nr = sys.argv[1], int(sys.argv[2])
    skip = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    out = sys.stdout
    for i in range(skip, skip + nr):
        m = mail(i)
        if form == "mbox":
            out.write(f"From mboxrd@z Thu Jan  1 00:00:00 1970\n{m}\n")
            continue
        out.write(f"blob\nmark :1\ndata {len(m)}\n{m}\ncommit refs/heads/master\n"
                  f"author A U Thor <a@x.org> {1714521600 + i} +0000\n"
                  f"committer A U Thor <a@x.org> {1714521600 + i} +0000\ndata 1\nx\n")
        if skip and i == skip:
            out.write("from refs/heads/master^0\n")
        out.write("M 100644 :1 m\n\n")


main()
