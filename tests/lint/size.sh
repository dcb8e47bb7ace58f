#!/bin/sh
# Functions of at most 100 lines, .c files of 800, headers of 150; goto and _cleanup_ never in one
# function. Prints how the tree stands.
set -eu
root=${1:?usage: size.sh ROOT}
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(dirname "$0") exec python3 - "$root" <<'EOT'
import re, sys
import csource

bad = 0
lengths, files = [], []


def complain(path, nr, what):
    global bad
    bad += 1
    print(f"{path}:{nr}: {what}")


def at(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


for path in csource.sources(sys.argv[1], csource.LAYERS + ("tests",)):
    text = csource.read(sys.argv[1], path)
    lines, limit = text.count("\n"), 150 if path.endswith(".h") else 800
    if lines > limit:
        complain(path, lines, f"{lines} lines, limit {limit}")
    if path.endswith(".c") and not path.startswith("tests/"):
        files.append(lines)
    for name, first, last, body in csource.functions(text):
        length = last - first + 1
        if not path.startswith("tests/"):
            lengths.append(length)
        if length > 100:
            complain(path, first, f"{name}() has {length} lines, limit 100")
        if re.search(r"\bgoto\b", body) and re.search(r"\b_cleanup_", body):
            complain(path, first, f"{name}() mixes goto and _cleanup_")
print(f"functions: {len(lengths)}, median {at(lengths, .5)}, p90 {at(lengths, .9)}, "
      f"max {at(lengths, 1)}")
print(f".c files: {len(files)}, median {at(files, .5)}, p90 {at(files, .9)}, max {at(files, 1)}")
sys.exit(bad > 0)
EOT
