// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/arch.h"

#include <elf.h>
#include <string.h>
#include <sys/utsname.h>

#include "boot/build/bzimage.h"
#include "core/base/base.h"

static const struct arch archs[] = {
	{
		.name = "x86_64",
		.kbuild = "x86_64",
		.machine = "x86_64",
		.tools = "x86_64-linux-gnu-",
		.packages = "gcc-x86-64-linux-gnu",
		.check = "compiler-x86_64",
		.target = "bzImage",
		.image = "arch/x86/boot/bzImage",
		.fragment = "embedded.config",
		.elf = EM_X86_64,
		.packed = "arch/x86/boot/compressed/vmlinux.bin",
		.payload = bzimage_payload,
	},
	{
		.name = "powerpc64le",
		.kbuild = "powerpc",
		.machine = "ppc64le",
		.tools = "powerpc64le-linux-gnu-",
		.packages = "gcc-powerpc64le-linux-gnu",
		.check = "compiler-powerpc64le",
		.target = "vmlinux",
		.image = "vmlinux",
		.fragment = "powerpc64le.config",
		.elf = EM_PPC64,
	},
	{
		.name = "arm64",
		.kbuild = "arm64",
		.machine = "aarch64",
		.tools = "aarch64-linux-gnu-",
		.packages = "gcc-aarch64-linux-gnu",
		.check = "compiler-arm64",
		.target = "Image",
		.image = "arch/arm64/boot/Image",
		.fragment = "arm64.config",
		.elf = EM_AARCH64,
	},
};

const struct arch *arch_at(unsigned int i)
{
	return i < ARRAY_SIZE(archs) ? &archs[i] : NULL;
}

const struct arch *arch_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (!name || !strcmp(archs[i].name, name))
			return &archs[i];
	return NULL;
}

const char *arch_prefix(const struct arch *a)
{
	struct utsname u;

	return !uname(&u) && !strcmp(u.machine, a->machine) ? "" : a->tools;
}
