#!/bin/bash
test_description='a calibrated target: alike is alike, 0.2 % is found with 2+2 boots, killed or not'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/system/kernel-history.sh"

compare() {
	"$KILN" compare --json --tree "$tree" --cell npt/npt "$@"
}

# Of the history: 1 is the base but for a number that nothing reads; from 2 on an exit executes
# 0.2 % more instructions (some 25,000 is all of them).
test_expect_success 'a history' '
	plant plan 2 54 &&
	history plan >commits
'

test_expect_success 'the target is calibrated: layouts, boots, runs; path length, not time' '
	"$KILN" bench --calibrate --json --tree "$tree" --cell npt/npt --boots 2 --layouts 2 \
		"$(commit_of 0)" >cal 2>err &&
	echo "# $(json cal "d[\"calibrations\"][0]")" >&2 &&
	test "$(json cal "[d[\"calibrations\"][0][k] for k in (\"layouts\", \"boots\")]")" = "[2, 4]" &&
	test "$(json cal "d[\"clock\"]")" = virtual &&
	test "$(json cal "d[\"calibrations\"][0][\"boot_sd\"] < 0.001")" = true
'

test_expect_success 'base against base in boots of their own: at most 0.05 % apart' '
	code=0 && compare "$(commit_of 0)" "$(commit_of 1)" >alike 2>err || code=$? &&
	echo "# $(json alike "{k: d[\"rows\"][0][k] for k in (\"change\", \"ci\", \"verdict\")}")" >&2 &&
	test "$(json alike "abs(d[\"rows\"][0][\"change\"]) <= 0.0005")" = true &&
	test "$(json alike "d[\"rows\"][0][\"noise\"][\"source\"]")" = calibrated &&
	test "$(json alike "d[\"rows\"][0][\"verdict\"] in (\"same\", \"undecided\")")" = true
'

# At every record: t/compare-stored. Record 8 is in the midst of the boots.
test_expect_success 'killed, and resumed: 0.2 % is found with 2+2 boots, none counts twice' '
	test_expect_code 137 env KILN_KILL_AT=8 "$KILN" compare --json --tree "$tree" --cell npt/npt \
		--boots 2 "$(commit_of 1)" "$(commit_of 2)" >/dev/null 2>err &&
	code=0 && "$KILN" resume last >found 2>err || code=$? &&
	echo "# $(json found "d[\"rows\"][0]")" >&2 &&
	test $code = 1 &&
	test "$(json found "d[\"rows\"][0][\"verdict\"]")" = slower &&
	test "$(json found "[d[\"rows\"][0][s][\"boots\"] for s in (\"base\", \"patched\")]")" = "[2, 2]" &&
	test "$(json found "-0.0035 < d[\"rows\"][0][\"change\"] < -0.001")" = true &&
	"$KILN" resume last >again 2>err
	test $? = 1 && test_cmp found again
'

test_expect_success 'the same boots from the store: the same row, nothing measured' '
	test_expect_code 1 compare --stored "$(commit_of 1)" "$(commit_of 2)" >stored 2>err &&
	test "$(json stored "d[\"rows\"][0][\"stored\"]")" = 4 &&
	test "$(json stored "d[\"rows\"][0][\"change\"]")" = "$(json found "d[\"rows\"][0][\"change\"]")"
'

test_expect_success 'no process of the runs is left' '
	! pgrep -f "qemu-system.*$KILN_HOME" >left
'

test_done
