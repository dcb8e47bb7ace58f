#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Large mailboxes, and an epoch of public-inbox beside public-inbox-index.
# usage: KILN=build/release/kiln tests/bench/mail-local.sh [MAILS] [FOLDER]
#        MAILS in the epoch, default 50000; the mailbox has a fifth of them. BASELINE=basic
#        (default), medium or full is the index level of public-inbox-index.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${KILN:?set KILN to a release build}"
scan=$(dirname "$KILN")/tests/bench-mail-scan
mails=${1:-50000}
top=${2:-$(mktemp -d)}
level=${BASELINE:-basic}
export KILN_HOME=$top/home PI_CONFIG=$top/pi-config HOME=$top
[ $# -ge 2 ] || trap 'rm -rf "$top"' EXIT

# Wall seconds and processor seconds of a command.
seconds() {
	local TIMEFORMAT='%R %U %S'
	{ time "$@" >"$top/out" 2>"$top/err"; } 2>"$top/time" || { cat "$top/err" >&2; return 1; }
	awk '{ printf "%.3f s (processor %.3f)", $1, $2 + $3 }' "$top/time"
}
ratio() {
	python3 -c "print('%.1f' % (float('$1'.split()[0]) / float('$2'.split()[0])))"
}

few=$((mails / 5))
python3 "$here/mail-archive.py" mbox $few >"$top/mbox"
size=$(stat -c %s "$top/mbox")
largest=$(python3 -c "import re; print(max(map(len, open('$top/mbox').read().split('From mboxrd@z'))))")
"$scan" "$top/mbox" >/dev/null # into the page cache
echo "mbox: $few mails, $size bytes, largest $largest"
"$scan" "$top/mbox"

public-inbox-init -V2 "-L$level" bench "$top/bench" http://127.0.0.1/bench bench@x.org 2>/dev/null
git init -q --bare "$top/bench/git/0.git" 2>/dev/null
git --git-dir="$top/bench/git/0.git" symbolic-ref HEAD refs/heads/master
python3 "$here/mail-archive.py" fast-import "$mails" |
	git --git-dir="$top/bench/git/0.git" fast-import --quiet
cp -r "$top/bench/git" "$top/mirror"

theirs=$(seconds public-inbox-index "-L$level" "$top/bench")
lookup() {
	"$KILN" series --archive "$top/mirror" "m$1@x.org" -q
}
ours=$(seconds lookup 15)
echo "first index of $mails mails: public-inbox-index -L $level $theirs, kiln $ours: $(ratio "$theirs" "$ours")x"
echo "thread look-up, whole command: $(seconds lookup 1005)"
python3 "$here/mail-archive.py" fast-import 100 "$mails" |
	git --git-dir="$top/mirror/0.git" fast-import --quiet
echo "update with 100 mails and look-up: $(seconds lookup $((mails + 11)))"
