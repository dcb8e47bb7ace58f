#!/bin/bash
test_description='kiln boot: what is refused before a machine starts'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-refuse.sh"

refuses_names boot "HEAD" "nonsense"
refuses_machines boot "HEAD"

test_expect_success 'a path that is none' '
	test_expect_code 129 "$KILN" boot --tree tree --path teleport HEAD >out 2>err &&
	grep "kiln.path is auto, kexec or firmware" err
'

test_done
