"""Histories for git range-diff: range-random.py CASES SEED > stream for git fast-import.

Case i has the branches base-i, old-i and new-i. The new series is the old one with patches kept,
changed, dropped, added, moved, put on another base, or with another message; many patches are
alike, so that pairs compete. No two cases share files, so one import makes them all.
"""
import random
import sys

WORDS = "alpha beta gamma delta lock page\tframe vcpu \u00fcber \u6587\u5b57 x y if return".split(" ")


def line(rng):
    return rng.choice(["", "\t", "    "]) + " ".join(rng.choices(WORDS, k=rng.randint(0, 4))) + "\n"


def text(rng, n):
    out = []
    for _ in range(n):
        out.append(rng.choice(["static int f%d(void)\n" % rng.randint(0, 9), "{\n", "}\n", "\n"])
                   if rng.random() < 0.3 else line(rng))
    return out


class Tree(dict):
    """Path to (mode, list of lines or bytes)."""

    def copy(self):
        return Tree((k, (m, v if isinstance(v, bytes) else list(v))) for k, (m, v) in self.items())


def step(rng, kind):
    """A change as data, so that both series can make it or nearly it."""
    return {"kind": kind, "seed": rng.random(), "at": rng.random(), "size": rng.randint(1, 6)}


def make(tree, s, near):
    rng = random.Random(s["seed"])
    other = random.Random(near)
    names = sorted(tree)
    path = rng.choice(names)
    mode, data = tree[path]
    kind = s["kind"]
    if kind == "binary":
        tree[path + ".bin"] = (mode, bytes(rng.randrange(256) for _ in range(40)) + b"\0")
    elif kind == "new":
        tree[path + ".new%d" % rng.randint(0, 9)] = ("100644", text(rng, s["size"] * 2))
    elif kind == "delete" and len(names) > 1:
        del tree[path]
    elif kind == "rename":
        del tree[path]
        tree[path + ".moved"] = (mode, data)
        if rng.random() < 0.5 and not isinstance(data, bytes) and data:
            k = rng.randrange(len(data))
            data[k:k + rng.randint(0, len(data) // 2)] = text(rng, s["size"])
    elif kind == "mode":
        tree[path] = ("100755" if mode == "100644" else "100644", data)
    elif not isinstance(data, bytes):
        at = int(s["at"] * (len(data) + 1))
        data[at:at + rng.randint(0, 3)] = text(rng, s["size"])
        if near is not None and data:
            data[other.randrange(len(data))] = line(other)
        if data and rng.random() < 0.05:
            data[-1] = data[-1].rstrip("\n") or "end"


def message(rng):
    body = "".join(line(rng) for _ in range(rng.randint(0, 5)))
    return "%s: %s%s\n\n%s" % (rng.choice("abc"), line(rng).strip(), rng.choice(["", "\n two"]), body)


def mutate(rng, series):
    out = []
    for s in series:
        r = rng.random()
        if r < 0.1:
            continue
        s = dict(s)
        if r < 0.35:
            s["near"] = rng.random()
        elif r < 0.45:
            s["message"] = message(rng)
        elif r < 0.5:
            s["size"] += 3
        out.append(s)
        if rng.random() < 0.1:
            out.append(fresh(rng))
    if len(out) > 1 and rng.random() < 0.4:
        i = rng.randrange(len(out))
        out.insert(rng.randrange(len(out)), out.pop(i))
    return out or [fresh(rng)]  # git takes an empty range for none


def fresh(rng):
    kind = rng.choice(["edit"] * 8 + ["new", "delete", "rename", "mode", "binary"])
    return dict(step(rng, kind), message=message(rng), near=None)


class Writer:
    def __init__(self, out):
        self.out, self.date = out, 1700000000

    def put(self, s):
        self.out.write(s if isinstance(s, bytes) else s.encode())

    def commit(self, ref, parent, before, after, msg):
        self.date += 1
        msg = msg.encode()
        who = "A \u00dc Thor <author@example.org> %d +0100\n" % self.date
        self.put("commit refs/heads/%s\nauthor %scommitter %sdata %d\n" % (ref, who, who, len(msg)))
        self.put(msg + b"\n")
        if parent:
            self.put("from refs/heads/%s\n" % parent)
        for path in sorted(set(before) - set(after)):
            self.put("D %s\n" % path)
        for path, (mode, data) in sorted(after.items()):
            if before.get(path) != (mode, data):
                data = data if isinstance(data, bytes) else "".join(data).encode()
                self.put("M %s inline %s\ndata %d\n" % (mode, path, len(data)))
                self.put(data + b"\n")

    def series(self, ref, parent, tree, steps):
        self.put("reset refs/heads/%s\nfrom refs/heads/%s\n\n" % (ref, parent))
        for s in steps:
            before, tree = tree, tree.copy()
            make(tree, s, s["near"])
            self.commit(ref, None, before, tree, s["message"])


def main():
    cases, seed = int(sys.argv[1]), int(sys.argv[2])
    w = Writer(sys.stdout.buffer)
    for i in range(cases):
        rng = random.Random("%d-%d" % (seed, i))
        tree = Tree(("f%d.c" % k, ("100644", text(rng, rng.randint(0, 60)))) for k in range(3))
        tree["d/\u00e4 b"] = ("100644", text(rng, 30))
        series = [fresh(rng) for _ in range(rng.randint(1, 7))]
        if rng.random() < 0.3:
            series += [dict(s) for s in series[:3]]
        w.commit("base-%d" % i, None, Tree(), tree, "base\n")
        w.series("old-%d" % i, "base-%d" % i, tree, series)
        if rng.random() < 0.3:
            moved = tree.copy()
            make(moved, step(rng, "edit"), None)
            w.commit("other-%d" % i, "base-%d" % i, tree, moved, "another base\n")
            w.series("new-%d" % i, "other-%d" % i, moved, mutate(rng, series))
        else:
            w.put("reset refs/heads/other-%d\nfrom refs/heads/base-%d\n\n" % (i, i))
            w.series("new-%d" % i, "base-%d" % i, tree, mutate(rng, series))


main()
