# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a branch "series" on HEAD of a kernel repository.

usage: make-series.py REPOSITORY PATCHES

Each commit adds a line to two files of its own, spread over the tree. Author and committer dates
are equal, so that git am --committer-date-is-author-date, with the committer kiln, gives the very
same commits.
"""
import subprocess
import sys

repo, patches = sys.argv[1], int(sys.argv[2])
listing = subprocess.run(["git", "-C", repo, "ls-tree", "-r", "HEAD"], check=True,
                         stdout=subprocess.PIPE).stdout.decode().splitlines()
files = [line.split("\t", 1)[1] for line in listing if " blob " in line and line.endswith((".c", ".h"))]
step = len(files) / (2 * patches)
files = [files[int(i * step)] for i in range(2 * patches)]
head = subprocess.run(["git", "-C", repo, "rev-parse", "HEAD"], check=True,
                      stdout=subprocess.PIPE).stdout.decode().strip()
cat = subprocess.Popen(["git", "-C", repo, "cat-file", "--batch"], stdin=subprocess.PIPE,
                       stdout=subprocess.PIPE)
fast_import = subprocess.Popen(["git", "-C", repo, "fast-import", "--quiet", "--force"],
                               stdin=subprocess.PIPE)
out = fast_import.stdin
for i in range(patches):
    message = b"bench: change %d\n" % i
    out.write(b"commit refs/heads/series\nauthor A U Thor <author@example.org> %d +0000\n"
              b"committer kiln <kiln@localhost> %d +0000\ndata %d\n%s" % (
                  1700000000 + i, 1700000000 + i, len(message), message))
    if i == 0:
        out.write(b"from %s\n" % head.encode())
    for path in files[2 * i:2 * i + 2]:
        cat.stdin.write(b"%s:%s\n" % (head.encode(), path.encode()))
        cat.stdin.flush()
        size = int(cat.stdout.readline().split()[2])
        lines = cat.stdout.read(size + 1)[:-1].splitlines(keepends=True)
        lines.insert(len(lines) // 2, b"/* bench %d */\n" % i)
        data = b"".join(lines)
        out.write(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
cat.stdin.close()
out.close()
sys.exit(fast_import.wait())
