#!/bin/bash
# Two equal series of patches on different bases, compared by kiln diff and by git range-diff.
# usage: range-diff.sh [PATCHES]; KILN names the binary, best a release build.
set -eu
patches=${1:-1000}
kiln=${KILN:-kiln}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
cd "$dir"
git init -q --bare tree.git
python3 - "$patches" <<'EOP' | git -C tree.git fast-import --quiet
import sys
n = int(sys.argv[1])
files = {i: ["line %d of %d\n" % (k, i) for k in range(200)] for i in range(100)}
def commit(ref, parent, msg, changed):
    print("commit refs/heads/%s\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\ndata %d\n%s"
          % (ref, len(msg), msg))
    if parent:
        print("from refs/heads/" + parent)
    for path, text in changed:
        print("M 100644 inline %s\ndata %d\n%s" % (path, len(text), text))
commit("base", None, "base\n", [("dir/f%d" % i, "".join(v)) for i, v in files.items()])
commit("other", "base", "other\n", [("unrelated", "x\n")])
for side, base in ("old", "base"), ("new", "other"):
    now = {i: list(v) for i, v in files.items()}
    for k in range(n):
        changed = []
        for i in (k % 100, (k * 7 + 1) % 100):
            now[i][(k * 13) % 200] = "changed by patch %d\n" % k
            changed.append(("dir/f%d" % i, "".join(now[i])))
        commit(side, base if k == 0 else None, "patch %d\n" % k, changed)
EOP
git -C tree.git repack -qad

seconds() {
	local TIMEFORMAT='%R %U %S' out=$1
	shift
	{ time "$@" >"$out"; } 2>&1
}
theirs=$(seconds git.out git -C tree.git range-diff --no-color base..old other..new)
ours=$(seconds kiln.out "$kiln" diff --tree tree.git --range-diff base..old other..new)
cmp git.out kiln.out
test "$(grep -c ' = ' git.out)" = "$patches"
echo "$patches $ours $theirs" | awk '{
	printf "%d x %d identical patches, same output\n", $1, $1
	printf "kiln diff       %7.2f s wall  %7.2f s processor\n", $2, $3 + $4
	printf "git range-diff  %7.2f s wall  %7.2f s processor\n", $5, $6 + $7
	printf "ratio           %7.1f wall  %.1f processor\n", $5 / $2, ($6 + $7) / ($3 + $4)
}'
