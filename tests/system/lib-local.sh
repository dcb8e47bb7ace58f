# A machine that runs kiln itself and is rebooted by it: QEMU, whose root is this machine's, read
# only. What kiln keeps is in the folder $here, and survives. Sourced after lib.sh.
# At its first start it runs what is in the file "job", later what kiln has arranged; all that is
# said goes to "said".

# No test's folder has a name that systemd could be given.
here=$(mktemp -d /var/tmp/kiln-here.XXXXXX)
KILN_HOME=$here/home
mkdir "$KILN_HOME" "$here/dir"
ln -s "$KILN_TEST_HOME/cache" "$KILN_HOME/cache"

# Where a dead kernel leaves its words; both kernels have to agree.
RAMOOPS='memmap=1M$0x38000000 ramoops.mem_address=0x38000000 ramoops.mem_size=0x100000 ramoops.record_size=0x10000'

here_init() {
	cat <<INIT
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
if grep -q kiln.sick=panic /proc/cmdline; then echo c >/proc/sysrq-trigger; fi
mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=512000,cache=loose host /host
mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose disk '/host$here'
mount -t proc proc /host/proc
mount -t sysfs sysfs /host/sys
mount -t devtmpfs devtmpfs /host/dev
mount -t tmpfs tmpfs /host/run
exec chroot /host /bin/bash '$here/start'
INIT
}

# Make the machine's initramfs, and what its start does.
here_make() {
	local root=$here/root
	mkdir -p "$root"/{bin,dev,proc,sys,host,etc} &&
	cp "$(command -v busybox)" "$root/bin/busybox" && cp "$root/bin/busybox" "$root/init" &&
	here_init >"$root/etc/rc" &&
	echo '::sysinit:/bin/busybox sh /etc/rc' >"$root/etc/inittab" &&
	(cd "$root" && find . | cpio -o -H newc --quiet) >"$here/root.cpio" &&
	cat >"$here/start" <<-START
		export PATH='$PATH:/usr/sbin:/sbin' HOME='$HOME' KILN_HOME='$KILN_HOME'
		export ASAN_OPTIONS=detect_leaks=0 GIT_CONFIG_NOSYSTEM=1 TMPDIR=/run
		cd '$here'
		work=armed
		if ! test -e armed; then mv job work; work=work; fi
		echo "start: \$work" | tee -a said
		bash "\$work" >>said 2>&1
		echo "end: \$?" | tee -a said
		sync
		while :; do sleep 1000; done
	START
}

# here_start KERNEL [PARAMS]: start it; sets $here_pid
here_start() {
	qemu-system-x86_64 -machine q35 -accel tcg \
		-cpu 'EPYC,+svm,+npt,-rdseed,-sha-ni,-fxsr-opt,-misalignsse,-3dnowprefetch,-osvw,-topoext,-nrip-save,-xsavec' \
		-m 1024 -nodefaults -no-user-config -display none \
		-kernel "$1" -initrd "$here/root.cpio" \
		-append "console=ttyS0 reboot=t rdinit=/init mitigations=off tsc_early_khz=1000000 $2" \
		-chardev "file,id=serial,path=$here/serial" -serial chardev:serial \
		-virtfs 'local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap' \
		-virtfs "local,path=$here,mount_tag=disk,security_model=mapped-file" \
		>"$here/qemu.log" 2>&1 &
	here_pid=$!
}

here_stop() {
	kill "$here_pid" && { wait "$here_pid" || :; }
}
