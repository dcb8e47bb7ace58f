#!/bin/bash
# Patches a second on a big tree, kiln against git am, and whether the commits are the same.
# usage: apply.sh KERNEL-REPOSITORY [PATCHES]; KILN names the binary, best a release build.
set -eu
repo=${1:?usage: apply.sh REPOSITORY [PATCHES]}
patches=${2:-200}
kiln=${KILN:-kiln}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GIT_COMMITTER_NAME=kiln GIT_COMMITTER_EMAIL=kiln@localhost
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

git clone -q --bare -s "$repo" "$dir/bare.git"
cd "$dir"
# Each patch adds a line to two files spread over the tree.
git -C bare.git ls-tree -r HEAD | awk -F'\t' '/ blob / && $2 ~ /\.[ch]$/ { print $2 }' |
	awk -v want=$((patches * 2)) '{ l[NR] = $0 } END {
		step = NR / want; for (i = 0; i < want; i++) print l[int(i * step) + 1] }' >files
python3 - "$patches" <<'EOP' | git -C bare.git fast-import --quiet
import subprocess, sys
files = open("files").read().split("\n")
cat = subprocess.Popen(["git", "-C", "bare.git", "cat-file", "--batch"], stdin=subprocess.PIPE,
                       stdout=subprocess.PIPE)
out = sys.stdout.buffer
for i in range(int(sys.argv[1])):
    msg = b"bench: change %d\n" % i
    who = b"A U Thor <author@example.org> %d +0000\n" % (1700000000 + i)
    out.write(b"commit refs/heads/series\nauthor %scommitter %sdata %d\n%s" % (who, who, len(msg), msg))
    if i == 0:
        out.write(b"from refs/heads/%s^0\n" % subprocess.check_output(
            ["git", "-C", "bare.git", "symbolic-ref", "--short", "HEAD"]).strip())
    for path in files[2 * i:2 * i + 2]:
        cat.stdin.write(b"HEAD:%s\n" % path.encode())
        cat.stdin.flush()
        size = int(cat.stdout.readline().split()[2])
        lines = cat.stdout.read(size + 1)[:-1].splitlines(keepends=True)
        lines.insert(len(lines) // 2, b"/* bench %d */\n" % i)
        data = b"".join(lines)
        out.write(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
cat.stdin.close()
EOP
git -C bare.git format-patch -q --stdout HEAD..series >series.mbox
git -C bare.git worktree add -q --detach ../wt HEAD

# Wall and processor seconds of a command, its output thrown away.
seconds() {
	local TIMEFORMAT='%R %U %S'
	{ time "$@" >/dev/null 2>&1; } 2>&1
}
ours=$(seconds "$kiln" apply -q --tree bare.git series.mbox)
theirs=$(seconds git -C wt am -q --committer-date-is-author-date ../series.mbox)
ref=$(git -C bare.git for-each-ref --format='%(objectname)' refs/kiln/)
test "$ref" = "$(git -C wt rev-parse HEAD)" || {
	echo "apply.sh: kiln and git am made different commits" >&2
	exit 1
}
echo "$patches $(git -C bare.git ls-tree -r HEAD | wc -l) $ours $theirs" | awk '{
	printf "%d patches on %d files, same commits\n", $1, $2
	printf "kiln    %6.1f patches/s  %7.2f s wall  %7.2f s processor\n", $1 / $3, $3, $4 + $5
	printf "git am  %6.1f patches/s  %7.2f s wall  %7.2f s processor\n", $1 / $6, $6, $7 + $8
	printf "ratio   %6.1f wall  %.1f processor\n", $6 / $3, ($7 + $8) / ($4 + $5)
}'
