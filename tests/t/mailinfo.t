#!/bin/bash
test_description='authors, dates, messages and diffs of mails, held against git mailinfo'
. "$(dirname "$0")/lib.sh"

DRIVER=${KILN_BUILD:-$(dirname "$KILN")}/tests/mailinfo-driver

test_expect_success 'mails of every kind read as git mailinfo reads them' '
	mkdir mails &&
	python3 "$KILN_SOURCE/tests/t/mailinfo.py" "$DRIVER" mails \
		"${KILN_MAILINFO_MAILS:-200}" "${KILN_MAILINFO_SEED:-1}"
'

test_done
