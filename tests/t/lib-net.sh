# What the tests of servers share: a thread of two patches in thread.mbox, and words to say what
# happened; sourced after lib-mail.sh.
unset http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY NO_PROXY

mails thread.mbox <<'MAILS'
From: A U Thor <author@example.org>
Message-ID: <cover/1+x=y%7E@example.org>
Subject: [PATCH v2 0/2] nested: make it fast

Words.

change-id: 20240501-fast-0123456789ab
%
From: A U Thor <author@example.org>
Message-ID: <p1@example.org>
In-Reply-To: <cover/1+x=y%7E@example.org>
Subject: [PATCH v2 1/2] one

>From quoted once
---
DIFF
%
From: A U Thor <author@example.org>
Message-ID: <p2@example.org>
In-Reply-To: <cover/1+x=y%7E@example.org>
Subject: [PATCH v2 2/2] two

Text.
---
DIFF
MAILS

# The value of a Python expression over the JSON document d in out.json.
json() {
	python3 -c 'import json,sys; d = json.load(open("out.json")); print(eval(sys.argv[1]))' "$1"
}

# requests PATTERN: how many requests the server saw that match.
requests() {
	grep -c "$1" faults.log
	:
}

# fault WAY CODE WORD TEXT [TIMEOUT]: the path WAY fails with that exit code, stable word and text.
fault() {
	test_expect_code "$2" "$KILN" series "${6:-$FAULTS/$1/p1@example.org}" --timeout "${5:-60s}" \
		--json >out.json 2>err &&
	grep -q "\"code\": \"$3\"" out.json &&
	grep "$4" err && grep -q "^error: " err
}
