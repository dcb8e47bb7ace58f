#!/bin/bash
test_description='kiln bisect: what is refused before a machine starts'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-refuse.sh"

refuses_names bisect "HEAD^ HEAD" "nonsense^ HEAD"
refuses_cells bisect "HEAD^ HEAD"

test_expect_success 'ends in the wrong order are refused' '
	test_expect_code 129 "$KILN" bisect --tree tree HEAD HEAD^ 2>err &&
	grep "ancestor" err
'

test_expect_success 'two cells at once are refused' '
	test_expect_code 129 "$KILN" bisect --tree tree --cell npt/npt --cell npt/shadow HEAD^ HEAD 2>err &&
	grep "one cell" err
'

test_done
