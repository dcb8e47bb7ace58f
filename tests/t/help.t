#!/bin/bash
test_description='help, version and mistakes on the command line'
. "$(dirname "$0")/lib.sh"

test_expect_success 'help lists the commands on standard output' '
	kiln help >out 2>err &&
	grep "^  help " out &&
	test ! -s err
'

test_expect_success 'an unknown command is one line, a hint and 129' '
	test_expect_code 129 "$KILN" frobnicate >out 2>err &&
	test ! -s out &&
	grep "^error: .frobnicate. is not a kiln command" err &&
	grep "^hint: " err
'

test_expect_success 'an unknown option names itself' '
	test_expect_code 129 "$KILN" help --frob 2>err &&
	grep -e "--frob" err
'

test_done
