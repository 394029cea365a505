#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# "make fuzz-long": each target for an hour, or for what the environment says:
#
#   FUZZ_SECONDS  how long each target runs (3600)
#   FUZZ_TARGETS  which ones, without "fuzz_" (all)
#   FUZZ_JOBS     how many at once (one a core)
#   FUZZ_WITH     libfuzzer, or afl for AFL++ (libfuzzer)
#   FUZZ_CONTROL  not empty: every target aborts at inputs that begin as no
#                 text does (control.c); the run must find that in each, and
#                 exit 1
#
# The programs are built in fuzz/ of the build, or fuzz-afl/, with
# AddressSanitizer and UndefinedBehaviorSanitizer.  What is learnt stays there,
# in corpus/, and the next run begins with it; a finding is a file in found/,
# and none begins while one is there.  The control has control/ to itself.
# A table comes at the end: seconds by the clock and of CPU are those that a
# target took (with AFL++ at least: of what it kills the kernel does not tell
# all).  Exit status: 0 all targets ran, without a finding; 1 with one; 70 a
# target did not run as it should, or the control was not found in it.

set -u
: "${top_srcdir:?run this by make fuzz-long}" "${top_builddir:?}"
seconds=${FUZZ_SECONDS:-3600}
jobs=${FUZZ_JOBS:-$(nproc 2>/dev/null || echo 2)}
with=${FUZZ_WITH:-libfuzzer}
case $seconds in
'' | 0* | *[!0-9]*)
	echo "fuzz-long: FUZZ_SECONDS is a number, not \"$seconds\"" >&2
	exit 64
	;;
esac

# missing PROGRAM PACKAGE: says what to install, and skips.
missing() {
	echo "fuzz-long: $1 is missing (package $2)" >&2
	exit 77
}

case $with in
libfuzzer)
	command -v clang >/dev/null || missing clang "clang and libclang-rt-dev"
	dir=$top_builddir/fuzz
	cc=clang
	;;
afl)
	command -v afl-clang-fast >/dev/null || missing afl-clang-fast afl++
	dir=$top_builddir/fuzz-afl
	cc=afl-clang-fast
	export AFL_SKIP_CPUFREQ=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1
	export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_AUTORESUME=1
	;;
*)
	echo "fuzz-long: FUZZ_WITH is libfuzzer or afl, not \"$with\"" >&2
	exit 64
	;;
esac

work=$dir
if [ -n "${FUZZ_CONTROL:-}" ]; then
	work=$dir/control
	rm -rf "$work"
	export UMPIRE_FUZZ_CONTROL=1
fi
mkdir -p "$work/found" "$work/corpus" "$work/logs" || exit 73
if [ -n "$(ls -A "$work/found")" ]; then
	echo "fuzz-long: findings of a former run are in $work/found:" >&2
	ls "$work/found" >&2
	echo "run tests/fuzz/fuzz_TARGET FILE in $dir, mend what is wrong," \
		"put the file into tests/fuzz/corpus/TARGET, and remove it" \
		"there" >&2
	exit 1
fi
echo "building in $dir"
{
	[ -f "$dir/Makefile" ] || (cd "$dir" &&
		"$top_srcdir/configure" CC="$cc" CFLAGS="-O1 -g" \
			--enable-fuzzer --with-sanitizer=address,undefined)
} >"$dir/configure.out" 2>&1 || {
	tail -n 20 "$dir/configure.out" >&2
	exit 70
}
make -C "$dir" -j"$jobs" fuzz >"$dir/make.out" 2>&1 || {
	tail -n 20 "$dir/make.out" >&2
	exit 70
}
targets=${FUZZ_TARGETS:-$(cd "$dir/tests/fuzz" && for f in fuzz_*; do
	[ ! -x "$f" ] || echo "${f#fuzz_}"
done)}
wanted=0
for t in $targets; do
	if [ ! -x "$dir/tests/fuzz/fuzz_$t" ]; then
		echo "fuzz-long: there is no target \"$t\"" >&2
		exit 64
	fi
	wanted=$((wanted + 1))
done

# stat_of FILE NAME: a number of libFuzzer's end, or of AFL++'s statistics.
stat_of() {
	sed -n "s/^stat::$2: *//p; s/^$2 *: *//p" "$1" | tail -n 1
}

# coverage LOG: the edges that libFuzzer has seen.
coverage() {
	sed -n 's/^#[0-9].* cov: \([0-9]*\) .*/\1/p' "$1" | tail -n 1
}

# run_libfuzzer TARGET: one target; leaves a row of the table.
run_libfuzzer() {
	local t=$1 log=$work/logs/$1 start=$SECONDS status=0
	mkdir -p "$work/corpus/$t"
	"$dir/tests/fuzz/fuzz_$t" -max_total_time="$seconds" -timeout=25 \
		-rss_limit_mb=2560 -max_len=65536 -print_final_stats=1 \
		-artifact_prefix="$work/found/$t-" "$work/corpus/$t" \
		"$top_srcdir/tests/fuzz/corpus/$t" >"$log" 2>&1 || status=$?
	row "$t" "$status" "$((SECONDS - start))" \
		"$(stat_of "$log" number_of_executed_units)" \
		"$(coverage "$log")" "$(find "$work/corpus/$t" -type f | wc -l)"
}

# run_afl TARGET: likewise.  Where AFL++ finds its statistics it takes up what
# it learnt, but it must not count again what it counted then.
run_afl() {
	local t=$1 log=$work/logs/$1 out=$work/corpus/$1 start=$SECONDS
	local status=0 stats f
	stats=$out/default/fuzzer_stats
	mkdir -p "$out"
	[ ! -f "$stats" ] ||
		sed -i 's/^\(execs_done\|run_time\)\( *: \).*/\1\20/' "$stats"
	afl-fuzz -V "$seconds" -t 5000+ -m none \
		-i "$top_srcdir/tests/fuzz/corpus/$t" -o "$out" -- \
		"$dir/tests/fuzz/fuzz_$t" >"$log" 2>&1 || status=$?
	for f in "$out"/default/crashes/id* "$out"/default/hangs/id*; do
		[ ! -f "$f" ] || mv "$f" "$work/found/$t-${f##*/}"
	done
	[ -f "$stats" ] || stats=/dev/null
	row "$t" "$status" "$((SECONDS - start))" \
		"$(stat_of "$stats" execs_done)" \
		"$(stat_of "$stats" edges_found)" \
		"$(stat_of "$stats" corpus_count)"
}

# row TARGET STATUS SECONDS EXECUTIONS EDGES FILES: writes a row, and says it.
# A fuzzer that ends with another status than 0 has left a finding, or else it
# is broken, as is one that ends too soon or does not say what it did.
row() {
	local cpu n
	# In a pipe it would be a shell that has waited for nobody.
	times >"$work/logs/$1.times"
	cpu=$(awk -F '[ms ]' 'NR == 2 {
		printf "%.0f", 60 * ($1 + $4) + $2 + $5 }' \
		"$work/logs/$1.times")
	n=$(find "$work/found" -name "$1-*" | wc -l)
	# shellcheck disable=SC2059
	printf "$row_format" "$1" "$3" "$cpu" "${4:-?}" "${5:-?}" "${6:-?}" \
		"$n" | tee "$work/logs/$1.row"
	if [ "$n" -eq 0 ] && { [ "$2" -ne 0 ] || [ "$3" -lt "$seconds" ] ||
		[ "${4:-0}" = 0 ] || [ -z "$5" ] || [ -z "$6" ]; }; then
		echo "$1 ended with $2" >"$work/logs/$1.broken"
	fi
}

row_format='%-16s %8s %8s %13s %9s %7s %7s\n'
rm -f "$work"/logs/*.row "$work"/logs/*.broken
# shellcheck disable=SC2059
printf "$row_format" target seconds cpu executions edges files found
for t in $targets; do
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
		wait -n
	done
	"run_$with" "$t" &
done
wait

found=$(find "$work/found" -type f | wc -l)
rows=$(find "$work/logs" -name '*.row' | wc -l)
cat "$work"/logs/*.row | awk -v found="$found" '{ n += $4 } END {
	printf "%d targets, %d executions, %d findings\n", NR, n, found }'
if [ -n "${FUZZ_CONTROL:-}" ]; then
	missed=$(cat "$work"/logs/*.row | awk '$7 == 0 { print $1 }')
	[ -z "$missed" ] || {
		echo "fuzz-long: the control did not find $missed" | xargs >&2
		exit 70
	}
fi
[ "$found" -eq 0 ] || {
	echo "look at them: tests/fuzz/fuzz_TARGET FILE in $dir"
	ls "$work/found"
	exit 1
}
broken=$((wanted == 0 || rows != wanted))
for f in "$work"/logs/*.broken; do
	[ -f "$f" ] || continue
	broken=1
	echo "fuzz-long: fuzz_$(cat "$f"); see ${f%.broken}:" >&2
	tail -n 5 "${f%.broken}" >&2
done
[ "$broken" -eq 0 ] || {
	echo "fuzz-long: not all of $wanted targets ran" >&2
	exit 70
}
