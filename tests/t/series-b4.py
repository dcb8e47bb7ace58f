"""Threads made at random, read by b4 and by kiln: same patches, diffs and trailers.

usage: series-b4.py DIR COUNT SEED

Every reply is of one kind and has a sender of its own, so that a trailer tells its kind. Where the
two differ on a kind, FAULTS says what b4 does wrong; a difference that is not listed is an error.
"""
import json
import os
import random
import re
import subprocess
import sys

KILN = os.environ["KILN"]

# What b4 0.12 does otherwise, by kind of reply: who adds the trailer, and why it is a fault.
FAULTS = {
    "nack": ("b4", "an objection is put into the commit"),
    "condition": ("b4", "a tag that hangs on a change is added as if the change was made"),
    "behind": ("b4", "the same where the condition follows it"),
    "robot": ("b4", "what a robot advises the author to write is not given to this patch"),
    "scope": ("b4", "a tag for some patches is added to all"),
    "among": ("b4", "a Fixes line in a discussion is not a trailer"),
    "cc": ("b4", "Cc in a reply is mail header talk, not a trailer"),
    "comma": ("b4", "any sender with a comma in his name passes for anybody: it is looked for in itself"),
    "parent": ("b4", "trailers of the mail answered count again, without a look at their sender"),
    "twice": ("b4", "one person with two spellings is added twice"),
    "link": ("kiln", "links that a reviewer gives are refused"),
    "cut": ("both", "an address wrapped inside is not joined"),
    "question": ("b4", "a question in the form of a trailer is added"),
    "short": ("b4", "five hex digits name no commit"),
    "attribute": ("b4", "words below the copy of the mail answered are not the sender's"),
    "older-cover": ("kiln", "a series sent again unchanged loses what was given to it as a whole"),
}


def reply(kind, nr):
    """From and body of one reply; N stands for the sender's name, A for his address."""
    name, user = f"{kind.title()} Number {nr}", f"{kind}{nr}"
    me, tag = f"{name} <{user}@example.org>", f"Reviewed-by: {name} <{user}@example.org>"
    other = f"Somebody Else <else-{user}@example.com>"
    table = {
        "plain": (me, tag),
        "praise": (me, f"> quoted\n\nLooks good to me.\n\n{tag}\n\nThanks,\nN"),
        "plus": (f"X <{user}+lists@example.org>", tag),
        "subdomain": (f"X <{user}@mail.example.org>", tag),
        "home": (f"{name} <{user}@home.example.net>", tag),
        "bare": (me, f"Tested-by: {user}@example.org"),
        "note": (me, f"Tested-by: {name} <{user}@example.org> # on a big machine"),
        "ext": (me, f"Acked-by: {name} <{user}@example.org>\n[{user}: the tty part]"),
        "wrapped": (me, f"Acked-by: {name}\n<{user}@example.org>"),
        "fixes": (me, f"{tag}\nFixes: {random_hex(12)} (\"{user}: a title\nof two lines\")"),
        "quoted": (me, f"> {tag}\n\nThanks, I will see."),
        "stranger": (other, tag),
        "signature": (me, f"Bye\n-- \n{tag}"),
        "talk": (me, "I do not understand: what is this for?"),
        "question": (me, "Fixes: ?"),
        "nack": (me, f"Nacked-by: {name} <{user}@example.org>"),
        "condition": (me, f"With the nit fixed:\n\n{tag}"),
        "behind": (me, f"{tag}\nif you rename the flag"),
        "robot": (f"kernel test robot <lkp-{user}@example.org>",
                  f"If you fix the issue, kindly add following tag\nReported-by: R <lkp-{user}@example.org>"),
        "scope": (me, f"For patches 1-2:\n{tag}"),
        "among": (me, f"I think you need\nFixes: {random_hex(12)} (\"{user}: x\")\nhere, no?"),
        "cc": (me, f"Cc: {name} <{user}@example.org>"),
        "comma": (f"\"Else, Somebody\" <boss-{user}@example.com>", tag),
        "twice": (me, f"{tag}\nReviewed-by: {name} (Home) <{user}@example.org>"),
        "link": (me, f"{tag}\nLink: https://example.org/{user}"),
        "cut": (me, f"Acked-by: {name} <{user}@\nexample.org>"),
        "question": ("b4", "a question in the form of a trailer is added"),
    "short": (me, f"Fixes: {random_hex(5)} (\"{user}: x\")"),
        "attribute": (me, f"Fine.\n-----Original Message-----\nSubject: x\n\n{tag}"),
    }
    return table[kind]


KINDS = [k for k in """plain praise plus subdomain home bare note ext wrapped fixes quoted stranger signature
talk question nack condition behind robot scope among cc comma twice link cut short attribute""".split()]


def random_hex(n):
    return "a" + "".join(random.choice("0123456789abcdef") for _ in range(n - 1))


class Thread:
    def __init__(self):
        self.mails, self.nr = [], 0

    def add(self, who, subject, body, parent=None):
        self.nr += 1
        ident = f"{self.nr}-{random.randrange(10**9)}@example.org"
        head = [f"From: {who}", "To: list@example.org", f"Message-ID: <{ident}>",
                f"Date: Wed, 1 May 2024 12:{self.nr // 60:02d}:{self.nr % 60:02d} +0200", f"Subject: {subject}"]
        if parent:
            head += [f"In-Reply-To: <{parent}>", f"References: <{parent}>"]
        self.mails.append("\n".join(head) + "\n\n" + body + "\n")
        return ident

    def text(self):
        return "".join("From mboxrd@z Thu Jan  1 00:00:00 1970\n" + m + "\n" for m in self.mails)


def diff(name, nr):
    return (f"---\n {name} | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n"
            f"diff --git a/{name} b/{name}\nindex 78981922613b..61780798228d 100644\n--- a/{name}\n+++ b/{name}\n"
            f"@@ -1 +1 @@\n-a\n+b{nr}\n-- \n2.39.5")


def make_thread():
    """A thread of one or two revisions; the kinds of reply in it."""
    author = "A U Thor <author@example.org>"
    t, used, total = Thread(), set(), random.randint(2, 4)
    changed = [random.random() < 0.5 for _ in range(total)]
    for revision in range(1, random.randint(1, 2) + 1):
        prefix = "PATCH" if revision == 1 else f"PATCH v{revision}"
        cover = t.add(author, f"[{prefix} 0/{total}] widgets", "Words.\n\n f | 2 +-\n 1 file changed, 1 insertion(+)")
        patches = []
        for n in range(1, total + 1):
            own = f"Reviewed-by: Early {n} <early{n}@example.org>\n" if random.random() < 0.3 else ""
            body = f"Text of {n}.\n\n{own}Signed-off-by: {author}\n"
            what = revision if changed[n - 1] else 1
            patches.append(t.add(author, f"[{prefix} {n}/{total}] widget: turn {n}", body + diff(f"f{n}", what), cover))
        for _ in range(random.randint(4, 9)):
            kind = random.choice(KINDS)
            used.add(kind)
            who, body = reply(kind, t.nr)
            on_cover = kind == "scope" or random.random() < 0.3
            subject = "widgets" if random.random() < 0.2 else f"Re: [{prefix}] widgets"
            ident = t.add(who, subject, body, cover if on_cover else random.choice(patches))
            if kind == "stranger" and random.random() < 0.6:
                used.add("parent")
                who, body = reply("plain", t.nr)
                t.add(who, subject, body, ident)
    return t, used


def blocks(mbox):
    """Subject, diff and trailer lines of each mail, from what either program wrote."""
    out = []
    for mail in re.split(r"^From \S+ Thu Jan .*\n", mbox, flags=re.M)[1:]:
        head, _, body = mail.partition("\n\n")
        subject = re.search(r"^Subject: (.*(?:\n .*)*)", head, re.M).group(1).replace("\n", "")
        message, _, rest = body.partition("\n---\n")
        patch = rest[rest.index("diff --git"):].rstrip().removesuffix("2.39.5").rstrip()
        lines = message.strip().split("\n\n")[-1].split("\n")
        ident = re.search(r"^Message-I[dD]: (.*)", head, re.M).group(1)
        out.append((re.sub(r"^\[.*?\] ", "", subject), ident, patch, lines))
    return out


def kind_of(line):
    """The kind of the reply a trailer line came from, by its sender's name or number."""
    if line == "Fixes: ?":
        return "question"
    m = re.search(rf"(?:\b|else-|lkp-|boss-)({'|'.join(KINDS)})\d", line)
    kind = m.group(1) if m else None
    return "parent" if kind == "stranger" else kind


def compare(name, ours, theirs, seen):
    bad = []
    if [o[:3] for o in ours] != [t[:3] for t in theirs]:
        return [f"{name}: patches differ: {[o[:2] for o in ours]} {[t[:2] for t in theirs]}"]
    for o, t in zip(ours, theirs):
        for who, mine, yours in (("kiln", o[3], t[3]), ("b4", t[3], o[3])):
            for line in mine:
                if line in yours:
                    continue
                kind = kind_of(line)
                if kind in FAULTS and FAULTS[kind][0] in (who, "both"):
                    seen.add(kind)
                else:
                    bad.append(f"{name}: {o[0]}: only {who} has '{line}' ({kind})")
        common = [x for x in o[3] if x in t[3]]
        if common != [x for x in t[3] if x in o[3]]:
            bad.append(f"{name}: {o[0]}: the order differs: {o[3]} {t[3]}")
    return bad


def run(argv, **kw):
    r = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, **kw)
    if r.returncode:
        sys.exit(f"{argv}: exit code {r.returncode}\n{r.stderr}")
    return r.stdout


def main(folder, count, seed):
    random.seed(seed)
    used, seen, bad, compared = set(), set(), [], 0
    for i in range(count):
        thread, kinds = make_thread()
        used |= kinds
        path = os.path.abspath(os.path.join(folder, f"thread-{i}.mbox"))
        with open(path, "w", encoding="utf-8") as f:
            f.write(thread.text())
        theirs = blocks(run(["b4", "--quiet", "--offline-mode", "am", "-t", "-o", "-", "-m", path], cwd=folder))
        ours = blocks(run([KILN, "series", path, "-o", "-"]))
        compared += len(ours)
        bad += compare(path, ours, theirs, seen)
    for text in bad:
        print(text)
    for kind in sorted(used & set(FAULTS) - seen):
        print(f"note: no difference on '{kind}' in this run")
    for kind in sorted(seen):
        print(f"b4 fault seen: {kind}: {FAULTS[kind][1]}")
    print(f"{count} threads, {compared} patches, {len(bad)} differences without a reason")
    return 1 if bad or not compared else 0


sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
