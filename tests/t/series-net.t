#!/bin/bash
test_description='kiln series from servers: addresses, searches, several archives, cache'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/lib-mail.sh"
. "$KILN_SOURCE/tests/t/lib-net.sh"

test_expect_success 'start the server of faults' '
	fault_server thread.mbox
'

test_expect_success 'C052: every spelling of a message-id is understood' '
	for s in p1@example.org "<p1@example.org>" "id:<p1@example.org>" rfc822msgid:p1@example.org; do
		kiln series --archive "$FAULTS/ok" "$s" >out && grep "2 of 2" out || return 1
	done &&
	test "$(requests "^/ok/p1@example.org/t.mbox.gz")" = 1
'

test_expect_success 'C052: the inbox a URL names is asked, not the configured one' '
	for tail in "" /raw /t.mbox.gz "/T/#u"; do
		kiln series --refresh --archive "$FAULTS/unknown" \
			"$FAULTS/ok/cover%2F1+x=y%257E@example.org$tail" >out &&
		grep "2 of 2" out || return 1
	done &&
	test "$(requests "^/unknown/")" = 0 &&
	kiln series "$FAULTS/moved/p1@example.org" >out && grep "2 of 2" out &&
	kiln series "$FAULTS/plain/p1@example.org" >out && grep "2 of 2" out
'

test_expect_success 'C050: odd ids are escaped once, in a URL and in the name of the cache file' '
	kiln series --archive "$FAULTS/ok" "cover/1+x=y%7E@example.org" >out &&
	grep "2 of 2" out &&
	kiln series --archive "$FAULTS/ok" "../../../x y?z#@example.org" --json >out.json &&
	grep "^/ok/cover%2F1+x=y%257E@example.org/t.mbox.gz kiln/[0-9.]*$" faults.log &&
	grep "^/ok/..%2F..%2F..%2Fx%20y%3Fz%23@example.org/t.mbox.gz" faults.log &&
	ls kiln-home/cache/http | grep -v "^[0-9a-f]\{40\}$" >odd || test ! -s odd
'

test_expect_success 'C052: redirectors and patchwork lead to the configured archive' '
	for url in https://patch.msgid.link/p1@example.org https://example.net/p1%40example.org \
		https://patchwork.kernel.org/project/kvm/patch/p1@example.org/; do
		kiln series --archive "$FAULTS/ok" "$url" >out && grep "2 of 2" out || return 1
	done
'

test_expect_success 'C052: a number of patchwork is refused with what to do' '
	for url in "https://patchwork.kernel.org/project/kvm/list/?series=12345" \
		https://patchwork.ozlabs.org/project/x/patch/12345/mbox/; do
		test_expect_code 129 "$KILN" series "$url" 2>err &&
		grep "number, not the message-id" err &&
		grep "^hint: .*MESSAGE-ID" err || return 1
	done &&
	test_expect_code 129 "$KILN" series https://example.org/list/ 2>err &&
	grep "no message-id" err
'

test_expect_success 'archives are asked in order, the first that has the id wins' '
	: >faults.log &&
	kiln series --archive "$FAULTS/unknown $FAULTS/choices/ $FAULTS/ok $FAULTS/never" a1@x >out &&
	grep "2 of 2" out &&
	grep -v HEAD faults.log | cut -d/ -f2 | xargs >order &&
	echo "unknown choices ok" >expect &&
	diff -u expect order &&
	git config --global --add kiln.archive "$FAULTS/unknown" &&
	git config --global --add kiln.archive "$FAULTS/ok" &&
	kiln series a2@x >out &&
	grep "2 of 2" out &&
	git config --global --unset-all kiln.archive
'

test_expect_success 'C059: a bot check is not read as mail, and the next archive is asked' '
	kiln series --archive "$FAULTS/bot" --archive "$FAULTS/ok" a3@x >out &&
	grep "2 of 2" out &&
	kiln series --archive "$FAULTS/ok" "$FAULTS/bot/a4@x" --json >out.json &&
	json "d[\"notes\"][0][\"text\"]" | grep "no bot; another archive does"
'

test_expect_success 'an answer is kept and used while fresh, with --refresh it is not' '
	: >faults.log &&
	kiln series "$FAULTS/ok/c1@x" >out &&
	kiln series "$FAULTS/ok/c1@x" >again &&
	diff out again &&
	test "$(requests "^/ok/c1@x")" = 1 &&
	kiln series --refresh "$FAULTS/ok/c1@x" >again &&
	diff out again &&
	test "$(requests "^/ok/c1@x")" = 2 &&
	find kiln-home/cache/http -type f -exec touch -d "11 minutes ago" {} + &&
	kiln series --cache-age 15m "$FAULTS/ok/c1@x" >again &&
	test "$(requests "^/ok/c1@x")" = 2 &&
	kiln series "$FAULTS/ok/c1@x" >again &&
	test "$(requests "^/ok/c1@x")" = 3
'

test_expect_success 'what a server calls unchanged comes from the cache' '
	: >faults.log &&
	kiln series "$FAULTS/etag/e1@x" >out &&
	find kiln-home/cache/http -type f -exec touch -d "1 hour ago" {} + &&
	kiln series "$FAULTS/etag/e1@x" >again &&
	diff out again &&
	grep "^/etag/e1@x.*\"one\"$" faults.log &&
	kiln series "$FAULTS/etag/e1@x" >again &&
	test "$(requests "^/etag/")" = 2
'

test_expect_success '--offline asks nobody: the cache whatever its age, else an error of its own' '
	: >faults.log &&
	find kiln-home/cache/http -type f -exec touch -d "1 year ago" {} + &&
	kiln series --offline "$FAULTS/ok/c1@x" >out &&
	grep "2 of 2" out &&
	test_expect_code 128 "$KILN" series --offline "$FAULTS/ok/never@x" --json >out.json 2>err &&
	test "$(json "d[\"error\"][\"code\"]")" = offline &&
	grep "not in the cache" err && grep "^hint: .*--offline" err &&
	kiln -c kiln.offline=true series thread.mbox >out &&
	test ! -s faults.log
'

test_expect_success 'what is broken in the cache is fetched again, and nothing is kept of failures' '
	for f in kiln-home/cache/http/*; do echo garbage >"$f"; done &&
	kiln series "$FAULTS/ok/c1@x" >out &&
	grep "2 of 2" out &&
	rm -r kiln-home/cache/http &&
	fault html 128 not-mail HTML &&
	fault truncated 128 truncated early &&
	test ! -e kiln-home/cache/http &&
	rm -rf kiln-home/cache && echo >kiln-home/cache &&
	kiln series "$FAULTS/ok/c1@x" >out &&
	grep "2 of 2" out &&
	rm kiln-home/cache
'

if archive_server thread.mbox; then
	test_set_prereq ARCHIVE
else
	say "skip: no public-inbox-httpd here"
fi

test_expect_success ARCHIVE 'a real archive gives the same series under each address, quoting undone once' '
	kiln series thread.mbox >expect &&
	kiln series thread.mbox -o local.mbox >/dev/null &&
	for s in p2@example.org "$ARCHIVE/cover%2F1+x=y%257E@example.org/T/#t" "$ARCHIVE/p1@example.org/raw" \
		https://patch.msgid.link/p1@example.org; do
		kiln series --archive "$ARCHIVE" "$s" -o real.mbox >out &&
		diff -u expect out && cmp local.mbox real.mbox || return 1
	done
'

test_expect_success ARCHIVE 'a real archive is searched: subject, change-id, patch-id, file' '
	kiln series thread.mbox --json >out.json &&
	id=$(json "d[\"patches\"][0][\"patch_id\"]") &&
	for q in s:nested "nq:\"change-id: 20240501-fast-0123456789ab\"" "patchid:$id" \
		"dfn:f1 AND f:author@example.org" "m:p1@example.org"; do
		kiln series --archive "$ARCHIVE" "lore:$q" >out &&
		diff -u expect out || return 1
	done &&
	kiln series "$ARCHIVE/?q=s%3A%22make+it+fast%22&x=t" >out &&
	diff -u expect out
'

test_expect_success ARCHIVE 'a real archive says no in its own ways' '
	fault x 1 unknown-message-id "does not know" 60s "$ARCHIVE/nobody@example.org" &&
	fault x 1 no-results "finds nothing" 60s "$ARCHIVE/?q=s:nothing-of-the-kind" &&
	fault x 128 unknown-inbox "no inbox" 60s "${ARCHIVE%/*}/no-list/nobody@example.org" &&
	fault x 128 unknown-inbox "no inbox" 60s "${ARCHIVE%/*}/no-list/?q=s:x"
'

test_done
