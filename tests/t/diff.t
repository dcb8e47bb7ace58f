#!/bin/bash
test_description='kiln diff: the pairs and the text of git range-diff, and what became of each patch'
. "$(dirname "$0")/lib.sh"

cases=${KILN_DIFF_CASES:-25}
seed=${KILN_DIFF_SEED:-1}

# mail VERSION N/M SUBJECT [AUTHOR-LINE]: a patch mail; the diff comes from standard input.
mail() {
	printf 'From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: A U Thor <author@example.org>\n'
	printf 'Date: Tue, 05 May 2026 1%d:00:0%d +0200\n' "$1" "${2%/*}"
	printf 'Message-ID: <v%d-%d@example.org>\n' "$1" "${2%/*}"
	test "$1-${2%/*}" = 1-1 || printf 'In-Reply-To: <v1-1@example.org>\nReferences: <v1-1@example.org>\n'
	if test "$1" = 1; then
		printf 'Subject: [PATCH %s] %s\n' "$2" "$3"
	else
		printf 'Subject: [PATCH v%d %s] %s\n' "$1" "$2" "$3"
	fi
	printf '\nBody of %s.\n%s---\n' "$3" "$4"
	cat
	printf -- '-- \n2.39.5\n\n'
}

# diff_of FILE SED-SCRIPT: the diff that the script makes of a file of the base.
diff_of() {
	git -C tree show "base:$1" >old &&
	sed "$2" old >new &&
	diff -u --label "a/$1" --label "b/$1" old new
	true
}

# What git range-diff says of the commits kiln apply makes of the revisions.
git_says() {
	git -C tree range-diff --no-color "base..$1" "base..$2"
}

test_expect_success 'a tree and two revisions in one thread' '
	git init -q -b base tree &&
	for f in a b c d e f; do seq 1 40 | sed "s/^/$f/" >tree/$f; done &&
	git -C tree add -A && git -C tree commit -q -m base &&
	{
		diff_of a 20s/.*/one/ | mail 1 1/5 "same" &&
		diff_of b 20s/.*/two/ | mail 1 2/5 "message" &&
		diff_of c 20s/.*/three/ | mail 1 3/5 "changed" &&
		diff_of d "5,35s/.*/gone/" | mail 1 4/5 "dropped" &&
		diff_of e 20s/.*/five/ | mail 1 5/5 "moved" &&
		diff_of e 20s/.*/five/ | mail 2 1/5 "moved" &&
		diff_of a 20s/.*/one/ | mail 2 2/5 "same" &&
		diff_of b 20s/.*/two/ | mail 2 3/5 "message" "Reviewed-by: R <r@example.org>
" &&
		diff_of c "20s/.*/three/;21s/.*/more/" | mail 2 4/5 "changed" &&
		diff_of f "1,30s/.*/new/" | mail 2 5/5 "new"
	} >thread.mbox &&
	for v in 1 2; do
		kiln apply --tree tree -r $v --json thread.mbox >v$v.json &&
		python3 -c "import json; print(json.load(open(\"v$v.json\"))[\"head\"])" >head$v ||
			return 1
	done
'

test_expect_success 'the text is that of git range-diff' '
	git_says $(cat head1) $(cat head2) >want &&
	kiln diff --tree tree --range-diff thread.mbox >got &&
	test_cmp want got &&
	grep " ! .*changed" got && grep " > .*new" got && grep " < .*dropped" got
'

test_expect_success 'the summary says what became of each patch' '
	kiln diff --tree tree -q thread.mbox >out &&
	sed "s/  *$//" out >got &&
	cat >want <<-EOF &&
	old  v1, 5 patches on $(git -C tree rev-parse --short=12 base)
	new  v2, 5 patches on $(git -C tree rev-parse --short=12 base)

	  5   1  unchanged     moved  [moved]
	  1   2  unchanged     same
	  2   3  message only  message
	  3   4  changed       changed
	  4   -  dropped       dropped
	  -   5  new           new
	EOF
	test_cmp want got
'

test_expect_success 'without -q the range-diff stands below it' '
	kiln diff --tree tree -q thread.mbox >want && echo >>want &&
	kiln diff --tree tree --range-diff thread.mbox >>want &&
	kiln diff --tree tree thread.mbox >got &&
	test_cmp want got
'

test_expect_success 'revisions by name, and in which order' '
	kiln diff --tree tree --range-diff thread.mbox >want &&
	for args in "thread.mbox@v1" "thread.mbox @v2" "thread.mbox@v1 @v2" \
		"thread.mbox@v1 thread.mbox@v2" "thread.mbox@v1 thread.mbox"; do
		kiln diff --tree tree --range-diff $args >got &&
		test_cmp want got || return 1
	done &&
	kiln diff --tree tree --range-diff thread.mbox@v2 @v1 >got &&
	git_says $(cat head2) $(cat head1) >want &&
	test_cmp want got
'

test_expect_success '--json has the documented keys' '
	kiln diff --tree tree --json thread.mbox >out.json &&
	python3 - <<-\EOP
	import json
	d = json.load(open("out.json"))
	assert d["compared"] == "commits"
	assert d["old"]["revision"] == 1 and d["new"]["revision"] == 2
	assert d["summary"] == {"unchanged": 2, "message": 1, "context": 0, "changed": 1,
	                        "new": 1, "dropped": 1, "moved": 1}
	p = d["pairs"]
	assert [x["state"] for x in p] == ["unchanged", "unchanged", "message", "changed", "dropped", "new"]
	assert p[0]["old"]["number"] == 5 and p[0]["new"]["number"] == 1 and p[0]["moved"]
	assert p[0]["diff"] is None and p[4]["new"] is None and p[5]["old"] is None
	assert "+    Reviewed-by: R" in p[2]["diff"] and len(p[2]["new"]["oid"]) == 40
	EOP
'

test_expect_success 'nothing is written: no ref, no object' '
	rm -rf bare.git && git init -q --bare bare.git &&
	git -C tree push -q ../bare.git base && git -C bare.git symbolic-ref HEAD refs/heads/base &&
	find bare.git -type f | sort | xargs sha1sum >before &&
	kiln diff --tree bare.git thread.mbox >/dev/null &&
	find bare.git -type f | sort | xargs sha1sum >after &&
	test_cmp before after
'

test_expect_success 'a base that only context tells apart' '
	git -C tree checkout -q -b other &&
	sed -i 18s/.*/around/ tree/a && git -C tree commit -q -am around &&
	git -C tree format-patch -q --stdout -1 $(cat head1)~4 >one.mbox &&
	sed -i "s/^ a18$/ around/" one.mbox &&
	git -C tree format-patch -q --stdout --base=base -1 $(cat head1)~4 >two.mbox &&
	kiln diff --tree tree two.mbox one.mbox -q >out &&
	git -C tree checkout -q base &&
	grep "^  1   1  context only" out
'

test_expect_success 'no base: compared as mailed, and that is said' '
	git init -q -b base empty &&
	git -C empty commit -q --allow-empty -m nothing &&
	kiln diff --tree empty -q thread.mbox >out &&
	grep "^note: compared as mailed, not as commits: the old patches do not apply: " out &&
	grep "^  3   4  changed " out && grep "^  5   1  unchanged .*moved" out &&
	kiln diff --tree empty --json thread.mbox >out.json &&
	python3 -c "
import json
d = json.load(open(\"out.json\"))
assert d[\"compared\"] == \"mails\" and \"oid\" in d[\"pairs\"][0][\"old\"] and d[\"old\"][\"mailed\"]
assert d[\"pairs\"][0][\"old\"][\"oid\"] is None
" &&
	kiln diff --tree empty thread.mbox | grep "^    @@ c$"
'

test_expect_success 'without any repository too' '
	(cd / && GIT_CEILING_DIRECTORIES=/ kiln diff -q "$OLDPWD/thread.mbox") >out &&
	grep "do not apply: no repository" out
'

test_expect_success 'one revision alone: the error says what to name' '
	kiln series -r 1 thread.mbox -o v1.mbox >/dev/null &&
	test_must_fail kiln diff --tree tree v1.mbox 2>err &&
	grep "has no revision before v1" err && grep "^hint: name the source" err &&
	test_expect_code 129 "$KILN" diff -r 1 thread.mbox 2>err &&
	grep "^hint: write SOURCE@v1 @v2" err
'

test_expect_success 'equal diffs pair up in the order of git: many of them' '
	git init -q -b base many &&
	python3 -c "
def commit(ref, n):
    for i in range(n):
        print(\"commit refs/heads/\" + ref)
        print(\"author A <a@b> %d +0000\ncommitter A <a@b> %d +0000\" % (i, i))
        print(\"data 2\n%x\" % (i % 16))
        if i == 0 and ref != \"base\":
            print(\"from refs/heads/base\")
        print(\"M 100644 inline f\ndata 2\n%d\n\" % ((i + 1) % 2))
commit(\"base\", 2)
commit(\"old\", 300)
commit(\"new\", 290)
" | git -C many fast-import --quiet &&
	git -C many range-diff --no-color base..old base..new >want &&
	kiln diff --tree many --range-diff base..old base..new >got &&
	test_cmp want got
'

test_expect_success 'a creation factor is that of git' '
	for f in 5 30 90 200; do
		git -C tree range-diff --no-color --creation-factor=$f base..$(cat head1) \
			base..$(cat head2) >want &&
		kiln diff --tree tree --creation-factor $f --range-diff thread.mbox >got &&
		test_cmp want got || return 1
	done
'

test_expect_success 'ids are as short as git prints them' '
	git -C tree config core.abbrev 11 &&
	git_says $(cat head1) $(cat head2) >want &&
	kiln diff --tree tree --range-diff thread.mbox >got &&
	git -C tree config --unset core.abbrev &&
	test_cmp want got && grep -E "^5:  [0-9a-f]{11} =" got
'

test_expect_success "$cases random histories: byte for byte git range-diff" '
	git init -q random &&
	python3 "$KILN_SOURCE/tests/t/range-random.py" "$cases" "$seed" |
		git -C random fast-import --quiet &&
	for ((i = 0; i < cases; i++)); do
		git -C random range-diff --no-color base-$i..old-$i other-$i..new-$i >want &&
		kiln diff --tree random --range-diff base-$i..old-$i other-$i..new-$i >got ||
			return 1
		cat want >>all
		cmp want got || { echo "case $i of seed $seed"; diff want got; } >>differ
	done &&
	test ! -e differ || { cat differ; false; }
'

test_expect_success 'the histories held all states' '
	for sign in = ! "<" ">"; do
		grep -q "^ *[0-9-]*:  [0-9a-f-]* $sign  *[0-9-]*:" all || return 1
	done
'

test_done
