# Commits of the Linux repository $tree that nothing refers to, for tests and benchmarks.

# kernel_edit COMMIT VALUE: prints a commit of $tree whose nested.c has one more object, with VALUE
# (its digits) in it
kernel_edit() {
	(
		file=arch/x86/kvm/svm/nested.c
		GIT_DIR=$tree/.git GIT_INDEX_FILE=$(mktemp -u)
		export GIT_DIR GIT_INDEX_FILE
		case $2 in
		*[!0-9a-z\ ]*) value=$2 ;;
		*) value=$(printf '%s' "$2" | cksum | cut -d' ' -f1)u ;;
		esac
		blob=$(
			{
				git cat-file blob "$1:$file"
				echo "extern unsigned int kiln_probe;"
				echo "unsigned int kiln_probe = $value;"
			} | git hash-object -w --stdin
		) &&
			git read-tree "$1" &&
			git update-index --cacheinfo "100644,$blob,$file" &&
			git commit-tree -p "$1" -m "probe $value" "$(git write-tree)"
		code=$?
		rm -f "$GIT_INDEX_FILE"
		exit $code
	)
}
