#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Every header stands alone, may be included twice, and has its guard.
. "${top_srcdir:?}/tests/lint/lint.sh"

# Unit tests include what cmocka.h wants before it; so do their helpers.
headers=$(sources '*.h')
alone=()
for h in $headers; do
	first=
	case $h in
	tests/lib/*) first='#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>' ;;
	esac
	# The flags lose what quotes this one on their way here.
	printf '#undef TOP_SRCDIR\n#define TOP_SRCDIR ""\n%s\n%s\n%s\n' \
		"$first" "#include \"$h\"" "#include \"$h\"" \
		>"$work/${h//\//+}.c"
	alone+=("$work/${h//\//+}.c")
done

# compiles FILE...: the flags are words for the compiler.
compiles() {
	# shellcheck disable=SC2086
	(cd "$top_builddir" && eval "${CC:?} ${LINT_CFLAGS:?}" \
		-Wno-unused-function -Werror -fsyntax-only '"$@"') >"$out" 2>&1
}

# All at once; if something is wrong, one by one.
compiles "${alone[@]}"
well=$?
for h in $headers; do
	if [ "$well" = 0 ] || compiles "$work/${h//\//+}.c"; then
		pass "$h stands alone"
	else
		fail "$h stands alone" "$(head -20 "$out")"
	fi
done

for h in $headers; do
	guard=${h^^}
	guard=UMPIRE_${guard//[\/.]/_}
	text=$'\n'$(<"$h")$'\n'
	[[ $text == *$'\n#ifndef '"$guard"$'\n'* &&
		$text == *$'\n#define '"$guard"$'\n'* ]] ||
		echo "$h: no guard $guard"
done | none "header guards are named after their path"

finish
