#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# All C is as clang-format leaves it.  Its output differs between versions,
# so only the one that Debian 12 has is asked.
. "${top_srcdir:?}/tests/lint/lint.sh"
need clang-format
case $(clang-format --version) in
*" version 14."*) ;;
*) skip_all "clang-format is not of version 14" ;;
esac

# shellcheck disable=SC2046
clang-format --dry-run $(sources '*.c' '*.h') 2>&1 |
	grep -E 'warning: code should be' |
	none "clang-format finds nothing to change"

finish
