#!/bin/bash
test_description='kiln series from servers that fail: errors, pauses, manners'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/lib-mail.sh"
. "$KILN_SOURCE/tests/t/lib-net.sh"

test_expect_success 'start the server of faults' '
	fault_server thread.mbox
'

test_expect_success 'when no archive delivers, what each of them did is told' '
	test_expect_code 128 "$KILN" series --archive "$FAULTS/bot $FAULTS/unknown $FAULTS/busy" a5@x \
		--json >out.json 2>err &&
	test "$(json "d[\"error\"][\"code\"]")" = bot-check &&
	grep "/bot.: .*no bot" err &&
	grep "/busy.: .*busy" err &&
	test_expect_code 1 "$KILN" series --archive "$FAULTS/unknown $FAULTS/choices" a5@x --json >out.json 2>err &&
	test "$(json "d[\"error\"][\"code\"]")" = unknown-message-id &&
	grep "none of the 2 archives" err &&
	test_expect_code 128 "$KILN" series --archive "nonsense" a5@x 2>err &&
	grep "nonsense. is no archive" err
'

test_expect_success 'E8: each fault of a server has its own error' '
	fault unknown 1 unknown-message-id "does not know .p1@example.org" &&
	fault choices 1 unknown-message-id "does not know" &&
	fault no-inbox 128 unknown-inbox "no inbox .http.*/no-inbox" &&
	fault forbidden 128 http-status "answers 403" &&
	fault html 128 not-mail "HTML page instead of mail" &&
	fault bot 128 bot-check "no bot" &&
	fault bot-403 128 bot-check "no bot" &&
	fault text 128 not-mail "no gzip data" &&
	fault truncated 128 truncated "ends too early" &&
	fault checksum 128 corrupt-gzip "damaged" &&
	fault cut 128 truncated "broke off" &&
	fault bomb 128 decompression-bomb "larger than" &&
	fault loop 128 bad-redirect "redirects in a circle" &&
	fault local 128 bad-redirect "where kiln does not follow" &&
	fault rate 128 rate-limited "fewer requests" &&
	grep "pause of 3600 s" err &&
	fault rate-plain 128 rate-limited "fewer requests" &&
	fault busy 128 server-busy "answers 503" &&
	fault date 128 server-busy "answers 503" &&
	grep "pause of 3[56][0-9][0-9] s" err &&
	fault password 128 proxy "name and password"
'

test_expect_success 'E8: so have the faults of a search' '
	fault empty 1 no-results "finds nothing for query" 60s "$FAULTS/empty/?q=s:x" &&
	fault no-inbox 128 unknown-inbox "no inbox" 60s "$FAULTS/no-inbox/?q=s:x" &&
	fault html 128 not-mail "HTML page" 60s "$FAULTS/html/?q=s:x" &&
	fault busy 128 server-busy "busy" 60s "$FAULTS/busy/?q=s:x"
'

test_expect_success 'time limits end a server that hangs or stalls, and a pause it asks for' '
	fault hang 128 timeout "does not answer in time" 1s &&
	fault stall 128 timeout "does not answer in time" 1s &&
	fault pause 128 rate-limited "pause of 30 s" 1s
'

test_expect_success 'a server that is busy for a moment is asked again, a bounded number of times' '
	: >faults.log &&
	for way in busy-once rate-once date-once truncated-once; do
		kiln series "$FAULTS/$way/p1@example.org" >out && grep "2 of 2" out &&
		test "$(requests "^/$way/")" = 2 || return 1
	done &&
	fault busy 128 server-busy "4 times in a row" &&
	test "$(requests "^/busy/")" = 4 &&
	fault rate 128 rate-limited "fewer" &&
	fault unknown 1 unknown-message-id "know" &&
	test "$(requests "^/rate/")" = 1 &&
	test "$(requests "^/unknown/")" = 1
'

test_expect_success 'a signal ends a request and a pause' '
	mkfifo hanging.fifo &&
	for way in hang pause; do
		{ "$KILN" series "$FAULTS/$way/p1@example.org" --json >out.json 2>err & pid=$!; } &&
		read -r line <hanging.fifo &&
		kill -TERM $pid &&
		test_expect_code 128 wait $pid &&
		test "$(json "d[\"error\"][\"code\"]")" = interrupted || return 1
	done &&
	rm hanging.fifo
'

test_expect_success 'one request at a time goes to a server, also from several kilns' '
	: >faults.log &&
	for n in 1 2 3 4; do
		"$KILN" series "$FAULTS/one-by-one/n$n@x" >out.$n 2>&1 & pids="$pids $!"
	done &&
	for pid in $pids; do wait $pid || return 1; done &&
	test "$(requests "^/one-by-one/")" = 4 &&
	! grep "two at a time" faults.log
'

test_expect_success 'the user agent names kiln and the contact, and nothing can be smuggled in' '
	kiln series --contact "https://example.org/me" "$FAULTS/ok/u1@x" >out &&
	grep "^/ok/u1@x.* kiln/[0-9.]* (+https://example.org/me)$" faults.log &&
	kiln series --contact "$(printf "me\r\nX-Evil: 1")" "$FAULTS/ok/u2@x" >out &&
	! grep "^X-Evil" faults.log
'

test_expect_success 'a proxy of the environment is used, and its failures are told as such' '
	printf "<html><title>x</title></html>" >page-list.example.org.html &&
	(
		http_proxy=$FAULTS && export http_proxy &&
		fault x 128 not-mail "HTML page" 60s http://list.example.org/l/a@b &&
		grep "^http://list.example.org/l/a@b" faults.log &&
		https_proxy=$FAULTS && export https_proxy &&
		fault x 128 proxy "proxy of the environment" 60s https://list.example.org/l/a@b &&
		http_proxy=http://127.0.0.1:1 &&
		fault x 128 proxy "proxy of the environment" 60s http://list.example.org/l/a@b &&
		no_proxy=127.0.0.1 && export no_proxy &&
		kiln series "$FAULTS/ok/c1@x" >out
	)
'

test_expect_success 'a server nobody vouches for is not trusted' '
	tls_server thread.mbox &&
	fault x 128 tls "identity is not proven" 60s "$TLS/ok/p1@example.org" &&
	grep "^hint: .*certificates" err
'

test_expect_success 'a refused connection is a network error' '
	kill "$fault_pid" && { wait "$fault_pid" || :; } && fault_pid= &&
	fault ok 128 network "cannot connect"
'

test_done
