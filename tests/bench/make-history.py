# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a history for git fast-import: make-history.py COMMITS [FROM]

Messages are as long as those of Linux are, with Fixes:, Link: and Cc: lines at about the same
rates; every commit changes one of 2000 files of 60 lines; every twentieth is a merge of four.
"""
import random
import sys

commits, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
rnd = random.Random(first)
words = [w + s for w in ("lock", "page", "vcpu", "queue", "buffer", "frame", "guest", "entry")
         for s in ("", "s", "ing", "er")]
out = sys.stdout
files = [["line %d of %d" % (k, i) for k in range(60)] for i in range(2000)]


def message(i):
    body = "\n".join(" ".join(rnd.choice(words) for _ in range(11)) for _ in range(rnd.randint(3, 14)))
    text = "sub%d: change %d of the %s\n\n%s\n\n" % (i % 97, i, rnd.choice(words), body)
    if rnd.random() < 0.2:
        text += 'Fixes: %012x ("sub: change of the %s")\n' % (rnd.getrandbits(48), rnd.choice(words))
    if rnd.random() < 0.1:
        text += "Cc: stable@vger.kernel.org # 5.%d+\n" % rnd.randint(4, 19)
    text += "Link: https://lore.kernel.org/r/20240101120000.%d-%d-a@example.org\n" % (i // 6, i % 6)
    return text + "Signed-off-by: A U Thor <author@example.org>\n" * rnd.randint(1, 3)


def commit(branch, i, merge=None, start=None):
    text = message(i)
    out.write("commit refs/heads/%s\nauthor A U Thor <author@example.org> %d +0000\n"
              "committer C O <c@example.org> %d +0000\ndata %d\n%s\n"
              % (branch, 1600000000 + 60 * i, 1600000000 + 60 * i + 30, len(text), text))
    if start:
        out.write("from %s\n" % start)
    if merge:
        out.write("merge %s\n" % merge)
    f = rnd.randrange(len(files))
    files[f][rnd.randrange(60)] = "changed by %d" % i
    data = "\n".join(files[f]) + "\n"
    out.write("M 100644 inline d%d/f%d.c\ndata %d\n%s\n" % (f % 40, f, len(data), data))


if first:
    out.write("reset refs/heads/main\nfrom refs/heads/main^0\n\n")
for i in range(first, first + commits):
    k = i - first
    if k % 20 in (15, 16, 17, 18) and k >= 20:
        commit("side", i, start="refs/heads/main" if k % 20 == 15 else None)
    else:
        commit("main", i, merge="refs/heads/side" if k % 20 == 19 and k >= 20 else None)
