#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# What scanners of TLS find in the running port: testssl and sslscan, judged by
# the severities of the first and the facts of the second.  Nothing may be found
# but what follows from the certificate, which is self-signed and made for ten
# years, since clients pin the identity key: that is printed, each with its
# reason. UMPIRE_CONTROL=1 scans a server that is none of ours, with old protocols
# and ciphers, and passes if that is found out.

. "${top_srcdir:?}/tests/e2e/e2e.sh"

testssl=$(command -v testssl || command -v testssl.sh) ||
	skip_all "testssl is missing; the package is testssl.sh"
command -v sslscan >/dev/null ||
	skip_all "sslscan is missing; the package is sslscan"

# What is left out, and why: what follows from a certificate that is its own
# issuer and made to last, and what is about the scanner itself.
own='{
"cert_trust": "clients pin the identity key, not a name",
"cert_chain_of_trust": "self-signed: clients pin the identity key",
"cert_validityPeriod": "made for ten years: clients pin the identity key",
"cert_extlifeSpan": "made for ten years: clients pin the identity key",
"cert_revocation": "self-signed: there is nobody to revoke it",
"overall_grade": "the worst of what is judged by itself",
"grade_cap_reason": "a grade capped for trust or the name",
"engine_problem": "about the OpenSSL of the scanner"}'

# The start of a filter: findings that are not good or for information, and why
# one is left out (null: it is not).
graver='def why: if .id | startswith("grade_cap_reason") then
			if .finding | test("trust|self.?signed|mismatch"; "i")
			then $own["grade_cap_reason"] else null end
		else $own[.id] end;
	.[] | select(.severity | IN("OK", "INFO", "DEBUG") | not) |'

# scan PORT [OPTION...]: both scanners, with options of testssl; a finding a line
# into $work/found, and what is left out into $work/left-out.
scan() {
	local at=127.0.0.1:$1
	shift
	timeout 900 "$testssl" --quiet --color 0 --nodns none --warnings off \
		--connect-timeout 10 --openssl-timeout 10 \
		--jsonfile "$work/testssl.json" "$@" "$at" \
		>"$work/testssl.out" 2>&1 </dev/null
	timeout 300 sslscan --no-colour --show-certificate \
		--xml="$work/sslscan.xml" "$at" \
		>"$work/sslscan.out" 2>&1 </dev/null
	{
		jq -r --argjson own "$own" "$graver"'
			select(why == null) |
			"testssl: \(.severity) \(.id): \(.finding)"' \
			"$work/testssl.json"
		python3 - "$work/sslscan.xml" <<'END'
import sys
import xml.etree.ElementTree

test = xml.etree.ElementTree.parse(sys.argv[1]).getroot().find("ssltest")
for p in test.iter("protocol"):
    if p.get("enabled") == "1" and p.get("version") != "1.3":
        print("sslscan: protocol", p.get("type"), p.get("version"))
for c in test.iter("cipher"):
    if c.get("strength") != "strong" and c.get("sslversion") != "TLSv1.3" \
            or int(c.get("bits")) < 128:
        print("sslscan: cipher", c.get("sslversion"), c.get("cipher"))
for g in test.iter("group"):
    if int(g.get("bits")) < 112:
        print("sslscan: group", g.get("name"))
for h in test.iter("heartbleed"):
    if h.get("vulnerable") != "0":
        print("sslscan: heartbleed", h.get("sslversion"))
for name in "compression", "renegotiation":
    for e in test.iter(name):
        if e.get("supported") == "1":
            print("sslscan:", name)
for s in test.iter("signature-algorithm"):
    if s.text and ("md5" in s.text.lower() or "sha1" in s.text.lower()):
        print("sslscan: signature", s.text)
END
	} >"$work/found" 2>&1
	jq -r --argjson own "$own" "$graver"'
		select(why != null) |
		"\(.severity) \(.id): \(.finding) (\(why))"' \
		"$work/testssl.json" >"$work/left-out" 2>&1
}

# keep: what the scanners have said, for who wants to read it.
keep() {
	[ -z "${UMPIRE_KEEP:-}" ] || {
		mkdir -p "$UMPIRE_KEEP"
		cp "$work"/testssl.* "$work"/sslscan.* "$work/found" \
			"$work/left-out" "$UMPIRE_KEEP"
	}
}

if [ -n "${UMPIRE_CONTROL:-}" ]; then
	openssl req -x509 -newkey rsa:1024 -nodes -keyout "$work/old.key" \
		-out "$work/old.crt" -days 2 -subj /CN=old -sha1 2>/dev/null
	# Its port is one that a daemon of ours had a moment ago.
	start_umpired "$work/umpired" || exit 99
	stop_umpired
	openssl s_server -accept "127.0.0.1:$port" -cert "$work/old.crt" \
		-key "$work/old.key" -cipher 'ALL:@SECLEVEL=0' -www -quiet \
		>/dev/null 2>&1 </dev/null &
	daemons="$daemons $!"
	wait_for 20 bash -c "</dev/tcp/127.0.0.1/$port" || exit 99
	scan "$port" --protocols
	keep
	like "old protocols are found" "$work/found" '^testssl: .* TLS1'
	like "and by sslscan" "$work/found" '^sslscan: protocol tls 1\.[012]'
	diag "found: $(wc -l <"$work/found")"
	sed 's/^/# /' "$work/found" | head -40
	finish
fi

start_umpired "$work/umpired" || exit 99
scan "$port"
keep
is "testssl has tried all that it knows" "$(jq -r 'map(.id) |
	(index("TLS1_3") != null) and (index("heartbleed") != null) and
	(index("LUCKY13") != null) and length > 60' \
	"$work/testssl.json" 2>&1)" true
holds "so has sslscan" grep -q '<cipher ' "$work/sslscan.xml"
is "nothing is found but what follows from a certificate of our own" \
	"$(cat "$work/found")" ""
diag "left out:"
sed 's/^/#   /' "$work/left-out"
is "that is found" "$(jq -r '.[] | select(.id == "cert_chain_of_trust") |
	.finding' "$work/testssl.json" | grep -c self)" 1
like "TLS 1.3 is there" "$work/sslscan.xml" 'version="1.3" enabled="1"'
umpire_as anna init --server "$server" >/dev/null
exits 0 "the daemon goes on" umpire_as anna games --all --trust
stop_umpired
is "and ends as it should" $? 0
diag "$(jq length "$work/testssl.json") findings of testssl, \
$(grep -c '<cipher ' "$work/sslscan.xml") ciphers of sslscan, \
$(wc -l <"$work/found") of them against us"
finish
