dnl SPDX-License-Identifier: ISC

dnl UMPIRE_LIBRARY(PREFIX, MODULE, DEBIAN-PACKAGE)
dnl Sets PREFIX_CFLAGS and PREFIX_LIBS, or stops and names the package.
AC_DEFUN([UMPIRE_LIBRARY], [
	PKG_CHECK_MODULES([$1], [$2], [],
		[AC_MSG_ERROR([$2 is missing or too old; on Debian: apt-get install $3])])
])

dnl UMPIRE_CFLAGS(VARIABLE, FLAGS)
dnl Appends to VARIABLE each of FLAGS that the compiler takes.
AC_DEFUN([UMPIRE_CFLAGS], [
	umpire_save_CFLAGS=$CFLAGS
	for umpire_flag in $2; do
		CFLAGS="$umpire_save_CFLAGS -Werror $umpire_flag"
		AC_MSG_CHECKING([whether $CC takes $umpire_flag])
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])], [
			AC_MSG_RESULT([yes])
			$1="$$1 $umpire_flag"
		], [AC_MSG_RESULT([no])])
	done
	CFLAGS=$umpire_save_CFLAGS
])

dnl UMPIRE_LINKS(FLAGS, IF-YES, IF-NO)
dnl Whether a program compiles and links with FLAGS.
AC_DEFUN([UMPIRE_LINKS], [
	umpire_save_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS $1"
	AC_MSG_CHECKING([whether $CC links with $1])
	AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [umpire_links=yes],
		[umpire_links=no])
	CFLAGS=$umpire_save_CFLAGS
	AC_MSG_RESULT([$umpire_links])
	AS_IF([test "$umpire_links" = yes], [$2], [$3])
])
