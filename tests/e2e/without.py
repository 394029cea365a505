# SPDX-License-Identifier: ISC
"""Runs a program where the kernel seems not to have some system calls.

usage: without.py NAME... -- PROGRAM [ARGUMENT...]

Exits with 77 if that cannot be had here.
"""

import ctypes
import errno
import os
import sys

ALLOW = 0x7FFF0000
ERRNO = 0x00050000
EQ = 4
PR_SET_SECCOMP = 22


class Compare(ctypes.Structure):
    """struct scmp_arg_cmp"""

    _fields_ = [
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    ]


def forbid(lib, context, name, error, *compares):
    """Has a call fail with an error."""
    array = (Compare * len(compares))(*compares)
    number = lib.seccomp_syscall_resolve_name(name.encode())
    action = ctypes.c_uint32(ERRNO | error)
    return lib.seccomp_rule_add_array(
        context, action, number, len(compares), array
    )


def main():
    """Does what the command line says."""
    at = sys.argv.index("--")
    try:
        lib = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        sys.exit(77)
    lib.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(lib.seccomp_init(ctypes.c_uint32(ALLOW)))
    bad = 0
    for name in sys.argv[1:at]:
        bad |= forbid(lib, context, name, errno.ENOSYS)
        # There are two ways to ask for filters.
        if name == "seccomp":
            old = Compare(0, EQ, PR_SET_SECCOMP, 0)
            bad |= forbid(lib, context, "prctl", errno.EINVAL, old)
    if bad != 0 or lib.seccomp_load(context) != 0:
        sys.exit(77)
    os.execv(sys.argv[at + 1], sys.argv[at + 1:])


main()
