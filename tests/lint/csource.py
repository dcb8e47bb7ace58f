# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lint tests need to know of C sources: code without comments and strings, and where
functions begin and end. Layout is clang-format's (kernel braces), which makes that easy."""
import os
import re

LAYERS = ("core", "mail", "boot", "bench", "cli")

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)


def sources(root, folders=LAYERS, ends=(".c", ".h")):
    """Paths below root, relative to it, sorted."""
    found = []
    for folder in folders:
        for path, _, names in os.walk(os.path.join(root, folder)):
            found += [os.path.relpath(os.path.join(path, n), root)
                      for n in names if n.endswith(ends)]
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def code(text):
    """The text with comments and the insides of strings blanked; lines stay where they are."""
    def blank(m):
        s = m.group(0)
        if s[0] == "/":
            return re.sub(r"[^\n]", " ", s)
        return s[0] + re.sub(r"[^\n]", " ", s[1:-1]) + s[-1]
    return TOKEN.sub(blank, text)


def functions(text):
    """(name, first line, last line, code) of each function definition; lines count from 1."""
    lines = code(text).split("\n")
    head = 0
    for i, line in enumerate(lines):
        if line.startswith("{"):
            header = " ".join(lines[head:i])
            name = re.search(r"(\w+)\s*\(", header)
            start = i
            end = next((k for k in range(i, len(lines)) if lines[k].startswith("}")), i)
            if name and not header.lstrip().startswith("#"):
                while start > head and lines[start - 1].strip():
                    start -= 1
                yield name.group(1), start + 1, end + 1, "\n".join(lines[start:end + 1])
        if line.startswith("}") or not line.strip():
            head = i + 1
