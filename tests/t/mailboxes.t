#!/bin/bash
test_description='kiln series: kinds of mailbox, packing, folders, standard input'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/lib-mail.sh"

mails two.mbox <<'END'
From: A U Thor <author@example.org>
Message-ID: <one@example.org>
Subject: [PATCH 1/2] one

From here on.
>From there.

Signed-off-by: A U Thor <author@example.org>
---
DIFF
%
From: A U Thor <author@example.org>
Message-ID: <two@example.org>
In-Reply-To: <one@example.org>
Subject: [PATCH 2/2] two

Signed-off-by: A U Thor <author@example.org>
---
DIFF
END

# What git mailsplit makes of it: the reference for all other forms.
mkdir split && git mailsplit --mboxrd -osplit two.mbox >/dev/null
sed -i '1d;$d' split/000? # separator, and the line end of the mailbox
"$KILN" series two.mbox -o expect >/dev/null

# same SOURCE...: the series is that of two.mbox, byte for byte.
same() {
	"$KILN" series "$@" -o actual >out 2>err && cmp expect actual
}

test_expect_success 'all packings, in place and piped, one member or two' '
	for tool in gzip bzip2 xz zstd; do
		$tool -c two.mbox >two.$tool &&
		head -c 300 two.mbox | $tool -c >halves &&
		tail -c +301 two.mbox | $tool -c >>halves && same halves || return 1
	done &&
	same two.gzip && same - <two.xz && cat two.zstd | same -
'

test_expect_success 'packed data that is cut or damaged is told apart, with its kind' '
	for tool in gzip bzip2 xz zstd; do
		head -c 200 two.$tool >cut &&
		test_expect_code 128 "$KILN" series cut --json >out 2>err &&
		grep "\"truncated\"" out && grep "$tool data of .cut. ends too early" err &&
		python3 -c "
import sys
d = bytearray(open(sys.argv[1], \"rb\").read()); d[len(d) // 2] ^= 0x55
open(\"bad\", \"wb\").write(d)" two.$tool &&
		test_expect_code 128 "$KILN" series bad >out 2>err &&
		grep "$tool data of .bad. is damaged" err || return 1
	done
'

test_expect_success 'C4/118: mboxo, prose that begins with From stays' '
	sed "s/^From mboxrd@z .*/From a@example.org Wed May  1 12:00:00 2024/" two.mbox >mboxrd &&
	same mboxrd &&
	sed "s/^>From here/From here/; s/^>>From there/>From there/" mboxrd >left-alone &&
	same left-alone
'

# mboxcl2 and mboxcl: Content-Length, with and without quoting. What mboxcl cannot tell is left out.
python3 - <<'END'
import re
mails = [open(f"split/000{i}", "rb").read() for i in (1, 2)]
for name, quote in (("mboxcl", True), ("mboxcl2", False)):
    with open(name, "wb") as f:
        for m in mails:
            head, _, body = m.partition(b"\n\n")
            body = body.replace(b"---\n", b"---\nFrom a@b Wed May  1 12:00:00 2024\n", 1)
            if quote:
                body = body.replace(b">From there.\n", b"")
                body = re.sub(rb"(?m)^From ", b">From ", body)
            f.write(b"From a@b Wed May  1 12:00:00 2024\n" + head +
                    b"\nContent-Length: %d\n\n" % len(body) + body + b"\n")
END

test_expect_success 'mboxcl2: a separator inside the counted bytes is text' '
	sed 1d mboxcl2 | grep -c "^From a@b" && same mboxcl2
'

test_expect_success 'mboxcl: counted and quoted' '
	cp expect kept && sed -i "/^>>From there/d" expect && same mboxcl
'

test_expect_success 'a Content-Length that lies is not believed' '
	sed "s/^Content-Length: .*/Content-Length: 7/" mboxcl >lie && same lie &&
	sed "s/^Content-Length: .*/Content-Length: 99999999999999/" mboxcl >lie && same lie &&
	mv kept expect
'

test_expect_success 'C4/119: the mail of Pine is no mail' '
	{
		echo "From MAILER-DAEMON Wed May  1 12:00:00 2024" &&
		echo "From: Mail System Internal Data <MAILER-DAEMON@example.org>" &&
		echo "Subject: DON${SQ}T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA" &&
		echo && echo "This text is part of the internal format." && echo &&
		cat two.mbox
	} >pine && same pine && "$KILN" series pine --json >out && ! grep -i internal out
'

test_expect_success 'C4/117, C4/114: leading blank lines, CR LF, a byte order mark' '
	{ printf "\n \n"; cat two.mbox; } >blank && same blank &&
	sed "s/\$/\r/" two.mbox >crlf && same crlf &&
	{ printf "\357\273\277"; cat two.mbox; } >bom && same bom &&
	{ printf "\n\n"; cat split/0001; } >bare && same bare split/0002
'

test_expect_success 'C4/121, C0/B1: what is written reads back to the same bytes' '
	grep "^>From here" expect && grep "^>>From there" expect &&
	cp expect first && same first && same actual
'

test_expect_success 'a maildir in the order of git, tmp left out, flags or not' '
	mkdir -p md/cur md/new md/tmp &&
	cp split/0001 md/cur/9.x:2,S && cp split/0002 md/cur/10.x:2,ST &&
	cp split/0002 md/tmp/1.x && echo "Subject: never" >>md/tmp/1.x && same md &&
	mkdir gitsplit && git mailsplit -ogitsplit md >count && test "$(cat count)" = 2 &&
	cmp gitsplit/0001 split/0001 && cmp gitsplit/0002 split/0002 &&
	mv md/cur/9.x:2,S md/new/99 && gzip md/new/99 && same md
'

test_expect_success 'an MH folder, a folder of patches, a quilt queue, several files' '
	mkdir mh patches queue && cp split/0001 mh/9 && cp split/0002 mh/10 && touch mh/.mh_sequences &&
	same mh &&
	cp split/0001 patches/9.patch && cp split/0002 patches/10.eml && touch patches/README &&
	same patches &&
	cp split/0001 queue/z && cp split/0002 queue/a &&
	printf "# first\nz -p1 # note\n\na\n" >queue/series && same queue &&
	same split/0001 split/0002 &&
	echo ../two.mbox >queue/series &&
	test_expect_code 1 "$KILN" series queue 2>err && grep outside err
'

test_expect_success 'what a pipe gives is read as what it is' '
	same - <two.mbox &&
	sed "s/1\/2/1\/1/; s/^Message-ID.*/Message-ID: <alone@example.org>/" split/0001 >alone &&
	"$KILN" series - --archive http://127.0.0.1:1/x <alone >out && grep "1 of 1" out
'

test_expect_success 'one mail of a series stands for its thread' '
	command -v public-inbox-httpd && archive_server two.mbox &&
	same - --archive "$ARCHIVE" <split/0002 &&
	printf "Message-ID: <x@example.org>\nSubject: Re: one\n\nNo.\n" >unknown &&
	test_expect_code 1 "$KILN" series - --archive "$ARCHIVE" <unknown 2>err &&
	grep "cannot find the thread of the mail on standard input" err &&
	sed "s/two@/lost@/" split/0002 >lost &&
	test_expect_code 1 "$KILN" series - --archive "$ARCHIVE" <lost >out &&
	grep "only the mail on standard input was read" out &&
	sed "s/2\/2/1\/1/" split/0002 >whole &&
	same id:- --archive "$ARCHIVE" <whole &&
	test_expect_code 129 "$KILN" series id:- --archive "$ARCHIVE" <two.mbox
'

test_done
