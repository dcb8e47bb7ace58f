// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What a hostile target prints: the greeting of its agent, what it says of itself, and
 * what a check finds. Nothing of it is believed beyond its form.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "boot/target/check.h"
#include "boot/target/proof.h"
#include "boot/target/remote.h"
#include "core/base/alloc.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void greeting(const char *text, size_t size)
{
	struct wire w = WIRE_INIT;
	char *boot = NULL;
	enum wire_role role;

	buf_add(&w.first, text, size);
	if (wire_greeting(&w, &boot, &role)) {
		assert(proof_is_boot_id(boot) && w.greeted);
		assert(role == WIRE_BASE || role == WIRE_CANDIDATE || role == WIRE_OTHER);
		/* it greets once */
		assert(!wire_greeting(&w, &boot, &role));
	}
	free(boot);
	wire_release(&w);
}

static void facts(const char *text)
{
	struct remote_facts f = { 0 };

	if (remote_facts_parse(text, &f))
		assert(proof_is_boot_id(f.boot_id) && *f.arch && *f.user);
	remote_facts_release(&f);
}

static void findings(const char *text)
{
	char name[] = "lab", dir[] = "/var/tmp/kiln";
	struct target t = { .name = name, .kind = TARGET_SSH, .dir = dir };
	_cleanup_target_findings_ struct target_findings f = { 0 };
	bool error = false;

	check_judge(&t, text, &f);
	assert(f.nr);
	for (size_t i = 0; i < f.nr; i++) {
		assert(f.v[i].what && f.v[i].text);
		assert(f.v[i].level == FINDING_OK || f.v[i].fix);
		error |= f.v[i].level == FINDING_ERROR;
	}
	/* without a word of root nothing is fine */
	assert(error || strstr(text, "uid 0"));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_free_ char *text = xstrndup((const char *)data, size);

	greeting((const char *)data, size);
	facts(text);
	findings(text);
	return 0;
}
