#!/bin/bash
test_description='kiln boot: what is refused before a machine starts'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-refuse.sh"

refuses_names boot "HEAD" "nonsense"
refuses_machines boot "HEAD"

test_done
