// SPDX-License-Identifier: GPL-3.0-or-later
/*
 *	guest-linux boot|cpuid|spin [windows=N] [count=M] [marks=1]
 *
 * Linux as a guest: the kernel is the file below, which kiln puts beside the program, and
 * its init is this program again. Lines and marks are those of guest-payload; boot is
 * started afresh for each of its windows, count times, and its value is the mean.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/guest/linux/initrd.h"
#include "bench/guest/linux/linux.h"

#define KERNEL "/kiln/kernel"
#define PROGRAM "/proc/self/exe"
#define FILE_MAX (32 << 20)

struct work {
	const char *name;
	uint64_t windows, count;
	bool marks;
};

/* Map a file; it stays. */
static int map_file(const char *path, struct bytes *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *data;

	if (fd < 0 || fstat(fd, &st) < 0)
		return fail(path);
	if (st.st_size <= 0 || st.st_size > FILE_MAX)
		return fprintf(stderr, "guest-linux: %s is too big or empty\n", path), -1;
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED)
		return fail(path);
	*ret = (struct bytes){ data, (size_t)st.st_size };
	return 0;
}

static int open_files(struct linux_spec *spec)
{
	struct bytes self;

	if (map_file(KERNEL, &spec->kernel) < 0 || map_file(PROGRAM, &self) < 0)
		return -1;
	spec->initrd.data = initrd_make(self.data, self.len, &spec->initrd.len);
	return spec->initrd.data ? 0 : fail("memory");
}

static int boots(struct linux_spec *spec, const struct work *w, struct linux_result *res)
{
	double ms[WINDOWS_MAX] = { 0 };

	spec->work = w->name;
	if (w->marks && (mark(0) < 0 || mark(1) < 0))
		return 1;
	for (uint64_t i = 0; i < w->windows * w->count; i++) {
		if (linux_run(spec, res) < 0)
			return 1;
		ms[i / w->count] += (double)res->up / (double)res->khz / (double)w->count;
	}
	if (w->marks && mark(2) < 0)
		return 1;
	for (uint64_t i = 0; i < w->windows; i++)
		printf("linux_boot %.6f ms\n", ms[i]);
	if (w->marks)
		printf("@ops %llu\n", (unsigned long long)(w->windows * w->count));
	return 0;
}

static int rates(struct linux_spec *spec, const struct work *w, struct linux_result *res)
{
	uint64_t batch = init_batch(w->name);
	uint64_t batches = w->count / batch ? w->count / batch : 1;
	char words[200];

	snprintf(words, sizeof(words), "%s windows=%llu count=%llu", w->name,
		 (unsigned long long)w->windows, (unsigned long long)w->count);
	spec->work = words;
	spec->windows = w->windows;
	spec->marks = w->marks;
	if (linux_run(spec, res) < 0)
		return 1;
	for (uint64_t i = 0; i < w->windows; i++)
		printf("linux_%s_rate %.3f /s\n", w->name,
		       (double)batch * 1000.0 * (double)res->khz / (double)res->ticks[i]);
	if (w->marks)
		printf("@ops %llu\n", (unsigned long long)(w->windows * batches * batch));
	return 0;
}

static int measure(const struct work *w)
{
	static struct linux_result result;
	struct linux_spec spec = { 0 };
	bool boot = !strcmp(w->name, "boot");
	uint64_t batch = boot ? 1 : init_batch(w->name);

	if (!batch || !w->windows || w->windows > WINDOWS_MAX || !w->count ||
	    w->count > 1000000 || w->count / batch >= BATCHES_MAX) {
		fputs("usage: guest-linux boot|cpuid|spin [windows=N] [count=M]\n",
		      stderr);
		return 2;
	}
	if (open_files(&spec) < 0)
		return 1;
	return boot ? boots(&spec, w, &result) : rates(&spec, w, &result);
}

int main(int argc, char **argv)
{
	struct args a = { argv + 2, argc > 2 ? argc - 2 : 0 };
	const char *name = argc > 1 ? argv[1] : "";

	if (getpid() == 1)
		return init_main(name, &a);
	return measure(&(struct work){ name, args_number(&a, "windows", 4),
				       args_number(&a, "count", 1),
				       args_number(&a, "marks", 0) != 0 });
}
