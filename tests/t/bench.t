#!/bin/bash
test_description='kiln bench: what is refused before a machine starts'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-refuse.sh"

refuses_names bench "HEAD" "nonsense"
refuses_cells bench "HEAD"
refuses_machines bench "HEAD"

test_done
