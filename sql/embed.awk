# SPDX-License-Identifier: ISC
# Makes server/store/schema.c of the migrations: awk -f embed.awk sql/0*.sql
BEGIN { print "#include \"server/store/store_int.h\"\n\nconst struct store_step schema_steps[] = {" }
FNR == 1 { if (n++) print "\t},"; f = FILENAME; sub(/.*\//, "", f); printf "\t{%d, \"%s\",\n", f + 0, f }
{ gsub(/\\/, "&&"); gsub(/"/, "\\\\&"); printf "\t    \"%s\\n\"\n", $0 }
END { print "\t},\n};\n\nconst size_t schema_n_steps = " n ";" }
