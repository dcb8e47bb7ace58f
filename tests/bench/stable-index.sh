#!/bin/bash
# The upstream index of a long history, its update, and what it answers; beside it git log, which
# reads the same messages and keeps nothing.
# usage: stable-index.sh PROGRAM [COMMITS]; PROGRAM is bench-stable-index of a release build.
set -eu
program=$(realpath "$1")
commits=${2:-100000}
source=$(dirname "$(realpath "$0")")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 KILN_HOME=$dir/home
cd "$dir"
git init -q --bare -b main tree.git
python3 "$source/make-history.py" "$commits" | git -C tree.git fast-import --quiet
git -C tree.git repack -qad

timed() {
	local TIMEFORMAT='%R s, %U + %S s of processor'
	printf '%s: ' "$1"
	shift
	{ time "$@" >log; } 2>&1
}
echo "$(git -C tree.git rev-list --count main) commits"
timed "git log" git -C tree.git log --format='%H%x00%s%x00%an%x00%at%x00%B%x00' main
"$program" tree.git main 1000
du -sk home/cache/upstream | sed 's/\t.*/ KiB of index/'
python3 "$source/make-history.py" 1000 "$commits" | git -C tree.git fast-import --quiet
echo "1000 more"
"$program" tree.git main 1000
echo "again"
"$program" tree.git main
