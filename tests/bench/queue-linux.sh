#!/bin/bash
# The same as queue.sh on a real kernel tree: a mainline of N commits (5000) on TREE, as
# scripts/kernel-tree prints it, and a queue of 800 patches for a branch of it.
#
#	tests/bench/queue-linux.sh [KILN] [TREE] [COMMITS] [PATCHES]
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
kiln=$(realpath "${1:-build/release/kiln}")
tree=${2:-$("$source/scripts/kernel-tree" "$HOME/.cache/kiln-home/trees")}
commits=${3:-5000}
patches=${4:-800}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work KILN_HOME=$work/home GIT_CONFIG_NOSYSTEM=1
git config --global --add safe.directory '*'
git config --global gc.auto 0
base=$(git -C "$tree" rev-parse HEAD)
git clone -q --bare --shared "$tree" r
git -C r update-ref -d HEAD
python3 "$source/tests/bench/make-linux-queue.py" r "$base" "$commits" "$patches" q/queue-6.1

run() {
	/usr/bin/time -f "$1: %e s wall, %U s user, %S s system, %M KiB" \
		"$kiln" queue --tree r --queue q --onto linux-6.1.y --mainline master --static -q 6.1 >out || test $? = 1
	grep -E "^(ok|warnings|errors|unknown):" out
}
echo "$(git -C r ls-tree -r --name-only "$base" | wc -l) files, $commits commits, $(wc -l <q/queue-6.1/series) patches"
run cold
run warm
run warm
