#!/bin/bash
test_description='kiln queue: what went wrong in stable releases, made small'
test ! -w /dev/shm || export TMPDIR=/dev/shm # many small files, synced one by one
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-stable.sh"
. "$(dirname "$0")/lib-mail.sh"

test_expect_success 'story 1: two commits of one title, the later one first (S12)' '
	story s1 &&
	up first "KVM: x86: keep the breakpoints" "" kvm/kvm.c:"s/one_sum = v->one;/one_sum = v->one + v->dr;/" &&
	up second "KVM: x86: keep the breakpoints" "" kvm/kvm.c:"s/return two_sum;/return two_sum + v->dr;/" &&
	queue_as a.patch second && queue_as b.patch first &&
	check && test $code = 1 &&
	says ERR S12 "has the title of it and comes before it"
'

test_expect_success 'story 1: the one is named, the other is meant (S04)' '
	: >q/queue-6.1/series && rm q/queue-6.1/*.patch &&
	patch_of $second "commit $first upstream." | add_file a.patch &&
	check && test $code = 1 &&
	says ERR S04 "makes the change of ${second:0:12}, which has the same title"
'

test_expect_success 'story 2: a page flag that came with another commit (S13)' '
	story s2 &&
	up flag "x86/mm: add a page flag" "" kvm/kvm.h:"\$a #define _PAGE_NOSHADOW 64" &&
	up fix "x86/kexec: allocate the tables apart" "" kvm/kvm.c:"s/four_sum = v->four;/four_sum = v->four | _PAGE_NOSHADOW;/" &&
	queue fix && check &&
	says warn S13 "may need ${flag:0:12} .*brought ._PAGE_NOSHADOW., which it uses"
'

test_expect_success 'story 3: nested: NULL where upstream passes the exception (S05)' '
	story s3 &&
	up fix "KVM: nVMX: report the fault of a read" "" kvm/kvm.c:"s/return three_sum;/return kvm_read(v, \\&v->exception);/" kvm/kvm.h:"\$a int kvm_read(void *v, void *e);" &&
	queue fix && sed -i "s/^+.*&v->exception);/+	return kvm_read(v, NULL);/" q/queue-6.1/$file &&
	check && says warn S05 "makes another change than ${fix:0:12} and does not say why" &&
	check --detail && grep "kvm_read(v, NULL)" out
'

test_expect_success 'story 4: the fix is in the tree, its cause comes now (S12)' '
	story s4 &&
	up cause "x86/fpu: load the registers late" "" kvm/kvm.c:"s/one_sum += /one_sum -= /" &&
	up fix "x86/fpu: do not lose them" "Fixes: ${cause:0:12} (\"x86/fpu: load the registers late\")" kvm/kvm.c:"s/return six_sum;/return six_sum + 1;/" &&
	pick fix && queue cause &&
	check && test $code = 1 &&
	says ERR S12 "the tree has ${fix:0:12} .*which fixes it, as ${stable:0:12} already"
'

test_expect_success 'story 5: the called function was another, and its change was dropped (S13, S15)' '
	story s5 &&
	up irq "arm64: save with interrupts on" "" kvm/kvm.c:"s/two_sum = v->two;/two_sum = v->two + irqs(v);/" kvm/kvm.h:"\$a int irqs(void *v);" &&
	up fix "KVM: arm64: always save the state" "" kvm/kvm.c:"s/return six_sum;/return kvm_two(v);/" &&
	echo "6.1 $irq" >q/dropped_commits &&
	queue fix && check && test $code = 1 &&
	says warn S13 "may need ${irq:0:12} .*changed kvm_two\(\), which it calls" &&
	says ERR S15 "what it needs, ${irq:0:12} was dropped from the queue of 6.1"
'

test_expect_success 'story 6: context of a commit that is not there (S13)' '
	story s6 &&
	up bit "x86/cpu: know the BTC_NO bit" "" kvm/kvm.c:"s/if (!v->five_ready)/if (!v->five_ready \\&\\& !v->btc_no)/" &&
	up fix "x86/cpu: keep it on Zen" "" kvm/kvm.c:"s/five_sum += kvm_base(v, five_LIMIT);/five_sum += kvm_base(v, zen_LIMIT);/" &&
	queue fix && sed -i "s/ && !v->btc_no//" q/queue-6.1/$file &&
	check && says warn S13 "may need ${bit:0:12} .*brought a line of kvm/kvm.c"
'

test_expect_success 'story 7: what the message says it needs (S13)' '
	story s7 &&
	up prep "x86: pad the stubs" "" kvm/kvm.c:"s/one_LIMIT/pad_LIMIT/" &&
	up fix "x86: use int3 to fill them" "This depends on commit ${prep:0:12} (\"x86: pad the stubs\")." kvm/kvm.c:"s/return six_sum;/return -six_sum;/" &&
	queue fix && check && says warn S13 "may need ${prep:0:12} .*is named as needed"
'

test_expect_success 'story 8: a fix of it is not in the queue (S10)' '
	story s8 &&
	up feature "x86/fpu: limit the features of guests" "" kvm/kvm.c:"s/return one_sum;/return one_sum \\& 7;/" &&
	up fix "KVM: x86: let the state be set again" "Fixes: ${feature:0:12} (\"x86/fpu: limit the features of guests\")" kvm/kvm.c:"s/return one_sum & 7;/return one_sum \\& 15;/" &&
	queue feature && check && test $code = 1 &&
	says ERR S10 "was fixed in mainline by ${fix:0:12}" &&
	queue fix && check && silent S10
'

# undone NAME TITLE REVERT-TITLE REVERT-BODY: a patch whose revert is missing.
undone() {
	story "$1" &&
	up bad "$2" "" kvm/kvm.c:"s/return two_sum;/return two_sum + 1;/" &&
	up undo "$3" "$(eval "echo \"$4\"")" kvm/kvm.c:"s/return two_sum + 1;/return two_sum;/" &&
	queue bad && check && test $code = 1 &&
	says ERR S11 "was reverted in mainline by ${undo:0:12}"
}

test_expect_success 'story 9: nested KVM does not load without its revert (S11)' '
	undone s9 "KVM: VMX: hide the PMU" "Revert \"KVM: VMX: hide the PMU\"" "This reverts commit \$bad."
'

test_expect_success 'story 10: a stable-only patch, as mainline was mended by accident (S02 allows it)' '
	story s10 &&
	own "KVM: x86/mmu: compare the sequence as it was" "[ no upstream commit: mainline changed all of this ]" kvm/kvm.c:"s/return five_sum;/return (long)five_sum;/" &&
	check && test $code = 0 && says info S02 "says that there is no such commit upstream" &&
	! grep -E "^  (ERR|warn)" out
'

test_expect_success 'story 11: an endless fault, reverted by twelve digits (S11)' '
	undone s11 "KVM: SVM: avoid an endless fault" "Revert \"KVM: SVM: avoid an endless fault\"" "This reverts commit \${bad:0:12}."
'

test_expect_success 'story 12: zapped pages, reverted with a reason in between (S11)' '
	undone s12 "KVM: x86/mmu: zap only what is needed" "KVM: x86/mmu: zap all pages again" "Guests with devices crash.

This reverts commit \$bad."
'

test_expect_success 'story 13: the fpu crash, reverted by its title alone (S11)' '
	undone s13 "KVM: x86: fix a crash of the state" "Revert \"KVM: x86: fix a crash of the state\"" "It is not needed."
'

test_expect_success 'story 14: an exit made faster, reverted (S11)' '
	undone s14 "KVM: VMX: make exits faster" "Revert \"KVM: VMX: make exits faster\"" "This reverts commit \$bad (\\\"KVM: VMX: make exits faster\\\")."
'

test_expect_success 'story 15: return thunks of one kind alone (S13)' '
	story s15 &&
	up allow "x86: allow different return thunks" "" kvm/kvm.h:"\$a #define x86_return_thunk(n) thunk_of(n)" kvm/thunk.c:"=int thunk_of(int n) { return n; }" &&
	up use "x86/srso: use a thunk of its own" "" kvm/kvm.c:"s/return three_sum;/return x86_return_thunk(three_sum);/" &&
	queue use && check && says warn S13 "may need ${allow:0:12} .*brought .x86_return_thunk."
'

test_expect_success 'story 16: reverted, and done in another way (S11)' '
	story s16 &&
	up bad "x86: return safely" "" kvm/kvm.c:"s/return two_sum;/return safe(two_sum);/" kvm/kvm.h:"\$a int safe(int n);" &&
	up undo "Revert \"x86: return safely\"" "This reverts commit $bad." kvm/kvm.c:"s/return safe(two_sum);/return two_sum;/" kvm/kvm.h:"/safe/d" &&
	up redo "x86: return safely, in another way" "" kvm/kvm.c:"s/return two_sum;/return two_sum | 1;/" &&
	queue bad && check && test $code = 1 &&
	says ERR S11 "was reverted in mainline by ${undo:0:12}"
'

test_expect_success 'story 17: a macro that means something else, no conflict (S13)' '
	story s17 &&
	up invert "x86/mm: invert the frame number" "" kvm/kvm.h:"s/((v)->base + (n))/((v)->base ^ ~(n))/" &&
	up fix "x86/mm: check the frame" "" kvm/kvm.c:"s/return four_sum;/return kvm_base(v, four_sum);/" &&
	queue fix && check &&
	says warn S13 "may need ${invert:0:12} .*changed kvm_base\(\), which it calls"
'

# Story 18 shows in a boot by kexec alone: system/queue.t.

test_expect_success 'story 19: a check of guest addresses, reverted (S11)' '
	undone s19 "KVM: x86: mmu: check the address" "Revert \"KVM: x86: mmu: check the address\"" "This reverts commit \$bad, which
broke guests."
'

test_expect_success 'story 20: a function that has another name here (S13)' '
	story s20 &&
	up name "nilfs2: shorter names" "" kvm/kvm.h:"\$a int nilfs_err(void *s);" &&
	up fix "nilfs2: say what is wrong" "" kvm/kvm.c:"s/return five_sum;/return nilfs_err(v);/" &&
	queue fix && check && says warn S13 "may need ${name:0:12} .*brought .nilfs_err."
'

test_expect_success 'story 20: in mainline for days, and somebody objected (S17, S18)' '
	story s20b &&
	clock=$(($(date +%s) - 4 * 86400)) &&
	up fix "mm: reclaim less" "Link: https://lore.kernel.org/r/p1@x.org" kvm/kvm.c:"s/return one_sum;/return 0;/" &&
	queue fix &&
	printf "%s\n" "From: A <a@x.org>" "Message-ID: <p1@x.org>" "Subject: [PATCH] mm: reclaim less" "" "---" DIFF % "From: S Body <s@x.org>" "Message-ID: <r1@x.org>" "In-Reply-To: <p1@x.org>" "Subject: Re: [PATCH] mm: reclaim less" "" "> please drop nothing" "" "This introduces a regression here, a fix is pending." | mails list.mbox &&
	fault_server list.mbox && check --objections --archive $FAULTS/ok &&
	says info S18 "is 2 days old in mainline|is 3 days old in mainline" &&
	says info S18 "its author did not mark it for stable" &&
	says warn S17 "S Body wrote in <r1@x.org>: .This introduces a regression"
'

test_done
