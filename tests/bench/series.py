# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of series.sh.

usage: series.py SCRATCH MAILS
"""
import os
import random
import re
import resource
import subprocess
import sys
import time

KILN = os.environ["KILN"]
rng = random.Random(1)


def diff(nr, lines):
    out = [f"diff --git a/drivers/d{nr}.c b/drivers/d{nr}.c\nindex {nr:012x}..{nr + 1:012x} 100644\n"
           f"--- a/drivers/d{nr}.c\n+++ b/drivers/d{nr}.c\n"]
    for i in range(lines // 10):
        out.append(f"@@ -{i * 40 + 1},7 +{i * 40 + 1},8 @@ static int f{i}(void)\n")
        out += [f" \tcontext(line, {i}, {k});\n" for k in range(3)]
        out += [f"-\told_{i} = {nr};\n", f"+\tnew_{i} = {nr};\n", f"+\tmore(new_{i});\n"]
        out += [f" \tcontext(line, {i}, {k});\n" for k in range(3, 6)]
    return "".join(out) + "-- \n2.39.5\n\n"


def mail(ident, subject, body, sender, minute, parent=None):
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(1714557600 + minute * 60))
    head = f"From: {sender}\nDate: {date}\nSubject: {subject}\nMessage-ID: <{ident}>\n" \
           "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
    if parent:
        head += f"In-Reply-To: <{parent}>\nReferences: <{parent}>\n"
    body = re.sub(r"(?m)^(>*From )", r">\1", body)
    return f"From mboxrd@z Thu Jan  1 00:00:00 1970\n{head}\n{body}\n"


def series(name, total, lines, replies, start):
    """A cover, its patches and replies that give trailers."""
    author = f"A U Thor <{name}@example.org>"
    cover = f"{name}-0@example.org"
    ids = "".join(f"prerequisite-patch-id: {i:040x}\n" for i in range(5))
    out = [mail(cover, f"[PATCH v2 00/{total}] {name}: the whole", "Words.\n\n---\n" + ids, author,
                start)]
    for i in range(1, total + 1):
        body = (f"Change part {i} of {name}.\n\nIt has to be.\n\nSigned-off-by: {author}\n---\n"
                f" drivers/d{i}.c | 3 ++-\n\n" + diff(i, lines))
        out.append(mail(f"{name}-{i}@example.org", f"[PATCH v2 {i:02d}/{total}] {name}: part {i}",
                        body, author, start, cover))
    for i in range(replies):
        nr = rng.randint(1, total)
        who = f"Reviewer {i % 7} <r{i % 7}@example.org>"
        out.append(mail(f"{name}-r{i}@example.org", f"Re: [PATCH v2 {nr:02d}/{total}] {name}: part {nr}",
                        f"On Wed, A U Thor wrote:\n> Change part {nr} of {name}.\n\n"
                        f"Reviewed-by: {who}\n", who, start + i, f"{name}-{nr}@example.org"))
    return out


def timed(argv, cwd=None):
    """Wall seconds, peak MiB of the process."""
    begin = time.monotonic()
    pid = os.fork()
    if pid == 0:
        if cwd:
            os.chdir(cwd)
        null = os.open("/dev/null", os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        os.execvp(argv[0], argv)
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"{argv[0]} failed: {status}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def best(argv, runs, **kw):
    return min(timed(argv, **kw) for _ in range(runs))


def patches(path, scratch):
    """What git mailinfo makes of each mail: author, title, message, diff."""
    os.mkdir(scratch)
    subprocess.run(["git", "mailsplit", "--mboxrd", "-o" + scratch, path], check=True,
                   stdout=subprocess.DEVNULL)
    found = []
    for name in sorted(os.listdir(scratch)):
        with open(f"{scratch}/{name}", "rb") as f:
            out = subprocess.run(["git", "mailinfo", f"{scratch}/m", f"{scratch}/p"], stdin=f,
                                 check=True, stdout=subprocess.PIPE).stdout
        with open(f"{scratch}/m", encoding="utf-8") as f:
            message = f.read().strip().splitlines()
        with open(f"{scratch}/p", "rb") as f:
            patch = f.read()
        info = [line for line in out.decode().splitlines() if line.startswith(("Author", "Email",
                                                                               "Subject"))]
        found.append((info, message, patch[patch.index(b"diff --git"):].strip()))
    return found


def hundred(scratch):
    box = f"{scratch}/hundred.mbox"
    with open(box, "w", encoding="utf-8") as f:
        f.writelines(series("hundred", 100, 60, 150, 0))
    os.mkdir(f"{scratch}/b4")
    b4 = ["b4", "--offline-mode", "--no-stdin", "am", "-m", box, "-o", f"{scratch}/b4",
          "--no-cover"]
    if subprocess.run(b4[:2] + ["--help"], capture_output=True, check=False).returncode:
        b4.remove("--offline-mode")
    theirs = best(b4, 3)
    ours = best([KILN, "series", box, "-o", f"{scratch}/kiln.mbox"], 5)
    print(f"100 patches: b4 {theirs[0]:.3f} s, kiln {ours[0]:.4f} s, "
          f"ratio {theirs[0] / ours[0]:.0f}")
    [name] = [n for n in os.listdir(f"{scratch}/b4") if n.endswith(".mbx")]
    a, b = patches(f"{scratch}/kiln.mbox", f"{scratch}/sa"), patches(f"{scratch}/b4/{name}",
                                                                     f"{scratch}/sb")
    same = sum((x[0], sorted(x[1]), x[2]) == (y[0], sorted(y[1]), y[2]) for x, y in zip(a, b))
    order = sum(x[1] == y[1] for x, y in zip(a, b))
    print(f"same author, title, message lines and diff in {same} of {len(b)} mails of b4 "
          f"({len(a)} of kiln); trailers in the same order in {order}")


def thousands(scratch, number):
    box = f"{scratch}/big.mbox"
    nr = largest = 0
    with open(box, "w", encoding="utf-8") as f:
        for i in range(number):
            if nr >= number:
                break
            total = 2 + i % 12
            mails = series(f"s{i}", total, 20 + 10 * (i % 40), total * 2, i * 90)
            largest = max(largest, *map(len, mails))
            f.writelines(mails[:number - nr])
            nr += len(mails)
    size = os.path.getsize(box)
    cat = best(["cat", box], 3)[0]
    for what, argv in (("the largest", ["--id", "s11-0@example.org"]),):
        wall, mem = best([KILN, "series", box] + argv, 5)
        print(f"{number} mails, {size / 1e6:.1f} MB, {what} series: {wall:.3f} s, "
              f"{size / 1e6 / wall:.0f} MB/s (cat {size / 1e6 / cat:.0f} MB/s), memory {mem:.1f} MiB, "
              f"largest mail {largest / 1024:.1f} KiB")


def main(scratch, number):
    hundred(scratch)
    thousands(scratch, number)
    return resource.getrusage(resource.RUSAGE_CHILDREN) and 0


sys.exit(main(sys.argv[1], int(sys.argv[2])))
