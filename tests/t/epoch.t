#!/bin/bash
test_description='kiln series --archive DIR: git repositories of public-inbox and the index of them'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/lib-mail.sh"

command -v public-inbox-init >/dev/null || {
	skip_all='public-inbox is not installed'
	test_done
}

mails thread.mbox <<'END'
From: A U Thor <author@example.org>
Message-ID: <one@example.org>
Subject: [PATCH v2 1/2] one

change-id: 20240501-two-0123456789ab
Signed-off-by: A U Thor <author@example.org>
---
DIFF
%
From: A U Thor <author@example.org>
Message-ID: <two@example.org>
In-Reply-To: <one@example.org>
References: <never-came@example.org> <one@example.org>
Subject: [PATCH v2 2/2] two

Signed-off-by: A U Thor <author@example.org>
---
DIFF
%
From: R Viewer <r@example.org>
Message-ID: <review@example.org>
In-Reply-To: <two@example.org>
Subject: Re: [PATCH v2 2/2] two

Reviewed-by: R Viewer <r@example.org>
%
From: O Ther <o@example.org>
Message-ID: <other@example.org>
Subject: [PATCH] other

Signed-off-by: O Ther <o@example.org>
---
DIFF
END
mkdir split && git mailsplit --mboxrd -osplit thread.mbox >/dev/null
sed -i '1d;$d' split/000?
{ head -c -1 split/0004 | sed 's/<other@/<another@/'; echo; } >another

export PI_CONFIG=$PWD/pi-config
inbox() { # NAME VERSION
	public-inbox-init "-V$2" -Lbasic "$1" "$PWD/$1" "http://127.0.0.1/$1" "$1@example.org" 2>/dev/null
}
writer() {
	perl "$KILN_SOURCE/tests/t/inbox.pl" "$@" 2>log
}
inbox v2 2 && writer v2 add split/000[1-3]
"$KILN" series split/0001 split/0002 split/0003 -o expect >/dev/null

# same DIR [ID]: that archive gives the series as a mailbox of its mails does
same() {
	"$KILN" series --archive "$1" "${2-two@example.org}" -o actual >out 2>err && cmp expect actual
}
unknown() {
	test_expect_code 1 "$KILN" series --archive "$1" "$2" --json >out 2>err &&
	grep unknown-message-id out
}

test_expect_success 'any mail of a thread, one named but absent too, gives all of it' '
	same v2 one@example.org && same v2 review@example.org && same v2 never-came@example.org &&
	unknown v2 nobody@example.org
'

test_expect_success 'an inbox, its git folder, an epoch, all.git and a mirror of inboxes' '
	same "$PWD/v2" && same v2/git && same v2/git/0.git && same v2/git/0.git/ && same v2/all.git &&
	mkdir mirror && ln -s ../v2 mirror/v2 && same mirror &&
	git config kiln.archive "$PWD/v2" 2>/dev/null || git config --global kiln.archive "$PWD/v2" &&
	"$KILN" series one@example.org -o actual >out && cmp expect actual
'

test_expect_success 'an archive alone is no source, another repository no archive' '
	test_expect_code 129 "$KILN" series v2 2>err && grep "hint: .*--archive v2 MESSAGE-ID" err &&
	git init -q other.git && git -C other.git commit -q --allow-empty -m x &&
	test_expect_code 128 "$KILN" series --archive other.git/.git a@b --json >out 2>err &&
	grep bad-config out && mkdir empty &&
	test_expect_code 128 "$KILN" series --archive empty a@b 2>err &&
	grep "holds no public-inbox archive" err
'

test_expect_success 'mails that came later are indexed, mails taken back are forgotten' '
	unknown v2 other@example.org && writer v2 add split/0004 another &&
	"$KILN" series --archive v2 other@example.org >out && grep other out &&
	writer v2 remove split/0004 && unknown v2 other@example.org &&
	"$KILN" series --archive v2 another@example.org >out && same v2
'

test_expect_success 'rewritten history: what was purged is gone, the rest is there' '
	old=$(git -C v2/git/0.git rev-parse HEAD) &&
	writer v2 purge another && new=$(git -C v2/git/0.git rev-parse HEAD) && test $old != $new &&
	unknown v2 another@example.org && same v2
'

test_expect_success 'a force-pushed mirror that lost its end' '
	git clone -q --mirror v2/git/0.git lost.git && same lost.git &&
	git -C lost.git update-ref HEAD HEAD~1 && same lost.git
'

test_expect_success 'several epochs, a shallow one, one with nothing in it' '
	mkdir -p many/git && git clone -q --mirror v2/git/0.git many/git/0.git &&
	git init -q --bare many/git/1.git && git init -q --bare many/git/10.git && git init -q --bare many/git/2.git &&
	same many && unknown many other@example.org &&
	{
		echo "blob" && echo "mark :1" && echo "data $(wc -c <split/0004)" && cat split/0004 &&
		echo && echo "commit $(git -C many/git/10.git symbolic-ref HEAD)" &&
		echo "committer A <a@b> 1 +0000" && echo "data 0" && echo "M 100644 :1 m"
	} | git -C many/git/10.git fast-import --quiet &&
	"$KILN" series --archive many other@example.org >out &&
	git clone -q --mirror --depth=1 "file://$PWD/v2/git/0.git" shallow.git &&
	unknown shallow.git nobody@example.org
'

test_expect_success 'version 1' '
	inbox v1 1 && writer v1 add split/000[1-3] && same v1 &&
	writer v1 add another && "$KILN" series --archive v1 another@example.org >out &&
	writer v1 remove another && unknown v1 another@example.org && same v1
'

test_expect_success 'a damaged index is made anew' '
	for place in 0 100 8192; do
		for db in "$KILN_HOME"/cache/mail-index/*.db; do
			rm -f "$db-wal" "$db-shm" &&
			tr "\0" "\377" </dev/zero | head -c 4000 |
				dd "of=$db" bs=1 seek=$place conv=notrunc 2>/dev/null || return 1
		done &&
		same v2 || return 1
	done &&
	for db in "$KILN_HOME"/cache/mail-index/*.db; do : >"$db" || return 1; done && same v2
'

test_expect_success 'several kilns at once make one good index' '
	rm -rf "$KILN_HOME/cache/mail-index" &&
	pids= && for i in 1 2 3; do
		"$KILN" series --archive v2 one@example.org -o out$i >/dev/null & pids="$pids $!"
	done &&
	for pid in $pids; do wait $pid || return 1; done &&
	cmp expect out1 && cmp expect out2 && cmp expect out3
'

test_done
