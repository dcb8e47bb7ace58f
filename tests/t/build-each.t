#!/bin/bash
test_description='kiln build --each: every patch of a series or range (a toy tree)'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/toy.sh"

# verdicts FILE: number and verdict of each patch in a document
verdicts() {
	python3 - "$1" <<-'EOT'
	import json, sys
	d = json.load(open(sys.argv[1]))
	print(" ".join("%d:%s" % (p["number"], p["verdict"]) for p in d["patches"]))
	EOT
}

test_expect_success 'five patches: code, a name, an error, its fix, code' '
	cp -r "$KILN_SOURCE/tests/data/toy-kernel" tree && git init -q tree &&
	git -C tree add -A && git -C tree commit -q -m base && git -C tree tag base &&
	echo CONFIG_NET=y >frag &&
	sed -i "s/return 1/return 2/" tree/lib.c && commit "lib: return two" &&
	echo "asm(\".set a_name, 1\");" >>tree/lib.c && commit "lib: name a thing" && git -C tree tag two &&
	echo "int broken = nothing;" >>tree/lib.c && commit "lib: break" &&
	sed -i "/broken/d" tree/lib.c && commit "lib: repair" && git -C tree tag four &&
	sed -i "s/return 2/return 3/" tree/lib.c && commit "lib: return three" && git -C tree tag good
'

test_expect_success 'a range: a line a patch, the cause below, the base asked, 1' '
	test_expect_code 1 "$KILN" build --each --tree tree --fragment frag base..good >out &&
	grep " base .* ok  *- .* ok " out &&
	grep "^ *1 .* ok .* ok .*lib: return two" out &&
	grep "^ *2 .* same  *lib: name a thing" out &&
	grep "^ *3 .* failed .* broken  *lib: break" out &&
	grep "^ *4 .* ok  *lib: repair" out && grep "^ *5 .* ok  *lib: return three" out &&
	grep "failed: lib.c:[0-9:]* error: .nothing. undeclared" out && grep "^log: " out
'

test_expect_success 'the same as a document, from the cache' '
	test_expect_code 1 "$KILN" build --each --tree tree --fragment frag --json base..good >doc.json &&
	test "$(verdicts doc.json)" = "1:ok 2:same 3:broken 4:ok 5:ok" &&
	test "$(grep -c "\"cached\": true" doc.json)" = 6
'

test_expect_success 'it stops where it is told to' '
	test_expect_code 1 "$KILN" build --each --stop --tree tree --fragment frag --json base..good >doc.json &&
	test "$(verdicts doc.json)" = "1:ok 2:same 3:broken 4:left 5:left"
'

test_expect_success 'nothing broken: 0, and the base is not asked' '
	kiln build --each --tree tree --fragment frag --json base..two >doc.json &&
	test "$(verdicts doc.json)" = "1:ok 2:same" &&
	kiln build --each --tree tree --fragment frag base..two >out && ! grep " base " out
'

test_expect_success 'a base that is broken too blames no patch: 125' '
	kiln build --each --tree tree --fragment frag --json four~..four >doc.json &&
	test "$(verdicts doc.json)" = "1:ok" &&
	git -C tree checkout -q four~ && echo "/* more */" >>tree/lib.c && commit "lib: still broken" &&
	test_expect_code 125 "$KILN" build --each --tree tree --fragment frag --json HEAD~..HEAD >doc.json &&
	test "$(verdicts doc.json)" = "1:unknown" && git -C tree checkout -q master
'

test_expect_success 'a series from a mailbox, put on the base' '
	git -C tree format-patch -q --stdout base..good >series.mbox &&
	test_expect_code 1 "$KILN" build --each --tree tree --onto base --fragment frag --json series.mbox >doc.json &&
	test "$(verdicts doc.json)" = "1:ok 2:same 3:broken 4:ok 5:ok"
'

test_expect_success 'a series that does not apply is a bad answer, not a crash' '
	test_expect_code 1 "$KILN" build --each --tree tree --onto good --fragment frag series.mbox >out 2>err &&
	test_must_be_empty out && grep "^error" err
'

test_expect_success 'killed in between it is continued, and nothing is built twice' '
	rm -rf "$cache" &&
	test_expect_code 1 "$KILN" build --each --tree tree --fragment frag --json base..good >doc.json &&
	run=$(sed -n "s/^ *\"run\": \"\(.*\)\",/\1/p" doc.json) &&
	python3 - "$KILN_HOME/state/kiln.db" "$run" <<-\EOT &&
	import sqlite3, sys
	db = sqlite3.connect(sys.argv[1])
	steps = [r[0] for r in db.execute("SELECT step FROM journal WHERE run = ? AND state = ? ORDER BY id",
	                                  (sys.argv[2], "done"))]
	builds = [s for s in steps if s.startswith("build:")]
	# patch 4 has the tree of patch 2
	assert len(builds) == 5 and len(set(builds)) == 5, steps
	# as a kill after the third build would have left it
	for s in builds[3:]:
	    db.execute("DELETE FROM journal WHERE run = ? AND step = ?", (sys.argv[2], s))
	db.execute("UPDATE runs SET state = 0 WHERE id = ?", (sys.argv[2],))
	db.commit()
	EOT
	test_expect_code 1 "$KILN" resume "$run" >again.json &&
	test "$(verdicts again.json)" = "1:ok 2:same 3:broken 4:ok 5:ok"
'

test_expect_success 'words that do not go together' '
	test_expect_code 129 "$KILN" build --each --tree tree --fragment frag base good 2>err && grep "one series or range" err &&
	test_expect_code 129 "$KILN" build --each --gc --tree tree 2>err &&
	test_expect_code 128 "$KILN" build --each --tree tree --fragment frag base..nowhere 2>err && grep nowhere err
'

test_done
