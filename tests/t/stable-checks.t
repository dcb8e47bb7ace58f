#!/bin/bash
test_description='kiln queue: every check fires on what it is for, and is silent on what is right'
test ! -w /dev/shm || export TMPDIR=/dev/shm # many small files, synced one by one
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-stable.sh"
. "$(dirname "$0")/lib-mail.sh"

# What is right: picks with and without a fix of what is there, an adapted one that says so, a
# revert, a stable-only one, a dependency before what needs it.
test_expect_success 'a queue with nothing wrong' '
	story good &&
	up bug "kvm: count one" "Cc: stable@vger.kernel.org # 6.1+" kvm/kvm.c:"s/return one_sum;/return one_sum + 1;/" &&
	pick bug &&
	up fix "kvm: count one right" "Fixes: ${bug:0:12} (\"kvm: count one\")
Cc: stable@vger.kernel.org" kvm/kvm.c:"s/return one_sum + 1;/return one_sum + 2;/" &&
	up prep "kvm: prepare three" "Cc: stable@vger.kernel.org" kvm/kvm.h:"\$a #define KVM_THREE 3" &&
	up user "kvm: use three" "Cc: stable@vger.kernel.org" kvm/kvm.c:"s/return three_sum;/return three_sum + KVM_THREE;/" &&
	up new "kvm: a file more" "" kvm/more.c:"=int more;" &&
	up adapted "kvm: change five" "Cc: stable@vger.kernel.org" kvm/kvm.c:"s/return five_sum;/return five_sum + 5;/" &&
	queue fix && queue prep && sed -i "s/^Cc: stable.*/Stable-dep-of: ${user:0:12} (\"kvm: use three\")\n&/" q/queue-6.1/$file &&
	queue user && queue adapted &&
	sed -i "s/^+.*five_sum + 5;/+	return five_sum + 6;/; s/^$greg/[ adjusted: this tree counts from six ]\n&/" q/queue-6.1/$file &&
	own "kvm: only here" "[ no upstream commit ]

Fixes: ${stable:0:12} (\"kvm: count one\")" kvm/kvm.c:"s/return six_sum;/return (long)six_sum;/" kvm/kvm.c:"s/two_LIMIT/two_LIMIT + CONFIG_KVM_CORE/" &&
	git -C r branch linux-6.6.y master && clock=$((clock + 86400)) &&
	echo "6.6 $fix" >q/dropped_commits &&
	check && cat out && test $code = 0 && ! grep -E "^  (ERR|warn)" out && grep "^ok: 0 errors, 0 warnings" out
'

for id in $(seq -f S%02g 1 28); do
	case $id in
	S23 | S24 | S25 | S26) continue ;; # of who builds and boots
	S17) continue ;; # needs mails: below
	esac
	test_expect_success "$id is silent on it" "silent $id"
done

test_expect_success 'the checks made are in the document, those that build and boot are not' '
	check --json && python3 - <<-\EOT
	import json
	d = json.load(open("out"))
	made = set(d["checked"])
	assert made == {"S%02d" % n for n in range(1, 29) if n not in (17, 23, 24, 25, 26)}, made
	assert d["status"] == "ok" and not d["unchecked"]
	assert [p["kind"] for p in d["patches"]] == ["clean"] * 3 + ["adapted", "stable-only"]
	assert [p["compared"] for p in d["patches"]] == ["identical"] * 3 + ["changed", None]
	assert set(d["patches"][0]) >= {"file", "upstream", "kind", "findings"}
	assert all(set(f) >= {"check", "severity", "text"} for p in d["patches"] for f in p["findings"])
	EOT
'

good_fix=$fix good_bug=$bug good_stable=$stable good_user=$user good_adapted=$adapted

# From here each test changes one thing and takes it back.
fresh() {
	cd "$SHARNESS_TRASH_DIRECTORY/good" && rm -rf q2 && cp -r q q2 &&
	fix=$good_fix bug=$good_bug stable=$good_stable user=$good_user adapted=$good_adapted
}

# with: the same queue, changed
check2() {
	kiln queue --tree r --queue q2 --onto linux-6.1.y "$@" 6.1 >out 2>err
	code=$?
}

first_file() {
	echo "q2/queue-6.1/$(sed -n "$1p" q2/queue-6.1/series)"
}

test_expect_success 'S01: the series names a file that is not there' '
	fresh && echo gone.patch >>q2/queue-6.1/series && check2 && test $code = 1 &&
	says ERR S01 ".gone.patch. series line 6 names it, and there is no such file"
'

test_expect_success 'S01: a file is not in the series' '
	fresh && cp $(first_file 1) q2/queue-6.1/stray.patch && check2 && test $code = 1 &&
	says ERR S01 ".stray.patch. is in the folder and not in its series"
'

test_expect_success 'S01: a patch is named twice' '
	fresh && sed -n 1p q2/queue-6.1/series >>q2/queue-6.1/series && check2 && test $code = 1 &&
	says ERR S01 "names it in line 1 and again in line 6"
'

test_expect_success 'S01: a line with an option quilt does not know' '
	fresh && sed -i "2s/\$/ -x/" q2/queue-6.1/series && check2 && test $code = 1 &&
	says ERR S01 "series line 2: .-x. is no option"
'

test_expect_success 'S02: no commit upstream, and no word about it' '
	fresh && sed -i "/^commit .* upstream/d; 1d" $(first_file 1) && check2 && test $code = 1 &&
	says ERR S02 "add the line \"commit $fix upstream.\" if that is the one"
'

test_expect_success 'S02: the From line has it' '
	fresh && sed -i "/^commit .* upstream/d" $(first_file 1) && check2 && test $code = 1 &&
	says ERR S02 "add the line \"commit $fix upstream.\", which is what its From line says"
'

test_expect_success 'S02: a revert that does not say of what' '
	fresh && sed -i "s/^Subject: .*/Subject: Revert \"kvm: only here\"/; /no upstream/d" $(first_file 5) && check2 &&
	says warn S02 "does not say which commit it reverts"
'

test_expect_success 'S03: no such commit' '
	fresh && sed -i "s/^commit .* upstream/commit 1234567890123456789012345678901234567890 upstream/" $(first_file 1) && check2 && test $code = 1 &&
	says ERR S03 "is no commit of master; mainline has its title as $fix"
'

test_expect_success 'S03: a commit of another tree' '
	fresh && sed -i "s/^commit .* upstream/commit $stable upstream/" $(first_file 1) && check2 && test $code = 1 &&
	says ERR S03 "$stable is a commit, but not in master"
'

for n in 8 12 39 41; do
	test_expect_success "S03: a commit of $n digits" "
		fresh && full=\${fix}0 && sed -i \"s/^commit .* upstream/commit \${full:0:$n} upstream/\" \$(first_file 1) && check2 &&
		case $n in
		41) test \$code = 1 && says ERR S03 'has 41 digits, a commit has 40' ;;
		39) says warn S03 'has 39 digits, 1 are missing' ;;
		*) test \$code = 0 && silent S03 && says info S02 'by $n digits: write all 40' ;;
		esac"
done

test_expect_success 'S04: another title' '
	fresh && sed -i "s/^Subject: .*/Subject: kvm: something else/" $(first_file 1) && check2 && test $code = 1 &&
	says ERR S04 "its title is not that of ${fix:0:12}, \"kvm: count one right\""
'

test_expect_success 'S04: a title with characters that a pattern would take for others' '
	fresh && sed -i "s/^Subject: .*/Subject: kvm: .*/" $(first_file 1) && check2 && test $code = 1 &&
	says ERR S04 "mainline has no such title either"
'

test_expect_success 'S04: another author' '
	fresh && sed -i "s/^From: .*/From: N O Body <nobody@x.org>/" $(first_file 1) && check2 && test $code = 1 &&
	says ERR S04 "its author is not that of ${fix:0:12}"
'

test_expect_success 'S05: adapted, and no word about it' '
	fresh && sed -i "/^\[ adjusted/d" $(first_file 4) && check2 &&
	says warn S05 "makes another change than ${adapted:0:12}" &&
	check2 --detail --only S05 && grep "five_sum + 6" out
'

test_expect_success 'S05: only the lines around it differ' '
	fresh && sed -i "s/^+.*five_sum + 6;/+	return five_sum + 5;/; /^\[ adj/d" $(first_file 4) && check2 --json &&
	python3 -c "
import json
p = json.load(open(\"out\"))[\"patches\"][3]
assert (p[\"kind\"], p[\"compared\"]) == (\"clean\", \"identical\"), p"
'

test_expect_success 'S06: does not apply, and the rest is checked all the same' '
	fresh && sed -i "s/^-.*one_sum + 1;/-	return nothing_like_it;/" $(first_file 1) && check2 && test $code = 1 &&
	says ERR S06 "does not apply: kvm/kvm.c: hunk 1" && grep "^kvm-change-five.patch" out && ! grep ^ref out
'

test_expect_success 'S06: fuzz, and a hunk far from its line' '
	fresh && f=$(first_file 1) && sed -i "s/^ .*EINVAL;/ nothing;/" $f && check2 &&
	says warn S06 "applies only with fuzz" &&
	fresh && sed -i "s/^@@ -8,7 +8,7 @@/@@ -2,7 +2,7 @@/" $(first_file 1) && check2 --max-shift 5 &&
	says warn S06 "a hunk goes 6 lines from where it says" && check2 && says info S06 "offset of 6 lines"
'

test_expect_success 'S07: in the tree already, and in its history' '
	fresh && patch_of $bug "commit $bug upstream." >q2/queue-6.1/bug.patch && echo bug.patch >>q2/queue-6.1/series && check2 && test $code = 1 &&
	says ERR S07 "linux-6.1.y has ${bug:0:12} already, as ${stable:0:12}"
'

test_expect_success 'S08: the same under two names' '
	fresh && cp $(first_file 2) q2/queue-6.1/other-name.patch && echo other-name.patch >>q2/queue-6.1/series && check2 && test $code = 1 &&
	says ERR S08 "is in the queue already, as .kvm-prepare-three.patch. \(the same commit upstream\)" &&
	sed -i "/^commit .* upstream/d" q2/queue-6.1/other-name.patch && check2 && says ERR S08 "the same patch-id"
'

test_expect_success 'S09: a fix for a bug that is not here' '
	story s09 &&
	up bug "kvm: new counting" "" kvm/kvm.c:"s/return one_sum;/return one_sum + 1;/" &&
	up fix "kvm: mend the counting" "Fixes: ${bug:0:12} (\"kvm: new counting\")" kvm/kvm.c:"s/return six_sum;/return six_sum + 1;/" &&
	queue fix && check && says warn S09 "fixes a bug that is not here: ${bug:0:12}"
'

test_expect_success 'S10: by 8 digits, and by title with a wrong commit' '
	story s10 &&
	up bug "kvm: one more" "" kvm/kvm.c:"s/return one_sum;/return one_sum + 1;/" &&
	up short "kvm: mend it a bit" "Fixes: ${bug:0:8} (\"kvm: one more\")" kvm/kvm.c:"s/return six_sum;/return six_sum + 1;/" &&
	up title "kvm: mend it more" "Fixes: 123456789abc (\"kvm: one more\")" kvm/kvm.c:"s/return five_sum;/return five_sum + 1;/" &&
	queue bug && check && test $code = 1 &&
	says ERR S10 "was fixed in mainline by ${short:0:12}" &&
	says ERR S10 "was fixed in mainline by ${title:0:12} .*by its title" &&
	{ echo $short; echo "6.1 $title"; } >q/ignore_list && check && silent S10 && says info S10 "listed as not wanted"
'

test_expect_success 'S11: and silent once the revert is queued too, or was itself reverted' '
	story s11 &&
	up bad "kvm: faster" "" kvm/kvm.c:"s/return one_sum;/return 1;/" &&
	up undo "Revert \"kvm: faster\"" "This reverts commit $bad." kvm/kvm.c:"s/return 1;/return one_sum;/" &&
	queue bad && check && says ERR S11 "${undo:0:12}" && queue undo && check && silent S11 &&
	sed -i \$d q/queue-6.1/series && rm q/queue-6.1/$file &&
	up again "Reapply \"kvm: faster\"" "This reverts commit $undo." kvm/kvm.c:"s/return one_sum;/return 1;/" &&
	check && silent S11
'

test_expect_success 'S12: a fix comes before what it fixes' '
	story s12 &&
	up bug "kvm: one" "" kvm/kvm.c:"s/return one_sum;/return 1;/" &&
	up fix "kvm: two" "Fixes: ${bug:0:12} (\"kvm: one\")" kvm/kvm.c:"s/return two_sum;/return 2;/" &&
	queue fix && queue bug && check && test $code = 1 && says ERR S12 ".kvm-two.patch. fixes it and comes before it"
'

test_expect_success 'S13: what it needs comes behind it' '
	fresh && sed -i "2{h;d}; 3G" q2/queue-6.1/series && check2 &&
	says warn S13 "needs .kvm-prepare-three.patch., which comes behind it" &&
	says warn S22 "is a dependency of .kvm-use-three.patch., which comes before it"
'

test_expect_success 'S14: a patch of its series is left behind' '
	story s14 &&
	up one "kvm: one" "Link: https://lore.kernel.org/r/20240101-kvm-v2-1-0123456789ab@x.org" kvm/kvm.c:"s/return one_sum;/return 1;/" &&
	up two "kvm: two" "Link: https://lore.kernel.org/r/20240101-kvm-v2-2-0123456789ab@x.org" kvm/kvm.c:"s/return two_sum;/return 2;/" &&
	queue two && check && says warn S14 "1 other patch of its series is not here: ${one:0:12}" &&
	: >q/queue-6.1/series && rm q/queue-6.1/*.patch && queue one && queue two && check && silent S14
'

test_expect_success 'S15: dropped before, itself and its fix' '
	fresh && echo "6.1 $fix" >>q2/dropped_commits && check2 && test $code = 1 &&
	says ERR S15 "${fix:0:12} was dropped from the queue of 6.1 before" &&
	fresh && echo "$bug" >>q2/dropped_commits && check2 && says ERR S15 "what it fixes, ${bug:0:12} was dropped"
'

test_expect_success 'S16: a newer branch does not have it, but its queue may' '
	fresh && git -C r branch linux-6.10.y v6.1 && git -C r checkout -q linux-6.10.y &&
	(cd r && tick && git commit -q --allow-empty -m new) && git -C r checkout -q master &&
	check2 && says warn S16 "6.10 lacks it" &&
	mkdir q2/queue-6.10 && cp q2/queue-6.1/* q2/queue-6.10 && check2 && silent S16 &&
	rm -r q2/queue-6.10 && echo "6.1 6.6" >q2/active_kernel_versions && check2 && silent S16
'

test_expect_success 'S17: silent on a thread without objections' '
	story s17 && up fix "kvm: one" "Link: https://lore.kernel.org/r/p1@x.org" kvm/kvm.c:"s/return one_sum;/return 1;/" && queue fix &&
	printf "%s\n" "From: A <a@x.org>" "Message-ID: <p1@x.org>" "Subject: [PATCH] kvm: one" "" "---" DIFF % "From: S Body <s@x.org>" "Message-ID: <r1@x.org>" "In-Reply-To: <p1@x.org>" "Subject: Re: [PATCH] kvm: one" "" "> please drop it" "" "Thanks, applied." | mails list.mbox &&
	fault_server list.mbox && check --objections --archive $FAULTS/ok && silent S17
'

test_expect_success 'S19: sign-offs lost, or not of a stable maintainer, author lost' '
	fresh && sed -i "/Greg Kroah/d" $(first_file 1) && check2 && says warn S19 "the last sign-off is A U Thor.*not a stable maintainer" &&
	fresh && sed -i "/^Signed-off-by: A U/d" $(first_file 1) && check2 && says warn S19 "lost a line of the commit upstream" &&
	fresh && sed -i "s/^From: .*/From: Sasha Levin <sashal@kernel.org>/" $(first_file 1) && check2 && says warn S19 "lost its author" &&
	fresh && sed -i "/^Signed-off-by/d" $(first_file 1) && check2 && says warn S19 "nobody signed it off"
'

test_expect_success 'S20: large' '
	check2 --max-lines 1 && says info S20 "changes 2 lines; stable takes up to 1"
'

test_expect_success 'S18: young, and not marked for stable' '
	story s18 && clock=$(($(date +%s) - 4 * 86400)) && up fix "kvm: one" "" kvm/kvm.c:"s/return one_sum;/return 1;/" && queue fix &&
	check && says info S18 "days old in mainline" && says info S18 "did not mark it for stable" && test $code = 0
'

test_expect_success 'S21: for newer versions, or for none' '
	story s21 &&
	up late "kvm: one" "Cc: stable@vger.kernel.org # 6.4+" kvm/kvm.c:"s/return one_sum;/return 1;/" &&
	up never "kvm: two" "Cc: stable+noautosel@kernel.org # too risky" kvm/kvm.c:"s/return two_sum;/return 2;/" &&
	up old "kvm: six" "Cc: stable@vger.kernel.org # 5.10+" kvm/kvm.c:"s/return six_sum;/return 6;/" &&
	queue late && queue never && check && says warn S21 "wants it in 6.4 and later" && says warn S21 "noautosel" &&
	: >q/queue-6.1/series && rm q/queue-6.1/*.patch && queue old && check && silent S21
'

test_expect_success 'S22: what it is a dependency of is nowhere' '
	fresh && rm $(first_file 3) && sed -i 3d q2/queue-6.1/series && check2 &&
	says warn S22 "is a dependency of ${user:0:12}, which is not in the queue"
'

test_expect_success 'S27: a configuration symbol nobody defines' '
	fresh && sed -i "s/CONFIG_KVM_CORE/CONFIG_KVM_MORE/" $(first_file 5) && check2 &&
	says warn S27 "asks for CONFIG_KVM_MORE"
'

test_expect_success 'S28: the fix of a stable commit of another branch' '
	fresh && sed -i "s/^Fixes: ${stable:0:12}/Fixes: abcdefabcdef/" $(first_file 5) && check2 &&
	says warn S28 "fixes abcdefabcdef, which is no commit of mainline nor of linux-6.1.y"
'

test_expect_success '--only, --skip: by id and name, in one word or several; others are usage errors' '
	fresh && echo gone.patch >>q2/queue-6.1/series && check2 --skip files && test $code = 0 &&
	check2 --only s04,S05 --only applies && test $code = 0 &&
	check2 --only S99 && test $code = 129 && grep "there is no check .S99." err
'

test_done
