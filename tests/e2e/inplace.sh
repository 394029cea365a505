#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Sources that were configured in place, as README says for installing: what
# demo.sh and check.sh build comes beside that, in build/, and leaves what was
# built in place alone.  All in a copy, of which only an object is compiled.
# Most of it is copying files, so it is part of the long run.

. "${top_srcdir:?}/tests/lib.sh"
[ -n "${UMPIRE_LONG:-}" ] || skip_all "in place is tried with UMPIRE_LONG"
need autoconf automake make

tree=$work/tree
# What the compiler can do was found out when this build was configured.
cache=$work/config.cache
: >"$cache"
if [ -e "$top_srcdir/config.status" ]; then
	make -C "$top_builddir" distdir distdir="$tree" >"$work/dist" 2>&1
else
	mkdir "$tree" && tar -C "$top_srcdir" --exclude='./build*' \
		--exclude=./.git -c . 2>"$work/dist" | tar -C "$tree" -x
fi
[ -x "$tree/configure" ] || {
	diag "$(tail -n 20 "$work/dist")"
	exit 99
}
cd "$tree" || exit 99

# setup COMMAND...: with setup.sh, as demo.sh and check.sh do it.
setup() {
	# shellcheck disable=SC2016
	bash -uc '. ./setup.sh && "$@"' setup "$@"
}

# both: what the scripts do before they call make.
both() {
	setup eval 'setup_sources && setup_configure build/plain \
		--cache-file='"$cache"' --disable-dependency-tracking \
		CFLAGS=-O0 &&
		echo "$setup_source" >build/from'
}

exits 0 "the sources are configured in place" \
	./configure --cache-file="$cache" --disable-dependency-tracking \
	CFLAGS=-O0
exits 0 "something is compiled there" make common/base/err.o
before=$(stat -c '%n %i %Y' config.status Makefile config.h common/base/err.o)

exits 0 "a build beside them is configured" both
is "from a copy" "$(cat build/from)" "$PWD/build/source"
is "which has no object" "$(find build/source -name '*.o')" ''
exits 0 "it compiles" make -C build/plain common/base/err.o
holds "an object of its own" test -s build/plain/common/base/err.o
is "what was made in place stays" \
	"$(stat -c '%n %i %Y' config.status Makefile config.h common/base/err.o)" \
	"$before"

# A change reaches the copy, and what is compiled from it.  It is dated ahead:
# a disk that keeps coarse times, or a clock that was set back meanwhile, would
# have it as old as the object.
echo 'int err_changed(void); int err_changed(void) { return (0); }' \
	>>common/base/err.c
touch -d '1 minute' common/base/err.c
exits 0 "once more" both
exits 0 "after a change" make -C build/plain common/base/err.o
holds "which is in the object" grep -q err_changed build/plain/common/base/err.o

# Who cleans up has a tree like any other again.
exits 0 "make distclean" make distclean
exits 0 "then the build is configured" both
is "from the sources" "$(cat build/from)" "$PWD"
is "with nothing left of the copy's objects" \
	"$(find build/plain -name '*.o')" ''
rm -rf build/source
exits 0 "and compiles" make -C build/plain common/base/err.o
finish
