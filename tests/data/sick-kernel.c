/* A parameter that makes the kernel fall ill: kvm_amd.kiln_sick=KIND when it starts, or written
 * to /sys/module/kvm_amd/parameters/kiln_sick later. tests/system/sick.sh puts it into nested.c. */
#include <linux/delay.h>
#include <linux/moduleparam.h>
#include <asm/desc.h>

static int kiln_sick_set(const char *kind, const struct kernel_param *p)
{
	static const struct desc_ptr no_idt;

	if (sysfs_streq(kind, "panic"))
		panic("kiln: asked to");
	/* without cpu_relax(): that one makes an emulated processor's clock crawl */
	if (sysfs_streq(kind, "hang")) {
		local_irq_disable();
		for (;;)
			barrier();
	}
	if (sysfs_streq(kind, "spin"))
		for (;;)
			barrier();
	if (sysfs_streq(kind, "triple")) {
		load_idt(&no_idt);
		asm volatile("int3");
	}
	if (sysfs_streq(kind, "warn"))
		WARN(1, "kiln: asked to\n");
	if (sysfs_streq(kind, "oops"))
		*(volatile int *)8 = 1;
	if (sysfs_streq(kind, "bug"))
		BUG();
	if (sysfs_streq(kind, "stall"))
		printk(KERN_ERR "INFO: task kiln:1 blocked for more than 120 seconds.\n");
	if (sysfs_streq(kind, "mce"))
		printk(KERN_EMERG "mce: [Hardware Error]: CPU 0: Machine Check Exception: 5\n");
	return 0;
}

static const struct kernel_param_ops kiln_sick_ops = { .set = kiln_sick_set };
module_param_cb(kiln_sick, &kiln_sick_ops, NULL, 0200);
