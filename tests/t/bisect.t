#!/bin/bash
test_description='kiln bisect: what is refused before a machine starts'
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
	test_expect_code 128 "$KILN" bisect HEAD^ HEAD >out 2>err &&
	test_must_be_empty out &&
	grep "^error: " err &&
	grep "^hint: .*--tree" err
'

test_expect_success 'an unknown revision is named' '
	test_expect_code 128 "$KILN" bisect --tree tree nonsense^ HEAD >out 2>err &&
	test_must_be_empty out &&
	grep "nonsense" err
'

test_expect_success 'the same failure as a document' '
	test_expect_code 128 "$KILN" bisect --json --tree tree nonsense^ HEAD >out 2>err &&
	grep "\"code\": \"unknown-revision\"" out
'

test_expect_success 'a kernel that is none: build failed, 125, log named' '
	test_expect_code 125 "$KILN" bisect --tree tree HEAD^ HEAD >out 2>err &&
	test_must_be_empty out &&
	grep "does not build" err
'

test_expect_success 'an impossible cell is refused with the reason' '
	test_expect_code 129 "$KILN" bisect --tree tree --cell shadow/npt HEAD^ HEAD 2>err &&
	grep -i "shadow/npt" err
'

test_expect_success 'an unknown benchmark is refused' '
	test_expect_code 129 "$KILN" bisect --tree tree --bench nonsense HEAD^ HEAD 2>err &&
	grep "nonsense" err
'

test_expect_success 'ends in the wrong order are refused' '
	test_expect_code 129 "$KILN" bisect --tree tree HEAD HEAD^ 2>err &&
	grep "ancestor" err
'

test_expect_success 'two cells at once are refused' '
	test_expect_code 129 "$KILN" bisect --tree tree --cell npt/npt --cell npt/shadow HEAD^ HEAD 2>err &&
	grep "one cell" err
'

test_done
