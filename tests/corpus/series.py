# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare kiln's series of real threads with the expected ones.

usage: series.py CORPUS

CORPUS/INDEX.tsv lists what a script over git mailinfo found in each thread. Where kiln is right
and the script is not, EXCEPTIONS says so. Author, title and message of each patch are also held
against git mailinfo itself. Exits 1 when anything else differs.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

KILN = os.environ["KILN"]

# Thread -> what kiln finds there, and why that is right.
EXCEPTIONS = {
    "12-reroll-in-reply/03": ("v3-of-3: numbers [1, 2, 3] cover",
                              "v3 2/3 answers v2 2/3: v3 is v2 with that patch replaced"),
    "26-via-from/01": ("v3-of-4: numbers [1, 2, 3, 4] cover",
                       "the patches answer a cover of revision 3 and name none themselves"),
    "31-stable-added-note/01": ("v1-of-1: numbers [1] no cover",
                                "the note holds the queued patch whole"),
    "31-stable-added-note/03": ("v1-of-1: numbers [1] no cover",
                                "the note holds the queued patch whole"),
}


def run(argv, data=None):
    return subprocess.run(argv, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)


def key(text):
    """Expected text in kiln's terms: single patches are 1 of 1, ranges are spelled out."""
    text = re.sub(r"v(\d+)-single: numbers \[\]", r"v\1-of-1: numbers [1]", text)
    text = re.sub(r"numbers (\d+)-(\d+)", lambda m: "numbers " + str(
        list(range(int(m.group(1)), int(m.group(2)) + 1))), text)
    return text.strip()


def found(doc):
    numbers = [p["number"] for p in doc["patches"]]
    missing = f" missing {doc['missing']}" if doc["missing"] else ""
    return (f"v{doc['revision']}-of-{doc['total']}: numbers {numbers}{missing}"
            f"{' cover' if doc['cover'] else ' no cover'}")


def strip(text):
    """What git am does to a message."""
    lines = [line.rstrip() for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def mailinfo(raw, scratch):
    out = run(["git", "mailinfo", f"{scratch}/msg", f"{scratch}/patch"], raw)
    info = dict(line.split(": ", 1) for line in out.stdout.decode("utf-8", "replace").splitlines()
                if ": " in line)
    with open(f"{scratch}/msg", encoding="utf-8", errors="replace") as f:
        return info, strip(f.read())


def split(path, scratch):
    run(["git", "mailsplit", "--mboxrd", f"-o{scratch}", path])
    return [open(os.path.join(scratch, n), "rb").read() for n in sorted(os.listdir(scratch))
            if n.isdigit()]


def message_id(raw):
    m = re.search(rb"(?im)^message-id:\s*<([^>\n]+)>", raw)
    return m.group(1).decode("utf-8", "replace") if m else None


def compare_patch(patch, written, raw, scratch):
    """Differences between kiln's patch and git mailinfo over the mail it came from."""
    info, message = mailinfo(raw, scratch)
    added = "".join(f"{t['key']}: {t['value']}\n" for t in patch["trailers"]
                    if t["state"] == "added")
    ours_info, ours = mailinfo(written, scratch)
    ours = ours[:-len(added.strip())] if added else ours
    pairs = [("author", patch["author"]["name"], info.get("Author")),
             ("email", patch["author"]["email"], info.get("Email")),
             ("title", patch["subject"], info.get("Subject")),
             ("written author", ours_info.get("Author"), info.get("Author")),
             ("message", strip(ours), message)]
    if " via " in info.get("Author", ""):  # the list's address, where kiln finds the author's
        pairs = [p for p in pairs if p[0] in ("title", "message")]
    return [f"{what} of {patch['message_id']}: kiln {a!r}, git {b!r}"
            for what, a, b in pairs if a != b]


def check(corpus, name, expected):
    """The number of patches held against git, and what is wrong."""
    path = os.path.join(corpus, name, "thread.mbox")
    wanted = [key(t) for t in expected.split(";") if t.strip()]
    if name in EXCEPTIONS:
        wanted = [EXCEPTIONS[name][0]]
    with tempfile.TemporaryDirectory() as scratch:
        out = run([KILN, "series", path, "--json", "-o", f"{scratch}/out.mbox"])
        doc = json.loads(out.stdout)
        if "error" in doc:
            ok = doc["error"]["code"] == "no-patches" and not wanted
            return 0, [] if ok else [f"kiln: {doc['error']['message']}, expected {wanted}"]
        bad = [] if found(doc) in wanted else [f"kiln: {found(doc)}, expected {wanted}"]
        if out.returncode != (1 if doc["missing"] else 0):
            bad.append(f"exit code {out.returncode}")
        os.mkdir(f"{scratch}/in")
        os.mkdir(f"{scratch}/out")
        mails = {message_id(m): m for m in reversed(split(path, f"{scratch}/in"))}
        written = split(f"{scratch}/out.mbox", f"{scratch}/out")
        compared = 0
        for patch, mine in zip(doc["patches"], written):
            if doc["stable"] or any("stands inside" in n["text"] for n in doc["notes"]):
                continue
            compared += 1
            bad += compare_patch(patch, mine, mails[patch["message_id"]], scratch)
        return compared, bad


def main(corpus):
    with open(os.path.join(corpus, "INDEX.tsv"), encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f][1:]
    failed = total = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda r: check(corpus, r[0], r[3] if len(r) > 3 else ""), rows)
        for row, (compared, bad) in zip(rows, results):
            total += compared
            for text in bad:
                failed += 1
                print(f"{row[0]}: {text}")
    print(f"{len(rows)} threads, {total} patches held against git, {failed} disagreements")
    return 1 if failed or not total else 0


sys.exit(main(sys.argv[1]))
