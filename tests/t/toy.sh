# Building the toy kernel of tests/data: sourced after lib.sh.
cache=$KILN_HOME/cache

# commit MESSAGE: everything in tree/ as a commit
commit() {
	git -C tree add -A && git -C tree commit -q --allow-empty -m "$1"
}

# Back to a tree that builds.
fresh() {
	git -C tree reset -q --hard good
}

# field JSON-FILE NAME: of the first build
field() {
	sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1" | head -n 1
}

build() {
	kiln build --tree tree --fragment frag "$@"
}

worktree() {
	echo "$cache"/worktrees/*
}

no_entries() {
	! ls "$cache"/builds/*/meta 2>/dev/null
}


bwrap --ro-bind / / --unshare-all true 2>/dev/null && test_set_prereq BWRAP
