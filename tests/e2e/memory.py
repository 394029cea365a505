# SPDX-License-Identifier: ISC
"""Looks for secrets in the memory of a process.

usage: memory.py PID NAME=HEX...

Prints for each name how often its bytes are there, a line each, and at the end
how many bytes were looked at ("bytes").  Exits with 77 if the memory may not be
read.
"""

import re
import sys

CHUNK = 1 << 20


def mappings(pid):
    """Start and end of each part that can be read, but the kernel's own."""
    with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as f:
        for line in f:
            m = re.match(r"([0-9a-f]+)-([0-9a-f]+) r\S+ \S+ \S+ \S+ *(.*)", line)
            if m and m[3] not in ("[vvar]", "[vsyscall]", "[vdso]"):
                yield int(m[1], 16), int(m[2], 16)


def count(pid, patterns):
    """How often each pattern is found, and in how many bytes.

    Overlapping chunks count once.
    """
    longest = max(len(p) for p in patterns.values())
    found = dict.fromkeys(patterns, 0)
    looked = 0
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as mem:
        for start, end in mappings(pid):
            tail = b""
            at = start
            while at < end:
                try:
                    mem.seek(at)
                    data = mem.read(min(CHUNK, end - at))
                except (OSError, ValueError):
                    break
                if not data:
                    break
                at += len(data)
                looked += len(data)
                window = tail + data
                for name, pattern in patterns.items():
                    # What lies in the tail alone was counted before.
                    i = window.find(pattern)
                    while i != -1:
                        if i + len(pattern) > len(tail):
                            found[name] += 1
                        i = window.find(pattern, i + 1)
                tail = window[-(longest - 1):]
    return found, looked


def main():
    """Does what the command line says."""
    patterns = {}
    for word in sys.argv[2:]:
        name, text = word.split("=", 1)
        patterns[name] = bytes.fromhex(text)
    try:
        found, looked = count(int(sys.argv[1]), patterns)
    except PermissionError:
        sys.exit(77)
    for name, n in found.items():
        print(name, n)
    print("bytes", looked)


main()
