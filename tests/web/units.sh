#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# "make try-units", as root: the units under a systemd of their own, in
# namespaces, above a copy of this machine's files that is in memory.  It does
# what the units, umpired(8), umpire-web(8) and umpire-witness(1) say, kills what
# runs, and stops it.  Skipped where there is no systemd, or none can run.
. "${top_srcdir:?}/tests/lib.sh"
[ "$(id -u)" = 0 ] || skip_all "it takes root"
[ -x /lib/systemd/systemd ] || skip_all "systemd is not installed"
need unshare

cat >"$work/boot.sh" <<'END'
set -e
root=$1/root
mount --make-rprivate /
mkdir "$1/memory" "$root"
mount -t tmpfs tmpfs "$1/memory"
mkdir "$1/memory/up" "$1/memory/work"
mount -t overlay overlay \
	-o "lowerdir=/,upperdir=$1/memory/up,workdir=$1/memory/work" "$root"
rm -rf "$root"/var/lib/umpire* "$root"/var/cache/umpire* \
	"$root"/etc/umpire-web.conf "$root"/etc/systemd/system/*.wants
cp -a "$1/installed/." "$root/"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys" || mount --rbind /sys "$root/sys"
if [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then
	mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
else
	mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
	mkdir "$root/sys/fs/cgroup/unified" "$root/sys/fs/cgroup/systemd"
	mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup/unified"
	mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
fi
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
mkdir -p "$root/out"
mount --bind "$1" "$root/out"
cat >"$root/etc/systemd/system/tried.service" <<UNIT
[Unit]
After=basic.target
[Service]
Type=oneshot
ExecStart=/bin/bash /out/tried.sh
StandardOutput=file:/out/said
StandardError=inherit
ExecStopPost=/bin/systemctl --no-block exit
TimeoutStartSec=120
UNIT
cat >"$root/etc/systemd/system/tried.target" <<UNIT
[Unit]
Requires=basic.target tried.service
AllowIsolate=yes
UNIT
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" \
	/lib/systemd/systemd --system --unit=tried.target --log-target=console \
	--show-status=no
END

# What is tried inside: a line "NAME VALUE" for each thing that is judged.
cat >"$work/tried.sh" <<'END'
exec 8>/out/facts
fact() { echo "$*" >&8; }
asked() { curl -s -m 10 -o /tmp/body -w '%{http_code}' "$@"; }
healthy() { curl -s -m 5 --unix-socket "$1" http://x/healthz; }
ended() { systemctl show -p Result --value "$1"; }
until_so() {
	local i
	for i in {1..200}; do
		"$@" >/tmp/until 2>&1 && return
		read -r -t 0.05 <>/tmp/nothing
	done
	return 1
}
mkfifo /tmp/nothing
export PATH=$prefix/bin:$prefix/sbin:$PATH HOME=/tmp LANG=C.UTF-8
command -v ip >/dev/null && ip link set lo up
systemctl daemon-reload
systemd-sysusers
systemd-analyze verify umpired.service umpire-web.service \
	umpire-web@1.service umpire-witness.service >/tmp/verify 2>&1
fact verified "$? $(tr '\n' ' ' </tmp/verify)"
for unit in umpired umpire-web umpire-web@1 umpire-witness; do
	fact "exposure-$unit" "$(systemd-analyze security --no-pager \
		"$unit.service" | sed -n 's/.*level for.*: \([0-9.]*\).*/\1/p')"
done

umpired --init /var/lib/umpired -o user=umpired \
	-o admin_socket=/run/umpired/admin.sock
echo 'witnesses = carl' >>/var/lib/umpired/umpired.conf
systemctl start umpired
until_so umpire init --server localhost --trust
until_so umpire register anna --trust
umpire init --profile bert --server localhost --trust </dev/null
umpire register --profile bert bert --trust
samples=$prefix/share/umpire/samples
umpire new --roster "$samples/lasalle2-example.json" --name ev
game=$(umpire show ev --json | sed -n 's/.*"game": *"\([0-9a-f]*\)".*/\1/p' |
	head -n 1)
umpire join --profile bert "$game" --name ev --yes
umpire ready ev
umpire declare ev "$samples/lasalle2-example-declare.json" --yes
fact umpired "$(systemctl is-active umpired) $(umpire log ev | wc -l)"

install -m 0644 "$prefix/share/umpire/umpire-web.conf" /etc/umpire-web.conf
{
	echo base = http://127.0.0.1:1816
	echo admin_socket = /run/umpire-web/admin
	[ ! -x /usr/bin/rsvg-convert ] ||
		echo rsvg_convert = /usr/bin/rsvg-convert
} >>/etc/umpire-web.conf
systemctl start umpire-web
is_up() { [ "$(healthy /run/umpire-web/admin)" = ok ]; }
until_so is_up
pid=$(systemctl show -p MainPID --value umpire-web)
fact confined "$(grep -cE '^(NoNewPrivs:	1|Seccomp:	2|CapBnd:	0+)$' \
	"/proc/$pid/status")"
page=http://127.0.0.1:1816/g/${game:0:12}
is_shown() { [ "$(asked "$page/")" = 200 ]; }
until_so is_shown
fact page "$(asked "$page/")"
picture=$(curl -s "$page/" | sed -n 's/.*og:image" content="\([^"]*\)".*/\1/p')
[ -z "$picture" ] || {
	drawn() { [ "$(asked "$picture")" = 200 ]; }
	until_so drawn
	fact picture "$(asked "$picture") $(head -c 4 /tmp/body | tail -c 3)"
}
kill -KILL "$pid"
again() {
	now=$(systemctl show -p MainPID --value umpire-web)
	[ "$now" != 0 ] && [ "$now" != "$pid" ] && [ "$(asked "$page/")" = 200 ]
}
until_so again
fact killed "$(systemctl is-active umpire-web) $(asked "$page/")"
systemctl stop umpire-web
fact stopped "$(ended umpire-web)"

systemctl start umpire-web@1 umpire-web@2
both() {
	[ "$(healthy /run/umpire-web/1/admin)$(healthy \
		/run/umpire-web/2/admin)" = okok ]
}
until_so both
fact two "$(healthy /run/umpire-web/1/admin) $(healthy \
	/run/umpire-web/2/admin) $(asked "$page/")"
systemctl stop umpire-web@1
fact one "$(ended umpire-web@1) $(healthy /run/umpire-web/2/admin) \
$(asked "$page/")"
systemctl stop umpire-web@2

as_witness() {
	runuser -u umpire-witness -- env HOME=/var/lib/umpire-witness \
		PATH="$PATH" "$@"
}
install -d -m 0700 -o umpire-witness -g umpire-witness /var/lib/umpire-witness
as_witness umpire init --server localhost --trust </dev/null
as_witness umpire register carl --trust
systemctl start umpire-witness
is_there() { journalctl -u umpire-witness | grep -q connected; }
until_so is_there
fact witness "$(systemctl is-active umpire-witness)"
systemctl stop umpire-witness
fact witness-ended "$(ended umpire-witness)"
systemctl reload umpired
fact reloaded "$?"
systemctl stop umpired
fact ended "$(ended umpired)"
journalctl -u 'umpire*' --no-pager
END
prefix=$(sed -n 's/^prefix = //p' "$top_builddir/Makefile")
sed -i "1i prefix=$prefix" "$work/tried.sh"
exits 0 "all is installed" make -s -C "$top_builddir" install \
	DESTDIR="$work/installed"
units=$(find "$work/installed" -name umpired.service)
mkdir -p "$work/installed/etc/systemd/system"
cp "${units%/*}"/*.service "$work/installed/etc/systemd/system"

timeout -k 5 200 unshare -m -p -u -i -n -C -f --kill-child \
	bash "$work/boot.sh" "$work" >"$work/booted" 2>&1
[ -s "$work/facts" ] || {
	diag "$(tail -n 3 "$work/booted")"
	skip_all "no systemd runs here"
}

# fact NAME: what was found of it.
fact() {
	sed -n "s/^$1 //p" "$work/facts"
}
is "systemd finds nothing wrong with the units" "$(fact verified)" "0 "
for unit in umpired umpire-web umpire-web@1 umpire-witness; do
	holds "$unit is little exposed: $(fact "exposure-$unit")" \
		awk -v e="$(fact "exposure-$unit")" \
		'BEGIN { exit !(e > 0 && e < 2) }'
done
like "umpired starts, and a game is played" <(fact umpired) '^active [0-9]+$'
is "umpire-web starts, without privileges or capabilities" \
	"$(fact confined)" 3
is "it has the game's page" "$(fact page)" 200
if [ -x /usr/bin/rsvg-convert ]; then
	is "and its picture" "$(fact picture)" "200 PNG"
else
	skip "and its picture" "rsvg-convert is not installed"
fi
is "after kill -9 it is started again" "$(fact killed)" "active 200"
is "it ends well" "$(fact stopped)" success
is "two share a port" "$(fact two)" "ok ok 200"
is "one goes, and the other goes on" "$(fact one)" "success ok 200"
is "a witness starts" "$(fact witness)" active
is "and ends well" "$(fact witness-ended)" success
is "umpired reads its settings again" "$(fact reloaded)" 0
is "and ends well, too" "$(fact ended)" success
[ "$tap_failed" = 0 ] || sed 's/^/# /' "$work/said"

finish
