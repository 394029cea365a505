#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Every header stands alone, may be included twice, and has its guard.
. "${top_srcdir:?}/tests/lint/lint.sh"

# Unit tests include what cmocka.h wants before it; so do their helpers.
for h in $(sources '*.h'); do
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
		"$first" "#include \"$h\"" "#include \"$h\"" >"$work/alone.c"
	# The flags are words for the compiler.  shellcheck disable=SC2086
	if (cd "$top_builddir" && eval "${CC:?} ${LINT_CFLAGS:?}" \
		-Wno-unused-function -Werror -fsyntax-only \
		'"$work/alone.c"') >"$out" 2>&1; then
		pass "$h stands alone"
	else
		fail "$h stands alone" "$(head -20 "$out")"
	fi
done

for h in $(sources '*.h'); do
	guard=UMPIRE_$(printf '%s' "$h" | tr 'a-z/.' 'A-Z__')
	grep -qx "#ifndef $guard" "$h" && grep -qx "#define $guard" "$h" ||
		echo "$h: no guard $guard"
done | none "header guards are named after their path"

finish
