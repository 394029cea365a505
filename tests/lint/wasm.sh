#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# What the reader is made of compiles for a browser ("make wasm" builds it),
# against the headers of the system's own jansson and OpenSSL.
. "${top_srcdir:?}/tests/lint/lint.sh"
need clang-14
[ -d /usr/include/wasm32-wasi ] || skip_all "wasi-libc is missing"

# compiles FLAG... FILE...: whether all of them do.
compiles() {
	clang-14 --target=wasm32-wasi -nostdlibinc -fsyntax-only \
		-isystem /usr/include/wasm32-wasi -idirafter /usr/include \
		-idirafter "/usr/include/$(gcc -print-multiarch 2>/dev/null)" \
		-D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_PROCESS_CLOCKS \
		-D_WASI_EMULATED_GETPID -D_GNU_SOURCE \
		-DPACKAGE_VERSION='""' -DCLOCK_BOOTTIME=CLOCK_MONOTONIC \
		-DUTF8PROC_STATIC -DCRYPTO_TDEBUG -std=gnu11 \
		-I"$top_srcdir/reader/lacking" -I"$top_srcdir" "$@"
}

compiles -Wall -Wextra -Werror reader/reader.c reader/lacking.c 2>&1 |
	none "the reader's own sources compile for WebAssembly"
echo 'int fork(void); int main(void) { return (missing()); }' >"$work/no.c"
compiles -Werror "$work/no.c" >"$out" 2>&1
is "but not what calls what is not there" $? 1
like "which is named" "$out" missing

# shellcheck disable=SC2046
compiles $(make reader-sources) 2>&1 |
	none "and all of umpire's that it is made of"

finish
