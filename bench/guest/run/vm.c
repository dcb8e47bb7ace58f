// SPDX-License-Identifier: GPL-3.0-or-later
/* A machine's descriptors: the same ones whatever the architecture. */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/guest/run/payload.h"

int vm_start(struct vm *vm, unsigned long type)
{
	vm->fd = vm->cpu = -1;
	vm->kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (vm->kvm < 0)
		return fail("/dev/kvm");
	vm->fd = ioctl(vm->kvm, KVM_CREATE_VM, type);
	return vm->fd < 0 ? fail("KVM_CREATE_VM") : 0;
}

int vm_add_cpu(struct vm *vm)
{
	int run_size = ioctl(vm->kvm, KVM_GET_VCPU_MMAP_SIZE, 0);

	vm->cpu = ioctl(vm->fd, KVM_CREATE_VCPU, 0);
	if (vm->cpu < 0 || run_size < 0)
		return fail("KVM_CREATE_VCPU");
	vm->run_size = (size_t)run_size;
	vm->run =
		mmap(NULL, vm->run_size, PROT_READ | PROT_WRITE, MAP_SHARED, vm->cpu, 0);
	return vm->run == MAP_FAILED ? fail("state of the guest") : 0;
}

void vm_close(struct vm *vm)
{
	munmap(vm->run, vm->run_size);
	munmap(vm->mem, vm->size);
	close(vm->cpu);
	close(vm->fd);
	close(vm->kvm);
}
