#!/bin/bash
test_description='kiln queue: what it reads, bad input, news, replies, resume'
test ! -w /dev/shm || export TMPDIR=/dev/shm # many small files, synced one by one
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-stable.sh"

test_expect_success 'a queue of two' '
	story st &&
	up one "kvm: one" "Cc: stable@vger.kernel.org" kvm/kvm.c:"s/return one_sum;/return 1;/" &&
	up two "kvm: two" "Cc: stable@vger.kernel.org" kvm/kvm.c:"s/return two_sum;/return 2;/" &&
	queue one && queue two && check && test $code = 0
'

test_expect_success 'the queue is there as commits, and the user sees no change' '
	ref=$(sed -n "s/^ref *\([^ ]*\) .*/\1/p" out) &&
	test "$ref" = "refs/kiln/queue-6.1/v1/$(git -C r rev-parse linux-6.1.y | cut -c1-12)" &&
	test "$(git -C r rev-list --count linux-6.1.y..$ref)" = 2 &&
	git -C r status --porcelain=v2 >st && test_must_be_empty st &&
	git -C r log -1 --format=%b $ref | grep "^commit $two upstream.$"
'

test_expect_success 'as a folder, as one below, as a note, as a FAILED mail' '
	kiln queue --tree r q/queue-6.1 >out && grep "^tree  *linux-6.1.y" out &&
	mkdir d && cp -r q/queue-6.1 d/patches && kiln queue --tree r --onto linux-6.1.y d >out && grep "2 patches" out &&
	{ printf "From: G <gregkh@linuxfoundation.org>\nDate: Wed, 1 May 2024 12:00:00 +0200\nMessage-ID: <n@x>\nSubject: Patch \"kvm: one\" has been added to the 6.1-stable tree\n\nThis is a note to let you know that I have just added the patch titled\n\n    kvm: one\n\nto the 6.1-stable tree which can be found at:\n    x\n\nThe filename of the patch is:\n     kvm-one.patch\nand it can be found in the queue-6.1 subdirectory.\n\n\n" | sed "s/I have just/I'\''ve just/"
		patch_of $one "commit $one upstream."; } >note.eml &&
	kiln queue --tree r --json note.eml >out.json &&
	python3 -c "
import json
d = json.load(open(\"out.json\"))
assert d[\"version\"] == \"6.1\" and d[\"base\"][\"rev\"] == \"linux-6.1.y\", d
assert d[\"patches\"][0][\"file\"] == \"kvm-one.patch\"
assert d[\"patches\"][0][\"upstream\"] == \"$one\"" &&
	sed "s/^Subject: Patch .*/Subject: FAILED: patch \"[PATCH] kvm: one\" failed to apply to 6.1-stable tree/; /^This is a note/,/^$/d" note.eml >failed.eml &&
	kiln queue --tree r failed.eml >out && grep "this patch failed to apply: it is not in the queue" out
'

test_expect_success 'a review thread: version, release, tests, an objection to one patch' '
	{ printf "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: G <gregkh@linuxfoundation.org>\nDate: Wed, 1 May 2024 12:00:00 +0200\nMessage-ID: <0@x>\nUser-Agent: quilt/0.67\nX-stable: review\nX-KernelTest-Branch: linux-6.1.y\nX-KernelTest-Version: 6.1.6-rc1\nX-KernelTest-Deadline: 2024-05-03T12:00+00:00\nSubject: [PATCH 6.1 0/2] 6.1.6-rc1 review\n\nThis is the start of the stable review cycle for the 6.1.6 release.\nResponses should be made by Fri, 03 May 2024 12:00:00 +0000.\n\n"
	for n in 1 2; do
		test $n = 1 && c=$one t="kvm: one" || c=$two t="kvm: two"
		printf "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: G <gregkh@linuxfoundation.org>\nDate: Wed, 1 May 2024 12:00:0$n +0200\nMessage-ID: <$n@x>\nIn-Reply-To: <0@x>\nReferences: <0@x>\nX-stable: review\nSubject: [PATCH 6.1 $n/2] [PATCH 6.1] $t\n\n6.1-stable review patch.  If anyone has any objections, please let me know.\n\n------------------\n\nFrom: A U Thor <author@example.org>\n\n"
		patch_of $c "commit $c upstream." | sed "1,/^Subject/d; s/^From />From /" | sed 1d; done
	printf "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: S Body <s@x.org>\nDate: Thu, 2 May 2024 12:00:00 +0200\nMessage-ID: <r1@x.org>\nIn-Reply-To: <2@x>\nReferences: <0@x> <2@x>\nSubject: Re: [PATCH 6.1 2/2] kvm: two\n\n> text\n\nPlease drop this one from 6.1, it fails to boot.\n\n"; } >rc.mbox &&
	git -C r tag v6.1.5 linux-6.1.y &&
	kiln queue --tree r rc.mbox >out && cat out && grep "^tree  *v6.1.5" out &&
	says warn S17 "S Body wrote in <r1@x.org>: .Please drop this one" &&
	test "$(grep -c S17 out)" = 1 && ! grep "ERR" out
'

test_expect_success 'a backport for several versions is checked on each, in their order' '
	git -C r branch linux-5.4.y v6.1 && git -C r branch linux-5.10.y v6.1 && git -C r branch linux-5.15.y v6.1 &&
	for v in 5.4.y,5.10.y 5.4-5.15 v5.10; do
		{ printf "From: A U Thor <author@example.org>\nDate: Wed, 1 May 2024 12:00:00 +0200\nMessage-ID: <v@x>\nSubject: [PATCH $v] kvm: one\n\ncommit $one upstream.\n\nSigned-off-by: A U Thor <author@example.org>\n---\n"
		git -C r diff-tree -p $one | sed 1d; } >$v.eml &&
		kiln queue --tree r --skip S16 $v.eml | sed -n "s/^tree *\([^ ]*\) .*/\1/p" | paste -sd" " || return 1
	done >got &&
	printf "linux-5.4.y linux-5.10.y\nlinux-5.4.y linux-5.10.y linux-5.15.y\nlinux-5.10.y\n" >want && test_cmp want got &&
	kiln queue --tree r --json 5.4-5.15.eml >out.json && python3 -c "
import json
d = json.load(open(\"out.json\"))
assert [d[\"version\"]] + [o[\"version\"] for o in d[\"others\"]] == [\"5.4\", \"5.10\", \"5.15\"]"
'

test_expect_success 'a backport that names no version is checked on each that is cared for' '
	sed "s/^Subject: .PATCH .*. /Subject: [PATCH] /" v5.10.eml >none.eml &&
	trees() { kiln queue --tree r --skip S16 "$@" none.eml >out; sed -n "s/^tree *\([^ ]*\) .*/\1/p" out | paste -sd" "; } &&
	test "$(trees)" = "linux-5.4.y linux-5.10.y linux-5.15.y linux-6.1.y" && grep "^note .*names no version" out &&
	(cd r && git checkout -q linux-6.1.y && clock=$((clock + 100 * 86400)) && tick && git commit -q --allow-empty -m young && git checkout -q master) &&
	test "$(trees)" = "linux-6.1.y" && git -C r branch -f linux-6.1.y linux-6.1.y~1 &&
	mkdir cared && mkdir cared/queue-5.4 cared/queue-5.10 cared/queue-4.19 cared/queue-next && test "$(trees --queue cared)" = "linux-5.4.y linux-5.10.y" &&
	echo "6.1 5.15 9.9" >cared/active_kernel_versions && test "$(trees --queue cared)" = "linux-5.15.y linux-6.1.y" &&
	test "$(trees --onto linux-5.4.y)" = linux-5.4.y
'

test_expect_success 'mainline in a repository of its own: the same findings' '
	git clone -q --bare r mainline.git && git -C mainline.git update-ref -d refs/heads/linux-6.1.y &&
	git init -q -b x trees && git -C trees fetch -q ../r linux-6.1.y:linux-6.1.y &&
	sed "s/return 1;/return 11;/" q/queue-6.1/kvm-one.patch >changed.patch && cp -r q other && cp changed.patch other/queue-6.1/kvm-one.patch &&
	kiln queue --tree r --queue other --json 6.1 >one.json && kiln queue --tree trees --queue other --mainline mainline.git --json 6.1 >two.json &&
	python3 -c "
import json
a, b = json.load(open(\"one.json\")), json.load(open(\"two.json\"))
assert a[\"patches\"] == b[\"patches\"] and a[\"status\"] == b[\"status\"] == \"warnings\", b
assert a[\"mainline\"][\"commit\"] == b[\"mainline\"][\"commit\"] and not b[\"unchecked\"]" &&
	git -C trees fsck --connectivity-only 2>/dev/null &&
	test_expect_code 128 "$KILN" queue --tree trees --queue q --mainline q 6.1 2>err && grep "hint: --mainline takes a revision or a repository" err
'

test_expect_success '5.10 comes after 5.4 where queues are listed, and a release takes the one before it' '
	mkdir q/queue-5.10 q/queue-5.4 && test_expect_code 128 "$KILN" queue --tree r --queue q 5.15 2>err &&
	grep "there are queues for 5.4, 5.10, 6.1" err &&
	mkdir -p q/releases && cp -r q/queue-6.1 q/releases/6.1.6 &&
	kiln queue --tree r --queue q 6.1.6 >out && grep "^tree  *v6.1.5" out
'

test_expect_success 'a branch that is not in the repository' '
	cp -r q/queue-6.1 q/queue-6.12 && test_expect_code 128 "$KILN" queue --tree r --queue q 6.12 --json >out.json 2>err &&
	grep "no branch or tag of 6.12" err && grep "hint: fetch linux-6.12.y" err &&
	grep "unknown-revision" out.json
'

test_expect_success 'damaged: white space lost as a web archive loses it; Windows line ends; no diff' '
	cp -r q bad && for f in bad/queue-6.1/kvm-one.patch; do sed -i "s/^ \([^ ].*\)/\1/; s/^ $//" $f; done &&
	sed -i "s/\$/\r/" bad/queue-6.1/kvm-two.patch && printf "From: A <a@x>\nSubject: none\n\nnothing\n" >bad/queue-6.1/none.patch && echo none.patch >>bad/queue-6.1/series &&
	test_expect_code 1 "$KILN" queue --tree r --queue bad 6.1 >out 2>err && cat out &&
	says ERR S01 "its diff is damaged" && says ERR S06 "cannot be applied: its diff is damaged" &&
	says ERR S01 "has Windows line ends" && says ERR S01 "has no diff: nothing to apply" &&
	! grep "kvm-two.*\n.*ERR.*S06" out
'

test_expect_success 'series with comments, blank lines, options, trailing blanks, Windows ends' '
	cp -r q odd && { printf "# first\n\nkvm-one.patch   \r\n  kvm-two.patch -p1 # why\n"; } >odd/queue-6.1/series &&
	kiln queue --tree r --queue odd --onto linux-6.1.y 6.1 >out && grep "2 patches" out
'

test_expect_success 'an empty series, no series, a folder that is none' '
	mkdir empty && : >empty/series && test_expect_code 128 "$KILN" queue --tree r empty 2>err && grep "names no patch" err &&
	test_expect_code 128 "$KILN" queue --tree r --queue nowhere 6.1 2>err && grep "no folder" err &&
	test_expect_code 129 "$KILN" queue --tree r 2>err
'

test_expect_success 'no mainline, no tree: said, and 125' '
	git clone -q --no-local r alone 2>/dev/null && git -C alone checkout -q --detach origin/linux-6.1.y && git -C alone branch -q -D master && git -C alone remote rename origin o 2>/dev/null &&
	git -C alone update-ref -d refs/remotes/o/master; git -C alone update-ref -d refs/remotes/o/HEAD
	test_expect_code 125 "$KILN" queue --tree alone --onto o/linux-6.1.y --queue q 6.1 >out && grep "^not checked: S03 .*there is no mainline: name it with --mainline" out && grep "^unknown:" out &&
	test_expect_code 125 "$KILN" queue --tree r d >out && grep "^not checked: S06 .*there is no tree for it: name one with --onto" out &&
	test_expect_code 128 "$KILN" queue --tree r --mainline nosuch d 2>err && grep "name mainline with --mainline REV" err
'

test_expect_success 'a shallow mainline: what cannot be told is said, nothing wrong is' '
	up last "kvm: last" "" kvm/kvm.c:"s/return six_sum;/return 6;/" &&
	git clone -q --depth 1 "file://$PWD/r" shallow 2>/dev/null && git -C shallow fetch -q --depth 1 origin linux-6.1.y:linux-6.1.y &&
	test_expect_code 125 "$KILN" queue --tree shallow --queue q 6.1 >out && cat out &&
	grep "^not checked: S03 .*the history of .* is cut off.*git fetch --unshallow" out && ! grep "ERR" out
'

test_expect_success '--since: only what is new, kept from run to run, and what is gone' '
	kiln queue --tree r --queue q 6.1 >/dev/null && kiln queue --tree r --queue q --since 6.1 >out && grep "^since .* 0 findings gone" out && ! grep "^kvm-" out &&
	echo gone.patch >>q/queue-6.1/series &&
	test_expect_code 1 "$KILN" queue --tree r --queue q --since 6.1 >out 2>err && says ERR S01 gone.patch &&
	kiln queue --tree r --queue q --since 6.1 >out && ! grep ERR out &&
	sed -i \$d q/queue-6.1/series && kiln queue --tree r --queue q --since --json 6.1 >out.json &&
	python3 -c "
import json
d = json.load(open(\"out.json\"))
assert d[\"since\"][\"gone\"] == 1 and d[\"since\"][\"run\"] and not any(p[\"new\"] for p in d[\"patches\"]), d"
'

test_expect_success '--reply: a text for the list that claims no test' '
	kiln queue --tree r --queue q --reply 6.1 >out && cat out && grep "^Static checks of 6.1 on linux-6.1.y" out &&
	grep "^Patches: total: 2 clean: 2 adapted: 0 stable-only: 0 revert: 0" out &&
	grep "^Nothing was built or booted" out && ! grep -i "tested-by" out
'

test_expect_success 'killed at each record and resumed: the same answer' '
	kiln queue --tree r --queue q --json 6.1 >want 2>/dev/null && for n in 1 2 3 4 5 6; do
		KILN_KILL_AT=$n "$KILN" queue --tree r --queue q --json 6.1 >got 2>err
		test $? -gt 128 || break
		mv q away && kiln resume last >got 2>err; r=$?
		mv away q
		if test $n -gt 2; then test $r = 0 && test_cmp want got || return 1; fi
	done && test $n -gt 3
'

test_expect_success 'a hostile title reaches neither terminal nor other lines' '
	cp -r q evil && printf "From: A <a@x>\nSubject: x \033[31m red\n\n---\n" >evil/queue-6.1/evil.patch && echo evil.patch >>evil/queue-6.1/series &&
	test_expect_code 1 "$KILN" queue --tree r --queue evil 6.1 >out 2>err && ! grep "$(printf "\033")" out
'

test_expect_success 'the run can be told again; a queue that came by mail be answered' '
	kiln queue --tree r --queue q 6.1 >told && kiln report >out && cat out && grep "^Queue .*: 2 patches" out &&
	kiln show | grep "^result: queue with 2 patches" &&
	test_expect_code 129 "$KILN" report -f mail 2>err && grep "about no mail" err &&
	{ kiln queue --tree r rc.mbox >told || :; } && kiln report -f mail >out && cat out && grep "^In-Reply-To: <" out && ! grep Tested-by out
'

test_expect_success 'an unknown thing to do is named' '
	test_expect_code 129 "$KILN" queue --tree r guess 6.1 2>err && grep guess err
'

test_expect_success '--list names all checks, S01 to S28' '
	kiln queue --list >out && test "$(grep -c "^S[0-9][0-9] " out)" = 28 && kiln queue --list --json | grep -q prerequisite
'

test_done
