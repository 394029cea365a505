# SPDX-License-Identifier: ISC
# Makes a C file of data files, each a string named after its file:
# awk -f embed.awk etc/bags/imagi-nations.json ... gives data_imagi_nations.
BEGIN { print "#include \"common/rules/data.h\"" }
FNR == 1 {
	if (n++)
		print "    ;"
	name = FILENAME
	sub(/.*\//, "", name); sub(/\.json$/, "", name); gsub(/-/, "_", name)
	printf "\nconst char data_%s[] =\n", name
}
{ gsub(/\\/, "&&"); gsub(/"/, "\\\\&"); printf "    \"%s\\n\"\n", $0 }
END { if (n) print "    ;" }
