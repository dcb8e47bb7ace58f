# SPDX-License-Identifier: GPL-3.0-or-later
"""A mainline, a stable branch and a queue, for tests/bench/queue.sh.

usage: make-queue.py PATCHES FILES FOLDER          the history, for git fast-import
       make-queue.py PATCHES FILES FOLDER REPO     then the queue, made from it
"""
import os
import random
import subprocess
import sys

PATCHES, FILES, FOLDER = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
WHO = "A U Thor <author@example.org>"
GREG = "Signed-off-by: Greg Kroah-Hartman <gregkh@linuxfoundation.org>\n"


def path(n):
    return f"drivers/d{n % 50}/f{n}.c"


def text(n, edits):
    out = [f'#include "f{n}.h"\n#include <linux/base.h>\n\n']
    for k in range(30):
        out.append(f"static int f{n}_{k}(struct dev *d, int a)\n{{\n\tint r = d->base + {k};\n\n")
        out.append(f"\tif (a < {edits.get(k, 0)})\n\t\treturn -EINVAL;\n")
        out.append(f"\tr += f{n}_limit(d, a);\n\treturn r;\n}}\n\n")
    return "".join(out)


def history():
    mark = 0
    now = 1700000000
    out = sys.stdout.buffer

    def commit(ref, title, changes, parent=None):
        nonlocal mark, now
        mark, now = mark + 1, now + 60
        body = f"{title}\n\nText.\n\nSigned-off-by: {WHO}\n".encode()
        out.write(b"commit %b\nmark :%d\nauthor %b %d +0000\ncommitter %b %d +0000\ndata %d\n%b"
                  % (ref, mark, WHO.encode(), now, WHO.encode(), now, len(body), body))
        if parent:
            out.write(b"from %b\n" % parent)
        for name, data in changes:
            data = data.encode()
            out.write(b"M 100644 inline %b\ndata %d\n%b\n" % (name.encode(), len(data), data))
        out.write(b"\n")

    base = [(path(n), text(n, {})) for n in range(FILES)]
    base += [(f"drivers/d{n % 50}/f{n}.h", f"int f{n}_limit(struct dev *d, int a);\n")
             for n in range(FILES)]
    base.append(("Kconfig", 'config BASE\n\tbool "base"\n'))
    commit(b"refs/heads/master", "base", base)
    out.write(b"reset refs/heads/linux-6.1.y\nfrom :1\n\n")
    rng = random.Random(1)
    edits = {n: {} for n in range(FILES)}
    for i in range(3 * FILES):
        n = rng.randrange(FILES)
        edits[n][rng.randrange(30)] = i + 1
        commit(b"refs/heads/master", f"d{n % 50}: change number {i}", [(path(n), text(n, edits[n]))])


def git(repo, *args):
    return subprocess.run(("git", "-C", repo) + args, check=True, capture_output=True,
                          text=True).stdout


def queue(repo):
    os.makedirs(FOLDER)
    log = git(repo, "log", "--reverse", "-p", "--no-merges",
              "--format=%x01%H%x02%ad%x02%s%x02%b%x02", "--date=rfc", "linux-6.1.y..master")
    names = []
    # Some of the history, so that patches lack the ones before them.
    entries = log.split("\x01")[1:]
    for entry in entries[::len(entries) // PATCHES][:PATCHES]:
        sha, date, subject, body, diff = entry.split("\x02")
        name = "-".join(subject.replace(":", "").split()) + ".patch"
        names.append(name)
        with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as f:
            f.write(f"From {sha} Mon Sep 17 00:00:00 2001\nFrom: {WHO}\nDate: {date}\n"
                    f"Subject: {subject}\n\ncommit {sha} upstream.\n\n{body}{GREG}---\n{diff.lstrip()}-- \n2.39\n")
    with open(os.path.join(FOLDER, "series"), "w", encoding="utf-8") as f:
        f.write("\n".join(names) + "\n")


if len(sys.argv) > 4:
    queue(sys.argv[4])
else:
    history()
