#!/bin/bash
test_description='kiln compare: what is refused before a machine starts'
. "$(dirname "$0")/lib.sh"

test_expect_success 'a small repository' '
	git init -q tree &&
	echo one >tree/file &&
	git -C tree add file &&
	git -C tree commit -q -m one &&
	echo two >tree/file &&
	git -C tree commit -q -a -m two
'

test_expect_success 'outside a repository: says so and how to name one' '
	test_expect_code 128 "$KILN" compare HEAD HEAD^ >out 2>err &&
	test_must_be_empty out &&
	grep "^error: " err &&
	grep "^hint: .*--tree" err
'

test_expect_success 'an unknown revision is named' '
	test_expect_code 128 "$KILN" compare --tree tree nonsense HEAD^ >out 2>err &&
	test_must_be_empty out &&
	grep "nonsense" err
'

test_expect_success 'the same failure as a document' '
	test_expect_code 128 "$KILN" compare --json --tree tree nonsense HEAD^ >out 2>err &&
	grep "\"code\": \"unknown-revision\"" out
'

test_expect_success 'a kernel that is none: build failed, 125, log named' '
	test_expect_code 125 "$KILN" compare --tree tree HEAD HEAD^ >out 2>err &&
	test_must_be_empty out &&
	grep "does not build" err
'

test_expect_success 'an impossible cell is refused with the reason' '
	test_expect_code 129 "$KILN" compare --tree tree --cell shadow/npt HEAD HEAD^ 2>err &&
	grep -i "shadow/npt" err
'

test_expect_success 'an unknown benchmark is refused' '
	test_expect_code 129 "$KILN" compare --tree tree --bench nonsense HEAD HEAD^ 2>err &&
	grep "nonsense" err
'

test_expect_success 'a commit is not compared with itself' '
	test_expect_code 129 "$KILN" compare HEAD >out 2>err &&
	grep "too few" err
'

test_done
