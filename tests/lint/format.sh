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

# What was found to be in form, by the hashes of the style and of the file, is
# not asked for again.
known=${top_builddir:?}/tests/lint/format.known
style=$(sha256sum <.clang-format)
# shellcheck disable=SC2046
sha256sum $(sources '*.c' '*.h') | sed "s/^/${style%% *} /" >"$work/sums"
[ -e "$known" ] || : >"$known"
grep -vxFf "$known" "$work/sums" | sed 's/.* //' >"$work/files"

xargs -r clang-format --dry-run <"$work/files" >"$work/said" 2>&1
status=$?
grep -E 'warning: code should be' "$work/said" >"$out"
none "clang-format finds nothing to change" <"$out"
[ "$status" != 0 ] || [ -s "$out" ] || cp "$work/sums" "$known"

finish
