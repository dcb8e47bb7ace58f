#!/bin/bash
test_description='kiln boot: what is refused before a machine starts'
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
	test_expect_code 128 "$KILN" boot HEAD >out 2>err &&
	test_must_be_empty out &&
	grep "^error: " err &&
	grep "^hint: .*--tree" err
'

test_expect_success 'an unknown revision is named' '
	test_expect_code 128 "$KILN" boot --tree tree nonsense >out 2>err &&
	test_must_be_empty out &&
	grep "nonsense" err
'

test_expect_success 'the same failure as a document' '
	test_expect_code 128 "$KILN" boot --json --tree tree nonsense >out 2>err &&
	grep "\"code\": \"unknown-revision\"" out
'

test_expect_success 'a kernel that is none: build failed, 125, log named' '
	test_expect_code 125 "$KILN" boot --tree tree HEAD >out 2>err &&
	test_must_be_empty out &&
	grep "does not build" err
'

test_expect_success 'an unknown accelerator or target is refused' '
	test_expect_code 129 "$KILN" boot --tree tree --accel nonsense HEAD 2>err &&
	grep "nonsense" err &&
	test_expect_code 129 "$KILN" boot --tree tree --target nonsense HEAD 2>err &&
	grep "nonsense" err
'

test_done
