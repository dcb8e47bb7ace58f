// SPDX-License-Identifier: GPL-3.0-or-later
/* arm64: kernels are built, and boot nowhere. */
#include <elf.h>

#include "core/arch/rows.h"

const struct arch arch_arm64 = {
	.name = "arm64",
	.kbuild = "arm64",
	.source = "arm64",
	.machine = "aarch64",
	.tools = "aarch64-linux-gnu-",
	.packages = "gcc-aarch64-linux-gnu",
	.check = "compiler-arm64",
	.target = "Image",
	.image = "arch/arm64/boot/Image",
	.fragment = "arm64.config",
	.elf = EM_AARCH64,
};
