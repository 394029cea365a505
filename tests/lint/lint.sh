# SPDX-License-Identifier: ISC
# shellcheck shell=bash
#
# What the lint tests share.  They read the sources in top_srcdir, which is
# also the folder that they run in.

. "${top_srcdir:?}/tests/lib.sh"
cd "$top_srcdir" || exit 99
shopt -s lastpipe # so that a case at the end of a pipe is counted

source_dirs="common server client web tests"

# make, as another make would start it: without what that one was asked.
make() {
	env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$top_builddir" "$@"
}

# sources PATTERN...: our own files with such names, one a line, sorted.
sources() {
	local p args=()
	for p in "$@"; do
		args+=(-o -name "$p")
	done
	# shellcheck disable=SC2086
	find $source_dirs -type f \( "${args[@]:1}" \) | LC_ALL=C sort
}

# code FILE...: their text without comments and strings, so that what they
# say is not taken for what they do.  Line numbers stay.
code() {
	awk '
	FNR == 1 { inside = 0 }
	{
		s = $0; t = ""
		while (s != "") {
			if (inside) {
				if ((i = index(s, "*/")) == 0) { s = ""; break }
				s = substr(s, i + 2); inside = 0; continue
			}
			if (match(s, /^"([^"\\]|\\.)*"/) ||
			    match(s, /^'\''([^'\''\\]|\\.)*'\''/)) {
				t = t "\"\""; s = substr(s, RLENGTH + 1); continue
			}
			if (substr(s, 1, 2) == "/*") {
				s = substr(s, 3); inside = 1; continue
			}
			t = t substr(s, 1, 1); s = substr(s, 2)
		}
		printf "%s:%d:%s\n", FILENAME, FNR, t
	}' "$@"
}

# none WHAT: a case; standard input must be empty, and is shown if not.
none() {
	local found
	found=$(cat)
	if [ -z "$found" ]; then
		pass "$1"
	else
		fail "$1" "$(printf '%s\n' "$found" | head -30)"
	fi
}
