#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mailboxes for test-mail-split: mailsplit.py NR KIND DIR writes DIR/mbox0, DIR/mbox1, ...
KIND is mboxrd or mboxo. Bodies hold all that looks like a separator, and nothing a mailbox of that
kind cannot give back."""
import random
import re
import sys

LINES = ["", "text", "From here on", "From a@b Wed May  1 12:00:00 2024", "> From the reply", " From blank",
         "From: a header?", "Fromage", "12:00:00 2024", "-- ", "> quoted", "\t", "From x y 10:00 1999"]
DEEP = [">From once", ">>From twice", ">>>From a@b Wed May  1 12:00:00 2024"]
DATES = ["Wed May  1 12:00:00 2024", "Thu Jan  1 00:00:00 1970", "Mon Dec 31 23:59:59 99"]


def mailbox(rnd, kind):
    lines = LINES + (DEEP if kind == "mboxrd" else [])
    quoted = r">*From " if kind == "mboxrd" else r"From "
    for nr in range(rnd.randrange(1, 12)):
        yield f"From {rnd.choice(['a@b', 'MAILER-DAEMON', 'x  '])} {rnd.choice(DATES)}"
        yield f"Message-ID: <{nr}@x.org>\nFrom: A <a@b.c>\nSubject: [PATCH {nr}] x\n"
        for _ in range(rnd.randrange(20)):
            line = rnd.choice(lines)
            yield ">" + line if re.match(quoted, line) else line
        yield ""


for i in range(int(sys.argv[1])):
    with open(f"{sys.argv[3]}/mbox{i}", "w", encoding="utf-8") as f:
        f.writelines(line + "\n" for line in mailbox(random.Random(i), sys.argv[2]))
