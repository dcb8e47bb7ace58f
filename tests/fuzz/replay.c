// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Runs a fuzz target without libFuzzer: over every file of the folders given, and over
 * each file cut short and with single bytes changed, so that every build exercises the
 * parsers.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/fs.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void one(const void *data, size_t len)
{
	/* A copy of exactly the size, so that AddressSanitizer sees the first byte too
	 * far. */
	unsigned char *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	for (size_t i = 0; i < len; i++)
		copy[i] = ((const unsigned char *)data)[i];
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
}

static void mutate(struct buf *b)
{
	size_t step = b->len / 400 + 1;

	one(b->data, b->len);
	for (size_t i = 0; i < b->len; i += step)
		one(b->data, i);
	for (size_t i = 0; i < b->len; i += step) {
		static const char bytes[] = { 0, '\n', (char)0xff, '9', '>', '-' };
		char saved = b->data[i];

		b->data[i] = bytes[(i / step) % sizeof(bytes)];
		one(b->data, b->len);
		b->data[i] = saved;
	}
}

int main(int argc, char **argv)
{
	int files = 0;

	for (int i = 1; i < argc; i++) {
		struct dirent *d;
		DIR *dir = opendir(argv[i]);

		while (dir && (d = readdir(dir))) {
			_cleanup_err_ struct err e = { 0 };
			_cleanup_buf_ struct buf b = BUF_INIT;
			_cleanup_free_ char *path = fs_path(argv[i], d->d_name);

			if (d->d_name[0] == '.' || fs_read(path, 1 << 20, &b, &e) < 0)
				continue;
			mutate(&b);
			files++;
		}
		if (dir)
			closedir(dir);
	}
	printf("%d seeds\n", files);
	return files ? 0 : 1; /* no seeds: the target was not exercised */
}
