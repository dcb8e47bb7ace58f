#!/bin/bash
test_description='a loss in a real kernel between a commit that does not build and one that does not boot'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/system/kernel-history.sh"

test_expect_success 'the 11th commit does not build, the 12th costs 1 %, the 13th panics' '
	plant plan 12 270 &&
	echo "#error planted" >plan/11.c &&
	printf "%s\n" "static int __init kiln_dies(void)" "{" "	panic(\"planted\");" "}" \
		"core_initcall(kiln_dies);" >plan/13.c &&
	history plan >commits
'

test_expect_success 'D1, D17: a set with the culprit in it, or the culprit' '
	code=0 &&
	bisect set || code=$? &&
	echo "# $(figures set)" >&2 &&
	case $(json set "d[\"verdict\"]") in
	found) test "$(json set "d[\"culprit\"][\"commit\"]")" = "$(commit_of 12)" ;;
	set) test $code = 125 &&
		json set "\"\\n\".join(c[\"commit\"] for c in d[\"set\"])" >named &&
		grep "$(commit_of 12)" named &&
		test "$(wc -l <named)" -le 2 ;;
	*) false ;;
	esac
'

test_done
