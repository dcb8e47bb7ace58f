#!/bin/bash
# CPU time of a clean build of kiln's own configuration, with an empty ccache: the first build of a new
# KILN_HOME. Other work on the machine disturbs.
#
#	KILN=build/release/kiln KILN_TEST_HOME=DIR tests/bench/clean.sh [ARCH]
set -eu
: "${KILN:?}" "${KILN_TEST_HOME:?}"
here=$(cd "$(dirname "$0")" && pwd)
tree=$("$here/../../scripts/kernel-tree" "$KILN_TEST_HOME/trees")
KILN_HOME=$(mktemp -d)
export KILN_HOME
trap 'rm -rf "$KILN_HOME"' EXIT

# Busy seconds of the whole machine so far: a parent's account of its children lacks what bwrap started.
busy() {
	awk -v hz="$(getconf CLK_TCK)" '/^cpu / { print ($2 + $3 + $4) / hz; exit }' /proc/stat
}

before=$(busy)
start=$(date +%s)
"$KILN" build -q --tree "$tree" --arch "${1:-x86_64}" HEAD
awk -v a="$before" -v b="$(busy)" -v wall="$(($(date +%s) - start))" 'BEGIN {
	printf "clean build: %.1f min CPU, %d s wall\n", (b - a) / 60, wall }'
