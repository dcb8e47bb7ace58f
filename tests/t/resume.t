#!/bin/bash
test_description='kiln resume: the recorded command line again'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"

test_expect_success 'nothing to resume is an error with a next step' '
	test_expect_code 128 "$KILN" resume >out 2>err &&
	test ! -s out &&
	grep "^hint: .*kiln runs" err &&
	test_expect_code 128 "$KILN" resume abcd 2>err &&
	grep "no run .abcd." err
'

test_expect_success 'the newest run that is not done is taken' '
	store_run 111111111111 0 0 "$PWD" help runs &&
	store_run 222222222222 2 128 "$PWD" help show &&
	store_run 333333333333 1 0 "$PWD" help resume &&
	kiln resume >out 2>err &&
	grep "^kiln show " out &&
	grep "^run 222222222222: kiln help show" err
'

test_expect_success 'a run may be named, a done one too' '
	kiln resume 1111 -q >out 2>err &&
	grep "^kiln runs " out &&
	test ! -s err &&
	kiln resume 333333333333 >out 2>/dev/null &&
	grep "^kiln resume " out
'

test_expect_success 'recorded settings count' '
	store_run 444444444444 0 0 "$PWD" -c kiln.json=true -c kiln.runsLimit=1 runs &&
	kiln resume >out 2>/dev/null &&
	test "$(jq_py out "[r[\"id\"] for r in d[\"runs\"]]")" = "['\''444444444444'\'']"
'

test_expect_success 'the recorded folder counts, not the present one' '
	git init -q tree && git -C tree config kiln.runsLimit 2 &&
	store_run 555555555555 0 0 "$PWD/tree" runs &&
	kiln resume >out 2>/dev/null &&
	test "$(sed 1d out | wc -l)" = 2
'

test_expect_success 'a folder that is gone is named' '
	store_run 666666666666 0 0 "$PWD/gone" runs &&
	test_expect_code 128 "$KILN" resume 2>err &&
	grep "$PWD/gone" err && grep ^hint: err
'

test_expect_success '--json is handed on' '
	kiln resume 555555555555 --json >out 2>/dev/null &&
	test "$(jq_py out "len(d[\"runs\"])")" = 2
'

test_expect_success 'a run that a living process works on is refused' '
	with_lock 555555555555 "$KILN" resume 555555555555 >out 2>err
	test $? = 128 &&
	test ! -s out &&
	grep "another kiln works on run 555555555555" err &&
	kiln resume 555555555555 >out 2>/dev/null
'

test_expect_success 'a command this kiln does not know is an error' '
	store_run 777777777777 0 0 "$PWD" frobnicate &&
	test_expect_code 129 "$KILN" resume 2>err &&
	grep frobnicate err
'

test_done
