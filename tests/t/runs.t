#!/bin/bash
test_description='kiln runs: the list of runs'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"

test_expect_success 'without a run: nothing on standard output, no error' '
	kiln runs >out 2>err &&
	test ! -s out &&
	grep "no run yet" err &&
	kiln runs --json >out &&
	test "$(jq_py out "len(d[\"runs\"])")" = 0
'

test_expect_success 'the newest comes first' '
	store_run 111111111111 1 0 "$PWD" bench v6.1 &&
	store_run 222222222222 2 128 "$PWD" triage "a b" &&
	store_run 333333333333 0 0 "$PWD" boot HEAD &&
	kiln runs >out &&
	sed 1d out | cut -d" " -f1 >ids &&
	printf "%s\n" 333333333333 222222222222 111111111111 >want &&
	test_cmp want ids
'

test_expect_success 'states and exit codes have words and columns' '
	grep "^111111111111 *bench *done *0 " out &&
	grep "^222222222222 *triage *failed *128 .*triage a b" out &&
	grep "^333333333333 *boot *interrupted *- " out
'

test_expect_success 'a run whose process lives is active' '
	with_lock 333333333333 "$KILN" runs >out &&
	grep "^333333333333 *boot *active " out
'

test_expect_success '--limit keeps the newest' '
	kiln runs -n 1 >out &&
	test "$(sed 1d out | wc -l)" = 1 &&
	grep ^333333333333 out &&
	kiln -c kiln.runsLimit=2 runs >out &&
	test "$(sed 1d out | wc -l)" = 2 &&
	test_expect_code 129 "$KILN" runs -n many 2>err &&
	grep -e --limit err
'

test_expect_success '--json is one document with stable keys' '
	kiln runs --json >out &&
	test "$(jq_py out "d[\"runs\"][1][\"id\"]")" = 222222222222 &&
	test "$(jq_py out "d[\"runs\"][1][\"argv\"][1]")" = "a b" &&
	test "$(jq_py out "d[\"runs\"][1][\"exit_code\"]")" = 128 &&
	test "$(jq_py out "d[\"runs\"][0][\"exit_code\"]")" = None &&
	test "$(jq_py out "d[\"runs\"][0][\"state\"]")" = interrupted
'

test_expect_success 'control characters of a command line stay off the terminal' '
	store_run 444444444444 1 0 "$PWD" bench "$(printf "\033[31mred")" &&
	kiln runs >out &&
	! grep "$(printf "\033")" out
'

test_expect_success 'a damaged store is named, with a next step' '
	cp "$KILN_HOME/state/kiln.db" saved &&
	printf "this is no database, not at all" >"$KILN_HOME/state/kiln.db" &&
	rm -f "$KILN_HOME"/state/kiln.db-* &&
	test_expect_code 128 "$KILN" runs >out 2>err &&
	test ! -s out &&
	grep "kiln.db" err && grep damaged err && grep ^hint: err &&
	test_expect_code 128 "$KILN" runs --json >out 2>/dev/null &&
	test "$(jq_py out "d[\"error\"][\"code\"]")" = store
'

test_done
