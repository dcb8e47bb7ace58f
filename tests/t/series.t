#!/bin/bash
test_description='kiln series: assemble, print, write'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/lib-mail.sh"

mails thread.mbox <<'EOF'
From: A U Thor <author@example.org>
Message-ID: <cover/1+x=y@example.org>
Subject: [RFC PATCH v2 0/3] nested: make it fast

Words.

base-commit: 0123456789abcdef0123456789abcdef01234567
change-id: 20240501-fast-0123456789ab
%
From: A U Thor <author@example.org>
Message-ID: <p1@example.org>
In-Reply-To: <cover/1+x=y@example.org>
Subject: [RFC PATCH v2 1/3] one

Text of one.

>From quoted once
From not quoted

Signed-off-by: A U Thor <author@example.org>
---
DIFF
%
From: A U Thor <author@example.org>
Message-ID: <p3@example.org>
In-Reply-To: <cover/1+x=y@example.org>
Subject: [RFC PATCH v2 3/3] three

Text of three.

Signed-off-by: A U Thor <author@example.org>
---
DIFF
%
From: A U Thor <author@example.org>
Message-ID: <p2@example.org>
In-Reply-To: <cover/1+x=y@example.org>
Subject: [RFC PATCH v2 2/3] =?utf-8?q?zw=C3=B6lf?=

From: In Body <in@example.org>

Text of two.

Signed-off-by: In Body <in@example.org>
---
DIFF
%
From: R Viewer <r@example.org>
Message-ID: <r1@example.org>
In-Reply-To: <p1@example.org>
Subject: Re: [RFC PATCH v2 1/3] one

> Text
Reviewed-by: R Viewer <r@example.org>
%
From: T Ester <t@example.org>
Message-ID: <r2@example.org>
In-Reply-To: <cover/1+x=y@example.org>
Subject: Re: [RFC PATCH v2 0/3] nested: make it fast

Tested-by: T Ester <t@example.org>
%
From: N Ack <n@example.org>
Message-ID: <r3@example.org>
In-Reply-To: <p3@example.org>
Subject: Re: [RFC PATCH v2 3/3] three

Nacked-by: N Ack <n@example.org>
EOF

sed '/^Message-ID: <p2@/s/p2/gone/; /v2 2\/3/s/PATCH v2 2/PATCH v2 9/' thread.mbox >gap.mbox

# The value of a Python expression over the JSON document d in out.json.
json() {
	python3 -c 'import json,sys; d = json.load(open("out.json")); print(eval(sys.argv[1]))' "$1"
}

test_expect_success 'a series is printed with its added trailers and notes' '
	kiln series thread.mbox >out 2>err &&
	test ! -s err &&
	cat >expect <<-\EOF &&
	nested: make it fast

	revision  v2, RFC
	author    A U Thor <author@example.org>
	date      2024-05-01
	id        cover/1+x=y@example.org
	base      0123456789abcdef0123456789abcdef01234567
	patches   3 of 3, complete

	  1/3  R.T  one
	  2/3  ..T  zwölf
	  3/3  ..T  three
	       R reviewed, A acked, T tested

	added from replies
	  Reviewed-by: R Viewer <r@example.org>
	      patch 1
	  Tested-by: T Ester <t@example.org>
	      patches 1-3

	not added
	  Nacked-by: N Ack <n@example.org>
	      patch 3: objection
	      in <r3@example.org>
	EOF
	diff -u expect out
'

test_expect_success '--json has the keys of the contract' '
	kiln series thread.mbox --json >out.json 2>err &&
	test ! -s err &&
	json "sorted(d)" >keys &&
	json "sorted(d[\"patches\"][0])" >>keys &&
	json "sorted(d[\"patches\"][0][\"trailers\"][0])" >>keys &&
	json "[t[\"state\"] for t in d[\"patches\"][2][\"trailers\"]]" >>keys &&
	json "d[\"change_id\"], d[\"patches\"][1][\"author\"], d[\"patches\"][1][\"date\"], d[\"patches\"][2][\"files\"]" >>keys &&
	tr -d "\47\"" <keys >got &&
	cat >expect <<-\EOF &&
	[base_commit, base_hints, change_id, complete, cover, message_id, missing, notes, obsoleted_by, partial, patches, picked, prerequisites, resend, revision, revisions, rfc, stable, subrevision, title, total, tree_hints]
	[author, damage, date, files, message_id, number, patch_id, subject, trailers, upstream]
	[ext, key, reason, source, state, value]
	[kept, flagged, added]
	(20240501-fast-0123456789ab, {name: In Body, email: in@example.org}, 2024-05-01T12:03:00+02:00, [f2])
	EOF
	diff -u expect got
'

test_expect_success 'the patch-id is the one git computes' '
	kiln series thread.mbox -o plain.mbox >/dev/null &&
	git mailsplit --mboxrd -o. plain.mbox >/dev/null &&
	git patch-id --stable <0001 >id &&
	test "$(json "d[\"patches\"][0][\"patch_id\"]")" = "$(cut -d" " -f1 id)"
'

test_expect_success 'git am makes of -o FILE what the series says' '
	git init -q tree &&
	(cd tree && for n in 0 1 2 3; do echo a >f$n || exit 1; done && git add . && git commit -qm base) &&
	kiln series thread.mbox -o am.mbox >/dev/null &&
	git -C tree am -q --patch-format=mboxrd ../am.mbox &&
	git -C tree log --reverse --format="%s|%an|%ae|%ai" HEAD~3.. >log &&
	cat >expect <<-\EOF &&
	one|A U Thor|author@example.org|2024-05-01 12:01:00 +0200
	zwölf|In Body|in@example.org|2024-05-01 12:03:00 +0200
	three|A U Thor|author@example.org|2024-05-01 12:02:00 +0200
	EOF
	diff -u expect log &&
	git -C tree log -1 --format=%B HEAD~2 >message &&
	cat >expect <<-\EOF &&
	one

	Text of one.

	>From quoted once
	From not quoted

	Signed-off-by: A U Thor <author@example.org>
	Reviewed-by: R Viewer <r@example.org>
	Tested-by: T Ester <t@example.org>

	EOF
	diff -u expect message
'

test_expect_success 'a missing patch is named, and the exit code is 1' '
	test_expect_code 1 "$KILN" series gap.mbox >out &&
	grep "^patches   2 of 3$" out &&
	grep "^missing   2$" out &&
	test_expect_code 1 "$KILN" series gap.mbox --json >out.json 2>err &&
	grep "missing patches: 2" err &&
	test "$(json "(d[\"complete\"], d[\"missing\"])")" = "(False, [2])"
'

test_expect_success 'standard input, gzip files, one mail and a bare patch are sources' '
	kiln series - <thread.mbox >out &&
	grep "3 of 3" out &&
	gzip -k thread.mbox &&
	kiln series thread.mbox.gz >out &&
	grep "3 of 3" out &&
	git -C tree format-patch -q -1 -o .. HEAD &&
	kiln series 0001-three.patch >out &&
	grep "1 of 1, complete" out &&
	git -C tree diff HEAD~1 >bare.diff &&
	kiln series bare.diff >out &&
	grep "names no author" out
'

test_expect_success 'mistakes are told with their object and the next step' '
	test_expect_code 128 "$KILN" series no-such-file >out 2>err &&
	test ! -s out &&
	grep "no-such-file. is neither a file nor a message-id" err &&
	grep ^hint: err &&
	mkdir -p no-mails && test_expect_code 129 "$KILN" series no-mails 2>err &&
	grep "holds no mails" err &&
	test_expect_code 129 "$KILN" series "lore: " 2>err &&
	test_expect_code 129 "$KILN" series https://example.org/list/ 2>err &&
	grep "no message-id" err &&
	test_expect_code 129 "$KILN" series thread.mbox -o out --format mh 2>err &&
	grep "not written as .mh" err &&
	grep "^hint:.*quilt" err &&
	test_expect_code 129 "$KILN" series thread.mbox -o - --format quilt 2>err &&
	grep "is a folder" err &&
	test_expect_code 128 "$KILN" series thread.mbox -r 9 2>err &&
	grep "revision 9 is not among the mails" err &&
	test_expect_code 129 "$KILN" series 2>err
'

test_expect_success 'mails without patches are an error of their own' '
	mails talk.mbox <<-\EOF &&
	From: A <a@example.org>
	Subject: Hello

	> diff --git a/f b/f
	Talk.
	EOF
	test_expect_code 128 "$KILN" series talk.mbox --json >out.json 2>err &&
	grep "\"code\": \"no-patches\"" out.json &&
	: >empty &&
	test_expect_code 128 "$KILN" series empty 2>err &&
	grep "no mail in the input" err
'

test_expect_success 'what a mail says does not steer the terminal' '
	mails bad.mbox <<-EOF &&
	From: A <a@example.org>
	Subject: [PATCH] x $(printf "\033[31m\302\233m") y

	T
	---
	DIFF
	EOF
	kiln series bad.mbox >out &&
	! grep -P "[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]" out
'

test_expect_success '@vN, --pick and --id choose, and contradict each other by name' '
	kiln series thread.mbox@v2 --json >out.json &&
	test "$(json "d[\"revision\"], len(d[\"patches\"])")" = "(2, 3)" &&
	kiln series thread.mbox -P 1,-1 --json >out.json &&
	test "$(json "[p[\"number\"] for p in d[\"patches\"]], d[\"picked\"]")" = "([1, 3], True)" &&
	kiln series thread.mbox --id "<r1@example.org>" -P 2- --json >out.json &&
	test "$(json "[p[\"number\"] for p in d[\"patches\"]]")" = "[2, 3]" &&
	test_expect_code 128 kiln series thread.mbox@v7 2>err &&
	grep "revision 7 is not among the mails" err &&
	test_expect_code 129 kiln series thread.mbox@v2 -r 3 2>err &&
	test_expect_code 128 kiln series thread.mbox --id gone@x 2>err &&
	grep "<gone@x> is not among" err
'

test_done
