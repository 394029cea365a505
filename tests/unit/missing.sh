#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Stands in for the unit tests where cmocka was missing at configure time.
. "${top_srcdir:?}/tests/lib.sh"
skip_all "cmocka is missing (libcmocka-dev)"
