#!/bin/sh
# Every C file is as clang-format leaves it.
set -eu
root=${1:?usage: format.sh ROOT}
command -v clang-format >/dev/null || { echo "clang-format is not installed"; exit 77; }
cd "$root"
find core mail boot bench cli tests \( -path tests/data -o -path '*/build' \) -prune -o \
	-name '*.[ch]' -print0 2>/dev/null | xargs -0 clang-format --dry-run -Werror
