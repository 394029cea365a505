#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# "make fuzz-long": each target for an hour, or for what the environment says:
#
#   FUZZ_SECONDS  how long each target runs (3600)
#   FUZZ_TARGETS  which ones, without "fuzz_" (all)
#   FUZZ_JOBS     how many at once (one a core)
#   FUZZ_WITH     libfuzzer, or afl for AFL++ (libfuzzer)
#
# The programs are built in fuzz/ of the build, or fuzz-afl/, with
# AddressSanitizer and UndefinedBehaviorSanitizer.  What is learnt stays there,
# in corpus/, and the next run begins with it; a finding is a file in found/.
# A table comes at the end.  Exit status: 0 without a finding, 1 with one.

set -u
: "${top_srcdir:?run this by make fuzz-long}" "${top_builddir:?}"
seconds=${FUZZ_SECONDS:-3600}
jobs=${FUZZ_JOBS:-$(nproc 2>/dev/null || echo 2)}
with=${FUZZ_WITH:-libfuzzer}

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
	export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
	;;
*)
	echo "fuzz-long: FUZZ_WITH is libfuzzer or afl, not \"$with\"" >&2
	exit 64
	;;
esac

mkdir -p "$dir/found" "$dir/corpus" "$dir/logs" || exit 73
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
	local t=$1 log=$dir/logs/$1
	mkdir -p "$dir/corpus/$t"
	"$dir/tests/fuzz/fuzz_$t" -max_total_time="$seconds" -timeout=25 \
		-rss_limit_mb=2560 -max_len=65536 -print_final_stats=1 \
		-artifact_prefix="$dir/found/$t-" "$dir/corpus/$t" \
		"$top_srcdir/tests/fuzz/corpus/$t" >"$log" 2>&1
	row "$t" "$(stat_of "$log" number_of_executed_units)" \
		"$(coverage "$log")" "$(find "$dir/corpus/$t" -type f | wc -l)"
}

# run_afl TARGET: likewise.
run_afl() {
	local t=$1 log=$dir/logs/$1 out=$dir/corpus/$1 stats f
	stats=$out/default/fuzzer_stats
	mkdir -p "$out"
	afl-fuzz -V "$seconds" -t 5000+ -m none \
		-i "$top_srcdir/tests/fuzz/corpus/$t" -o "$out" -- \
		"$dir/tests/fuzz/fuzz_$t" >"$log" 2>&1
	for f in "$out"/default/crashes/id* "$out"/default/hangs/id*; do
		[ ! -f "$f" ] || cp "$f" "$dir/found/$t-${f##*/}"
	done
	row "$t" "$(stat_of "$stats" execs_done)" \
		"$(stat_of "$stats" edges_found)" \
		"$(stat_of "$stats" corpus_count)"
}

# row TARGET EXECUTIONS EDGES FILES: writes a row, and says it.
row() {
	local n
	n=$(find "$dir/found" -name "$1-*" | wc -l)
	printf '%-16s %8s %13s %9s %7s %7s\n' "$1" "$seconds" "${2:-?}" \
		"${3:-?}" "${4:-?}" "$n" | tee "$dir/logs/$1.row"
}

find "$dir/found" -type f -delete
rm -f "$dir"/logs/*.row
printf '%-16s %8s %13s %9s %7s %7s\n' target seconds executions edges files \
	found
for t in $targets; do
	if [ ! -x "$dir/tests/fuzz/fuzz_$t" ]; then
		echo "fuzz-long: there is no target \"$t\"" >&2
		exit 64
	fi
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
		wait -n
	done
	"run_$with" "$t" &
done
wait

found=$(find "$dir/found" -type f | wc -l)
cat "$dir"/logs/*.row | awk -v found="$found" '{ n += $3 } END {
	printf "%d targets, %d executions, %d findings\n", NR, n, found }'
[ "$found" -eq 0 ] || {
	echo "look at them: tests/fuzz/fuzz_TARGET FILE in $dir"
	ls "$dir/found"
	exit 1
}
