# Rows for the result store, so that its commands can be tested without a machine. Sourced behind
# lib.sh; any kiln command has to have made the store before.

# store_sql STATEMENTS: executes them in the store.
store_sql() {
	[ -e "$KILN_HOME/state/kiln.db" ] || kiln runs >/dev/null 2>&1
	python3 - "$KILN_HOME/state/kiln.db" "$1" <<-'EOT'
	import sqlite3, sys
	db = sqlite3.connect(sys.argv[1])
	db.executescript(sys.argv[2])
	db.close()
	EOT
}

# store_run ID STATE EXIT CWD ARGV...: state is 0 active, 1 done, 2 failed; the command is the first
# word behind -c settings.
store_run() {
	[ -e "$KILN_HOME/state/kiln.db" ] || kiln runs >/dev/null 2>&1
	python3 - "$KILN_HOME/state/kiln.db" "$@" <<-'EOT'
	import sqlite3, sys
	path, run, state, code, cwd, *argv = sys.argv[1:]
	name = argv[2 * argv.count("-c")]
	db = sqlite3.connect(path)
	with db:
	    db.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, 1777896000, ?)",
	               (run, name, cwd, int(state), int(code), 0 if state == "0" else 1777896060))
	    db.executemany("INSERT INTO run_args VALUES (?, ?, ?)",
	                   [(run, i, a) for i, a in enumerate(argv)])
	db.close()
	EOT
}

# with_lock RUN COMMAND...: runs the command while another process holds the run.
with_lock() {
	local run=$1
	shift
	mkdir -p "$KILN_HOME/state/runs/$run"
	flock "$KILN_HOME/state/runs/$run/lock" "$@"
}

# jq_py FILE EXPRESSION: the Python expression of document d in the JSON file.
jq_py() {
	python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}
