# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2034
#
# What demo.sh and check.sh share: the one list of the Debian packages that
# umpire needs, how missing ones are installed, and how a build is made.

# To build and to play.
packages_build="autoconf automake gcc libc6-dev make pkg-config
	libcurl4-openssl-dev libedit-dev libevent-dev libinih-dev libjansson-dev
	libseccomp-dev libsmartcols-dev libsqlite3-dev libssl-dev
	libutf8proc-dev zlib1g-dev"

# For the demo, which reads what the client prints with --json.
packages_demo="jq"

# For the tests.  clang-format belongs to them too, but would pull in some
# 160 MB of LLVM for one test, which is skipped where it is missing.
packages_check="curl jq libcmocka-dev mandoc openssl patch procps python3
	python3-networkx sqlite3 tmux"

# For pages: what makes the reader, and browsers.
packages_web="caddy chromium chromium-driver clang-14 dpkg-dev firefox-esr
	fonts-dejavu-core libclang-rt-14-dev-wasm32 librsvg2-bin libxml2-utils
	lld-14 llvm-14 nginx-light nodejs poppler-utils wasi-libc webkit2gtk-driver
	xauth xvfb"
# It comes with some builds of node, and is a package of its own for others.
command -v npm >/dev/null 2>&1 || packages_web="$packages_web npm"

# The arguments of the ordinary build, which both scripts use.  Optimising the
# tests costs more than it gives; without an optimiser nothing can be fortified,
# and one warning is wrong too often.  Each build links some 160 programs:
# with what a backtrace needs, not all that a debugger likes to know, and by
# gold, which takes half as long, where it is there.
setup_tests="-O0 -g1 -U_FORTIFY_SOURCE -Wno-format-truncation"
setup_links=()
if ld.gold --version >/dev/null 2>&1; then
	setup_links=(LDFLAGS=-fuse-ld=gold)
fi
setup_plain=(--enable-werror CFLAGS="-O2 -g1" TEST_CFLAGS="$setup_tests"
	"${setup_links[@]}")

# The folder of the sources; who sources this file stands in it.  What is built
# is built from setup_source, see setup_sources.
setup_top=$PWD
setup_source=$setup_top

setup_jobs=$(nproc 2>/dev/null || echo 2)

# If the compiler is ccache's: what another checkout has compiled will do here,
# where only the way to the sources differs.  With debugging information that
# takes hash_dir=false, which is left to ccache.conf.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$setup_top}

# setup_packages PACKAGE...: installs what is missing, as root or by sudo
# without a question; else prints the command and exits 69.
setup_packages() {
	local p missing="" sudo=""
	for p in "$@"; do
		case $(dpkg-query -W -f '${Status}' "$p" 2>/dev/null) in
		"install ok installed") ;;
		*) missing="$missing $p" ;;
		esac
	done
	[ -n "$missing" ] || return 0
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "$0: apt-get is missing; install what stands for these" \
			"packages of Debian 12:$missing" >&2
		exit 69
	fi
	if [ "$(id -u)" != 0 ]; then
		sudo="sudo -n"
		if ! sudo -n true 2>/dev/null; then
			echo "$0: packages are missing; install them with:" >&2
			echo "  sudo apt-get install --no-install-recommends$missing" >&2
			exit 69
		fi
	fi
	echo "Installing:$missing"
	# A list that is old or cannot be renewed may still do.
	$sudo apt-get -qq update </dev/null >/dev/null
	# shellcheck disable=SC2086
	if ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
		--no-install-recommends $missing </dev/null >/dev/null; then
		echo "$0: apt-get failed; try it by hand:" >&2
		echo "  ${sudo:+sudo }apt-get install --no-install-recommends$missing" >&2
		exit 69
	fi
}

# setup_autogen: makes configure and Makefile.in, if they are not there or older
# than what they are made of.
setup_autogen() {
	local newer=all
	if [ -x configure ] && [ -f Makefile.in ]; then
		newer=$(find . -path ./build -prune -o \( -name configure.ac \
			-o -name Makefile.am -o -name Makefile.inc \
			-o -path './m4/*' \) -newer Makefile.in -print) || return
	fi
	[ -z "$newer" ] || ./autogen.sh --force
}

# setup_sources: where the sources were configured in place, no build elsewhere
# can be made from them: make would take their objects for its own.  It is then
# made from a copy without objects, build/source; what was built in place stays
# as it is.  What it prints is in build/source.out.
setup_sources() {
	[ -e config.status ] || return 0
	mkdir -p build || return 1
	{
		setup_autogen &&
			# A copy that was not finished may be there.
			rm -rf build/source &&
			make distdir distdir=build/source
	} >build/source.out 2>&1 || return 1
	setup_source=$setup_top/build/source
}

# setup_empty DIR: removes what was compiled there from other sources.
setup_empty() {
	local from
	[ -f "$1/Makefile" ] || return 0
	from=$(sed -n 's/^abs_top_srcdir = //p' "$1/Makefile") || return 1
	[ "$from" != "$setup_source" ] || return 0
	rm -f "$1/configured"
	find "$1" \( -name '*.o' -o -name '*.Po' \) -exec rm -f {} +
}

# setup_configure DIR ARGUMENT...: configures there, making configure first,
# unless this was done before with the same arguments.  What it prints is in
# DIR/configure.out.
setup_configure() {
	local dir=$1 stamp
	shift
	mkdir -p "$dir" || return 1
	setup_autogen >"$dir/configure.out" 2>&1 || return 1
	setup_empty "$dir" >>"$dir/configure.out" 2>&1 || return 1
	# Whether the unit tests are built hangs on cmocka.
	stamp="$* cmocka=$(pkg-config --modversion cmocka 2>/dev/null)"
	if [ -f "$dir/Makefile" ] &&
		[ "$(cat "$dir/configured" 2>/dev/null)" = "$stamp" ]; then
		return 0
	fi
	rm -f "$dir/configured"
	(cd "$dir" && "$setup_source/configure" "$@") >>"$dir/configure.out" 2>&1 ||
		return 1
	printf '%s' "$stamp" >"$dir/configured"
}
