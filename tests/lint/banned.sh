#!/bin/sh
# Functions that are never right, and functions that are cli's alone: printing and exiting.
set -eu
root=${1:?usage: banned.sh ROOT}
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(dirname "$0") exec python3 - "$root" <<'EOT'
import re, sys
import csource

ALWAYS = ("strcpy strcat strncpy strncat sprintf vsprintf strtok atoi atol atoll atof gets "
          "localtime gmtime ctime asctime popen system tmpnam mktemp alloca").split()
# Text becomes numbers in one place.
NUMBERS = "strtol strtoul strtoll strtoull strtod strtof sscanf".split()
PRINT = ("printf fprintf vprintf vfprintf puts fputs putchar putc fputc perror dprintf warn warnx "
         "exit _exit abort quick_exit").split()
PRINTS = ("cli/", "core/base/alloc.c", "core/base/log.c", "core/base/spawn.c",
          "core/base/buf.c", "boot/agent/", "bench/guest/")
TARGET = ("boot/agent/", "bench/guest/")
FIXED = re.compile(r"\bchar\s+\w+\[(?:(\d+)|\w*MAX\w*|BUFSIZ)\]")
NOTE = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
bad = 0


def complain(path, nr, what):
    global bad
    bad += 1
    print(f"{path}:{nr}: {what}")


def calls(line, names):
    return [m for m in re.findall(r"(?<![\w.>])(\w+)\s*\(", line) if m in names]


for path in csource.sources(sys.argv[1]):
    text = csource.read(sys.argv[1], path)
    for nr, line in enumerate(csource.code(text).split("\n"), 1):
        for name in calls(line, ALWAYS):
            complain(path, nr, f"{name}() is banned")
        if path != "core/base/parse.c":
            for name in calls(line, NUMBERS):
                complain(path, nr, f"{name}() outside of core/base/parse.c")
        if not path.startswith(PRINTS):
            for name in calls(line, PRINT):
                complain(path, nr, f"{name}() below cli")
        fixed = FIXED.search(line)
        if fixed and not path.startswith(TARGET) and \
                (not fixed.group(1) or 64 <= int(fixed.group(1)) < 4096):
            complain(path, nr, f"fixed buffer {fixed.group(0)}: use struct buf")
    for nr, line in enumerate(text.split("\n"), 1):
        if NOTE.search(line):
            complain(path, nr, f"note to self: {line.strip()}")
sys.exit(bad > 0)
EOT
