#!/bin/bash
test_description='kiln apply: why a series does not apply, and where it would'
. "$(dirname "$0")/lib.sh"

# commit TEXT FILE LINE: change a line of a file.
commit() {
	sed -i "$3s/.*/$1/" "$2" &&
	now=$((${now:-1700000000} + 1000)) &&
	GIT_COMMITTER_DATE="$now +0000" git commit -qam "$1"
}

# fork BRANCH [FROM]: start a branch; series NAME N: its newest N commits into ../NAME.mbox.
fork() {
	git checkout -q -B "$1" "${2-main}"
}

# It leaves main checked out, and no branch work.
series() {
	git format-patch -q --stdout "-${2-1}" >"../$1.mbox" &&
	git checkout -q main && git branch -q -D work
}

# fails MBOX [REV]: does not apply, with the explanation in out and out.json.
fails() {
	test_expect_code 1 "$KILN" apply --tree tree --onto "${2-main}" "$1" >out 2>err &&
	test_expect_code 1 "$KILN" apply --tree tree --onto "${2-main}" --json "$1" >out.json 2>err
}

short() {
	git -C tree rev-parse --short=12 "$@"
}

# failed EXPRESSION: of failed as f and its first hunk and file as h and w must be true.
failed() {
	python3 -c '
import json, sys
d = json.load(open("out.json"))
f = d["failed"]
h, w = (f["hunks"] or [None])[0], (f["files"] or [None])[0]
assert eval(sys.argv[1]), json.dumps(d, indent=1)
' "$1"
}

test_expect_success 'a tree' '
	git init -q -b main tree && cd tree &&
	mkdir lib && seq 100 >lib/a && seq 201 300 >lib/b && seq 301 400 >lib/c &&
	printf "int f(void)\n{\n\tif (x)\n\t\treturn 1;\n\treturn 0;\n}\n" >lib/tabs.c &&
	git add -A && git commit -qm base && git tag base && cd ..
'

test_expect_success 'C080: context changed: nearest place, lines, commit, and the base that works' '
	(cd tree && fork work && commit fifty lib/a 50 && series ctx &&
	 fork main && commit unrelated lib/a 90 && commit drift lib/a 52 && commit later lib/b 3) &&
	fails ctx.mbox &&
	grep "^lib/a, hunk 1 of 1 (line 47): 6 of 7 lines are at line 47$" out &&
	grep "^    line 52 *has  drift$" out && grep "^ *expected  52$" out &&
	grep "it fits before $(short main~1) (\"drift\")" out &&
	grep "^nearest base: HEAD~3 ($(short base)): its file is as the patches expect" out &&
	failed "h[\"cause\"] == \"context\" and h[\"commit\"][\"subject\"] == \"drift\" and h[\"fits_before\"]" &&
	failed "h[\"nearest\"][\"line\"] == 47 and h[\"nearest\"][\"distance\"] == 0" &&
	failed "h[\"nearest\"][\"differs\"] == [{\"line\": 52, \"have\": \"drift\", \"expected\": \"52\"}]" &&
	failed "f[\"nearest_base\"][\"applies\"] and f[\"nearest_base\"][\"commit\"]" &&
	failed "w[\"blob_state\"] == \"known\""
'

test_expect_success 'the base it names takes the series' '
	sed -n "s/^nearest base: \([^ ]*\) .*/\1/p" out >name &&
	kiln apply --tree tree --onto "$(cat name)" ctx.mbox
'

test_expect_success 'the commit is the one git bisect would blame: git apply --check agrees before and after' '
	git clone -q tree check && git -C check checkout -q main~2 && git -C check apply --check ../ctx.mbox &&
	git -C check checkout -q main~1 && test_must_fail git -C check apply --check ../ctx.mbox
'

test_expect_success 'lines moved far and one put in between: only that one differs' '
	(cd tree && fork moved base && sed -i "1i zero\nzero\nzero" lib/a && sed -i "52i between" lib/a && git commit -qam "put in") &&
	fails ctx.mbox moved &&
	grep "7 of 7 lines are at line [0-9]*, [0-9]* down" out &&
	failed "[x[\"have\"] for x in h[\"nearest\"][\"differs\"]] == [\"between\"]" &&
	failed "h[\"commit\"][\"subject\"] == \"put in\""
'

test_expect_success 'C5/138: already there, by content, naming the commit' '
	(cd tree && fork work && commit eleven lib/b 11 && commit sixty lib/b 60 && git reset -q --soft HEAD~2 && git commit -qm both && series both &&
	 fork content && commit "other 60" lib/c 9 && sed -i "11s/.*/eleven/" lib/b && git commit -qam "eleven came alone" && commit x lib/b 58) &&
	fails both.mbox content &&
	failed "h[\"cause\"] == \"applied\" and h[\"commit\"][\"subject\"] == \"eleven came alone\"" &&
	failed "f[\"hunks\"][1][\"cause\"] == \"context\" and f[\"hunks\"][1][\"commit\"][\"subject\"] == \"x\"" &&
	grep "already applied: the file has its result" out &&
	grep "brought by $(short content~1)" out
'

test_expect_success 'C5/138: already there, by patch-id, though changed since' '
	(cd tree && fork pid main && git am -q ../both.mbox && commit y lib/b 61 && commit z lib/b 11) &&
	fails both.mbox pid &&
	grep "^the base has this patch as $(short pid~2) (\"both\")" out &&
	failed "f[\"applied_as\"][\"oid\"].startswith(\"$(short pid~2)\")"
'

test_expect_success 'a file renamed, twice: the new name, the commit, whether it fits there' '
	(cd tree && fork renamed main && git mv lib/c lib/d && git commit -qm "move c" && git mv lib/d lib/e && git commit -qm "move d" &&
	 fork work main && commit c30 lib/c 30 && series c30) &&
	fails c30.mbox renamed &&
	grep "^lib/c: renamed to lib/e by $(short renamed~1) (\"move c\"); the patch fits there" out &&
	failed "w[\"state\"] == \"renamed\" and w[\"moved_to\"] == \"lib/e\" and w[\"fits_there\"]"
'

test_expect_success 'a file deleted, one that never was, and one in the way' '
	(cd tree && fork deleted main && git rm -q lib/c && git commit -qm "drop c" &&
	 fork other main && echo here >lib/new && git add -A && git commit -qm "make new" &&
	 fork work main && echo new >lib/new && git add -A && git commit -qm new && series new) &&
	fails c30.mbox deleted &&
	grep "^lib/c: deleted by $(short deleted) (\"drop c\")" out &&
	sed "s|lib/c|lib/never|g" c30.mbox >never.mbox && fails never.mbox &&
	grep "^lib/never: not in the history of the base" out &&
	fails new.mbox other &&
	grep "^lib/new: exists already, made by $(short other) (\"make new\")" out
'

test_expect_success 'C081: blobs the repository has never seen are named, nothing is replaced silently' '
	sed "s/^index .*/index 1111111..2222222 100644/" ctx.mbox >unknown.mbox &&
	fails unknown.mbox &&
	grep "^lib/a: the author.s version (1111111) is not in this repository" out &&
	failed "w[\"blob\"] == \"1111111\" and w[\"blob_state\"] == \"unknown\""
'

test_expect_success 'a blob that another branch has: commit and branch' '
	(cd tree && fork far base && commit far1 lib/c 77 && commit far2 lib/c 78 && fork work far && commit far3 lib/c 79 && series far3) &&
	fails far3.mbox &&
	grep "^lib/c: the author.s version (.*) is that of $(short far) (\"far2\") on far$" out &&
	grep "^nearest base: far ($(short far))" out
'

test_expect_success 'damaged: wrapped lines are named with their line' '
	sed "s/^-50$/-5\n0/" ctx.mbox >wrapped.mbox &&
	fails wrapped.mbox &&
	grep "^the mail is damaged: line [0-9]* of the diff is wrapped" out &&
	failed "\"wrapped\" in f[\"damage\"]"
'

test_expect_success 'damaged: tabs that became blanks' '
	(cd tree && fork work main && sed -i "s/return 1/return 2/" lib/tabs.c && git commit -qam tabs && series tabs) &&
	sed "s/	/        /g" tabs.mbox >blanks.mbox &&
	fails blanks.mbox &&
	grep "only white space differs at line 1: the mail.s tabs or blanks were changed (line [0-9]* of the diff)" out &&
	failed "h[\"cause\"] == \"whitespace\""
'

test_expect_success 'C091: applied, failed, not tried; nothing is left behind' '
	(cd tree && fork work base && commit one lib/b 10 && commit two lib/a 52 && commit three lib/b 90 && series three 3) &&
	git -C tree for-each-ref >before &&
	fails three.mbox &&
	git -C tree for-each-ref >after && test_cmp before after &&
	grep "^applied    1/3  one$" out && grep "^failed     2/3  two$" out && grep "^not tried  3/3  three$" out &&
	python3 -c "
import json
d = json.load(open(\"out.json\"))
assert [p[\"state\"] for p in d[\"patches\"]] == [\"applied\", \"failed\", \"not-tried\"], d"
'

test_expect_success 'lines changed by an earlier patch of the same series' '
	(cd tree && fork work base && commit first lib/b 20 && series s1 && fork work base && commit second lib/b 22 && series s2) &&
	{ sed "s/\[PATCH\]/[PATCH 1\/2]/;s/^Date/Message-ID: <1@x>\nDate/" s1.mbox &&
	  sed "s/\[PATCH\]/[PATCH 2\/2]/;s/^Date/Message-ID: <2@x>\nIn-Reply-To: <1@x>\nDate/" s2.mbox; } >own.mbox &&
	fails own.mbox base &&
	grep "changed by patch 1 of this series" out &&
	failed "h[\"own_patch\"] == 1"
'

test_expect_success 'one screen, whatever fails' '
	(cd tree && fork many base && seq 3000 >lib/a && git commit -qam many && fork work many &&
	 sed -i "0~20s/$/x/" lib/a && git commit -qam wide && series wide &&
	 fork drifted many && sed -i "2~20s/$/y/" lib/a && git commit -qam drifted) &&
	fails wide.mbox drifted &&
	test $(wc -l <out) -le 40 &&
	grep "and [0-9]* more hunks" out &&
	failed "len(f[\"hunks\"]) == 20"
'

test_expect_success 'control characters of a file do not reach the terminal' '
	(cd tree && fork evil main && printf "s/^52.*/\033[31m\007evil/\ns/^drift/\033[31m\007evil/" >../script && sed -i -f ../script lib/a && git commit -qam evil) &&
	fails ctx.mbox evil &&
	grep "has  .*evil" out && ! grep "$(printf "\033")" out err out.json
'

test_expect_success 'in a shallow clone the end of history is no cause' '
	git clone -q --depth 1 -b main "file://$PWD/tree" shallow &&
	test_expect_code 1 "$KILN" apply --tree shallow --onto HEAD ctx.mbox >out 2>err &&
	grep "6 of 7 lines" out && ! grep "fits before" out
'

test_done
