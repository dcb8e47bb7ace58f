#!/bin/bash
test_description='a quilt folder as SOURCE: order, -pN, headers of all kinds, and what is wrong named'
. "$(dirname "$0")/lib.sh"

# The tree after the series on main, by kiln.
kiln_tree() {
	kiln apply --tree tree --json "$1" >out.json 2>err &&
	python3 -c "import json; print(json.load(open(\"out.json\"))[\"commits\"][-1][\"tree\"])"
}

# The commit that kiln made of patch N, as format of git log.
commit_of() {
	git -C tree log -1 --format="$2" \
		"$(python3 -c "import json; print(json.load(open(\"out.json\"))[\"commits\"][$1 - 1][\"oid\"])")"
}

# edit FILE SCRIPT P: a diff of the tree's file, its names with P (0, 1, 2) leading folders.
edit() {
	case $3 in 0) o='' n='' ;; 1) o=a/ n=b/ ;; 2) o=x/a/ n=x/b/ ;; esac
	git -C tree show "main:$1" >old && sed "$2" old >new
	diff -u --label "$o$1" --label "$n$1" old new
	true
}

test_expect_success 'a tree and a folder with every kind of header' '
	git init -q -b main tree && mkdir tree/lib &&
	for f in a b c d e; do seq 1 30 | sed "s/^/-- $f/" >tree/lib/$f; done &&
	git -C tree add -A && git -C tree commit -q -m base &&
	mkdir -p q/sub &&
	{
		printf "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
		printf "From: A U Thor <author@example.org>\nDate: Tue, 5 May 2026 10:00:00 +0200\n"
		printf "Subject: [PATCH 7/9] git: format\n\nA body.\n\nSigned-off-by: A U Thor <author@example.org>\n---\n lib/a | 2 +-\n\n"
		edit lib/a 10s/.*/ten/ 1
		printf -- "-- \n2.39.5\n\n"
	} >q/git.patch &&
	{
		printf "Description: dep3: a title\n And more of it.\n .\n The end.\n"
		printf "Author: D Bian <d@example.org>\nOrigin: vendor\nLast-Update: 2026-05-06\n---\n"
		edit lib/b "10s/.*/ten/;20d" 0
	} >q/sub/dep3.diff &&
	{
		printf "free: text at the top\n\nWhy it is so.\n\n"
		edit lib/c 10s/.*/ten/ 2
	} >q/free.patch &&
	edit lib/d 10s/.*/ten/ 1 >q/nothing.patch &&
	{
		printf "From: Q Uilt <q@example.org>\nSubject: quilt: header\n\nText.\n\n"
		printf "Index: tree/lib/e\n"
		printf "===================================================================\n"
		edit lib/e "10s/.*/ten/" 1
	} >q/quilt.patch &&
	printf "# the order\n\ngit.patch  # first\nsub/dep3.diff -p0\t\r\n  free.patch   -p 2  \nnothing.patch -p1\nquilt.patch -p ab # last" >q/series
'

test_expect_success 'quilt-series: comments, blanks, -pN and the tree of quilt push -a' '
	kiln_tree q >got &&
	git -C tree worktree add -q --detach ../wt main &&
	cp -r q quilted && sed -i "s/-p ab # last//;s/-p 2/-p2/;s/\r//" quilted/series &&
	(cd wt && QUILT_PATCHES=../quilted quilt --quiltrc - push -a) >log 2>&1 &&
	git -C wt add -A lib && git -C wt write-tree >want &&
	test_cmp want got
'

test_expect_success 'author, date and message come from each header' '
	test "$(commit_of 1 "%an <%ae> %ad|%s|%b")" = \
		"A U Thor <author@example.org> Tue May 5 10:00:00 2026 +0200|git: format|A body.

Signed-off-by: A U Thor <author@example.org>" &&
	commit_of 2 "%an <%ae> %as|%s|%b" >out &&
	grep -F "D Bian <d@example.org> 2026-05-06|dep3: a title|And more of it." out &&
	grep "^The end" out && grep "^Origin: vendor" out &&
	test "$(commit_of 3 "%an|%s|%b")" = "unknown|free: text at the top|Why it is so." &&
	test "$(commit_of 4 "%s|%b")" = "nothing|" &&
	test "$(commit_of 5 "%an <%ae>|%s|%b")" = "Q Uilt <q@example.org>|quilt: header|Text."
'

test_expect_success 'git am of the exported mailbox makes the same trees' '
	kiln series q -o out.mbox >/dev/null &&
	git -C tree worktree add -q --detach ../am main &&
	git -C am am -q --patch-format=mboxrd ../out.mbox &&
	git -C am rev-parse HEAD^{tree} >want && kiln_tree q >got && test_cmp want got
'

test_expect_success 'who is unknown and what is not in the series is said' '
	edit lib/a 1s/.*/x/ 1 >q/stray.patch && echo text >q/README &&
	kiln series q >out && rm q/stray.patch &&
	grep "note: patch .free.patch. names no author" out &&
	grep "note: .stray.patch. is in the folder and not in its series" out &&
	! grep README out && ! grep "git.patch. names no" out
'

test_expect_success 'quilt-missing: a file that is not there is named with its line' '
	cp -r q missing && rm missing/free.patch &&
	test_expect_code 128 "$KILN" series missing 2>err &&
	grep "series line 5: no file .free.patch. in .missing." err && grep "^hint: " err
'

test_expect_success 'C089: a series that is fully applied is no error' '
	mkdir applied && git -C tree archive main | tar -x -C applied && cp -r quilted applied/patches &&
	(cd applied && quilt --quiltrc - push -a && test_expect_code 2 quilt --quiltrc - push -a) >log 2>&1 &&
	kiln_tree applied >got && kiln_tree q >want && test_cmp want got
'

test_expect_success 'bad series files are refused by name' '
	mkdir bad && cp q/git.patch bad &&
	for line in "../git.patch" "/git.patch" "a/../../x" "git.patch -x" "git.patch -p" "git.patch -p x"; do
		printf "%s\n" "$line" >bad/series &&
		test_must_fail kiln series bad 2>err && grep "series line 1: " err || return 1
	done &&
	printf "git.patch\ngit.patch\n" >bad/series &&
	test_must_fail kiln series bad 2>err && grep "names .git.patch. twice" err &&
	printf "git.patch -R\n" >bad/series &&
	test_must_fail kiln series bad 2>err && grep "taken back" err &&
	printf "# nothing\n" >bad/series &&
	test_must_fail kiln series bad 2>err && grep "names no patch" err
'

test_expect_success 'the same folder elsewhere is the same series' '
	cp -r q elsewhere &&
	kiln series --json q >a.json && kiln series --json elsewhere >b.json &&
	test_cmp a.json b.json
'

test_done
