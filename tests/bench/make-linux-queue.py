# SPDX-License-Identifier: GPL-3.0-or-later
"""Thousands of commits of mainline on a real kernel tree, a stable branch of it and a queue.

usage: make-linux-queue.py REPO BASE COMMITS PATCHES FOLDER

Each commit adds to one C file under a few folders a statement that the file has elsewhere, so that
words, functions and includes are real; one in five says Fixes: of one before, six in a row were
posted as a series. Every tenth is in the stable branch. The queue is a selection of the rest.
"""
import os
import random
import re
import subprocess
import sys

REPO, BASE, COMMITS, PATCHES, FOLDER = sys.argv[1:4] + [int(sys.argv[4]), sys.argv[5]]
COMMITS = int(COMMITS)
WHO = "A U Thor <author@example.org>"
GREG = "Signed-off-by: Greg Kroah-Hartman <gregkh@linuxfoundation.org>\n"
FOLDERS = ["kernel", "mm", "fs", "net", "arch/x86/kvm", "virt", "block", "drivers/net", "drivers/gpu/drm"]
STATEMENT = re.compile(rb"^\t+[a-z][\w>.-]*(\(.*\)| = .*);$")
rnd = random.Random(1)


def git(*args, **kw):
    return subprocess.run(("git", "-C", REPO) + args, check=True, capture_output=True, **kw).stdout


class Files:
    """Contents of the files as the commits leave them."""

    def __init__(self):
        names = git("ls-tree", "-r", "--name-only", BASE, *FOLDERS).decode().split("\n")
        self.names = [n for n in names if n.endswith(".c")]
        self.names = rnd.sample(self.names, min(len(self.names), COMMITS // 2))
        self.texts = {n: git("cat-file", "blob", f"{BASE}:{n}").split(b"\n") for n in self.names}
        self.places = {n: [i for i, l in enumerate(t) if STATEMENT.match(l)] for n, t in self.texts.items()}
        self.names = [n for n in self.names if len(self.places[n]) > 4]

    def edit(self):
        name = rnd.choice(self.names)
        text, places = self.texts[name], self.places[name]
        line = text[rnd.choice(places)]
        at = rnd.choice(places)
        text.insert(at, line)
        self.places[name] = [p + (p >= at) for p in places] + [at]
        return name, b"\n".join(text)


class Stream:
    def __init__(self):
        self.process = subprocess.Popen(("git", "-C", REPO, "fast-import", "--quiet", "--force",
                                         "--cat-blob-fd=1"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.mark, self.now = 0, 1700000000

    def write(self, data):
        self.process.stdin.write(data)

    def commit(self, ref, parent, message, name, text):
        self.mark, self.now = self.mark + 1, self.now + 600
        body = message.encode()
        self.write(b"commit %b\nmark :%d\nauthor %b %d +0000\ncommitter %b %d +0000\ndata %d\n%bfrom %b\n"
                   b"M 100644 inline %b\ndata %d\n%b\n\n"
                   % (ref, self.mark, WHO.encode(), self.now, WHO.encode(), self.now, len(body), body,
                      parent, name.encode(), len(text), text))
        self.write(b"get-mark :%d\n" % self.mark)
        self.process.stdin.flush()
        return self.process.stdout.readline().decode().strip(), b":%d" % self.mark


def message(i, done):
    text = f"sub{i % 97}: add statement {i}\n\nIt was missing.\n\n"
    if done and i % 5 == 0:
        sha, title = rnd.choice(done[-400:])
        text += f'Fixes: {sha[:12]} ("{title}")\n'
    if i % 3 == 0:
        text += "Cc: stable@vger.kernel.org\n"
    return text + (f"Link: https://lore.kernel.org/r/20240101120000.{i // 6}-{i % 6}-a@example.org\n"
                   f"Signed-off-by: {WHO}\n")


def history():
    files, out, done = Files(), Stream(), []
    tip, stable = BASE.encode(), BASE.encode()
    base_texts = {n: list(t) for n, t in files.texts.items()}
    for i in range(COMMITS):
        name, text = files.edit()
        body = message(i, done)
        sha, tip = out.commit(b"refs/heads/master", tip, body, name, text)
        done.append((sha, body.split("\n", 1)[0]))
        if i % 10 == 0:
            title, rest = body.split("\n\n", 1)
            own = base_texts[name]
            own.insert(len(own) // 2, b"")
            copy = f"{title}\n\ncommit {sha} upstream.\n\n{rest}{GREG}"
            stable = out.commit(b"refs/heads/linux-6.1.y", stable, copy, name, b"\n".join(own))[1]
    out.process.stdin.close()
    out.process.wait()
    return [d for i, d in enumerate(done) if i % 10]


def queue(commits):
    os.makedirs(FOLDER)
    names = []
    for sha, title in commits[::len(commits) // PATCHES][:PATCHES]:
        head, diff = git("format-patch", "-1", "--stdout", sha).decode(errors="surrogateescape").split("\n\n", 1)
        names.append(title.replace(": ", "-").replace(" ", "-") + ".patch")
        with open(os.path.join(FOLDER, names[-1]), "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write(f"{head}\n\ncommit {sha} upstream.\n\n{diff.replace('---', GREG + '---', 1)}")
    with open(os.path.join(FOLDER, "series"), "w", encoding="utf-8") as f:
        f.write("\n".join(names) + "\n")


queue(history())
