#!/bin/bash
test_description='a planted loss of 1 % in a real kernel is found, kill -9 or not'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/system/kernel-history.sh"

test_expect_success '16 commits, from the 12th on an exit takes about 1 % longer' '
	plant plan 12 270 &&
	history plan >commits &&
	test "$(wc -l <commits)" = 17
'

# The journal is written before and after each build and boot; records 8, 3 and 4 of a process
# are in the midst of ends, of a search, and of its end.
test_expect_success 'killed three times, the commit is found in at most 4 steps after the ends' '
	test_expect_code 137 env KILN_KILL_AT=8 "$KILN" bisect --json --tree "$tree" --cell npt/npt \
		"$(commit_of 0)" "$(commit_of 16)" >/dev/null 2>err &&
	test_expect_code 137 env KILN_KILL_AT=3 "$KILN" resume last >/dev/null 2>err &&
	test_expect_code 137 env KILN_KILL_AT=4 "$KILN" resume last >/dev/null 2>err &&
	"$KILN" resume last >found 2>err &&
	echo "# $(figures found)" >&2 &&
	test "$(json found "d[\"verdict\"]")" = found &&
	test "$(json found "d[\"culprit\"][\"commit\"]")" = "$(commit_of 12)" &&
	test "$(json found "d[\"confidence\"] >= 0.99")" = true &&
	test "$(json found "-0.02 < d[\"step\"][\"change\"] < -0.005")" = true &&
	test "$(json found "len(d[\"steps\"]) - 4 <= 4")" = true &&
	test "$(json found "d[\"boots\"] == len(d[\"steps\"])")" = true
'

test_expect_success 'no process of the runs is left' '
	! pgrep -f "qemu-system.*$KILN_HOME" >left
'

test_done
