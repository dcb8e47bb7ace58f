#!/bin/bash
# Static checks of a stable queue of N patches (800) on a tree of F files (2000), mainline having
# three commits for each file: seconds and memory of a first run, which makes the indexes, and of
# one with all of them warm.
#
#	tests/bench/queue.sh [KILN] [PATCHES] [FILES]
set -eu
kiln=${1:-build/release/kiln}
kiln=$(realpath "$kiln")
patches=${2:-800}
files=${3:-2000}
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work KILN_HOME=$work/home GIT_CONFIG_NOSYSTEM=1
git init -q -b master r
python3 "$source/tests/bench/make-queue.py" "$patches" "$files" q/queue-6.1 >stream
git -C r fast-import --quiet <stream
git -C r repack -adq
python3 "$source/tests/bench/make-queue.py" "$patches" "$files" q/queue-6.1 r

run() {
	/usr/bin/time -f "$1: %e s wall, %U s user, %S s system, %M KiB" \
		"$kiln" queue --tree r --queue q --onto linux-6.1.y --static -q 6.1 >out || test $? = 1
	grep -E "^(ok|warnings|errors|unknown):" out
}
run cold
run warm
