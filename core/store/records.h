// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What the store remembers of builds, boots and samples: plain values that boot/ and
 * bench/ fill and that compare, bisect and reports read. Strings are owned by the record.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/base.h"
#include "core/base/oid.h"

struct build_record {
	struct oid commit, tree;
	char *config;	 /* digest of the final .config */
	char *toolchain; /* digest of compiler and linker versions */
	char *arch;	 /* "x86_64" */
	char *status;	 /* "ok", "failed", "config-lost" */
	char *reason;	 /* first error or lost symbol; NULL when ok */
	char *build_id;	 /* GNU build-id of vmlinux, hex; NULL unless ok */
	char *code;	 /* digest of what of it runs; equal ones are equal kernels. NULL
			    when not known */
	char *image;	 /* path of the bootable image in the cache; NULL unless ok */
	char *modules;	 /* path of the folder with its modules; NULL without any */
	char *log;	 /* path of the build log */
	bool cached;
	double seconds; /* wall */
};

struct boot_record {
	struct oid commit, tree;
	char *target; /* "qemu" */
	char *accel;  /* "kvm", "tcg" */
	char *path;   /* "kexec", "firmware" */
	char *token;  /* run token on the command line: identity of the boot */
	char *boot_id,
		*build_id; /* as the running kernel reported; NULL when it never did */
	char *status;	   /* "ok", "panic", "hang", "silent-reset", "jump-failed",
			      "died-early", "kernel-bug", "kernel-warning",
			      "wrong-kernel", "no-result" */
	char *reason;	   /* one line of cause; NULL when ok */
	char *title;	   /* of the first report on the console, the same in every
			      boot; NULL when there was none */
	char *load; /* how the base loaded it, "-s" (file) or "-c"; NULL: it did not */
	char *environment; /* of host and L0 before the work, "KEY=VALUE" lines, sorted;
			      NULL: not recorded */
	char *console;	   /* path of the whole console log */
	bool proven;  /* token, boot_id and build-id all checked, at L0 and at L1 when
			there is one */
	bool counted; /* events were counted meanwhile: none of its times is a result */
	double seconds;
};

/*
 * A number with its whole identity. NULL in setup and the digests: a store of an older
 * kiln does not know, or there is no such thing at that level.
 */
struct sample {
	char *token;		 /* of its boot */
	struct oid commit, tree; /* of L0's kernel */
	char *benchmark;	 /* with its parameters where they are not the default:
			    "cpuid_rate", "page_touch:ws=64K"; a counter's:
			    "cpuid_rate#kvm:kvm_exit" */
	char *l0, *l1; /* "npt", "shadow"; l1 "-" when the payload is L1 itself */
	int ordinal;   /* from 0 within boot, benchmark and cell */
	double value;
	char *unit;    /* "/s" */
	char *clock;   /* "virtual" or "host" */
	char *path;    /* of its boot: "kexec", "firmware" */
	char *setup;   /* of the machines, "vcpus=2,pin"; "" = the default */
	char *guest;   /* build-id of L1's kernel */
	char *qemu;    /* digest of what runs L1 */
	char *payload; /* digest of the program that measured */
	bool proven;
};

/* Whether both are known to be the same kernel, whatever commits they were built from. */
bool build_same_code(const struct build_record *a, const struct build_record *b);

void build_record_release(struct build_record *b);
void boot_record_release(struct boot_record *b);
void sample_release(struct sample *s);

/* A growing array of samples; releases its elements. */
struct samples {
	struct sample *v;
	size_t nr;
};
#define SAMPLES_INIT \
	{            \
		0    \
	}

/* Append a zeroed sample. */
struct sample *samples_add(struct samples *s);
/* Append copies of all of from. */
void samples_copy(const struct samples *from, struct samples *to);
void samples_release(struct samples *s);
#define _cleanup_samples_ _cleanup_(samples_release)
