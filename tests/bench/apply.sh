#!/bin/bash
# Patches a second on a big tree, kiln against git am, and whether the commits are the same.
# usage: apply.sh KERNEL-REPOSITORY [PATCHES]; KILN names the binary, best a release build.
set -eu
repo=${1:?usage: apply.sh REPOSITORY [PATCHES]}
patches=${2:-1000}
kiln=${KILN:-kiln}
source=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GIT_COMMITTER_NAME=kiln GIT_COMMITTER_EMAIL=kiln@localhost
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

git clone -q --bare -s "$repo" "$dir/bare.git"
cd "$dir"
python3 "$source/make-series.py" bare.git "$patches"
git -C bare.git format-patch -q --stdout HEAD..series >series.mbox
git -C bare.git worktree add -q --detach ../wt HEAD

# Wall and processor seconds and the peak of memory of a command, its output thrown away.
measure() {
	python3 - "$@" <<'EOP'
import resource, subprocess, sys, time
start = time.monotonic()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.monotonic() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
EOP
}
# kiln twice, before and after git am, as other work on the machine comes and goes.
first=$(measure "$kiln" apply -q --tree bare.git series.mbox)
theirs=$(measure git -C wt am -q --committer-date-is-author-date ../series.mbox)
second=$(measure "$kiln" apply -q --tree bare.git series.mbox)
ref=$(git -C bare.git for-each-ref --format='%(objectname)' refs/kiln/)
test "$ref" = "$(git -C wt rev-parse HEAD)" || {
	echo "apply.sh: kiln and git am made different commits" >&2
	exit 1
}
echo "$patches $(git -C bare.git ls-tree -r HEAD | wc -l) $first $theirs $second" | awk '{
	printf "%d patches on %d files, same commits\n", $1, $2
	printf "kiln    %6.1f patches/s  %7.2f s wall  %7.2f s processor  %4.0f MiB\n", $1 / $3, $3, $4, $5
	printf "kiln    %6.1f patches/s  %7.2f s wall  %7.2f s processor  %4.0f MiB\n", $1 / $9, $9, $10, $11
	printf "git am  %6.1f patches/s  %7.2f s wall  %7.2f s processor  %4.0f MiB\n", $1 / $6, $6, $7, $8
	printf "ratio   %6.1f wall  %.1f processor\n", 2 * $6 / ($3 + $9), 2 * $7 / ($4 + $10)
}'
