#!/bin/bash
# Boots by kexec against the two kernels' own boots, kiln's own share of one, what N boots in a row
# leave behind in one process, and the time from a panic's first line to the verdict. The base kernel
# must be in the cache. The driver and the agent are those of KILN_BUILD, best a release build.
#
#	KILN=KILN-BINARY KILN_BUILD=build/release KILN_TEST_HOME=DIR tests/bench/boot.sh [BOOTS]
set -eu
: "${KILN:?}" "${KILN_BUILD:?}" "${KILN_TEST_HOME:?}"
boots=${1:-50}
here=$(cd "$(dirname "$0")" && pwd)
export KILN_HOME=$KILN_TEST_HOME
tree=$("$here/../../scripts/kernel-tree" "$KILN_TEST_HOME/trees")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$KILN" build --tree "$tree" --json HEAD >"$out/build.json"

python3 - "$KILN_BUILD" "$boots" "$out" <<'EOF'
import json, re, statistics, subprocess, sys

build, boots, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
kernel = json.load(open(out + "/build.json"))["builds"][0]

def run(*args):
    text = subprocess.run([build + "/tests/boot-driver", build + "/kiln-agent", out + "/console",
                           kernel["image"], "base-id=" + kernel["build_id"],
                           "candidate-id=" + kernel["build_id"], *args],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return text

def numbers(text, pattern):
    return [float(n) for n in re.findall(pattern, text, re.M)]

def qemus():
    listed = subprocess.run(["ps", "-eo", "ppid,comm"], stdout=subprocess.PIPE, text=True).stdout
    return sum("qemu-system" in l and l.split()[0] == "1" for l in listed.splitlines())

own, jump = [], []
for _ in range(max(3, boots // 10)):  # in turn, so that a busy machine is busy for both
    own += numbers(run("direct=yes"), r"^seconds ([\d.]+)")
    jump += numbers(run(), r"^seconds ([\d.]+)")
own, jump = statistics.median(own), statistics.median(jump)
print("one kernel by firmware %.2f s, base -> kexec -> proven %.2f s: %.2f x the sum of both"
      % (own, jump, jump / (2 * own)))

before = qemus()
text = run("repeat=%d" % boots)
cpu = [0] + numbers(text, r"^cost cpu_ms (\d+)")
shares = [b - a for a, b in zip(cpu, cpu[1:])]
fds, rss = numbers(text, r" fds (\d+)"), numbers(text, r" rss_pages (\d+)")
print("%d of %d proven; kiln's share of a boot: median %.0f ms, most %.0f ms"
      % (len(re.findall(r"^proven 1", text, re.M)), boots, statistics.median(shares), max(shares)))
print("files open: first %d, last %d; memory: first %.1f MiB, fifth %.1f MiB, last %.1f MiB; "
      "orphaned machines: %d" % (fds[0], fds[-1], rss[0] / 256, rss[min(4, len(rss) - 1)] / 256,
                                 rss[-1] / 256, qemus() - before))

late = []
for _ in range(3):
    ended = numbers(run("append=kiln.fault=panic"), r"ended_ms (\d+)")[0]
    at = open(out + "/console", "rb").read().index(b"Kernel panic - not syncing")
    rows = [line.split() for line in open(out + "/console.times")]
    late.append(ended - max(int(r[1]) for r in rows if int(r[0]) <= at))
print("panic to status: %s ms" % " ".join("%d" % ms for ms in late))
EOF
