#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Every header stands alone, may be included twice, and has its guard.
. "${top_srcdir:?}/tests/lint/lint.sh"

# A header that its own C file includes before anything else was compiled alone
# when the build was made; the others are compiled here.
declare -A is_compiled
# shellcheck disable=SC2046
grep -m 1 '^#include' $(sources '*.c') | while IFS=: read -r file line; do
	[ "$line" != "#include \"${file%.c}.h\"" ] || is_compiled[${file%.c}.h]=1
done

headers=$(sources '*.h')
alone=()
for h in $headers; do
	[ -z "${is_compiled[$h]:-}" ] || continue
	# The flags lose what quotes this one on their way here.
	printf '#undef TOP_SRCDIR\n#define TOP_SRCDIR ""\n%s\n%s\n' \
		"#include \"$h\"" "#include \"$h\"" >"$work/${h//\//+}.c"
	alone+=("$work/${h//\//+}.c")
done
holds "own C files include headers first" test "${#is_compiled[@]}" -ge 100

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
	own=$work/${h//\//+}.c
	if [ "$well" = 0 ] || [ ! -e "$own" ] || compiles "$own"; then
		pass "$h stands alone"
	else
		fail "$h stands alone" "$(head -20 "$out")"
	fi
done

for h in $headers; do
	guard=${h^^}
	guard=UMPIRE_${guard//[\/.]/_}
	text=$'\n'$(<"$h")
	[[ $text == *$'\n#ifndef '"$guard"$'\n#define '"$guard"$'\n'*$'\n#endif' ]] ||
		echo "$h: no guard $guard"
done | none "header guards are named after their path"

finish
