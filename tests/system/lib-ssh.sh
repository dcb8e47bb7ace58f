# A machine that is reached by ssh: QEMU with a network card, which starts a base kernel by
# itself after every reset, with an OpenSSH server in its initramfs. Sourced after lib.sh.

# Copy a program and the libraries it loads into the root folder $1.
root_add() {
	local root=$1 file path
	shift
	for file; do
		path=$(PATH=$PATH:/usr/sbin:/sbin command -v "$file") || return 1
		mkdir -p "$root$(dirname "$path")" && cp -L "$path" "$root$path" || return 1
		ldd "$path" 2>/dev/null | grep -oE '/[^ ]+' | while read -r path; do
			mkdir -p "$root$(dirname "$path")" && cp -nL "$path" "$root$path"
		done
	done
}

# The machine's first program: a network, an ssh server, and whatever kiln.sick= asks for.
root_init() {
	cat <<'INIT'
/bin/busybox --install -s /bin
export PATH=/bin:/sbin:/usr/bin:/usr/sbin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t 9p -o ro,trans=virtio,version=9p2000.L lab /lab
mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose disk /var/tmp/kiln
ifconfig lo 127.0.0.1 up
ifconfig eth0 10.0.2.15 netmask 255.255.255.0 up
if grep -q kiln.sick=panic /proc/cmdline; then echo c >/proc/sysrq-trigger; fi
if grep -q kiln.sick=deaf /proc/cmdline; then while :; do sleep 1000; done; fi
if test -e /lab/deaf && ! grep -q kiln.token /proc/cmdline; then while :; do sleep 1000; done; fi
if test -e /lab/no-kexec; then echo 1 >/proc/sys/kernel/kexec_load_disabled; fi
/usr/sbin/sshd -D -e -f /etc/ssh/sshd_config
INIT
}

# Make the machine's initramfs, and a key for it: root_make DIR
root_make() {
	local dir=$1 root=$1/root
	mkdir -p "$root"/{bin,sbin,usr/sbin,dev,proc,sys,lab,tmp,etc/ssh,root/.ssh,run/sshd,var/tmp/kiln,var/empty} &&
	cp "$(command -v busybox)" "$root/bin/busybox" &&
	root_add "$root" sshd kexec &&
	ssh-keygen -q -t ed25519 -N '' -f "$dir/key" &&
	ssh-keygen -q -t ed25519 -N '' -f "$root/etc/ssh/host" &&
	cp "$dir/key.pub" "$root/root/.ssh/authorized_keys" &&
	chmod -R go= "$root/root" "$root/etc/ssh" &&
	printf 'root:x:0:0:root:/root:/bin/sh\nsshd:x:100:100::/run/sshd:/bin/false\n' >"$root/etc/passwd" &&
	printf 'root:x:0:\nsshd:x:100:\n' >"$root/etc/group" &&
	printf 'HostKey /etc/ssh/host\nUsePAM no\nStrictModes no\nPermitRootLogin yes\n' >"$root/etc/ssh/sshd_config" &&
	# the kernel knows no scripts: busybox is its own init
	cp "$root/bin/busybox" "$root/init" && root_init >"$root/etc/rc" &&
	echo '::sysinit:/bin/busybox sh /etc/rc' >"$root/etc/inittab" &&
	mkdir -p "$dir/lab" "$dir/disk" &&
	(cd "$root" && find . | cpio -o -H newc --quiet) >"$dir/lab/root.cpio"
}

free_port() {
	python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

# Where a dead kernel's words survive a reset; both kernels have to agree.
RAMOOPS='memmap=1M$0x38000000 ramoops.mem_address=0x38000000 ramoops.mem_size=0x100000 ramoops.record_size=0x10000'

# The clock of a machine that counts instructions, as kiln's own emulated machine has it.
LAB_VIRTUAL_CLOCK='nolapic_timer no_timer_check tsc=reliable'

# A -virtfs for what kiln has on it, which is there after a reset as on a disk: lab_disk DIR
lab_disk() {
	echo "local,path=$1/disk,mount_tag=disk,security_model=mapped-file"
}

# lab_start DIR KERNEL [PARAMS [QEMU-ARG...]]: start it; sets $lab_pid and $lab_port
lab_start() {
	local dir=$1 kernel=$2 params=$3
	shift $(($# > 3 ? 3 : $#))
	lab_port=$(free_port) &&
	rm -f "$dir/serial" "$dir/control" || return 1
	qemu-system-x86_64 -machine q35 -accel tcg \
		-cpu 'EPYC,+svm,+npt,-rdseed,-sha-ni,-fxsr-opt,-misalignsse,-3dnowprefetch,-osvw,-topoext,-nrip-save,-xsavec' \
		-m 1024 -nodefaults -no-user-config -display none \
		-kernel "$kernel" -initrd "$dir/lab/root.cpio" \
		-append "console=ttyS0 reboot=t rdinit=/init mitigations=off tsc_early_khz=1000000 $RAMOOPS $params" \
		-chardev "socket,id=serial,path=$dir/serial,server=on,wait=off,logfile=$dir/serial.log" \
		-serial chardev:serial \
		-qmp "unix:$dir/control,server=on,wait=off" \
		-netdev "user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:$lab_port-:22" \
		-device virtio-net-pci,netdev=net \
		-virtfs "local,path=$dir/lab,mount_tag=lab,security_model=none,readonly=on" "$@" \
		>"$dir/qemu.log" 2>&1 &
	lab_pid=$!
	for setting in kind=ssh host=root@127.0.0.1 port="$lab_port" dir=/var/tmp/kiln \
		initrd=/lab/root.cpio return=90s "sshOption=IdentityFile=\"$dir/key\""; do
		git config --global --replace-all "target.lab.${setting%%=*}" "${setting#*=}" || return 1
	done
	# what is cheap on an emulated processor
	for setting in IdentitiesOnly=yes KexAlgorithms=curve25519-sha256 \
		Ciphers=aes128-ctr ConnectTimeout=5; do
		git config --global --add target.lab.sshOption "$setting" || return 1
	done
	# the machine's word that its server listens
	wait_lines "$dir/serial.log" 1 "Server listening"
}

# Tell QEMU, and wait for what it answers: lab_qmp DIR COMMAND PATTERN. Whoever hangs up before QEMU
# says that it happened may take the request along.
lab_qmp() {
	python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(b"{\"execute\":\"qmp_capabilities\"}" + sys.argv[2].encode())
for line in s.makefile():
    if sys.argv[3] in line:
        sys.exit(0)
sys.exit("QEMU is gone")' "$1/control" "$2" "$3"
}

# A reset by the power button: lab_reset DIR
lab_reset() {
	lab_qmp "$1" '{"execute":"system_reset"}' '"RESET"'
}

# A break, and the letter behind it: lab_sysrq DIR LETTER. Whatever is in the file "letters" is typed
# at the console, of which there is but one connection.
lab_sysrq() {
	lab_qmp "$1" '{"execute":"chardev-send-break","arguments":{"id":"serial"},"id":"sent"}' '"sent"' &&
	printf %s "$2" >>"$1/letters"
}

lab_console() {
	echo "tail -n 0 -f \"$1/letters\" | nc -U \"$1/serial\""
}

lab_stop() {
	kill "$lab_pid" && { wait "$lab_pid" || :; }
}
