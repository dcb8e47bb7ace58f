#!/bin/bash
test_description='a history of a real kernel without a change: no culprit'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/system/kernel-history.sh"

test_expect_success '16 commits that change no exit' '
	mkdir plan &&
	history plan >commits
'

test_expect_success 'no change, and nothing but the ends was booted for it' '
	test_expect_code 125 bisect none &&
	echo "# $(figures none)" >&2 &&
	test "$(json none "d[\"verdict\"]")" = no-change &&
	test "$(json none "d[\"culprit\"]")" = None &&
	test "$(json none "{s[\"commit\"] for s in d[\"steps\"]} == {\"$(commit_of 0)\", \"$(commit_of 16)\"}")" = true
'

test_done
