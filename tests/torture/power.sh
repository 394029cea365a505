#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Power cuts.  A virtual machine (qemu) in which the daemon and four matches run
# is cut at random moments and started again on the same disk: all that was
# answered must be there, each once and with the same dice, umpired --check must
# be content, and what was not answered must be taken when it is sent again.
# Every other machine has a disk whose cache loses what was not flushed
# (tests/torture/power_disk.py).
#
#   UMPIRE_COUNT=n     so many cuts (12)
#   UMPIRE_CONTROL=1   the daemon does not wait for the disk: that must be found
#   UMPIRE_ACCEL=tcg   or kvm: else whichever works
#   UMPIRE_SEED=n      what is by chance (random)
#   UMPIRE_KEEP=DIR    where disk and console of a failure go
#                      (tests/torture/kept in the build)
#
# The kernel is Debian's for clouds, which is unpacked in the build folder and
# not installed.

. "${top_srcdir:?}/tests/e2e/e2e.sh"
PATH=$PATH:/usr/sbin:/sbin

# wants PROGRAM PACKAGE ...: skips the file unless all are there.
wants() {
	while [ $# -gt 0 ]; do
		command -v "$1" >/dev/null 2>&1 ||
			skip_all "$1 is missing (Debian: $2)"
		shift 2
	done
}
wants qemu-system-x86_64 qemu-system-x86 busybox busybox-static cpio cpio \
	depmod kmod mkfs.ext4 e2fsprogs python3 python3 setpriv util-linux \
	dpkg-deb dpkg apt-get apt ldd libc-bin
if ldd "$(command -v busybox)" >/dev/null 2>&1; then
	skip_all "busybox is not static (Debian: busybox-static)"
fi
guest=$top_builddir/tests/torture/guest
[ -x "$guest" ] || skip_all "tests/torture/guest is not built"

count=${UMPIRE_COUNT:-12}
seed=${UMPIRE_SEED:-$((RANDOM * 32768 + RANDOM))}
keep=${UMPIRE_KEEP:-$top_builddir/tests/torture/kept/power}
diag "UMPIRE_SEED=$seed"

# ---- the kernel ----

kernels=$top_builddir/tests/torture/kernel
[ "$(uname -m)" = x86_64 ] || skip_all "this machine is no amd64"

# get_kernel: unpacks the kernel that linux-image-cloud-amd64 stands for.
get_kernel() {
	local package
	package=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$package" ] || return 1
	rm -rf "$kernels.new"
	mkdir -p "$kernels.new"
	(cd "$kernels.new" && apt-get -q download "$package" &&
		dpkg-deb -x "$package"_*.deb . && rm "$package"_*.deb) \
		>"$work/kernel.log" 2>&1 || return 1
	rm -rf "$kernels"
	mv "$kernels.new" "$kernels"
}
[ -n "$(ls "$kernels"/boot/vmlinuz-* 2>/dev/null)" ] || get_kernel || {
	[ ! -e "$work/kernel.log" ] || diag "$(tail -n 3 "$work/kernel.log")"
	skip_all "no kernel can be had (Debian: linux-image-cloud-amd64)"
}
kernel=$(echo "$kernels"/boot/vmlinuz-*)
version=${kernel##*/vmlinuz-}
modules=$kernels/lib/modules/$version
[ -e "$modules/modules.dep" ] || depmod -b "$kernels" "$version" || exit 99

# ---- what runs in the machine ----

root=$work/root
mkdir -p "$root"/{bin,dev,disk,etc,lib,modules,proc,run,sys,tmp}
cp -L "$(command -v busybox)" "$root/bin/busybox"
echo root:x:0:0::/:/bin/sh >"$root/etc/passwd"
write_example "$work"
cp "$work/roster.json" "$root/etc/roster.json"
for module in virtio_pci virtio_blk virtio_console; do
	modprobe -d "$kernels" -S "$version" --show-depends "$module" |
		sed -n 's/^insmod \([^ ]*\).*/\1/p'
done | awk '!seen[$0]++' | while read -r module; do
	cp "$module" "$root/modules/"
	echo "insmod /modules/${module##*/}"
done >"$root/etc/modules"
cat >"$root/init" <<'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
. /etc/modules
say() {
	echo "{\"event\":\"$1\"}" >&3
}
line=none
until [ -b /dev/vda ] && [ -c "$line" ]; do
	usleep 10000
	line=$(echo /dev/vport*)
done
# It stays open: what came in is thrown away when it is closed.
exec 3<>"$line"
ip link set lo up
mount_disk() {
	mount -t ext4 -o data=ordered /dev/vda /disk
}
# The kernel refuses a journal whose last commit is torn within a block, which
# Debian's start would mend.
mount_disk || {
	e2fsck -p /dev/vda
	say mended
	mount_disk || say unmountable
}
cd /disk/umpired
[ "$(stat -c %u .)" = 0 ] || chown -R 0:0 .
[ ! -e /etc/hooks ] || export UMPIRED_TEST_CONTROL=/etc/hooks
umpired -c umpired.conf -o user=root -o port_file=/run/port 3>&- &
until [ -s /run/port ]; do
	kill -0 $! || say dead
	usleep 20000
done
umpired -c umpired.conf -o user=root --check >/tmp/check 2>&1 3>&- || {
	cat /tmp/check
	say unsound
}
guest 127.0.0.1 "$(head -n 1 /run/port)" /etc/roster.json <&3 || say dead
END
chmod 755 "$root/init"

# make_initrd PROGRAM: what the machine starts with, that program its daemon.
make_initrd() {
	local library
	cp "$1" "$root/bin/umpired"
	cp "$guest" "$(command -v e2fsck)" "$root/bin"
	ldd "$1" "$guest" "$root/bin/e2fsck" | grep -o '/[^ ]*' | grep -v ':$' | sort -u |
		while read -r library; do
			mkdir -p "$root${library%/*}"
			cp -Lu "$library" "$root$library"
		done
	(cd "$root" && find . | cpio -o -H newc -R 0:0 --quiet) \
		>"$work/initrd" || exit 99
}
if [ -n "${UMPIRE_CONTROL:-}" ]; then
	[ -x "$UMPIRED_TEST" ] || skip_all "umpired-test is not built"
	"$tools/hookctl" "$root/etc/hooks" set sync_normal 1
	make_initrd "$UMPIRED_TEST"
else
	make_initrd "$UMPIRED"
fi

# ---- the disk ----

mkdir -p "$work/files"
init_umpired "$work/files/umpired" -o register_burst=1000 \
	-o min_free_disk=0 || exit 99
mkfs.ext4 -q -F -b 4096 -E root_owner=0:0 -d "$work/files" "$work/empty" 96M \
	>"$work/mkfs.log" 2>&1 || {
	diag "$(cat "$work/mkfs.log")"
	exit 99
}

# ---- cuts ----

# power ACCEL OPTION...: cuts, which leave $status and what number() gives.
power() {
	local accel=$1
	shift
	rm -rf "$work/power"
	mkdir "$work/power"
	python3 -B "$top_srcdir/tests/torture/power.py" --kernel "$kernel" \
		--initrd "$work/initrd" --disk "$work/empty" \
		--work "$work/power" --seed "$seed" --accel "$accel" "$@" \
		2>"$err" | sed -u 's/^/# /'
	status=${PIPESTATUS[0]}
	sed 's/^/# /' "$err"
	[ -s "$work/power/sum" ] || exit 99
}

# A /dev/kvm that is there does not always work.
accel=${UMPIRE_ACCEL:-}
if [ -z "$accel" ]; then
	accel=tcg
	if [ -w /dev/kvm ]; then
		power kvm --cuts 0 --wait 10 >/dev/null 2>&1
		[ "$status" != 0 ] || accel=kvm
	fi
fi
diag "the machine runs by $accel, Linux $version"

number() {
	jq -r ".$1" "$work/power/sum"
}

# totals: what was done and what was lost.
totals() {
	diag "$(number cuts) cuts ($(number early) while starting)," \
		"$(number orders) orders acknowledged, $(number lost) lost," \
		"$(number again) sent again, the same;" \
		"$(number unanswered) unanswered, $(number survived) of them recorded"
	diag "the disk: $(number writes) writes, $(number flushes) flushes;" \
		"$(number caught) cuts caught $(number held) writes before" \
		"their flush, $(number dropped) were lost, $(number torn) torn;" \
		"e2fsck mended $(number mended) file systems"
	diag "$(number each) s a cut, $(number ready) s until ready, $accel"
}

if [ -n "${UMPIRE_CONTROL:-}" ]; then
	power "$accel" --cuts 3 --control
	is "a daemon that does not wait for the disk is found out" "$status" 0
	totals
	make_initrd "$UMPIRED"
	power "$accel" --cuts 3 --control --cache lying
	is "and so is a disk that only says that it has flushed" "$status" 0
	totals
else
	power "$accel" --cuts "$count" --keep "$keep"
	is "nothing that was answered is lost" "$status" 0
	is "all cuts were made" "$(number cuts)" "$count"
	is "orders were acknowledged" $(($(number orders) > 0)) 1
	[ "$count" -lt 20 ] || is "cuts caught writes before their flush" \
		$(($(number caught) > 0 && $(number dropped) > 0)) 1
	totals
fi
finish
