#!/bin/bash
# One nested cell from start to power-off, and how well the same kernel repeats: wall seconds of
# each boot, and the largest difference of two boots' means in percent. Then kiln's start-up against
# `git --version`, and kiln's own memory in that run. The base kernel must be in the cache.
#
#	KILN=build/release/kiln KILN_TEST_HOME=DIR tests/bench/cell.sh [BOOTS [ARCH CELL BENCHMARK]]
set -eu
: "${KILN:?}" "${KILN_TEST_HOME:?}"
boots=${1:-4} arch=${2:-x86_64} cell=${3:-npt/npt} bench=${4:-cpuid_rate}
here=$(cd "$(dirname "$0")" && pwd)
export KILN_HOME=$KILN_TEST_HOME
tree=$("$here/../../scripts/kernel-tree" "$KILN_TEST_HOME/trees")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

python3 - "$KILN" "$tree" "$boots" "$out/bench" "$arch" "$cell" "$bench" <<'EOF'
import collections, json, re, subprocess, sys, time

kiln, tree, boots, out, arch, cell, bench = sys.argv[1:]
memory = 0
with open(out, "w") as f:
    run = subprocess.Popen([kiln, "bench", "--json", "--tree", tree, "--arch", arch, "--cell", cell,
                            "--bench", bench, "--boots", boots, "--machines", "1", "HEAD"], stdout=f)
    # wait4() would count QEMU, which is kiln's child: look at the process itself while it lives
    while run.poll() is None:
        status = open("/proc/%d/status" % run.pid).read()
        memory = max([memory] + [int(kb) for kb in re.findall(r"VmHWM:\s+(\d+)", status)])
        time.sleep(0.05)
assert run.returncode == 0, run.returncode
values = collections.defaultdict(list)
for s in json.load(open(out))["samples"]:
    values[s["boot"]].append(s["value"])
means = [sum(v) / len(v) for v in values.values()]
print("same kernel, %d boots of %s: largest difference %.4f %%"
      % (len(means), cell, 100 * (max(means) / min(means) - 1)))
shown = json.loads(subprocess.check_output([kiln, "show", "--json", "last"]))
print("one cell, start to power-off: %s s wall"
      % " ".join("%.1f" % b["seconds"] for b in shown["boots"]))
print("kiln's own memory: %.0f MiB" % (memory / 1024))

def startup(*argv):
    best = []
    for _ in range(41):
        start = time.monotonic()
        subprocess.check_output(argv)
        best.append(time.monotonic() - start)
    return sorted(best)[20] * 1000

k, g = startup(kiln, "--version"), startup("git", "--version")
print("kiln --version %.1f ms, git --version %.1f ms, ratio %.1f (medians of 41)" % (k, g, k / g))
EOF
