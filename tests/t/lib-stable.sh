# A small mainline, a stable branch of it and a stable queue; sourced after lib.sh.
#
#	story NAME      an empty stage: repository NAME/r, queue folder NAME/q/queue-6.1
#	up  KEY TITLE BODY EDIT...      a commit of mainline; its id is then in $KEY
#	pick KEY        the same as backport on linux-6.1.y; its id is then in $stable
#	queue KEY       the same as patch at the end of the queue; its file is then in $file
#	queue_as NAME KEY               under that name
#	own TITLE BODY EDIT...          a patch of the queue that is no commit of mainline
#	check ARG...    kiln queue on it: output in out, exit code in $code
#	says LEVEL ID [WORDS]           whether check ID said that; LEVEL is ERR, warn or info
#	silent ID       whether it said nothing above information
#
# An EDIT is FILE:SED-SCRIPT, or FILE:=TEXT to make a file. Commits are a day apart, so that
# one story is the same whenever it runs.

greg='Signed-off-by: Greg Kroah-Hartman <gregkh@linuxfoundation.org>'

# The time of the next commit.
tick() {
	clock=$((clock + 86400))
	GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000"
	export GIT_AUTHOR_DATE GIT_COMMITTER_DATE
}

# Functions one to six, ten lines each, in kvm.c; a header beside it.
source_files() {
	mkdir -p kvm
	printf '#include "kvm.h"\n#include <linux/base.h>\n\n' >kvm/kvm.c
	for f in one two three four five six; do
		printf 'static int kvm_%s(struct vcpu *v)\n{\n' $f
		printf '\tint %s_sum = v->%s;\n\n' $f $f
		printf '\tif (!v->%s_ready)\n\t\treturn -EINVAL;\n' $f
		printf '\t%s_sum += kvm_base(v, %s_LIMIT);\n' $f $f
		printf '\treturn %s_sum;\n}\n\n' $f
	done >>kvm/kvm.c
	printf '#define kvm_base(v, n) ((v)->base + (n))\n' >kvm/kvm.h
	printf 'config KVM_CORE\n\tbool "core"\n' >Kconfig
	printf 'VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 5\nEXTRAVERSION =\n' >Makefile
}

# What builds and boots has tests of its own. Repositories are small and thrown away: no housekeeping
# behind each commit, and nothing waits for a disk.
git config --global kiln.queueStatic true
git config --global gc.auto 0
git config --global maintenance.auto false
git config --global core.fsync none

story() {
	cd "$SHARNESS_TRASH_DIRECTORY" &&
	mkdir -p "$1/q/queue-6.1" && cd "$1" &&
	: >q/queue-6.1/series &&
	clock=1700000000 && tick &&
	git init -q -b master r && git init -q -b none s &&
	(cd r && source_files && git add -A && git commit -qm 'base of all' &&
		git tag v6.1 && git branch linux-6.1.y)
}

edit() {
	for e in "$@"; do
		path=${e%%:*} script=${e#*:}
		case $script in
		=*) mkdir -p "$(dirname "$path")" && printf '%s\n' "${script#=}" >"$path" ;;
		*) sed -i "$script" "$path" ;;
		esac || return 1
	done
	git add -A
}

# commit TITLE BODY
commit() {
	tick
	printf '%s\n\n%s\n\nSigned-off-by: %s <%s>\n' "$1" "$2" \
		"$GIT_AUTHOR_NAME" "$GIT_AUTHOR_EMAIL" | git commit -q -F -
}

up() {
	key=$1 title=$2 body=$3 && shift 3 &&
	cd r && edit "$@" && commit "$title" "$body" && eval "$key=$(git rev-parse HEAD)" && cd ..
}

pick() {
	cd r && git checkout -q linux-6.1.y && tick &&
	git cherry-pick -n "${!1}" &&
	{ git log -1 --format=%s "${!1}"; printf '\ncommit %s upstream.\n\n' "${!1}"
		git log -1 --format=%b "${!1}"; echo "$greg"; } | git commit -q -F - &&
	stable=$(git rev-parse HEAD) && git checkout -q master && cd ..
}

# patch_of COMMIT CLAIM: as the stable maintainers' scripts write it.
patch_of() {
	git -C r log -1 --format='From %H Mon Sep 17 00:00:00 2001%nFrom: %an <%ae>%nDate: %aD%nSubject: %s%n' "$1"
	test -z "$2" || printf '%s\n\n' "$2"
	git -C r log -1 --format=%b "$1" | sed '$d'
	printf '%s\n---\n' "$greg"
	git -C r diff-tree -p "$1" | sed 1d
	printf -- '-- \n2.39.5\n\n'
}

add_file() {
	file=$1 && echo "$1" >>q/queue-6.1/series && cat >"q/queue-6.1/$1"
}

slug() {
	git -C r log -1 --format=%f.patch "$1" | tr 'A-Z' 'a-z'
}

queue_as() {
	patch_of "${!2}" "commit ${!2} upstream." >new.patch && add_file "$1" <new.patch
}

queue() {
	queue_as "$(slug "${!1}")" "$1"
}

# On the stable branch, so that it applies there; the branch itself stays as it is.
own() {
	title=$1 body=$2 && shift 2 &&
	cd r && git checkout -q --detach linux-6.1.y && edit "$@" && commit "$title" "$body" &&
	made=$(git rev-parse HEAD) && git checkout -q master && cd .. &&
	patch_of "$made" '' | sed 1d >new.patch && add_file "$(slug "$made")" <new.patch
}

check() {
	kiln queue --tree r --queue q --onto linux-6.1.y --static "$@" 6.1 >out 2>err
	code=$?
	test $code -lt 126 || { cat err; return 1; }
}

says() {
	grep -E "^  $1 +$2  .*$3" out || { cat out; return 1; }
}

silent() {
	! grep -E "^  (ERR|warn) +$1 " out
}
