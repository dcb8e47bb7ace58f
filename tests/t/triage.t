#!/bin/bash
test_description='kiln triage: what ends it before a kernel is built'
. "$(dirname "$0")/lib.sh"

test_expect_success 'a repository, and a series that does not fit it' '
	git init -q tree &&
	printf "one\ntwo\nthree\n" >tree/file &&
	git -C tree add file &&
	git -C tree commit -q -m base &&
	git clone -q tree other &&
	printf "one\n2\nthree\n" >other/file &&
	git -C other commit -q -a -m "file: write two as a number" &&
	git -C other format-patch -q --stdout -1 >good.mbox &&
	sed "s/^ one/ uno/" good.mbox >bad.mbox
'

test_expect_success 'a series that does not apply: 1, a report that says so, the cause' '
	test_expect_code 1 "$KILN" triage --tree tree bad.mbox >out 2>err &&
	grep "does not apply" out &&
	grep "^cause: .*file" err
'

test_expect_success 'the same as a document' '
	test_expect_code 1 "$KILN" triage --json --tree tree bad.mbox >out 2>err &&
	grep "\"hunk-mismatch\"" out &&
	grep "\"claims\": \[\]" out &&
	grep "\"report\": " out
'

test_expect_success 'nothing was written to the repository' '
	git -C tree for-each-ref refs/kiln >refs &&
	test_must_be_empty refs
'

test_expect_success 'a base that does not exist is named' '
	test_expect_code 128 "$KILN" triage --tree tree --onto nonsense good.mbox >out 2>err &&
	grep "nonsense" err
'

test_expect_success 'a mailbox without patches' '
	printf "From: a <a@example.org>\nSubject: hello\nMessage-ID: <1@example.org>\n\nno patch\n" >none.eml &&
	test_expect_code 128 "$KILN" triage --json --tree tree none.eml >out 2>err &&
	grep "\"no-patches\"" out
'

test_expect_success 'a tree that is no kernel: build failed, 125' '
	test_expect_code 125 "$KILN" triage --tree tree good.mbox >out 2>err &&
	grep "does not build" err
'

test_expect_success 'what it found can be told again, and answered if it was a mail' '
	test_expect_code 1 "$KILN" triage --tree tree bad.mbox 2>err &&
	kiln report >out &&
	grep "^file: write two as a number" out &&
	grep "^Warning: patch 1 does not apply" out &&
	test_expect_code 128 "$KILN" report -f mail 2>err &&
	grep "no Message-ID" err &&
	sed "/^Subject:/a Message-ID: <two@example.org>" bad.mbox >mailed.mbox &&
	test_expect_code 1 "$KILN" triage --tree tree mailed.mbox 2>err &&
	kiln report -f mail >out &&
	grep "^Subject: Re: \[PATCH\] file: write two as a number" out &&
	grep "^In-Reply-To: <two@example.org>" out &&
	kiln report -f kcidb >out && grep "\"valid\": false" out &&
	test "$(python3 "$KILN_SOURCE/tests/t/kcidb-check.py" out)" = "checkouts 1 builds 0 tests 0" &&
	kiln report -f json >out && grep "\"hunk-mismatch\"" out &&
	kiln show >out && grep "^result: does not apply" out
'

test_expect_success 'the runs are kept' '
	kiln runs >runs &&
	grep triage runs
'

test_done
