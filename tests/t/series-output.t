#!/bin/bash
test_description='what kiln series -o writes, taken by git and quilt'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/lib-mail.sh"

# commit NAME ADDRESS FILE CONTENT < message: one commit with that author.
commit() {
	printf -- "$4" >"tree/$3" &&
	git -C tree add -A &&
	GIT_AUTHOR_NAME=$1 GIT_AUTHOR_EMAIL=$2 GIT_AUTHOR_DATE="1714557600 +0530" \
		git -C tree commit -q --cleanup=verbatim -F -
}

test_expect_success 'commits that are hard to carry by mail' '
	git init -q tree && git -C tree config core.autocrlf false &&
	for n in 1 2 3 4 5 6 7; do echo a >tree/f$n || return 1; done &&
	git -C tree add . && git -C tree commit -qm base && git -C tree tag base &&
	printf "one\n\nPlain.\n" | commit "A U Thor" a@example.org f1 "b\n" &&
	printf "zwölf: größer\n\nSmörgås\n\nSigned-off-by: Zoë <z@example.org>\n" |
		commit "Zoë \"Z\" O'\''Hara, Jr. (X)" z@example.org f2 "ä\n" &&
	printf "%s\n\nText.\n" "長い題名がここにありますので折り返しが必要になりますがそれでも一文字も失われてはなりません" |
		commit "山田太郎" y@example.org f3 "日本\n" &&
	printf "from\n\nFrom here on it goes.\n\n>From there\nFrom me\n" | commit "Doe, J" j@example.org f4 "From x\n" &&
	printf "subject\n\nSubject: of interest\n\nEnd.\n" | commit B b@example.org f5 "--\n-- \nx\n" &&
	printf "bytes\n\nLatin.\n" | commit C c@example.org f6 "\344\366\n" &&
	printf "long\n\n%0500d %0600d\n" 1 2 | commit D d@example.org f7 "$(printf %01100d 1)\nx = y\n" &&
	git -C tree format-patch -q --stdout base.. >in.mbox &&
	git clone -q tree reference && git -C reference reset -q --hard base &&
	git -C reference am -q ../in.mbox &&
	git -C reference log --format="%an|%ae|%at|%ai|%B|%T" base.. >expect &&
	test "$(grep -c "|1714557600|" expect)" = 7
'

# same TREE: its history is that which git am makes of the first mails.
same() {
	git -C "$1" log --format="%an|%ae|%at|%ai|%B|%T" base.. >got && diff -u expect got
}

test_expect_success 'a mailbox goes through git am unchanged' '
	kiln series in.mbox -o out.mbox >/dev/null &&
	git clone -q tree am && git -C am reset -q --hard base &&
	git -C am am -q --patch-format=mboxrd ../out.mbox &&
	same am
'

test_expect_success 'a mailbox that kiln reads again is written the same' '
	kiln series out.mbox -o again.mbox >/dev/null &&
	cmp out.mbox again.mbox
'

test_expect_success 'headers are ASCII, and say what the text is (C040)' '
	git mailsplit --mboxrd -o. out.mbox >/dev/null &&
	sed "/^$/q" 0001 >head && grep "us-ascii" head && grep "Encoding: 7bit" head &&
	sed "/^$/q" 0002 >head && grep "charset=UTF-8" head && grep "Encoding: 8bit" head &&
	sed "/^$/q" 0007 >head && grep "Encoding: quoted-printable" head &&
	for n in 1 2 3 4 5 6 7; do
		sed "/^$/q" 000$n >head && ! grep -P "[\x80-\xff]" head || return 1
	done
'

test_expect_success 'a maildir goes through git am in order' '
	kiln series in.mbox -o mails --format maildir >/dev/null &&
	test "$(ls mails/new | wc -l)" = 7 && test -d mails/cur && test -d mails/tmp &&
	git -C am reset -q --hard base &&
	git -C am am -q ../mails &&
	same am
'

# git quiltimport cannot work below a folder with a blank in its name.
quilted=$(mktemp -d)
cleanup 'rm -rf "$quilted"'

test_expect_success 'a quilt queue goes through git quiltimport' '
	kiln -c kiln.seriesFormat=quilt series in.mbox -o queue >/dev/null &&
	head -n 1 queue/series >first && echo 0001-one.patch >want && diff -u want first &&
	git clone -q tree "$quilted/tree" && git -C "$quilted/tree" reset -q --hard base &&
	git -C "$quilted/tree" quiltimport --patches "$PWD/queue" >/dev/null &&
	git -C "$quilted/tree" log --format="%an|%ae|%s|%T" base.. >got &&
	git -C reference log --format="%an|%ae|%s|%T" base.. >quilt.expect &&
	diff -u quilt.expect got
'

if command -v quilt >/dev/null; then
	test_set_prereq QUILT
fi
test_expect_success QUILT 'quilt pushes the queue' '
	git clone -q tree pushed && git -C pushed reset -q --hard base &&
	(cd pushed && QUILT_PATCHES=../queue quilt push -a >../quilt.out) &&
	git -C pushed diff --exit-code HEAD@{1} -- "f*"
'

test_expect_success 'a folder with something in it is left alone' '
	test_expect_code 129 "$KILN" series in.mbox -o queue --format quilt 2>err &&
	grep "there is something in" err && grep ^hint: err &&
	mkdir empty && kiln series in.mbox -o empty --format maildir >/dev/null
'

test_expect_success 'carriage returns are kept where the mail kept them' '
	mkdir crlf && printf "a\r\n" >crlf/f && git -C crlf init -q && git -C crlf add f &&
	git -C crlf commit -qm base && printf "b\r\nc\n" >crlf/f && git -C crlf commit -qam change &&
	git -C crlf format-patch -q --stdout -1 | python3 -c "
import base64, sys
head, body = sys.stdin.buffer.read().split(b\"\n\n\", 1)
head = head.replace(b\"8bit\", b\"base64\")
if b\"base64\" not in head:
    head += b\"\nContent-Transfer-Encoding: base64\"
sys.stdout.buffer.write(head + b\"\n\n\" + base64.encodebytes(body))" >crlf.mbox &&
	kiln series crlf.mbox -o crlf.out >/dev/null &&
	git clone -q crlf crlf-am && git -C crlf-am reset -q --hard HEAD~1 &&
	git -C crlf-am am -q --patch-format=mboxrd ../crlf.out &&
	git -C crlf-am diff --exit-code origin/HEAD
'

mails tags.mbox <<'EOF'
From: A U Thor <author@example.org>
Message-ID: <p1@example.org>
Subject: [PATCH] one

Text.

Signed-off-by: A U Thor <author@example.org>
---
DIFF
%
From: =?iso-8859-1?Q?C=E9dric?= <c@example.org>
Message-ID: <r1@example.org>
In-Reply-To: <p1@example.org>
Subject: Re: [PATCH] one
Content-Type: text/plain; charset=utf-8

Reviewed-by: Cédric <c@example.org>
%
From: Other <o@example.org>
Message-ID: <r2@example.org>
In-Reply-To: <p1@example.org>
Subject: Re: [PATCH] one

Tested-by: Another <a@example.com>
EOF

# trailers OPTION...: those of the message kiln writes for tags.mbox.
trailers() {
	kiln "$@" -o tags.out >/dev/null && sed -n "/^Signed-off-by/,/^---/p" tags.out
}

test_expect_success 'an 8-bit tag on a 7-bit patch makes an 8-bit mail (C040)' '
	trailers series tags.mbox >out &&
	printf "Signed-off-by: A U Thor <author@example.org>\nReviewed-by: Cédric <c@example.org>\n---\n" >want &&
	diff -u want out &&
	grep "charset=UTF-8" tags.out && grep "Encoding: 8bit" tags.out
'

test_expect_success 'trailers are added as options and settings say' '
	trailers series tags.mbox --link --sign-off --no-trailers >out &&
	cat >want <<-\EOF &&
	Signed-off-by: A U Thor <author@example.org>
	Link: https://patch.msgid.link/p1@example.org
	Signed-off-by: C O Mitter <committer@example.org>
	---
	EOF
	diff -u want out &&
	trailers -c kiln.linkTrailer=true -c kiln.linkFormat=https://x.org/%s/ -c kiln.sloppyTrailers=true \
		-c kiln.trailersIgnoreFrom=c@example.org series tags.mbox >out &&
	cat >want <<-\EOF &&
	Signed-off-by: A U Thor <author@example.org>
	Tested-by: Another <a@example.com>
	Link: https://x.org/p1@example.org/
	---
	EOF
	diff -u want out &&
	test_expect_code 129 "$KILN" series tags.mbox --link --link-format https://x.org/ 2>err &&
	grep "^hint:.*%s" err
'

test_expect_success 'a sign-off needs a name' '
	(unset GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL &&
	test_expect_code 128 "$KILN" series tags.mbox -s 2>err) &&
	grep "name and address to sign off with" err
'

test_done
