#!/bin/bash
# CPU time of one decision of the bisection engine: what a simulated search takes, by its boots.
# usage: bisect.sh; KILN names the binary, best a release build.
set -eu
kiln=${KILN:-kiln}

one() {
	python3 - "$kiln" "$1" "$2" <<'EOP'
import json, resource, subprocess, sys
kiln, spec, limit = sys.argv[1], sys.argv[2], float(sys.argv[3])
out = subprocess.run([kiln, "bisect", "--json", "--simulate", spec + " jobs=1"], check=True,
                     stdout=subprocess.PIPE).stdout
r, use = json.loads(out), resource.getrusage(resource.RUSAGE_CHILDREN)
ms = (use.ru_utime + use.ru_stime) * 1000 / (r["boots"] * r["trials"])
print(f"| a choice: {spec} | {ms:.2f} ms CPU | at most {limit:g} ms: {'yes' if ms <= limit else 'no'} |")
EOP
}

one "n=1000 trials=40 effect=5% run-sd=1%" 10
one "n=1000 trials=20 effect=3% run-sd=1%" 10
one "n=1000 trials=20 dag=13% effect=3% run-sd=1%" 10
one "n=100000 trials=3 effect=5% run-sd=1%" 300
one "n=100000 trials=3 dag=13% effect=5% run-sd=1%" 300
