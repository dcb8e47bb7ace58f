#!/bin/bash
test_description='kiln bench on the real kernel: every payload as L1 and as L2, and what was counted'
. "$(dirname "$0")/lib.sh"

payloads='cpuid hypercall rdmsr wrmsr pio mmio irq touch fault switch spin'

# The user's own commands: scripts, as no other program is there for certain. Their words are
# separated by blanks, so the folder has none in its name.
scripts=$(mktemp -d "${TMPDIR:-/tmp}/kiln-bench.XXXXXX")
cleanup 'rm -rf "$scripts"'

# script NAME [ARG...] <text
script() {
	local name=$1
	shift
	{ echo '#!/bin/sh -e'; cat; } >"$scripts/$name" && chmod +x "$scripts/$name" &&
	git config --global "benchmark.$name.command" "$scripts/$name $*"
}

test_expect_success 'set up commands of the user' '
	script in-l1 3 <<-\EOF &&
	n=0
	while [ $n -lt $1 ]; do
		n=$((n + 1))
		echo "in-l1 $((100 + n)) things"
	done
	EOF
	git config --global benchmark.in-l1.unit things &&
	script in-l0 <<-\EOF &&
	read -r line </proc/sys/kernel/ostype
	echo "$line 1 none"
	echo "in-l0 2.5 s"
	echo "in-l0 2.5 s"
	EOF
	git config --global benchmark.in-l0.unit s &&
	git config --global benchmark.in-l0.level L0 &&
	script not-a-number <<-\EOF &&
	echo "not-a-number 1 s"
	echo "not-a-number nan s"
	EOF
	git config --global benchmark.not-a-number.unit s
'

test_expect_success 'one boot measures all, another one counts' '
	args="--bench vmrun_rate:windows=2,warmup=1,count=200 --bench in-l1 --bench in-l0" &&
	args="$args --bench linux_cpuid_rate:windows=2,warmup=1,count=200" &&
	for p in $payloads; do
		args="$args --bench ${p}_rate:windows=2,warmup=1,count=200"
		args="$args --bench ${p}_rate:level=1,windows=2,warmup=1,count=200"
	done &&
	kiln bench --json --tree "$tree" --cell npt/npt --boots 1 --count $args HEAD >out &&
	kiln show --json >shown &&
	json shown "\" \".join(sorted(\"%s:%d%d\" % (b[\"status\"], b[\"proven\"], b[\"counted\"]) for b in d[\"boots\"]))" >boots &&
	echo "ok:10 ok:11" >want && test_cmp want boots
'

test_expect_success 'every payload gave rates, and those of L2 are slower where there are exits' '
	cat >rates.py <<-\EOF &&
	import json, sys
	d = json.load(open("out"))
	rate = {}
	for s in d["samples"]:
	    assert s["proven"] and s["value"] > 0 and s["clock"] == "virtual", s
	    assert s["payload"] and s["setup"] == "", s
	    assert (s["cell"]["l1"] == "-") == (s["guest"] is None) == (s["qemu"] is None), s
	    rate.setdefault(s["benchmark"].replace(",windows=2,warmup=1,count=200", "").replace(":windows=2,warmup=1,count=200", ""), []).append(s["value"])
	for p in sys.argv[1:]:
	    one, two = rate[p + "_rate:level=1"], rate[p + "_rate"]
	    assert len(one) == len(two) == 2, (p, one, two)
	    if p not in ("fault", "switch", "spin"):
	        assert min(one) > 2 * max(two), (p, one, two)
	    else:
	        assert 0.9 < one[0] / two[0] < 1.1, (p, one, two)
	assert len(rate["vmrun_rate"]) == 2
	assert rate["in-l1"] == [101, 102, 103] and rate["in-l0"] == [2.5, 2.5]
	EOF
	python3 rates.py $payloads
'

test_expect_success 'counters explain the rates' '
	cat >counters.py <<-\EOF &&
	import json
	d = json.load(open("out"))
	n = {}
	for c in d["counters"]:
	    name = c["benchmark"].replace(",windows=2,warmup=1,count=200", "").replace(":windows=2,warmup=1,count=200", "")
	    n[name, c["counter"]] = c["per_operation"]
	def is_about(name, counter, lo, hi):
	    v = n[name, counter]
	    assert v is not None and lo <= v <= hi, (name, counter, v)
	for p in "cpuid hypercall rdmsr wrmsr pio mmio touch".split():
	    one, two = p + "_rate:level=1", p + "_rate"
	    # one exit an operation, seen by both ways of counting; and of L2 one that L1 gets
	    is_about(one, "kvm:kvm_exit", 0.98, 1.1)
	    is_about(one, "stat:exits", 0.98, 1.1)
	    is_about(one, "kvm:kvm_nested_vmexit", 0, 0)
	    is_about(two, "kvm:kvm_nested_vmexit_inject", 0.98, 1.2)
	    is_about(two, "kvm:kvm_nested_vmenter", 0.98, 1.2)
	    # of which L1 makes some more exits of its own
	    is_about(two, "kvm:kvm_exit", 4, 20)
	is_about("pio_rate:level=1", "kvm:kvm_userspace_exit", 0.98, 1.1)
	is_about("mmio_rate:level=1", "kvm:kvm_userspace_exit", 0.98, 1.1)
	is_about("cpuid_rate:level=1", "kvm:kvm_userspace_exit", 0, 0.05)
	is_about("irq_rate:level=1", "kvm:kvm_exit", 2, 4)
	is_about("vmrun_rate", "kvm:kvm_nested_vmenter", 0.98, 1.1)
	is_about("vmrun_rate", "kvm:kvm_nested_vmexit_inject", 0.98, 1.1)
	# nested paging keeps these from the hypervisor
	for p in "fault switch".split():
	    is_about(p + "_rate:level=1", "kvm:kvm_exit", 0, 0.1)
	is_about("spin_rate:level=1", "kvm:kvm_exit", 0, 0.01)
	assert not any(k[0].startswith("in-l") for k in n)
	EOF
	python3 counters.py
'

test_expect_success 'a process of Linux as L2 pays for CPUID what a payload pays' '
	cat >linux.py <<-\EOF &&
	import json
	d = json.load(open("out"))
	of = lambda name, key: [s for s in d[key] if s["benchmark"].startswith(name)]
	rate = [s["value"] for s in of("linux_cpuid_rate", "samples")]
	payload = [s["value"] for s in of("cpuid_rate:windows", "samples")]
	assert len(rate) == 2 and len(payload) == 2, (rate, payload)
	# its timer ticks, too
	assert 0.8 < rate[0] / payload[0] < 1.02, (rate, payload)
	n = {c["counter"]: c["per_operation"] for c in of("linux_cpuid_rate", "counters")}
	assert 0.98 <= n["kvm:kvm_nested_vmexit_inject"] <= 1.5, n
	EOF
	python3 linux.py
'

test_expect_success 'what was counted is in the store under names of its own' '
	json shown "[s for s in d[\"samples\"] if s[\"benchmark\"] == \"cpuid_rate:level=1,windows=2,warmup=1,count=200#kvm:kvm_exit\"][0][\"unit\"]" >unit &&
	echo /op >want && test_cmp want unit
'

test_expect_success 'a command that prints no number is an error that names its line' '
	test_expect_code 128 "$KILN" bench --tree "$tree" --cell npt/npt --boots 1 \
		--bench not-a-number HEAD >out 2>err &&
	test_must_be_empty out &&
	grep "line 2 of the benchmark, .not-a-number nan s., has no number" err
'

test_done
