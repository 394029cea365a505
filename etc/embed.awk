# SPDX-License-Identifier: ISC
# Makes a C file of text files, each a string named after a prefix and its file,
# that a header declares: awk -v header=common/rules/data.h -v prefix=data_ \
# -f etc/embed.awk etc/bags/imagi-nations.json ... gives data_imagi_nations.
BEGIN { printf "#include \"%s\"\n", header }
FNR == 1 {
	if (n++)
		print "    ;"
	name = FILENAME
	sub(/.*\//, "", name); sub(/\.[a-z]+$/, "", name); gsub(/-/, "_", name)
	printf "\nconst char %s%s[] =\n", prefix, name
}
{ gsub(/\\/, "&&"); gsub(/"/, "\\\\&"); printf "    \"%s\\n\"\n", $0 }
END { if (n) print "    ;" }
