#!/bin/bash
test_description='kiln compare --stored: boots of earlier runs (toy kernels) to a verdict'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"
. "$KILN_SOURCE/tests/t/toy.sh"

compare() {
	kiln compare --tree tree --fragment frag --accel tcg --cell npt/npt --stored "$@"
}

# boots REV PATH VALUE...: a boot for each value, its two proven runs a unit apart; kept as if $run had
# made them in the environment $held.
boots() {
	local rev=$1 path=$2 n=0
	shift 2
	kiln build --tree tree --fragment frag --json "$rev" >b.json 2>/dev/null || return 1
	for value; do
		n=$((n + 1))
		store_sql "
		INSERT INTO boots (token, run, commit_id, tree, target, accel, path, boot_id, build_id, status,
			console, proven, seconds) VALUES ('$run-$n', '$run', '$(field b.json commit)',
			'$(field b.json tree)', 'qemu', 'tcg', '$path', 'id', '$(field b.json build_id)', 'ok',
			'/c', 1, 7);
		INSERT INTO held VALUES ('$run-$n', '$held');
		INSERT INTO samples (run, token, commit_id, tree, benchmark, l0, l1, ordinal, value, unit,
			clock, proven, path) VALUES ('$run', '$run-$n', '$(field b.json commit)',
			'$(field b.json tree)', 'cpuid_rate', 'npt', 'npt', 0, $value, '/s', 'virtual', 1, '$path');
		INSERT INTO samples (run, token, commit_id, tree, benchmark, l0, l1, ordinal, value, unit,
			clock, proven, path) VALUES ('$run', '$run-$n', '$(field b.json commit)',
			'$(field b.json tree)', 'cpuid_rate', 'npt', 'npt', 1, $value + 1, '/s', 'virtual', 1, '$path');
		INSERT INTO samples (run, token, commit_id, tree, benchmark, l0, l1, ordinal, value, unit,
			clock, proven, path) VALUES ('$run', '$run-$n', '$(field b.json commit)',
			'$(field b.json tree)', 'cpuid_rate', 'npt', 'npt', 2, 1, '/s', 'virtual', 0, '$path');
		" || return 1
	done
}

# new_run: names of boots to come are its
new_run() {
	run=$1
	store_run "$run" 1 0 "$PWD" bench HEAD
}

# calibration SD: of two layouts, two boots each
calibration() {
	store_sql "INSERT INTO calibrations VALUES ('$run', 'qemu', 'tcg', 'kexec', 'cpuid_rate', 'npt',
		'npt', '$params', 1, 3, 15, 150, 18531, $1, $1, 0, 135, 12, 2, 7)"
}

test_expect_success BWRAP 'three commits, two of them one kernel' '
	cp -r "$KILN_SOURCE/tests/data/toy-kernel" tree &&
	printf "CONFIG_NET=y\nCONFIG_NET_9P=y\n" >frag &&
	git init -q -b main tree && commit base && git -C tree tag base &&
	echo "a text" >tree/README && commit words && git -C tree tag words &&
	echo "int kiln_patched = 1;" >>tree/lib.c && commit patched && git -C tree tag patched &&
	build base words patched >/dev/null 2>&1
'

test_expect_success BWRAP 'what boots hold fixed is known' '
	build --json base >b.json 2>/dev/null &&
	l1=$(field b.json build_id) &&
	params="cpuid leaf=0 subleaf=0 windows=15 count=1000" &&
	program=$(git hash-object --no-filters --stdin <"$KILN_BUILD/guest-payload") &&
	on="kvm_amd.npt=1 kvm_intel.ept=1" &&
	printf "l1 %s\ncell npt/npt %s %s\nprogram %s\nparams %s\n" "$l1" "$on" "$on" "$program" "$params" >held.txt &&
	held=$(git hash-object --no-filters --stdin <held.txt)
'

test_expect_success BWRAP 'nothing stored: says so, and what to do' '
	test_expect_code 128 "$KILN" compare --stored --tree tree --fragment frag --accel tcg base patched \
		2>err &&
	grep "no stored boot of commit" err && grep "^hint: .*without --stored" err
'

test_expect_success BWRAP 'a side that is missing is named' '
	new_run aaaa00000001 && boots base kexec 18530 18531 &&
	test_expect_code 128 "$KILN" compare --stored --tree tree --fragment frag --accel tcg --cell npt/npt \
		base patched 2>err &&
	grep "no stored boot of commit $(git -C tree rev-parse patched | cut -c1-12)" err
'

test_expect_success BWRAP 'boots of two runs; runs are never pooled, unproven ones never count' '
	new_run aaaa00000002 && boots patched kexec 18346 18345 &&
	test_expect_code 1 compare --json base patched >out.json 2>err &&
	test "$(jq_py out.json "d[\"rows\"][0][\"verdict\"]")" = slower &&
	test "$(jq_py out.json "[d[\"rows\"][0][s][k] for s in (\"base\", \"patched\") for k in (\"boots\", \"runs\")]")" = \
		"[2, 4, 2, 4]" &&
	test "$(jq_py out.json "d[\"rows\"][0][\"stored\"]")" = 4 &&
	test "$(jq_py out.json "d[\"rows\"][0][\"noise\"][\"source\"]")" = usual &&
	test "$(jq_py out.json "d[\"seed\"]")" = None &&
	test "$(jq_py out.json "d[\"clock\"]")" = virtual &&
	test_expect_code 1 compare base patched >out 2>err &&
	grep "^path length, not time" out && grep "nothing was measured" out && grep "usual: boots repeat to 0.050 %" out
'

test_expect_success BWRAP 'unlike boots stay out: another path, another environment' '
	new_run aaaa00000003 && boots base firmware 20000 20001 &&
	(held=1111111111111111111111111111111111111111 && new_run aaaa00000004 && boots base kexec 20000 20001) &&
	test_expect_code 1 compare --json base patched >out.json 2>err &&
	test "$(jq_py out.json "d[\"rows\"][0][\"base\"][\"boots\"]")" = 2
'

test_expect_success BWRAP 'a calibration replaces what is usual, and is named' '
	run=aaaa00000002 && calibration 0.02 &&
	test_expect_code 125 compare --json base patched >out.json 2>err &&
	test "$(jq_py out.json "d[\"rows\"][0][\"verdict\"]")" = undecided &&
	test "$(jq_py out.json "d[\"rows\"][0][\"noise\"]")" = \
		"{'\''source'\'': '\''calibrated'\'', '\''boot_sd'\'': 0.02, '\''build_sd'\'': 0.0, '\''run'\'': '\''aaaa00000002'\''}" &&
	test "$(jq_py out.json "d[\"rows\"][0][\"needs_boots\"] > 2")" = True &&
	test_expect_code 125 compare base patched >out 2>err &&
	grep "calibrated: boots repeat to 2.000 % (sd), builds to 0.000 %; 15 boots in run aaaa0000" out &&
	new_run aaaa00000005 && calibration 0.0001 &&
	test_expect_code 1 compare --json base patched >out.json 2>err &&
	test "$(jq_py out.json "d[\"rows\"][0][\"noise\"][\"run\"]")" = aaaa00000005 &&
	test_expect_code 1 compare --json --min-sd 0.0001 base patched >out.json 2>err &&
	test "$(jq_py out.json "d[\"rows\"][0][\"noise\"][\"source\"]")" = told
'

test_expect_success BWRAP 'one kernel is never slower, whatever its boots say' '
	new_run aaaa00000006 && boots words kexec 17000 17001 &&
	build --json base >b.json && build --json words >w.json &&
	test "$(field b.json build_id)" = "$(field w.json build_id)" &&
	compare --json base words >out.json 2>err &&
	test "$(jq_py out.json "d[\"same_code\"]")" = True &&
	test "$(jq_py out.json "d[\"rows\"][0][\"verdict\"]")" = same &&
	test "$(jq_py out.json "d[\"rows\"][0][\"base\"][\"boots\"]")" = 0 &&
	compare base words >out 2>err &&
	grep "^the same kernel" out && ! grep "nothing was measured" out
'

test_expect_success BWRAP 'killed at every record and resumed: the same document' '
	test_expect_code 1 compare --json base patched >want.json 2>err &&
	for n in $(seq 1 40)
	do
		code=0
		KILN_KILL_AT=$n compare --json base patched >got.json 2>err || code=$?
		test $code = 137 || break
		test_expect_code 1 "$KILN" resume last >got.json 2>err &&
		test_cmp want.json got.json || return 1
	done &&
	test $n -gt 8 && test $n -lt 40
'

test_expect_success BWRAP 'a plan beyond the budget is refused before anything boots' '
	test_expect_code 125 "$KILN" compare --json --tree tree --fragment frag --accel tcg --budget 1s \
		--boots 50 base patched >out.json 2>err &&
	test "$(jq_py out.json "d[\"error\"][\"code\"]")" = over-budget &&
	grep "^plan  200 boots, 0 builds" err
'

test_expect_success BWRAP 'the plan of a search for an effect is by the calibration' '
	test_expect_code 125 "$KILN" compare --tree tree --fragment frag --accel tcg --cell npt/npt --budget 1s \
		--target-effect 0.002 base patched >out 2>err &&
	grep "^plan  about 4 boots, 0 builds" err &&
	test_expect_code 125 "$KILN" compare --tree tree --fragment frag --accel tcg --cell npt/npt --budget 1s \
		--target-effect 0.00001 base patched >out 2>err &&
	grep "^plan  about 80 boots, 0 builds" err
'

test_expect_success BWRAP 'settings out of range are refused' '
	for opt in --target-effect=2 --min-sd=-1 --confidence=1 --same-within=nan
	do
		test_expect_code 129 "$KILN" compare --stored --tree tree --fragment frag --accel tcg \
			--cell npt/npt $opt base patched 2>err || return 1
	done
'

test_done
