#!/bin/bash
test_description='kiln compare: what is refused before a machine starts'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-refuse.sh"

refuses_names compare "HEAD HEAD^" "nonsense HEAD^"
refuses_cells compare "HEAD HEAD^"

test_expect_success 'a commit is not compared with itself' '
	test_expect_code 129 "$KILN" compare HEAD >out 2>err &&
	grep "too few" err
'

test_done
