#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random patch series: what git makes of them against what kiln does, for apply-git-am.t.

usage: apply-random.py CASES SEED DRIVER

Works in the current folder. Cases are trees, a series on them as git format-patch wrote it or with
one of the changes mail does to patches, and a base that may have drifted. Each goes through git am
or git am -3, and one patch of it through git apply --cached with random options; DRIVER is
apply-driver, which does the same with kiln. The same seed gives the same cases. Exits 1 when a
verdict, a commit id or a tree id differs, and prints how often each verdict came up.
"""
import os
import random
import re
import shutil
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
        self.child = subprocess.Popen(["git", "-C", repo, "fast-import", "--quiet", "--force",
                                       "--export-marks=" + os.path.abspath(".git-marks")],
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


RENDER = [["-M"], ["-M", "-C", "--find-copies-harder"], ["--no-renames"], ["-U1"], ["-U5", "-M"],
          ["-M", "-B"], ["--full-index"]]
OPTIONS = [[], [], [], ["-C1"], ["-C0"], ["-p2"], ["-p0"], ["--directory=sub/dir"], ["--exclude=dir/*"],
           ["--include=*.c"], ["--ignore-space-change"], ["--whitespace=error"], ["--whitespace=fix"]]
QUIET = ["-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.fsync=none"]


def git(*args, **kw):
    return subprocess.run(["git", *QUIET, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, **kw)


def make_history(cases, seed):
    """The commits of every case's series, and the number its base branch has."""
    stream, series = Import("repo"), []
    for n in range(cases):
        rng = random.Random(seed * 1000003 + n)
        tree = {name: (FILE, new_text(rng)) for name in rng.sample(NAMES, 7)}
        base = stream.commit(rng, "refs/heads/base-%d" % n, tree, None, "base")
        tip, ours, marks = base, dict(tree), []
        for k in range(rng.randrange(1, 4)):
            before = dict(ours)
            for _ in range(rng.randrange(1, 4)):
                edit_tree(rng, ours)
            while ours == before:  # a commit without a change has no diff
                edit_tree(rng, ours)
            tip = stream.commit(rng, "refs/heads/series-%d" % n, ours, tip, "dir: change %d" % k)
            marks.append(tip)
        drift, edits = dict(tree), rng.choice([0, 0, 1, 2, 3])
        for _ in range(edits):
            edit_tree(rng, drift)
        if rng.random() < .15:  # the series, or its beginning, is there already
            drift = dict(ours)
            if rng.random() < .5:
                edit_tree(rng, drift)
        if drift != tree:
            stream.commit(rng, "refs/heads/base-%d" % n, drift, base, "drift")
        series.append(marks)
    stream.close()
    ids = dict(line.split() for line in open(".git-marks"))
    return [[ids[":%d" % m] for m in marks] for marks in series]


def render(series, seed):
    """All commits as mails, one git process for each way to write them."""
    ways = {}
    for n, commits in enumerate(series):
        ways.setdefault(random.Random(seed * 7 + n).randrange(len(RENDER)), []).extend(commits)
    mails = {}
    for way, commits in ways.items():
        out = git("-C", "repo", "diff-tree", "--stdin", "--pretty=email", "--stat", "-p", "--binary",
                  *RENDER[way], input="\n".join(commits).encode() + b"\n").stdout
        for mail in re.split(rb"(?m)^(?=From [0-9a-f]{40} Mon Sep 17 00:00:00 2001$)", out)[1:]:
            mails[mail[5:45].decode()] = mail + b"-- \n2.39.5\n\n"
    return [[mails[c].replace(b"\nSubject: ", b"\nSubject: [PATCH %d/%d] " % (k + 1, len(commits)), 1)
             for k, c in enumerate(commits)] for commits in series]


def diff_of(mail):
    at = re.search(rb"(?m)^(diff --git |--- )", mail.partition(b"\n---\n")[2])
    return mail.partition(b"\n---\n")[2][at.start():] if at else b""


def git_am(n, threeway):
    """git am on one series in the worktree wt: the head or None, and whether refusing is right, too."""
    git("-C", "wt", "checkout", "-q", "-f", "--detach", "base-%d" % n)
    done = git("-C", "wt", "am", "--committer-date-is-author-date",
               "-3" if threeway else "--no-3way", "../%d.mbox" % n)
    state = "repo/.git/worktrees/wt/"
    with open(state + "HEAD", encoding="ascii") as f:
        head = f.read().strip()
    if done.returncode:
        shutil.rmtree(state + "rebase-apply", ignore_errors=True)
        if threeway:  # a merge leaves files that git does not track
            git("-C", "wt", "clean", "-qfdx")
    # git 2.39 prints a conflict where both add a file and goes on with one of them; where that loses
    # something, a refusal is better.
    return None if done.returncode else head, done.stdout, b"CONFLICT" in done.stdout


def git_apply(n, options):
    env = dict(os.environ, GIT_INDEX_FILE=os.path.abspath("index"), GIT_DIR="repo/.git")
    git("read-tree", "base-%d" % n, env=env)
    done = git("apply", "--cached", *options, "%d.diff" % n, env=env)
    if done.returncode:
        return None, done.stdout, False
    return git("write-tree", env=env).stdout.decode().strip(), done.stdout, False


def write(name, data):
    with open(name, "wb") as f:
        f.write(data)


def main():
    cases, seed, driver = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    git("init", "-q", "-b", "main", "repo")
    for key in ("core.autocrlf=false", "gc.auto=0"):
        git("-C", "repo", "config", *key.split("="))
    series = make_history(cases, seed)
    git("-C", "repo", "worktree", "add", "-q", "--detach", "../wt", "base-0")
    jobs, expected, clean = [], [], []
    for n, mails in enumerate(render(series, seed)):
        rng = random.Random(seed * 1000003 + n + 500000)
        mbox = b"".join(mails)
        if rng.random() < .35:
            mbox = mangle(rng, mbox)
        else:
            clean.append(n)
        write("%d.mbox" % n, mbox)
        threeway = rng.random() < .5
        jobs.append("%s base-%d %d.mbox" % ("am3" if threeway else "am", n, n))
        expected.append(git_am(n, threeway))
        if rng.random() < .35:
            write("%d.diff" % n, diff_of(mangle(rng, mails[0]) if rng.random() < .3 else mails[0]))
            options = rng.choice(OPTIONS)
            jobs.append("apply base-%d %d.diff %s" % (n, n, " ".join(
                re.sub(r"^(-[pC])", r"\1=", o) for o in options)))
            expected.append(git_apply(n, options))
    write("clean", "".join("%d\n" % n for n in clean).encode())
    got = subprocess.run([driver, "repo"], input="\n".join(jobs).encode() + b"\n", check=False,
                         stdout=subprocess.PIPE).stdout.decode().splitlines()
    verdicts, bad = {}, 0
    for job, (want, said, may_refuse), answer in zip(jobs, expected, got):
        word = "applied " + want if want else "refused"
        merged = answer.endswith(" merged")
        answer = answer.removesuffix(" merged")
        verdicts["merges", "applied"] = verdicts.get(("merges", "applied"), 0) + merged
        verdicts[job.split()[0], word.split()[0]] = verdicts.get(
            (job.split()[0], word.split()[0]), 0) + 1
        refused = answer.startswith("refused")
        if not (refused if not want else answer == word or (refused and may_refuse)):
            bad += 1
            print("seed %d: %s\n  git:  %s: %s\n  kiln: %s" % (
                seed, job, word, said.decode("utf-8", "replace").strip()[:300], answer))
    for (mode, word), count in sorted(verdicts.items()):
        print("%s %s %d" % (mode, word, count))
    sys.exit(1 if bad or len(got) != len(jobs) else 0)


main()
