// SPDX-License-Identifier: GPL-3.0-or-later
/* Builds and boots in the terms of https://github.com/kernelci/kcidb-io, schema 5.3. Its
 * rules: no null, no unknown key, ids led by the origin. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/report/forms.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"

struct export
{
	const struct report_data *d;
	const char *origin;
};

static json_t *id(const struct export *x, const char *kind, const char *name)
{
	_cleanup_free_ char *text =
		xasprintf("%s:%s-%s-%s", x->origin, run_id(x->d->run.run), kind, name);

	return json_string(text);
}

/* Set what is known; nothing for NULL. */
static void set_text(json_t *o, const char *key, const char *value)
{
	if (value && *value)
		json_object_set_new(o, key, json_text(value));
}

/* The kernel under test is the series on a base: that base is what others can check out.
 * Whether patches are on it is left open, as their files are not published. */
static json_t *checkout(const struct export *x, const struct oid *commit)
{
	const struct report_data *d = x->d;
	const json_t *apply = json_object_get(d->document, "apply");
	const char *base = json_string_value(json_object_get(apply, "base"));
	bool patched = base && !strcmp(report_side(d, commit), "patched");
	const char *mail = json_string_value(
		json_object_get(json_object_get(d->document, "series"), "message_id"));
	_cleanup_free_ char *start = clock_iso(run_info(d->run.run)->started);
	json_t *o = json_pack("{s:o, s:s, s:s, s:s, s:b}", "id",
			      id(x, "checkout", commit->hex), "origin", x->origin,
			      "git_commit_hash", patched ? base : commit->hex,
			      "start_time", start, "valid", 1);

	if (patched)
		set_text(o, "message_id", mail);
	else
		json_object_set_new(o, "patchset_hash", json_string(""));
	set_text(o, "comment", run_data_subject(&d->run, commit));
	return o;
}

/* A series that does not apply is a checkout that failed. NULL: it applies. */
static json_t *failed_checkout(const struct export *x)
{
	const struct report_data *d = x->d;
	const json_t *apply = json_object_get(d->document, "apply");
	const json_t *failed = json_object_get(apply, "failed");
	const char *base = json_string_value(json_object_get(apply, "base"));
	_cleanup_free_ char *start = clock_iso(run_info(d->run.run)->started);
	json_t *o;

	if (!json_is_object(failed) || !base)
		return NULL;
	o = json_pack("{s:o, s:s, s:s, s:s, s:b}", "id", id(x, "checkout", "failed"),
		      "origin", x->origin, "git_commit_hash", base, "start_time", start,
		      "valid", 0);
	set_text(o, "message_id",
		 json_string_value(json_object_get(json_object_get(d->document, "series"),
						   "message_id")));
	set_text(o, "log_excerpt", json_string_value(json_object_get(failed, "reason")));
	return o;
}

static const char *build_status(const struct build_record *b)
{
	if (!strcmp(b->status, "ok"))
		return "PASS";
	return !strcmp(b->status, "failed") ? "FAIL" : "ERROR";
}

static json_t *build(const struct export *x, const struct build_record *b)
{
	json_t *o = json_pack("{s:o, s:o, s:s, s:s, s:f, s:{s:s, s:o, s:o, s:b}}",
			      "checkout_id", id(x, "checkout", b->commit.hex), "id",
			      id(x, "build", b->commit.hex), "origin", x->origin,
			      "status", build_status(b), "duration", b->seconds, "misc",
			      "tree", b->tree.hex, "config_digest",
			      json_text(b->config ?: ""), "build_id",
			      json_text(b->build_id ?: ""), "cached", b->cached);

	set_text(o, "architecture", b->arch);
	set_text(o, "log_excerpt", b->reason);
	return o;
}

/* The kernel's fault, or nobody can tell. */
static const char *boot_status(const struct boot_record *b)
{
	static const char *const unknown[] = { "wrong-kernel", "no-result" };

	if (!strcmp(b->status, "ok"))
		return b->proven ? "PASS" : "ERROR";
	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++)
		if (!strcmp(b->status, unknown[i]))
			return "ERROR";
	return "FAIL";
}

static json_t *environment(const struct boot_record *b)
{
	_cleanup_free_ char *comment =
		xasprintf("%s, %s", b->target ?: "unknown", b->accel ?: "unknown");
	json_t *as_boot = json_boot(b);
	json_t *facts = json_object_get(as_boot, "environment");
	json_t *o = json_pack("{s:o}", "comment", json_text(comment));

	if (json_is_object(facts))
		json_object_set(o, "misc", facts);
	json_decref(as_boot);
	return o;
}

static json_t *boot_test(const struct export *x, const struct boot_record *b)
{
	json_t *o = json_pack("{s:o, s:o, s:s, s:s, s:s, s:f, s:o, s:{s:b, s:o, s:o}}",
			      "build_id", id(x, "build", b->commit.hex), "id",
			      id(x, "boot", b->token), "origin", x->origin, "path",
			      "boot", "status", boot_status(b), "duration", b->seconds,
			      "environment", environment(b), "misc", "proven", b->proven,
			      "boot_id", json_text(b->boot_id ?: ""), "path",
			      json_text(b->path ?: ""));

	set_text(o, "comment", b->reason);
	set_text(o, "log_excerpt", b->title);
	return o;
}

/* As a test's path takes it. Owned by the caller. */
static char *path_of(const struct sample *s)
{
	char *path = xasprintf("kiln/%s/%s-%s", s->benchmark, s->l0 ?: "none",
			       s->l1 ?: "none");
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-";

	for (char *p = path; *p; p++)
		*p = *p == '/' ? '.' : strchr(plain, *p) ? *p : '_';
	return path;
}

static bool same_cell(const struct sample *a, const struct sample *b)
{
	return !strcmp(a->token, b->token) && !strcmp(a->benchmark, b->benchmark) &&
	       !strcmp(a->l0 ?: "", b->l0 ?: "") && !strcmp(a->l1 ?: "", b->l1 ?: "");
}

/* One boot's runs of one cell: one number. */
static json_t *sample_test(const struct export *x, size_t first)
{
	const struct samples *all = &x->d->run.samples;
	const struct sample *s = &all->v[first];
	_cleanup_free_ char *path = path_of(s);
	_cleanup_free_ char *name = xasprintf("%s-%s", s->token, path);
	double sum = 0;
	bool proven = true;
	int runs = 0;
	json_t *o;

	for (size_t i = first; i < all->nr; i++) {
		if (!same_cell(&all->v[i], s))
			continue;
		sum += all->v[i].value;
		proven &= all->v[i].proven;
		runs++;
	}
	o = json_pack("{s:o, s:o, s:s, s:s, s:s, s:{s:f, s:o}, s:{s:i, s:o}}", "build_id",
		      id(x, "build", s->commit.hex), "id", id(x, "number", name),
		      "origin", x->origin, "path", path, "status",
		      proven ? "DONE" : "ERROR", "number", "value", sum / runs, "unit",
		      json_text(s->unit ?: ""), "misc", "runs", runs, "clock",
		      json_text(s->clock ?: ""));
	return o;
}

static bool is_first(const struct samples *all, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (same_cell(&all->v[k], &all->v[i]))
			return false;
	return true;
}

/* A commit that was built several times (configurations) is one checkout and one build:
 * its first. */
static bool is_first_build(const struct report_data *d, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (oid_equal(&d->run.builds[k].commit, &d->run.builds[i].commit))
			return false;
	return true;
}

json_t *report_kcidb(const struct report_data *d, const char *origin)
{
	const struct export x = { d, origin };
	json_t *checkouts = json_array(), *builds = json_array(), *tests = json_array();
	json_t *failed = failed_checkout(&x);

	if (failed)
		json_array_append_new(checkouts, failed);
	for (size_t i = 0; i < d->run.nr_builds; i++) {
		if (!is_first_build(d, i))
			continue;
		json_array_append_new(checkouts, checkout(&x, &d->run.builds[i].commit));
		json_array_append_new(builds, build(&x, &d->run.builds[i]));
	}
	for (size_t i = 0; i < d->run.nr_boots; i++)
		json_array_append_new(tests, boot_test(&x, &d->run.boots[i]));
	for (size_t i = 0; i < d->run.samples.nr; i++)
		if (is_first(&d->run.samples, i))
			json_array_append_new(tests, sample_test(&x, i));
	return json_pack("{s:{s:i, s:i}, s:o, s:o, s:o}", "version", "major", 5, "minor",
			 3, "checkouts", checkouts, "builds", builds, "tests", tests);
}
