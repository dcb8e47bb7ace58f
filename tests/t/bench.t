#!/bin/bash
test_description='kiln bench: what is refused before a machine starts'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-refuse.sh"

refuses_names bench "HEAD" "nonsense"
refuses_cells bench "HEAD"
refuses_machines bench "HEAD"

test_expect_success 'benchmarks are listed without a tree or a run' '
	kiln bench --list >out &&
	grep "^cpuid_rate .*L1, L2 .*leaf,subleaf" out &&
	grep "^vmrun_rate .* L1 " out &&
	kiln bench --list --json >out &&
	grep "\"benchmark\": \"touch_rate\"" out &&
	kiln runs >runs && ! grep "bench --list" runs
'

test_expect_success 'parameters are checked, and what there is is named' '
	test_expect_code 129 "$KILN" bench --tree tree --bench cpuid_rate:leaf=x HEAD 2>err &&
	grep "no leaf of benchmark .cpuid_rate." err && grep "^hint: .*0xffffffff" err &&
	test_expect_code 129 "$KILN" bench --tree tree --bench cpuid_rate:ws=4K HEAD 2>err &&
	grep "no parameter .ws." err && grep "^hint: .*leaf, subleaf" err &&
	test_expect_code 129 "$KILN" bench --tree tree --bench vmrun_rate:level=2 HEAD 2>err &&
	grep "cannot be L2" err
'

test_expect_success 'what cannot be measured says n/a and why' '
	test_expect_code 129 "$KILN" bench --tree tree --cell npt/- HEAD 2>err &&
	grep "cpuid_rate npt/-: n/a, its payload is L2" err &&
	test_expect_code 129 "$KILN" bench --tree tree --mitigations auto HEAD 2>err &&
	grep "n/a, the embedded configuration has none" err && grep "^hint: .*--fragment" err &&
	test_expect_code 129 "$KILN" bench --tree tree --mitigations some HEAD 2>err &&
	grep "auto or off" err &&
	test_expect_code 129 "$KILN" bench --tree tree --vcpus 5 HEAD 2>err &&
	grep "1 to 4 processors" err
'

test_expect_success 'one number is looked at by a search: one benchmark' '
	test_expect_code 129 "$KILN" bisect --tree tree --bench cpuid_rate --bench pio_rate \
		HEAD^ HEAD 2>err &&
	grep "2 benchmarks are given" err
'

own() {
	git config --file .gitconfig --remove-section benchmark.mine 2>/dev/null
	while [ $# -gt 0 ]; do
		git config --file .gitconfig "benchmark.mine.$1" "$2" && shift 2
	done
}

test_expect_success 'a section of the configuration is a benchmark' '
	own command "/bin/true 1 2" unit /s level L0 better lower timeout 5s &&
	kiln bench --list >out && grep "^mine .*/s .*in L0" out &&
	test_expect_code 129 "$KILN" bench --tree tree --bench mine:count=5 HEAD 2>err &&
	grep "takes no parameters" err
'

test_expect_success 'and a wrong one names its key' '
	own unit /s && test_expect_code 128 "$KILN" bench --list 2>err &&
	grep "benchmark.mine.command is no absolute path" err &&
	own command relative unit /s && test_expect_code 128 "$KILN" bench --list 2>err &&
	grep "benchmark.mine.command" err &&
	own command /bin/true && test_expect_code 128 "$KILN" bench --list 2>err &&
	grep "benchmark.mine.unit" err &&
	own command /bin/true unit "a b" && test_expect_code 128 "$KILN" bench --list 2>err &&
	grep "benchmark.mine.unit" err &&
	own command /bin/true unit /s level L3 &&
	test_expect_code 128 "$KILN" bench --list 2>err && grep "benchmark.mine.level" err &&
	own command /bin/true unit /s better best &&
	test_expect_code 128 "$KILN" bench --list 2>err && grep "benchmark.mine.better" err &&
	own command /bin/true unit /s warmup many &&
	test_expect_code 128 "$KILN" bench --list 2>err && grep "benchmark.mine.warmup" err
'

test_done
