# Common part of the system tests: a real kernel tree, a shared kernel cache, a store of the
# test's own. Kernels are built once and reused: KILN_TEST_HOME holds tree, builds and ccache.
: "${KILN_TEST_HOME:=${KILN_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/kiln-home}}"
export KILN_TEST_HOME
. "$(dirname "${BASH_SOURCE[0]}")/../t/lib.sh"

if ! tree=$("$KILN_SOURCE/scripts/kernel-tree" "$KILN_TEST_HOME/trees"); then
	echo 'system tests need linux-source-6.1' >&2
	exit 1
fi
mkdir -p "$KILN_HOME" "$KILN_TEST_HOME/cache"
ln -s "$KILN_TEST_HOME/cache" "$KILN_HOME/cache"
git config --global --add safe.directory '*'
export tree

# Serve the examples by a real public-inbox-httpd: sets $url; stopped by archive_stop.
archive_start() {
	"$KILN_SOURCE/scripts/archive" start "$PWD/archive" \
		"$KILN_SOURCE/examples/nsvm-flush.mbox" >archive.out &&
	url=$(sed -n 1p archive.out)
}

archive_stop() {
	"$KILN_SOURCE/scripts/archive" stop "$PWD/archive"
}

# Message-id of a version's cover letter: example_id v2
example_id() {
	sed -n "s/^Message-ID: <\(.*-$1-0@.*\)>/\1/Ip" "$KILN_SOURCE/examples/nsvm-flush.mbox" |
		head -n 1
}

# Evaluate a python expression over a JSON document `d`: json out 'd["base"]'
json() {
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
v = eval(sys.argv[2])
print(v if not isinstance(v, bool) else str(v).lower())' "$1" "$2"
}

. "$KILN_SOURCE/tests/system/kernel-edit.sh"
