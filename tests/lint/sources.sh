#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The form of all sources: licence line, length, marks, includes, calls that
# are not allowed.
. "${top_srcdir:?}/tests/lint/lint.sh"

files=$(sources '*.c' '*.h' '*.sh' '*.py' Makefile.inc)
files="$files $(find sql -type f) Makefile.am configure.ac m4/umpire.m4 \
autogen.sh check.sh demo.sh setup.sh .ci/run"
c_files=$(sources '*.c' '*.h')
# What is installed: neither tests nor what only tests hold.
own_files=$(printf '%s\n' "$c_files" | grep -v '^tests/')

for f in $files; do
	{ read -r first && read -r second; } <"$f"
	[[ $first$second == *'SPDX-License-Identifier: ISC'* ]] || echo "$f"
done | none "every source has its licence line"

# shellcheck disable=SC2086
wc -l $c_files | awk '$2 != "total" && $1 > 1000' |
	none "no C file is longer than 1000 lines"

# The marks are written so that this line is none.
# shellcheck disable=SC2086
grep -nE '\b(T''ODO|F''IXME|X''XX|H''ACK)\b' $files |
	none "nothing is marked as unfinished"

# shellcheck disable=SC2086
grep -n '[[:space:]]$' $files | none "no line ends in blanks"

# shellcheck disable=SC2086
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]config\.h' \
	$c_files | none "config.h comes from the command line alone"

# shellcheck disable=SC2086
grep -nE '^[[:space:]]*typedef (struct|enum|union)' $c_files |
	none "structs and enums have no second name"

# A program that was asked for help may have taken that for a folder.
find . \( -path ./.git -o -path './build*' \) -prune -o -name '-*' -print |
	none "no file has the name of an option"

# Some take a constant from a source, which may move.
python3 tests/bench/bench.py --list 2>&1 >/dev/null |
	none "all measures can be loaded"

declare -A lists
for f in $files; do
	dir=${f%/*}
	[ -n "${lists[$dir]:-}" ] || lists[$dir]=$(cat Makefile.am \
		sql/Makefile.inc "$dir"/Makefile.inc client/Makefile.inc \
		server/Makefile.inc 2>/dev/null)
	[[ ${lists[$dir]} == *"${f##*/}"* ]] || echo "$f"
done | grep -vE '(^|/)(Makefile\.(am|inc)|configure\.ac|umpire\.m4)$' |
	none "every source is in the lists of its folder"

# A script that is only shipped is never run.  Those of tests/torture have
# targets of their own.
for f in $(grep -lx finish tests/{attack,e2e,lint,oracle}/*.sh); do
	awk '/_tests \+=/ { inside = 1 }
		inside { print }
		!/\\$/ { inside = 0 }' "${f%/*}/Makefile.inc" |
		tr ' ' '\n' | grep -q "/${f##*/}\$" || echo "$f"
done | none "every script that is a test is run as one"

# ---- calls ----

# shellcheck disable=SC2086
code $c_files >"$work/code"
grep -v '^tests/' "$work/code" >"$work/own"

# calls NAMES: where code that is installed calls one of them.
calls() {
	grep -E "(^|[^A-Za-z0-9_.>])($1)[[:space:]]*\(" "$work/own"
}

calls 'str(cpy|cat|tok)|stpcpy|v?sprintf|gets' |
	none "no string function without a limit"
calls 'ato(i|l|ll|f)' | none "numbers are read with their errors"
calls 's?rand|s?random|drand48|lrand48' |
	none "randomness is the system's or a proof's"
calls 'localtime|gmtime|asctime|ctime' |
	none "no function with a result of its own shared by threads"
calls 'system|popen|alloca' | none "no shell, no alloca"
# A stranger's text reaches the terminal through out*.c alone; the others print
# what is their own: the editor's line, a bar, that there is no memory.
calls '(f|v|vf|d)?printf|f?puts|f?putc|putchar|fwrite|perror|json_dumpf' |
	grep '^client/' | grep -vE '^client/((base|ui)/out(_terminal)?|ui/term|cmd/odds_run|base/xalloc)\.c:' |
	none "the client prints by out.c"
calls 'time|gettimeofday|clock_gettime' | grep -v '^common/base/clock\.c:' |
	none "only clock.c asks for the time"
calls 'sqlite3_v?mprintf|sqlite3_snprintf' |
	none "no SQL is made by formatting"
# A statement that is executed whole is a constant: a string or a name.
calls sqlite3_exec |
	grep -vE 'sqlite3_exec\([^,]*, ("|[a-z_]+[,)]|[a-z_>.-]*sql\b)' |
	none "sqlite3_exec runs constants"
grep -E '\bassert(_[a-z]+)?\(.*(\+\+|--|[^=!<>]=[^=])' "$work/own" |
	none "assertions change nothing"
grep -E '^[^:]*:[0-9]*:.*\bgoto\b' "$work/own" |
	grep -vE 'goto (out|fail)(_[a-z]+)?;' |
	none "goto goes to a cleanup label"

# ---- who may include what ----

# only WHAT HEADER FILES: no other file of ours may include such a header.
only() {
	# shellcheck disable=SC2086
	grep -nE "#include <$2" $own_files | grep -vE "^($3):" |
		none "only some files include <$1>"
}

only openssl/ 'openssl/' "$(paste -sd'|' <<'END'
common/crypt/[a-z_]+\.[ch]
common/record/record\.c
server/(net/tls|rpc/invite|init)\.[ch]
client/net/conn\.[ch]
web/web_link\.c
END
)"
only sqlite3.h 'sqlite3\.h' '(server/store/store(_[a-z]+)?\.[ch]|client/witness/witness_store\.c)'
only curl/ 'curl/' 'server/courier/courier_[a-z]+\.[ch]'
only event2/ 'event2/' "$(paste -sd'|' <<'END'
server/(main|server|net/(tls|mailbox)|mail/(mailer|courier)|courier/courier|rpc/(admin|listener|session|game_feed|io|worker))(_[a-z]+)?\.[ch]
web/(main|web_(admin|check|cup|games|http|link|make|past|png|stream))\.c
END
)"
# shellcheck disable=SC2086
grep -nE '#include <(openssl|event2|sqlite3|time|sys|fcntl|unistd)' \
	$(find common/rules -name '*.[ch]') |
	none "the rules do no input or output and know no clock"

finish
