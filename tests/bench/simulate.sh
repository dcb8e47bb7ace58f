#!/bin/bash
# The figures of bisection in simulated worlds, as rows of RESULTS.md: a world a row.
# usage: simulate.sh [TRIALS] [SEED]; KILN names the binary, best a release build.
set -eu
trials=${1:-400}
seed=${2:-20250205}
kiln=${KILN:-kiln}

echo "| world | right | declared | right of these | no change | second | builds | boots | runs | hours |"
echo "|---|---|---|---|---|---|---|---|---|---|"
while read -r spec; do
	[ "$spec" ] || continue
	"$kiln" bisect --json --simulate "$spec trials=$trials seed=$seed" | python3 -c '
import json, sys
r = json.load(sys.stdin)
share = lambda v: "-" if v is None else f"{v * 100:.1f}"
print("|", sys.argv[1], "|", " | ".join(share(r[k]) for k in ("right", "declared", "right_declared",
      "no_change", "second_change")), "|", " | ".join(f"{r[k]:.1f}" for k in ("builds", "boots",
      "runs", "hours")), "|", flush=True)' "$spec"
done <<'EOW'
effect=5% run-sd=1%
effect=5% run-sd=3%
effect=5% run-sd=5%
effect=3% run-sd=1%
effect=3% run-sd=3%
effect=2% run-sd=1%
changes=0 run-sd=1% max-boots=60
changes=2 effect=-5% run-sd=1%
dag=13% effect=3% run-sd=1%
dag=13% effect=5% run-sd=1%
dag=13% effect=5% run-sd=1% first-parent=1
untestable=5% effect=5% run-sd=1%
untestable=20% effect=5% run-sd=1%
outliers=5% effect=5% run-sd=1%
build-sd=1% effect=5% run-sd=1% verify=1
prior=20 effect=3% run-sd=1%
flaky=100%
flaky=30%
effect=5% run-sd=1% baseline=git1
effect=5% run-sd=1% baseline=git5
effect=5% run-sd=1% baseline=bayes stop=95%
effect=3% run-sd=3% baseline=git5
effect=3% run-sd=3% baseline=bayes stop=95%
EOW
