#!/bin/bash
test_description='the series b4 makes of threads, and the one kiln makes'
. "$(dirname "$0")/lib.sh"

if ! command -v b4 >/dev/null; then
	skip_all='no b4 here'
	test_done
fi

# KILN_B4_THREADS raises the number; b4 takes about a second for each.
test_expect_success 'b4 and kiln differ only where b4 is known to be wrong' '
	git init -q . &&
	git config b4.attestation-policy off &&
	git config user.name "C O Mitter" &&
	git config user.email committer@example.org &&
	mkdir threads &&
	python3 "$KILN_SOURCE/tests/t/series-b4.py" threads "${KILN_B4_THREADS:-6}" "${KILN_SEED:-3}"
'

test_done
