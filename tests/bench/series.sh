#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How fast series are read: a 100-patch mbox with replies, trailers and prerequisites against
# `b4 am -m` (with what both write held against each other), and one mailbox of 10,000 mails.
# usage: tests/bench/series.sh [MAILS]      KILN: the binary, default build/release/kiln
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
KILN=${KILN:-$root/build/release/kiln}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export KILN XDG_DATA_HOME="$scratch/data" XDG_CACHE_HOME="$scratch/cache" HOME="$scratch"
git config --global user.name 'A U Thor'
git config --global user.email author@example.org
python3 "$root/tests/bench/series.py" "$scratch" "${1:-10000}"
