#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Everything from nothing to a green test run: installs what is missing,
# builds in build/plain and build/asan, runs "make check" in both and ends
# with one line: N passed, N failed, N skipped.

set -u
cd "$(dirname "$0")" || exit 70
. ./setup.sh

usage() {
	cat <<'END'
usage: ./check.sh [--quick] [--long] [--tsan] [--web]

Installs what is missing (Debian packages, by apt), builds umpire and runs
its tests: an ordinary build in build/plain and one with AddressSanitizer and
UndefinedBehaviorSanitizer in build/asan. What is built already is kept.

  --quick  the ordinary build alone
  --long   with all that is otherwise tried in part: every byte, every fault,
           every system, more games; before a release
  --tsan   also a build with ThreadSanitizer in build/tsan, for the tests that
           run threads
  --web    instead, the pages in browsers: installs Chromium, Firefox, WebKit,
           clang, node and axe-core, makes umpire-reader.html, and tries that
           and the pages of "umpire log"
  -h       this text

Exit status: 0 if nothing failed, 1 if something did, 64 for wrong usage, 69
if packages are missing and cannot be installed.
END
}

quick=no
long=no
tsan=no
web=no
for arg in "$@"; do
	case $arg in
	--quick) quick=yes ;;
	--long) long=yes ;;
	--tsan) tsan=yes ;;
	--web) web=yes ;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		usage >&2
		exit 64
		;;
	esac
done
builds=plain
plain=check # what is tried of that
if [ "$web" = yes ]; then
	quick=yes
	plain=web
fi
[ "$quick" = yes ] || builds="$builds asan"
[ "$tsan" = no ] || builds="$builds tsan"

if [ "$long" = yes ]; then
	export UMPIRE_LONG=1 UMPIRE_TEST_SECONDS=${UMPIRE_TEST_SECONDS:-3600}
fi

passed=0
failed=0
skipped=0
started=$SECONDS

# say TEXT...: a line about how far we are, with the time since the start.
say() {
	printf '[%3d s] %s\n' "$((SECONDS - started))" "$*"
}

# broken WHAT LOG: a step that is no test went wrong.
broken() {
	failed=$((failed + 1))
	say "$1 failed:"
	tail -n 60 "$2"
}

# count LOG: adds up what automake's test driver says at its end.
count() {
	local n key value
	while read -r key value; do
		n=${value%% *}
		case $key in
		PASS: | XFAIL:) passed=$((passed + n)) ;;
		FAIL: | XPASS: | ERROR:) failed=$((failed + n)) ;;
		SKIP:) skipped=$((skipped + n)) ;;
		esac
	done < <(sed -n 's/^# \([A-Z]*: *[0-9][0-9]*\)$/\1/p' "$1")
	grep -q '^# TOTAL: *[1-9]' "$1"
}

# show_failures DIR: the logs of the tests that failed, as far as they say why.
show_failures() {
	local trs log
	find "$1/tests" -name '*.trs' | LC_ALL=C sort | while read -r trs; do
		grep -Eq '^:test-result: (FAIL|XPASS|ERROR)' "$trs" || continue
		log=${trs%.trs}.log
		printf '%s\n' "---- $log"
		grep -E -A 12 '^(not ok|Bail out|==[0-9]+==|.*runtime error:)' "$log" |
			grep -Ev '^(ok|PASS|FAIL|ERROR)' | head -n 100
		printf '%s\n' "---- its last lines"
		tail -n 8 "$log"
	done
}

# build DIR ARGUMENT...: configures and compiles there.
build() {
	local dir=$1
	shift
	if ! setup_configure "$dir" "$@"; then
		broken "configure in $dir" "$dir/configure.out"
		return 1
	fi
	if ! make -C "$dir" -j"$setup_jobs" check TESTS= >"$dir/make.out" 2>&1; then
		broken "make in $dir" "$dir/make.out"
		return 1
	fi
	say "$dir is built" >&3
}

# check DIR TARGET: runs the tests there, one more at once than there are
# processors: many wait for a daemon, a terminal or a clock.
check() {
	local dir=$1 before=$failed
	make -C "$dir" -j"$((setup_jobs + 1))" "$2" >"$dir/check.out" 2>&1
	if ! count "$dir/check.out"; then
		broken "make $2 in $dir" "$dir/check.out"
		return 1
	fi
	if [ "$failed" -gt "$before" ]; then
		show_failures "$dir"
	fi
	say "$dir: $(grep -E '^# (PASS|FAIL|ERROR|SKIP): *[1-9]' "$dir/check.out" |
		tr -d '#\n' | sed 's/^ //; s/: */ /g')" >&3
}

# check_web DIR: makes the reader there, and runs what needs browsers.
check_web() {
	local n
	make -C "$1" -j"$setup_jobs" wasm >"$1/wasm.out" 2>&1 || {
		broken "make wasm in $1" "$1/wasm.out"
		return 1
	}
	say "$1: the reader is made" >&3
	make -C "$1" check-web >"$1/web.out" 2>&1 ||
		broken "make check-web in $1" "$1/web.out"
	n=$(grep -c '^ok [0-9].* # SKIP' "$1/web.out")
	skipped=$((skipped + n))
	passed=$((passed + $(grep -c '^ok [0-9]' "$1/web.out") - n))
	failed=$((failed + $(grep -c '^not ok' "$1/web.out")))
}

# both TARGET DIR ARGUMENT...: builds there and runs the tests.  Several run at
# once, so only how far each is comes at once; what went wrong, and the numbers,
# are left in files for the end.
both() {
	local target=$1 dir=$2
	shift
	mkdir -p "$dir"
	rm -f "$dir/counts"
	{
		if build "$@"; then
			case $target in
			web) check_web "$dir" ;;
			*) check "$dir" "$target" ;;
			esac
		fi
		echo "$passed $failed $skipped" >"$dir/counts"
	} 3>&1 >"$dir/faults"
}

# gather DIR: shows what went wrong there and adds up the numbers.
gather() {
	local p f s
	cat "$1/faults"
	read -r p f s <"$1/counts" || p=0 f=1 s=0
	passed=$((passed + p))
	failed=$((failed + f))
	skipped=$((skipped + s))
}

# interrupted: ends the builds that run, and this script.
interrupted() {
	local pid
	for pid in "${pids[@]}"; do
		kill -- -"$pid"
	done
	exit 130
}

# summary: the last line, and the status that goes with it.
summary() {
	say "done"
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

# shellcheck disable=SC2086
setup_packages $packages_build $packages_check \
	$([ "$web" = no ] || echo "$packages_demo $packages_web")
say "packages are there"

ASAN_OPTIONS=abort_on_error=1:halt_on_error=1:detect_leaks=1
ASAN_OPTIONS=$ASAN_OPTIONS:detect_stack_use_after_return=1:handle_sigill=1
export ASAN_OPTIONS=$ASAN_OPTIONS:strict_string_checks=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
export LSAN_OPTIONS=report_objects=1

# What is undefined is looked for in the programs, not in their tests.  It is
# a trap, of which AddressSanitizer names the function and the line: words for
# each check are globals that it would watch too, and with ten times as many a
# program takes half as long again to start, which tests do some thousand times.
slow=(--enable-werror CFLAGS="-O1 -g1 -fsanitize-undefined-trap-on-error"
	TEST_CFLAGS="$setup_tests -fno-sanitize=undefined" "${setup_links[@]}")

mkdir -p build
if ! setup_autogen >build/autogen.out 2>&1; then
	broken autogen.sh build/autogen.out
	summary
	exit
fi
if ! setup_sources; then
	broken "copying the sources, which were configured in place," \
		build/source.out
	summary
	exit
fi

# The builds run at once: while the tests of one wait, another works.  Each is a
# process group of its own.
pids=()
set -m
trap interrupted INT TERM
for name in $builds; do
	case $name in
	plain)
		both "$plain" build/plain "${setup_plain[@]}" </dev/null &
		;;
	asan)
		both check build/asan --with-sanitizer=address,undefined \
			"${slow[@]}" </dev/null &
		;;
	tsan)
		both check-threads build/tsan --with-sanitizer=thread \
			"${slow[@]}" </dev/null &
		;;
	esac
	pids+=($!)
done
wait
for name in $builds; do
	gather "build/$name"
done

summary
