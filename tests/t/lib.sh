# Common part of the command tests: sourced first, leaves sharness loaded and a KILN_HOME of the
# test's own. KILN is the binary under test, KILN_SOURCE the project's root.
: "${KILN:?run through ctest, or set KILN to the binary}"
: "${KILN_SOURCE:=$(cd "$(dirname "$0")/../.." && pwd)}"
SHARNESS_TEST_DIRECTORY=${SHARNESS_TEST_DIRECTORY:-$(mktemp -d)}
SHARNESS_TEST_OUTDIR=$SHARNESS_TEST_DIRECTORY
export SHARNESS_TEST_DIRECTORY SHARNESS_TEST_OUTDIR
. /usr/share/sharness/sharness.sh

KILN_HOME=$SHARNESS_TRASH_DIRECTORY/kiln-home
HOME=$SHARNESS_TRASH_DIRECTORY
GIT_CONFIG_NOSYSTEM=1
GIT_AUTHOR_NAME='A U Thor' GIT_AUTHOR_EMAIL=author@example.org
GIT_COMMITTER_NAME='C O Mitter' GIT_COMMITTER_EMAIL=committer@example.org
export KILN_HOME HOME GIT_CONFIG_NOSYSTEM
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL

kiln() {
	"$KILN" "$@"
}

# wait_lines FILE COUNT PATTERN: until FILE, which may be yet to come, has so many lines with PATTERN.
# Nobody waits for tail: in a pipe it would end only when FILE grows once more. And grep whose output
# nobody gets, with -q or into /dev/null, is content with the first line.
wait_lines() {
	test "$2" = "$(timeout 100 grep -m"$2" -- "$3" \
		< <(exec tail -n +1 --pid=$$ -F "$1" 2>/dev/null) | wc -l)"
}
