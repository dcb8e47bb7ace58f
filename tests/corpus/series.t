#!/bin/bash
test_description='real threads: the series found, and its mails against git mailinfo'
. "$(dirname "$0")/../t/lib.sh"

CORPUS=${KILN_CORPUS:-$KILN_SOURCE/../shared/corpus}
if ! test -f "$CORPUS/INDEX.tsv"; then
	skip_all='no corpus of real threads here; KILN_CORPUS names one'
	test_done
fi

test_expect_success 'every thread gives the series expected, with the text git makes of it' '
	python3 "$KILN_SOURCE/tests/corpus/series.py" "$CORPUS"
'

test_done
