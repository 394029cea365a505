#!/bin/sh
# SPDX-License-Identifier: ISC
# Makes configure and Makefile.in from their sources, as a fresh clone needs.
set -e
cd "$(dirname "$0")"
exec autoreconf --install "$@"
