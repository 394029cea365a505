#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# A director, a deputy and a player who do the wrong thing at each step.

cases="wrong players"
. "${top_srcdir:?}/tests/e2e/director.sh"
