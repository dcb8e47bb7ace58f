#!/bin/bash
# CPU time of a step build after one changed file: kiln build against plain make in the same
# tree, alternating. Prints the smallest of each and their ratio (to reach: <= 1.3).
#
#	KILN=build/release/kiln KILN_TEST_HOME=DIR tests/bench/build.sh [ROUNDS]
set -eu
: "${KILN:?}" "${KILN_TEST_HOME:?}"
rounds=${1:-3}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../system/kernel-edit.sh"
export KILN_HOME=$KILN_TEST_HOME
export GIT_AUTHOR_NAME=bench GIT_AUTHOR_EMAIL=bench@example.org
export GIT_COMMITTER_NAME=bench GIT_COMMITTER_EMAIL=bench@example.org
tree=$("$here/../../scripts/kernel-tree" "$KILN_TEST_HOME/trees")
times=$(mktemp -d)
trap 'rm -rf "$times"' EXIT

# Busy seconds of the whole machine so far. bwrap does not wait for what it started, so a parent's
# account of its children lacks the build; other work on the machine disturbs.
busy() {
	awk -v hz="$(getconf CLK_TCK)" '/^cpu / { print ($2 + $3 + $4) / hz; exit }' /proc/stat
}

# cpu FILE COMMAND...: append the CPU seconds it took
cpu() {
	local file=$1 before
	shift
	before=$(busy)
	"$@" >"$times/out" 2>&1 || { cat "$times/out"; exit 1; }
	awk -v a="$before" -v b="$(busy)" 'BEGIN { print b - a }' >>"$file"
}

# Disturbance only adds: the smallest is the nearest to the truth.
smallest() {
	sort -n "$1" | head -n 1
}

# The worktree of the test's repository: the newest, as the build before has just used it.
worktree() {
	dirname "$(ls -td "$KILN_HOME"/cache/worktrees/*/log | head -n 1)"
}

# The same make in the same folders under the same names, for the objects to be up to date.
plain_make() {
	local cc=gcc
	[ -d "$KILN_HOME/cache/ccache" ] && cc='ccache gcc'
	bwrap --bind "$wt/src" /kiln/src --bind "$wt/out" /kiln/out --ro-bind /usr /usr \
		--symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
		--ro-bind-try /etc/alternatives /etc/alternatives --proc /proc --dev /dev --tmpfs /tmp \
		--chdir /kiln/out env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C TZ=UTC0 HOME=/nonexistent \
		KBUILD_BUILD_TIMESTAMP=1970-01-01 KBUILD_BUILD_USER=kiln KBUILD_BUILD_HOST=kiln \
		KBUILD_BUILD_VERSION=0 LOCALVERSION= CCACHE_DISABLE=1 CCACHE_DIR=/tmp/ccache \
		make -C /kiln/src O=/kiln/out ARCH=x86_64 "CC=$cc" "-j$(nproc)" bzImage
}

"$KILN" build -q --tree "$tree" "$(kernel_edit HEAD "first $$")"
for ((i = 0; i < rounds; i++)); do
	cpu "$times/kiln" "$KILN" build -q --tree "$tree" "$(kernel_edit HEAD "$i $(date +%s%N)")"
	wt=$(worktree)
	echo "/* $i */" >>"$wt/src/arch/x86/kvm/svm/nested.c"
	cpu "$times/make" plain_make
	grep -q 'CC .*svm/nested.o' "$times/out"
done
kiln=$(smallest "$times/kiln") make=$(smallest "$times/make")
awk -v k="$kiln" -v m="$make" 'BEGIN {
	printf "step build after one file: kiln %.1f s CPU, make %.1f s CPU, ratio %.2f\n", k, m, k / m }'
