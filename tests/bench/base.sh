#!/bin/bash
# The search for a base: warm over 1000 first parents, cold and grown over a long history that
# fast-import makes. git log --find-object, which finds one blob, is measured in the same run.
# usage: base.sh [COMMITS [FILES]]; KILN names the binary, best a release build.
set -eu
commits=${1:-100000}
files=${2:-20000}
kiln=${KILN:-kiln}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export KILN_HOME=$dir/home HOME=$dir GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=kiln GIT_AUTHOR_EMAIL=kiln@localhost
export GIT_COMMITTER_NAME=kiln GIT_COMMITTER_EMAIL=kiln@localhost

# history FROM TO: commits that change two files each; a third of all changes go to 1 % of the
# files, as in real trees.
history() {
	python3 - "$1" "$2" "$files" <<'EOP' | git -C repo.git fast-import --quiet --force
import random, sys
lo, hi, files = map(int, sys.argv[1:])
rnd = random.Random(lo)
out = sys.stdout
path = lambda i: f"d{i % 20}/s{i // 20 % 20}/f{i}.c"
body = lambda i, n: "".join(f"line {k} of {i}\n" for k in range(12)) + f"version {n}\n" + \
    "".join(f"line {k} of {i}\n" for k in range(12, 24))
for n in range(lo, hi):
    out.write(f"commit refs/heads/main\ncommitter A <a@example.org> {1600000000 + n * 60} +0000\n"
              f"data 2\nx\n")
    if n == lo and lo:
        out.write("from refs/heads/main^0\n")
    for i in range(files) if n == 0 else {rnd.randrange(files // 100 if rnd.random() < .33 else files)
                                          for _ in range(2)}:
        text = body(i, n)
        out.write(f"M 100644 inline {path(i)}\ndata {len(text)}\n{text}\n")
    out.write("\n")
EOP
}

# series NAME COMMIT: three patches on a commit, to files that have changed since.
series() {
	git -C repo.git log --format= --name-only --diff-filter=M "$2..main" | sort | uniq -c |
		sort -k1,1nr -k2 | awk 'NR <= 3 { print $2 }' >"$1.paths"
	git -C repo.git worktree add -q --detach --no-checkout "../$1" "$2"
	git -C "$1" reset -q
	while read -r path; do
		git -C "$1" checkout -q -- "$path"
		sed -i 's/^version.*/& changed/' "$1/$path"
		git -C "$1" add "$path"
		git -C "$1" commit -q -m "change $path"
	done <"$1.paths"
	git -C "$1" format-patch -q --stdout -3 >"$1.mbox"
	git -C repo.git worktree remove --force "$1"
}

# Wall and processor seconds of a command, its output thrown away.
seconds() {
	local TIMEFORMAT='%R s wall, %U + %S s processor'
	{ time "$@" >/dev/null 2>&1; } 2>&1
}

# search MBOX DEPTH: where is the base?
search() {
	"$kiln" apply --json --tree repo.git --depth "$2" "$1"
}

# found NAME DEPTH COMMIT: the newest commit from there on with the series' files alike, or the
# figures are worth nothing.
found() {
	search "$1.mbox" "$2" 2>/dev/null >out.json
	base=$(sed -n 's/^  "base": "\(.*\)",$/\1/p' out.json)
	git -C repo.git merge-base --is-ancestor "$3" "$base" &&
		xargs git -C repo.git diff --quiet "$3" "$base" -- <"$1.paths" &&
		! xargs git -C repo.git diff --quiet "$base" \
			"$(git -C repo.git rev-list --first-parent --reverse "$base..main" | head -n 1)" -- <"$1.paths" ||
		{ echo "base.sh: $base is not the base" >&2; exit 1; }
}

git init -q --bare -b main repo.git
echo "making $commits commits of $files files" >&2
history 0 "$commits"
near=main~$((commits > 1000 ? 900 : commits / 2))
far=main~$((commits - commits / 20))
series near "$near"
series far "$far"
blob=$(git -C repo.git rev-parse "$near:$(git -C repo.git log --format= --name-only --diff-filter=M "$near..main" |
	sort | uniq -c | sort -k1,1nr -k2 | awk 'NR == 1 { print $2 }')")

echo "1000 first parents, cold index: $(seconds search near.mbox 1000)"
for i in 1 2 3 4 5; do
	echo "1000 first parents, warm index: $(seconds search near.mbox 1000)"
done
found near 1000 "$near"
echo "git log --find-object, one blob: $(seconds git -C repo.git log --first-parent -m -1000 --format=%h --find-object="$blob")"
rm -rf home
echo "$commits commits, cold index: $(seconds search far.mbox 1000000)"
echo "$commits commits, warm index: $(seconds search far.mbox 1000000)"
found far 1000000 "$far"
echo "size of the index: $(du -sm home/cache/history | cut -f1) MiB"
history "$commits" $((commits + 1000))
echo "1000 new commits: $(seconds search far.mbox 1000000)"
echo "and again: $(seconds search far.mbox 1000000)"
found far 1000000 "main~$((commits + 1000 - commits / 20))"
