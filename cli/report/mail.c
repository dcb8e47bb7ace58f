// SPDX-License-Identifier: GPL-3.0-or-later
/* A report as a reply on the list. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/forms.h"
#include "cli/report/page.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/safe.h"
#include "mail/box.h"
#include "mail/head.h"
#include "mail/reply.h"

#define PLACEHOLDER "Your Name <you@example.org>"

/* The mail with that id among those the run fetched. */
static int find_mail(const struct report_data *d, const char *id, struct buf *ret,
		     struct err *e)
{
	_cleanup_box_ struct box *box = box_new();
	_cleanup_free_ char *path = NULL;
	const char *dir;

	if (run_dir(d->run.run, &dir, e) < 0)
		return -(int)e->code;
	path = fs_path(dir, "thread.mbox");
	if (box_read(box, path, 0, e) < 0)
		return err_wrap(e, "the mails of run %s are no longer kept",
				run_id(d->run.run));
	for (size_t i = 0; i < box_nr(box); i++) {
		_cleanup_head_ struct head h = { 0 };

		if (box_mail(box, i, ret, e) < 0)
			return -(int)e->code;
		head_parse(ret, &h);
		if (!strcmp(h.message_id, id))
			return 0;
	}
	return err_set(e, ERR_NOT_FOUND, "run %s has no mail <%s>", run_id(d->run.run),
		       id);
}

/* Of a queue: nothing wrong is not enough, it must have been built and booted. */
static const char *bad_queue(const json_t *doc)
{
	bool built = false, booted = false;
	json_t *c;
	size_t i;

	json_array_foreach(json_object_get(doc, "checked"), i, c)
	{
		built |= !strcmp(json_string_value(c) ?: "", "S23");
		booted |= !strcmp(json_string_value(c) ?: "", "S25");
	}
	if (!strcmp(json_string_value(json_object_get(doc, "status")) ?: "errors",
		    "errors"))
		return "the queue has errors";
	return built && booted ? NULL : "the queue was not built and booted";
}

static const char *bad_numbers(const struct report_data *d)
{
	for (size_t i = 0; i < d->nr_rows; i++)
		if (d->rows[i].verdict == VERDICT_SLOWER ||
		    d->rows[i].verdict == VERDICT_UNDECIDED)
			return "a cell is slower or undecided";
	return d->likeness == ENVIRONMENT_UNLIKE
		       ? "the boots measured in unlike environments"
		       : NULL;
}

/* What speaks against a Tested-by line; NULL: nothing. */
static const char *not_good(const struct report_data *d)
{
	const json_t *apply = json_object_get(d->document, "apply");
	const char *why = NULL;

	if (run_info(d->run.run)->state != RUN_DONE)
		return "the run did not come to its end";
	if (json_is_object(json_object_get(apply, "failed")))
		return "the series does not apply";
	if (json_object_get(d->document, "patches"))
		why = bad_queue(d->document);
	else if (!d->nr_rows)
		return "nothing was compared";
	for (size_t i = 0; i < d->run.nr_boots; i++)
		if (!d->run.boots[i].proven)
			return "not every boot is proven";
	return why ?: bad_numbers(d);
}

static int add_tested(const struct report_data *d, const char *who, struct buf *ret,
		      struct err *e)
{
	_cleanup_free_ char *clean = safe_text(xstrdup(who), false);
	const char *why = not_good(d);

	if (why) {
		err_set(e, ERR_UNDECIDED, "%s", why);
		err_wrap(e, "no Tested-by can be given");
		return err_hint(e, "the report without --tested-by says what there is");
	}
	buf_addf(ret, "\nTested-by: %s\n", clean);
	return 0;
}

int report_mail(const struct report_data *d, const char *from, const char *tested_by,
		struct buf *ret, struct err *e)
{
	const char *id = json_string_value(
		json_object_get(json_object_get(d->document, "series"), "message_id"));
	_cleanup_page_ struct page page = { 0 };
	_cleanup_buf_ struct buf mail = BUF_INIT, text = BUF_INIT;

	if (!id) {
		err_set(e, ERR_USAGE, "run %s is about no mail", run_id(d->run.run));
		return err_hint(
			e, "only a triage or a queue that came by mail can be a reply; "
			   "use --format text");
	}
	if (find_mail(d, id, &mail, e) < 0 ||
	    reply_head(&mail, from ?: PLACEHOLDER, &text, e) < 0)
		return err_wrap(e, "cannot reply to <%s>", id);
	report_page(d, &page);
	page_to_text(&page, &text);
	if (tested_by && add_tested(d, tested_by, &text, e) < 0)
		return -(int)e->code;
	buf_add(ret, text.data, text.len);
	return 0;
}
