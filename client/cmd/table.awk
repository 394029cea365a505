# SPDX-License-Identifier: ISC
# Makes a table of subcommands out of their declarations and their texts:
# awk -v header=client/cmd/cmds.h -v prefix=cmd_ -v table=cmds_table \
#     -f table.awk cmds.h help.txt
#
# In help.txt "= NAME OPERANDS" begins a subcommand; below it are a line that
# says what it does, a paragraph, and behind "Examples:" its examples.  Empty
# lines between these are left out.  A subcommand without a text, or a text
# without a subcommand, is an error.
function fail(why) {
	print "help.txt: " why >"/dev/stderr"
	is_bad = 1
	exit 1
}

function quoted(s) {
	gsub(/\\/, "&&", s)
	gsub(/"/, "\\\\&", s)
	return "\"" s "\""
}

function finish() {
	if (name != "" && !has_examples)
		fail(prefix name " has no examples")
	if (name != "")
		print "\t},"
}

BEGIN {
	print "#include \"" header "\"\n"
	print "const struct cmd_entry " table "[] = {"
}

FILENAME ~ /\.h$/ {
	if (sub("^extern const struct cmd " prefix, "") && sub(/;$/, ""))
		is_declared[$0] = 1
	next
}

/^#/ { next }

/^= / {
	finish()
	name = word = $2
	gsub(/-/, "_", name)
	if (!(name in is_declared))
		fail(header " does not declare " prefix name)
	delete is_declared[name]
	sub(/^= [^ ]* ?/, "")
	printf "\t{&%s%s, %s, %s,\n", prefix, name, quoted(word), quoted($0)
	if ((getline) != 1 || $0 == "")
		fail(prefix name " does not say what it does")
	printf "\t    %s,\n\t    \"\"\n", quoted($0)
	if ((getline) != 1 || $0 != "")
		fail(prefix name " says in more than a line what it does")
	has_examples = n_empty = 0
	next
}

/^Examples:$/ {
	print "\t    , \"\""
	has_examples = 1
	n_empty = 0
	next
}

/^$/ { n_empty++; next }

{
	for (; n_empty > 0; n_empty--)
		print "\t    \"\\n\""
	print "\t    " quoted($0) " \"\\n\""
}

END {
	if (is_bad)
		exit 1
	finish()
	for (name in is_declared)
		fail(prefix name " has no text")
	print "\t{.cmd = NULL},\n};"
}
