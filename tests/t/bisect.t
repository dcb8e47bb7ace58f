#!/bin/bash
test_description='kiln bisect: what is refused before a machine starts'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-refuse.sh"

refuses_names bisect "HEAD^ HEAD" "nonsense^ HEAD"
refuses_cells bisect "HEAD^ HEAD"

test_expect_success 'ends in the wrong order are refused' '
	test_expect_code 129 "$KILN" bisect --tree tree HEAD HEAD^ 2>err &&
	grep "ancestor" err
'

test_expect_success 'two cells at once are refused' '
	test_expect_code 129 "$KILN" bisect --tree tree --cell npt/npt --cell npt/shadow HEAD^ HEAD 2>err &&
	grep "one cell" err
'

test_expect_success 'one end is refused' '
	test_expect_code 129 "$KILN" bisect --tree tree HEAD 2>err &&
	grep "two ends" err
'

test_expect_success 'a simulation needs no repository and tells the documented keys' '
	mkdir -p nowhere &&
	(cd nowhere && "$KILN" bisect --json --simulate "n=64 trials=10 seed=3" >../sim.json) &&
	python3 - <<-\EOF
	import json
	r = json.load(open("sim.json"))
	for key in ("right", "declared", "right_declared", "boots", "builds", "runs", "hours"):
	    assert isinstance(r[key], float), key
	assert r["trials"] == 10 and r["seed"] == 3 and "n=64" in r["spec"]
	assert r["right"] > 0.8 and 8 < r["boots"] < 40, r
	EOF
'

test_expect_success 'a simulation is the same for any number of threads' '
	"$KILN" bisect --json --simulate n=64,trials=10,seed=3,jobs=3 >jobs.json &&
	test_cmp sim.json jobs.json
'

test_expect_success 'its table names the world and its seed' '
	"$KILN" bisect --simulate "n=64 trials=10 seed=3" >table &&
	grep "seed=3" table &&
	grep "boots" table
'

test_expect_success 'no change has no right answers among none' '
	"$KILN" bisect --json --simulate "n=16 trials=3 changes=0 max-boots=20" >none.json &&
	python3 -c "import json; r = json.load(open(\"none.json\")); assert r[\"right_declared\"] is None"
'

test_expect_success 'a world without sense is refused' '
	test_expect_code 129 "$KILN" bisect --simulate n=64,speed=3 2>err &&
	grep "speed" err &&
	test_expect_code 129 "$KILN" bisect --simulate n=64 HEAD^ HEAD 2>err &&
	grep "no ends" err
'

test_done
