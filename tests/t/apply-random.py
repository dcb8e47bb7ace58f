#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make random patch series for apply-git-am.t.

usage: apply-random.py REPO CASES SEED

Writes branches base-N (what to apply to) into the repository and the series as REPO/../N.mbox,
as git format-patch wrote it or with one of the changes mail does to patches. The same seed
gives the same series.
"""
import os
import random
import subprocess
import sys

NAMES = ["a.c", "b.c", "dir/c.c", "dir/d.c", "dir/sub/e.c", "dir2/f.h", "with blank.c",
         "q\"uote.c", "t\tab.c", "\u00fcmlaut.c", "dir/run.sh", "empty", "x-dir", "Makefile"]
WORDS = ["int i;", "\treturn 0;", "}", "{", "", "\tif (x)", "\t\tfoo(x);", "/* note */",
         "\tbar();", "static int f(void)"]
FILE, EXEC, LINK, SUB = "100644", "100755", "120000", "160000"


def text(rng, lines):
    return b"".join(line.encode() + b"\n" for line in lines)


def new_text(rng, low=3, high=40):
    # Few different lines, so that hunks fit in more than one place.
    return text(rng, [rng.choice(WORDS) + (" %d" % rng.randrange(200) if rng.random() < .4 else "")
                      for _ in range(rng.randrange(low, high))])


def edit_text(rng, data):
    lines = data.splitlines(keepends=True)
    for _ in range(rng.randrange(1, 4)):
        at = rng.choice([0, len(lines), rng.randrange(len(lines) + 1)])
        kind = rng.random()
        new = [rng.choice(WORDS).encode() + b" %d\n" % rng.randrange(1000)
               for _ in range(rng.randrange(1, 4))]
        if lines and at == len(lines) and not lines[-1].endswith(b"\n"):
            lines[-1] += b"\n"
        if kind < .45:
            lines[at:at] = new
        elif kind < .75:
            del lines[at:at + rng.randrange(1, 4)]
        elif kind < .95:
            lines[at:at + len(new)] = new
        elif lines:
            lines[at % len(lines)] = lines[at % len(lines)].rstrip(b"\r\n") + b"\r\n"
    out = b"".join(lines)
    if rng.random() < .12 and out:
        out = out.rstrip(b"\n") if out.endswith(b"\n") else out + b"\n"
    return out


def free_name(rng, tree):
    for _ in range(50):
        name = rng.choice(NAMES) if rng.random() < .5 else "new%d/n%d.c" % (
            rng.randrange(3), rng.randrange(50))
        parts = name.split("/")
        if name in tree or any(p.startswith(name + "/") for p in tree) or any(
                "/".join(parts[:k]) in tree for k in range(1, len(parts))):
            continue
        return name
    return "fresh%d.c" % rng.randrange(10 ** 9)


def edit_tree(rng, tree):
    regular = [p for p in tree if tree[p][0] in (FILE, EXEC)]
    if not regular:
        tree[free_name(rng, tree)] = (FILE, new_text(rng))
        return
    path = rng.choice(sorted(regular))
    mode, data = tree[path]
    kind = rng.random()
    if kind < .55:
        tree[path] = (mode, edit_text(rng, data) if b"\0" not in data else data[:-3] + b"xy\0z")
    elif kind < .62:
        tree[free_name(rng, tree)] = (rng.choice([FILE, FILE, EXEC]), new_text(rng))
    elif kind < .66:
        tree[free_name(rng, tree)] = (FILE, b"")
    elif kind < .71:
        del tree[path]
    elif kind < .78:
        del tree[path]
        tree[free_name(rng, tree)] = (mode, edit_text(rng, data) if rng.random() < .6 else data)
    elif kind < .81:
        tree[free_name(rng, tree)] = (mode, edit_text(rng, data) if rng.random() < .6 else data)
    elif kind < .85:
        tree[path] = (EXEC if mode == FILE else FILE, data)
    elif kind < .88:
        tree[free_name(rng, tree)] = (LINK, b"target%d" % rng.randrange(9))
    elif kind < .90:
        tree[path] = (LINK, b"elsewhere")
    elif kind < .94:
        tree[free_name(rng, tree)] = (FILE, bytes(rng.randrange(256) for _ in range(300)) + b"\0")
    elif kind < .96:
        tree[free_name(rng, tree)] = (SUB, b"%040x" % rng.randrange(1, 16 ** 40))
    elif kind < .98 and len(regular) > 1:
        other = rng.choice(sorted(p for p in regular if p != path))
        tree[path], tree[other] = tree[other], tree[path]
    else:
        top = path.split("/")[0]
        for p in [p for p in tree if p == top or p.startswith(top + "/")]:
            del tree[p]
        tree[top if rng.random() < .5 else top + "/deeper/x.c"] = (FILE, new_text(rng))


class Import:
    """A stream for git fast-import; commits are given as whole trees."""

    def __init__(self, repo):
        self.child = subprocess.Popen(["git", "-C", repo, "fast-import", "--quiet", "--force"],
                                      stdin=subprocess.PIPE)
        self.mark = 0

    def put(self, data):
        self.child.stdin.write(data if isinstance(data, bytes) else data.encode())

    def commit(self, rng, ref, tree, parent, subject):
        self.mark += 1
        who = rng.choice(["A U Thor <author@example.org>", "J\u00f6rg \u00d6z <jo@example.net>",
                          "\"Quo, Ted\" <q@example.com>", "B. Dot <dot@example.org>"])
        when = "%d %s" % (1700000000 + self.mark * 61,
                          rng.choice(["+0000", "+0530", "-0800", "+1245", "-0330"]))
        body = subject + rng.choice(["\n", "\n\nA body.\n\nMore of it.\n",
                                     "\n\nSigned-off-by: A U Thor <author@example.org>\n"])
        self.put("commit %s\nmark :%d\nauthor %s %s\ncommitter C <c@example.org> %s\n" % (
            ref, self.mark, who.replace('"', ""), when, when))
        self.put("data %d\n" % len(body.encode()))
        self.put(body + "\n")
        if parent:
            self.put("from :%d\n" % parent)
        self.put("deleteall\n")
        for path, (mode, data) in sorted(tree.items()):
            name = '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'
            if mode == SUB:
                self.put(b"M %s %s %s\n" % (mode.encode(), data, name.encode()))
            else:
                self.put("M %s inline %s\ndata %d\n" % (mode, name, len(data)))
                self.put(data + b"\n")
        return self.mark

    def close(self):
        self.child.stdin.close()
        if self.child.wait():
            sys.exit("fast-import failed")


def mangle(rng, mbox):
    """What happens to patches on their way, and what people edit by hand."""
    lines = mbox.split(b"\n")
    hunks = [i for i, l in enumerate(lines) if l.startswith(b"@@ -")]
    kind = rng.randrange(9)
    if not hunks:
        return mbox
    at = rng.choice(hunks)
    if kind == 0:  # trailing blanks stripped
        return b"\n".join(b"" if l == b" " else l for l in lines)
    if kind == 1:  # wrong line number
        pos = lines[at].split(b" ")
        off = rng.randrange(-3, 4)
        for k in (1, 2):
            num = pos[k][1:].split(b",")
            num[0] = b"%d" % max(1, int(num[0]) + off)
            pos[k] = pos[k][:1] + b",".join(num)
        lines[at] = b" ".join(pos)
    elif kind == 2 and at + 1 < len(lines):  # a context line changed
        lines[at + 1] += b"x"
    elif kind == 3:  # a line lost
        del lines[at + 1]
    elif kind == 4:  # a line too many
        lines.insert(at + 1, b" lost line")
    elif kind == 5:  # no index lines
        lines = [l for l in lines if not l.startswith(b"index ")]
    elif kind == 6:  # plain diffs
        lines = [l for l in lines if not l.startswith((b"index ", b"diff --git ", b"new file mode",
                                                       b"deleted file mode"))]
    elif kind == 7:  # a list footer instead of the signature
        lines = [b"_______________" if l == b"-- " else l for l in lines]
    else:  # counts do not fit
        lines[at] = lines[at].replace(b",4 ", b",3 ", 1).replace(b",7 ", b",6 ", 1)
    return b"\n".join(lines)


def main():
    repo, cases, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    stream = Import(repo)
    for n in range(cases):
        rng = random.Random(seed * 100000 + n)
        tree = {name: (FILE, new_text(rng)) for name in rng.sample(NAMES, 7)}
        base = stream.commit(rng, "refs/heads/base-%d" % n, tree, None, "base")
        tip, ours = base, dict(tree)
        for k in range(rng.randrange(1, 4)):
            before = dict(ours)
            for _ in range(rng.randrange(1, 4)):
                edit_tree(rng, ours)
            while ours == before:  # format-patch would leave the commit out
                edit_tree(rng, ours)
            tip = stream.commit(rng, "refs/heads/series-%d" % n, ours, tip, "dir: change %d" % k)
        drift = dict(tree)
        for _ in range(rng.choice([0, 0, 1, 2, 3])):
            edit_tree(rng, drift)
        if drift != tree:
            stream.commit(rng, "refs/heads/base-%d" % n, drift, base, "drift")
        stream.put("tag root-%d\nfrom :%d\ntagger C <c@example.org> 0 +0000\ndata 0\n" % (n, base))
    stream.close()
    for n in range(cases):
        rng = random.Random(seed * 100000 + n + 50000)
        opts = rng.choice([["-M"], ["-M", "-C", "--find-copies-harder"], ["--no-renames"], ["-U1"],
                           ["-U5", "-M"], ["-M", "-B"], ["--full-index"]])
        mbox = subprocess.run(["git", "-C", repo, "format-patch", "--stdout", "--binary", *opts,
                               "root-%d..series-%d" % (n, n)], check=True,
                              stdout=subprocess.PIPE).stdout
        if rng.random() < .35:
            mbox = mangle(rng, mbox)
        else:
            open(os.path.join(repo, "..", "%d.clean" % n), "w").close()
        with open(os.path.join(repo, "..", "%d.mbox" % n), "wb") as out:
            out.write(mbox)


main()
