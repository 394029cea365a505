# SPDX-License-Identifier: ISC
"""The steps of a tutorial: what tests/e2e/tutorial.sh has to do, a line each.

tutorial.py PAGE: "type NAME COMMAND", and the comments for the test.
"""

import re
import sys

command = None
for line in open(sys.argv[1], encoding="utf-8"):
    line = line.rstrip("\n")
    if command is not None:
        command += " " + line.strip()
    elif re.match(r"[a-z]+\$ ", line):
        command = line
    elif line.startswith('.\\" :') and not re.match(
            r'\.\\" :(prints RE|later SECONDS|turn GAME)', line):
        print(line[5:])
    if command is not None and command.endswith("\\e"):
        command = command[:-2].rstrip()
    elif command is not None:
        print("type " + command.replace("$", "", 1))
        command = None
