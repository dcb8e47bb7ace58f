#!/bin/bash
test_description='kiln apply beside others: parallel, gc, kill -9, and repositories of every kind'
. "$(dirname "$0")/lib.sh"

rounds=${KILN_KILL_ROUNDS:-8}

# series NAME PATCHES: a mailbox of patches that each change two files of the tree.
series() {
	python3 - "$1" "$2" <<-\EOP
	import sys
	name, n = sys.argv[1], int(sys.argv[2])
	with open(name + ".mbox", "w") as out:
	    for i in range(1, n + 1):
	        ref = "" if i == 1 else "References: <%s-1@example.org>\n" % name
	        out.write("From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: A U Thor <a@example.org>\n"
	                  "Date: Tue, 05 May 2026 10:00:%02d +0200\n%s"
	                  "Message-ID: <%s-%d@example.org>\nSubject: [PATCH %d/%d] %s %d\n\n---\n"
	                  % (i % 60, ref, name, i, i, n, name, i))
	        for f in "lib/a", "lib/deep/b":
	            out.write("diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -%d,3 +%d,3 @@\n %d\n-%d\n+%s %d\n %d\n"
	                      % (f, f, f, f, i * 4, i * 4, i * 4, i * 4 + 1, name, i, i * 4 + 2))
	        out.write("-- \n2.39.5\n\n")
	EOP
}

refs() {
	git -C "$1" for-each-ref --format='%(refname) %(objectname)' refs/kiln
}

test_expect_success 'a tree and series' '
	git init -q -b main tree && mkdir -p tree/lib/deep &&
	seq 1 2000 >tree/lib/a && seq 1 2000 >tree/lib/deep/b && seq 9 >tree/other &&
	git -C tree add -A && git -C tree commit -q -m base &&
	for i in 1 2 3 4 5 6 7 8; do series s$i 20 || return 1; done &&
	series long 60
'

test_expect_success 'apply-parallel-gc: eight at once, beside git gc --prune=now and git commit' '
	git clone -q tree busy && busy=$PWD/busy &&
	git -C busy config gc.reflogExpire now && git -C busy config gc.reflogExpireUnreachable now &&
	base=$(git -C busy rev-parse HEAD) &&
	pids= &&
	for i in 1 2 3 4 5 6 7 8; do
		"$KILN" apply --tree busy --onto $base s$i.mbox >out.$i 2>err.$i & pids="$pids $!"
	done &&
	n=0 &&
	while kill -0 $pids 2>/dev/null || test $n -lt 3; do
		echo $n >busy/other && git -C busy commit -q -am "user $n" &&
		git -C busy gc -q --prune=now 2>>gc.log
		n=$((n + 1))
		test $n -lt 200 || break
		# kill -0 fails once any has ended; look at the ones left.
		left=; for p in $pids; do kill -0 $p 2>/dev/null && left="$left $p"; done
		test -n "$left" || break
		pids=$left
	done &&
	for i in 1 2 3 4 5 6 7 8; do wait %$i 2>/dev/null; grep -q "^head" out.$i || cat err.$i; done &&
	cat out.[1-8] | grep -c "^head  " >count && test "$(cat count)" = 8 &&
	git -C busy gc -q --prune=now &&
	git -C busy fsck --full --strict >fsck 2>&1 && ! grep -E "missing|broken|invalid" fsck &&
	refs busy >got && test $(wc -l <got) = 8 &&
	git -C busy rev-list --objects --all >/dev/null &&
	test "$(git -C busy rev-list --count $base..main)" = $n &&
	test -z "$(git -C busy status --porcelain)" &&
	! ls busy/.git/objects/pack/*.keep 2>/dev/null
'

test_expect_success 'and they are the commits of one alone' '
	for i in 1 4 8; do
		kiln apply --tree tree s$i.mbox >out && grep "^head" out >want &&
		grep "^head" out.$i >got && test_cmp want got || return 1
	done
'

test_expect_success 'apply-many-bases: one series on six commits at once, a ref for each' '
	git clone -q tree many &&
	for i in 1 2 3 4 5 6; do
		echo $i >many/other && git -C many commit -q -am $i && git -C many branch b$i || return 1
	done &&
	for i in 1 2 3 4 5 6; do
		"$KILN" apply --tree many --onto b$i s1.mbox >out.$i 2>err.$i &
	done && wait &&
	for i in 1 2 3 4 5 6; do
		b=$(git -C many rev-parse b$i) &&
		test "$(git -C many rev-parse refs/kiln/s1-1-example.org/v1/$(echo $b | cut -c1-12)~20)" = $b ||
			return 1
	done
'

test_expect_success "apply-killed: kill -9 at $rounds moments, fsck passes and no ref is half written" '
	git clone -q --bare tree killed.git &&
	start=$(date +%s%N) &&
	kiln apply --tree killed.git long.mbox >out && whole=$(sed -n "s/^head  //p" out) &&
	took=$((($(date +%s%N) - start) / 1000)) &&
	refs killed.git >want && ref=$(cut -d" " -f1 want) &&
	for ((i = 1; i <= rounds; i++)); do
		git -C killed.git update-ref -d $ref && rm -rf killed.git/logs/$ref &&
		us=$((took * i / rounds)) &&
		timeout -s KILL $(printf "%d.%06d" $((us / 1000000)) $((us % 1000000))) \
			"$KILN" apply --tree killed.git long.mbox >/dev/null 2>&1
		rm -f killed.git/$ref.lock
		now=$(git -C killed.git rev-parse -q --verify $ref || echo none)
		echo $now >>moments
		test $now = none -o $now = $whole || return 1
		git -C killed.git fsck --full --strict >fsck 2>&1 || { cat fsck; return 1; }
		! grep -E "missing|broken|invalid" fsck || return 1
	done &&
	sort moments | uniq -c &&
	kiln apply --tree killed.git long.mbox >out && test $whole = $(sed -n "s/^head  //p" out) &&
	refs killed.git >got && test_cmp want got
'

test_expect_success 'apply-all-or-nothing: a bad last patch leaves no ref and no object' '
	{ cat s1.mbox; } | sed "s,\[PATCH \([0-9]*\)/20\],[PATCH \1/21]," >bad.mbox &&
	series odd 21 && sed -n "/PATCH 21.21/,\$p" odd.mbox | sed "s/^-85$/-nothing/" >tail &&
	{ printf "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: A <a@example.org>\nMessage-ID: <odd@example.org>\nReferences: <s1-1@example.org>\nDate: Tue, 05 May 2026 10:00:59 +0200\n"; cat tail; } >>bad.mbox &&
	git clone -q --bare tree nothing.git &&
	git -C nothing.git count-objects -v >before &&
	test_expect_code 1 "$KILN" apply --tree nothing.git bad.mbox >out 2>err &&
	grep "patch 21/21" err &&
	git -C nothing.git count-objects -v >after && test_cmp before after &&
	test -z "$(refs nothing.git)"
'

test_expect_success 'C5/142: bare, a worktree with a .git file, a subfolder' '
	kiln apply --tree tree s1.mbox >want &&
	git clone -q --bare tree bare.git && kiln apply --tree bare.git s1.mbox >got && test_cmp want got &&
	git -C tree worktree add -q --detach ../linked main && test -f linked/.git &&
	git -C linked status --porcelain >before &&
	kiln apply --tree linked s1.mbox >got && test_cmp want got &&
	git -C linked status --porcelain >after && test_cmp before after &&
	git -C tree rev-parse -q --verify "$(sed -n "s/^ref   //p" got)" &&
	(cd tree/lib/deep && "$KILN" apply ../../../s1.mbox) >got && test_cmp want got
'

test_expect_success 'a ref of the older layout makes room and keeps its commit' '
	git init -q --bare old.git && git -C old.git fetch -q ../tree main:main &&
	git -C old.git symbolic-ref HEAD refs/heads/main &&
	kiln apply --tree old.git s1.mbox >out && ref=$(sed -n "s/^ref   //p" out) &&
	head=$(git -C old.git rev-parse $ref) && git -C old.git update-ref -d $ref &&
	git -C old.git update-ref --create-reflog ${ref%/*} $head &&
	kiln apply --tree old.git s1.mbox >again && test_cmp out again &&
	test "$(git -C old.git rev-parse $ref)" = $head &&
	test "$(git -C old.git rev-parse ${ref%/*}/$(echo $head | cut -c1-12))" = $head
'

test_expect_success 'C5/145: an unborn branch is named, a commit may be given' '
	git init -q -b main unborn &&
	test_must_fail kiln apply --tree unborn s1.mbox 2>err && grep "unknown revision .HEAD." err && grep "name a commit with --onto" err &&
	git -C unborn fetch -q ../tree main &&
	kiln apply --tree unborn --onto FETCH_HEAD s1.mbox >got && test_cmp want got &&
	test_must_fail git -C unborn rev-parse -q --verify HEAD
'

test_expect_success 'a shallow clone' '
	echo more >>tree/other && git -C tree commit -q -am more &&
	git clone -q --depth 1 "file://$PWD/tree" shallow &&
	kiln apply --tree shallow s1.mbox >got && kiln apply --tree tree s1.mbox >want &&
	test_cmp want got && git -C shallow fsck --strict
'

test_expect_success 'a partial clone fetches what the patches need' '
	git -C tree config uploadpack.allowFilter true &&
	git -C tree config uploadpack.allowAnySHA1InWant true &&
	git clone -q --bare --filter=blob:none "file://$PWD/tree" partial.git &&
	kiln apply --tree partial.git s1.mbox >got && test_cmp want got &&
	git -C partial.git fsck --strict
'

test_expect_success 'and says what it needs when nobody has it' '
	git clone -q --bare --filter=blob:none "file://$PWD/tree" alone.git &&
	git -C alone.git config remote.origin.url "file://$PWD/gone" &&
	test_must_fail kiln apply --tree alone.git s1.mbox 2>err &&
	grep "object .$(git -C tree rev-parse main:lib/a | cut -c1-12)" err && grep "^hint: " err &&
	test -z "$(refs alone.git)"
'

test_expect_success 'C5/144: an interrupted apply leaves branch, index and files' '
	echo dirty >>tree/lib/a && echo new >tree/new && git -C tree add new &&
	git -C tree status --porcelain=v2 --branch >before &&
	timeout -s INT 0.05 "$KILN" apply --tree tree long.mbox >/dev/null 2>&1
	git -C tree status --porcelain=v2 --branch >after && test_cmp before after
'

test_done
