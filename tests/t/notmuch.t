#!/bin/bash
test_description='kiln series notmuch:QUERY on a real database'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/lib-mail.sh"

command -v notmuch >/dev/null || {
	skip_all='notmuch is not installed'
	test_done
}

mails thread.mbox <<'END'
From: A U Thor <author@example.org>
Message-ID: <one"quoted@example.org>
Subject: [PATCH 1/2] one

change-id: 20240501-two-0123456789ab
Signed-off-by: A U Thor <author@example.org>
---
DIFF
%
From: A U Thor <author@example.org>
Message-ID: <two@example.org>
In-Reply-To: <one"quoted@example.org>
Subject: [PATCH 2/2] two

Signed-off-by: A U Thor <author@example.org>
---
DIFF
END
mkdir split && git mailsplit --mboxrd -osplit thread.mbox >/dev/null
sed -i '$d' split/000?; sed -i 1d split/0002 # the first one keeps its separator
"$KILN" series thread.mbox -o expect >/dev/null

mkdir -p mail/cur mail/new mail/tmp
cp split/0001 mail/cur/one:2,S
gzip -c split/0002 >mail/new/two.gz
cat >nm-config <<END
[database]
path=$PWD/mail
[user]
name=A U Thor
primary_email=author@example.org
[new]
tags=unread
[search]
exclude_tags=deleted
END
export NOTMUCH_CONFIG=$PWD/nm-config
notmuch new >log 2>&1

same() {
	"$KILN" series "$@" -o actual >out 2>err && cmp expect actual
}

test_expect_success 'a query gives the whole thread; mails may be packed or have a separator' '
	same notmuch:subject:two && same "notmuch:id:\"one\"\"quoted@example.org\""
'

test_expect_success 'as an archive: by any message-id, before the network' '
	same --archive "notmuch http://127.0.0.1:1/x" "one\"quoted@example.org" &&
	ln -s "$PWD/mail" "$SHARNESS_TEST_DIRECTORY/mail" && # without blanks
	same --archive "notmuch:$SHARNESS_TEST_DIRECTORY/mail" two@example.org &&
	test_expect_code 1 "$KILN" series --archive notmuch nobody@example.org --json >out &&
	grep unknown-message-id out
'

test_expect_success 'NOTMUCH_DATABASE, profiles and the configuration choose the database' '
	(unset NOTMUCH_CONFIG && export NOTMUCH_DATABASE="$PWD/mail" && same notmuch:subject:two || { cat err; false; }) &&
	mkdir -p .config/notmuch/work && cp nm-config .config/notmuch/work/config &&
	(unset NOTMUCH_CONFIG && export NOTMUCH_PROFILE=work && same notmuch:subject:two)
'

test_expect_success 'no match, a bad query, no database are told apart' '
	test_expect_code 1 "$KILN" series notmuch:subject:nothing --json >out &&
	grep no-results out &&
	test_expect_code 129 "$KILN" series notmuch: 2>err && grep "query is empty" err &&
	test_expect_code 128 env NOTMUCH_CONFIG=/dev/null NOTMUCH_DATABASE="$PWD/none" \
		"$KILN" series notmuch:x --json >out 2>err &&
	grep "\"not-found\"" out && grep "notmuch setup" err
'

test_expect_success 'a tag that searches leave out loses no mail; a second copy is the same mail' '
	notmuch tag +deleted id:two@example.org && cp mail/cur/one:2,S mail/cur/copy:2, &&
	notmuch new >log 2>&1 && same notmuch:subject:one
'

test_expect_success 'a file that was moved since the last scan is found by its copy, or named as lost' '
	rm mail/cur/one:2,S && same notmuch:subject:two && mv mail/cur/copy:2, mail/cur/moved:2, &&
	test_expect_code 1 "$KILN" series notmuch:subject:two >out && grep "1 mails of notmuch have no file" out
'

test_done
