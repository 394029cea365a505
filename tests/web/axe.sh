# SPDX-License-Identifier: ISC
# shellcheck shell=bash
#
# axe-core, which npm has; it is kept in web/ of the build.

# axe_core: its axe.min.js, got if it is not there; says why it cannot be had.
axe_core() {
	local at=$top_builddir/web file
	file=$at/node_modules/axe-core/axe.min.js
	mkdir -p "$at" || return
	if [ ! -e "$file" ]; then
		command -v npm >/dev/null || {
			echo "npm is missing (package npm)" >&2
			return 1
		}
		npm install --prefix "$at" --ignore-scripts --no-audit \
			--no-fund axe-core@4 >"$work/npm" 2>&1 || {
			cat "$work/npm" >&2
			echo "npm could not fetch axe-core" >&2
			return 1
		}
	fi
	printf '%s\n' "$file"
}
