// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Apply many small series in one process, for tests that compare with git.
 * usage: apply-driver REPO <JOBS
 * A job is a line "MODE BASE FILE [OPTION...]"; MODE is am or am3 for a series of mails,
 * apply for one bare diff with options of git apply. Answers a line each: "applied ID", the
 * head commit or for apply the tree, or "refused WORD", and for am3 "merged" behind the id
 * when a merge took part.
 * usage: apply-driver --patch-ids MBOX...
 * Prints the patch id of each mail that has one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/git/apply.h"
#include "core/git/repo.h"
#include "mail/assemble.h"
#include "mail/box.h"

struct job {
	struct apply_opts opts;
	struct apply_rules rules;
	struct strv include, exclude;
	struct series *series;
	bool tree;
};

static int read_diff(const struct buf *raw, struct series **ret)
{
	struct series *s = series_new();
	struct patch *p = series_add_patch(s);

	s->total = p->number = 1;
	p->subject = xstrdup("x");
	p->message = xstrdup("x\n");
	p->author_name = xstrdup("A");
	p->author_email = xstrdup("a@b.c");
	buf_add(&p->diff, raw->data, raw->len);
	*ret = s;
	return 0;
}

static void option(struct job *j, char *word)
{
	char *value = strchr(word, '=');
	int n = 0;

	if (value)
		*value++ = '\0';
	if (value && !parse_int(value, 0, 100, &n))
		n = 0;
	if (!strcmp(word, "-p"))
		j->rules.strip = n;
	else if (!strcmp(word, "-C"))
		j->rules.context = (unsigned int)n;
	else if (!strcmp(word, "--directory"))
		j->rules.directory = value;
	else if (!strcmp(word, "--include"))
		strv_add(&j->include, value);
	else if (!strcmp(word, "--exclude"))
		strv_add(&j->exclude, value);
	else if (!strcmp(word, "--ignore-space-change"))
		j->rules.ignore_space_change = true;
	else if (!strcmp(word, "--whitespace"))
		j->rules.whitespace = !strcmp(value, "fix")	? WHITESPACE_FIX
				      : !strcmp(value, "error") ? WHITESPACE_REFUSE
								: WHITESPACE_KEEP;
}

static int series_of(const struct buf *mbox, struct series **ret, struct err *e)
{
	_cleanup_box_ struct box *box = box_new();

	if (box_split(box, mbox, e) < 0)
		return -(int)e->code;
	return series_from_box(box, &(struct assemble_opts){ 0 }, ret, e);
}

static int prepare(struct repo *r, char *line, struct job *j, struct err *e)
{
	char *save, *mode = strtok_r(line, " \n", &save);
	char *base = strtok_r(NULL, " \n", &save), *file = strtok_r(NULL, " \n", &save);
	_cleanup_buf_ struct buf raw = BUF_INIT;

	for (char *word; (word = strtok_r(NULL, " \n", &save));)
		option(j, word);
	j->opts.threeway = !strcmp(mode, "am3");
	j->tree = !strcmp(mode, "apply");
	if (fs_read(file, 1 << 24, &raw, e) < 0 ||
	    repo_resolve(r, base, &j->opts.onto, e) < 0)
		return -(int)e->code;
	if (j->tree)
		return read_diff(&raw, &j->series);
	return series_of(&raw, &j->series, e);
}

static bool is_merged(const struct apply_result *a)
{
	for (size_t i = 0; i < a->nr; i++)
		if (a->commits[i].method == APPLY_3WAY)
			return true;
	return a->nr_skipped != 0;
}

static void run(struct repo *r, char *line)
{
	struct job j = { .rules = APPLY_RULES_INIT,
			 .opts = { .committer_name = getenv("GIT_COMMITTER_NAME"),
				   .committer_email = getenv("GIT_COMMITTER_EMAIL") } };
	_cleanup_apply_ struct apply_result *a = NULL;
	_cleanup_err_ struct err e = { 0 };
	int rc;

	j.rules.include = &j.include;
	j.rules.exclude = &j.exclude;
	j.opts.rules = &j.rules;
	rc = prepare(r, line, &j, &e);
	if (rc == 0)
		rc = apply_series(r, j.series, &j.opts, &a, &e);
	if (rc == 0)
		printf("applied %s%s\n", j.tree ? a->commits[0].tree.hex : a->head.hex,
		       is_merged(a) ? " merged" : "");
	else
		printf("refused %s: %s\n", err_word(e.code), e.frame[0]);
	repo_discard(r);
	series_free(j.series);
	strv_release(&j.include);
	strv_release(&j.exclude);
}

static int patch_ids(char **files)
{
	for (; *files; files++) {
		_cleanup_series_ struct series *s = NULL;
		_cleanup_buf_ struct buf raw = BUF_INIT;
		_cleanup_err_ struct err e = { 0 };

		if (fs_read(*files, 1 << 24, &raw, &e) < 0 || series_of(&raw, &s, &e) < 0)
			return 1;
		for (size_t i = 0; i < s->nr_patches; i++)
			if (s->patches[i].patch_id)
				printf("%s\n", s->patches[i].patch_id);
	}
	return 0;
}

int main(int argc, char **argv)
{
	_cleanup_repo_ struct repo *r = NULL;
	_cleanup_err_ struct err e = { 0 };
	char *line = NULL;
	size_t cap = 0;

	if (argc > 1 && !strcmp(argv[1], "--patch-ids"))
		return patch_ids(argv + 2);
	if (argc != 2 || repo_open(argv[1], &r, &e) < 0)
		return 2;
	while (getline(&line, &cap, stdin) > 0)
		run(r, line);
	free(line);
	return 0;
}
