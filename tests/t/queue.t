#!/bin/bash
test_description='kiln queue: what it is asked'
. "$(dirname "$0")/lib.sh"

test_expect_success 'an unknown thing to do is named' '
	git init -q repo &&
	test_expect_code 129 kiln queue --tree repo guess 6.1 2>err &&
	grep "guess" err
'

test_done
