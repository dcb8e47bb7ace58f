#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random mailboxes for mailsplit.t: mailsplit.py SEED KIND (mboxrd or mboxo) > FILE. Bodies hold all
that looks like a separator, and nothing a mailbox of that kind cannot give back."""
import random
import re
import sys

rnd = random.Random(int(sys.argv[1]))
kind = sys.argv[2]
LINES = ["", "text", "From here on", "From a@b Wed May  1 12:00:00 2024", "> From the reply", " From blank",
         "From: a header?", "Fromage", "12:00:00 2024", "-- ", "> quoted", "\t", "From x y 10:00 1999"]
if kind == "mboxrd":
    LINES += [">From once", ">>From twice", ">>>From a@b Wed May  1 12:00:00 2024"]
for nr in range(rnd.randrange(1, 12)):
    date = rnd.choice(["Wed May  1 12:00:00 2024", "Thu Jan  1 00:00:00 1970", "Mon Dec 31 23:59:59 99"])
    print(f"From {rnd.choice(['a@b', 'MAILER-DAEMON', 'x  '])} {date}")
    print(f"Message-ID: <{nr}@x.org>\nFrom: A <a@b.c>\nSubject: [PATCH {nr}] x\n")
    for _ in range(rnd.randrange(20)):
        line = rnd.choice(LINES)
        quoted = r">*From " if kind == "mboxrd" else r"From "
        print(">" + line if re.match(quoted, line) else line)
    print()
