#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Records that are well signed, good ones and such with one fault: umpire
# verify judges each as a verifier written from the manual page does.  It
# takes a thousand runs, so builds with sanitizers leave it out.
. "${top_srcdir:?}/tests/lib.sh"
need python3

exits 0 "good and bad records are told apart" \
	python3 "$top_srcdir/tests/oracle/forged_records.py" \
	--umpire "$UMPIRE"
like "all of them as expected" "$out" "^[1-9][0-9]+ agree, 0 disagree"

finish
