// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/job.h"

#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "boot/build/diagnose.h"
#include "core/base/alloc.h"

#define LOG_MAX (64u << 20)
#define SPACE_MIN (256u << 10)

void job_answer(struct build_job *j, const char *status, char *reason)
{
	j->rec.status = xstrdup(status);
	j->rec.reason = reason;
}

/* What was printed may hold anything, NUL bytes too. */
bool job_log(const struct build_job *j, struct buf *ret)
{
	const size_t chunk = 65536;
	ssize_t n;

	while (ret->len < LOG_MAX &&
	       (n = pread(j->log_fd, buf_room(ret, chunk), chunk, (off_t)ret->len)) > 0)
		buf_grew(ret, (size_t)n);
	for (size_t i = 0; i < ret->len; i++)
		if (!ret->data[i])
			ret->data[i] = ' ';
	return ret->len < LOG_MAX;
}

static bool is_full(const char *path)
{
	struct statvfs v;

	return !statvfs(path, &v) && (uint64_t)v.f_bavail * v.f_frsize < SPACE_MIN;
}

static int judge_failure(struct build_job *j, const struct diagnosis *d, struct err *e)
{
	/* A linker whose mapped output found no space dies of SIGBUS and says nothing of
	 * the disk. */
	if (!d->code && is_full(j->wt->out)) {
		err_set(e, ERR_DISK_FULL, "no space left in '%s'", j->wt->out);
		return err_hint(
			e, "free space in the cache folder's file system (kiln build "
			   "--gc)");
	}
	if (d->code) {
		err_set(e, d->code, "%s", d->reason);
		return d->hint ? err_hint(e, "%s", d->hint) : -(int)e->code;
	}
	job_answer(j, "failed", xstrdup(d->reason));
	return 0;
}

static void diagnose(struct build_job *j, struct diagnosis *ret)
{
	_cleanup_buf_ struct buf log = BUF_INIT;

	(void)!job_log(j, &log);
	diagnose_log(buf_str(&log), sandbox_src(&j->box), ret);
}

int job_target(struct build_job *j, const char *target, struct err *e)
{
	_cleanup_diagnosis_ struct diagnosis d = { 0 };
	int status;

	if (make_run(&j->make, target, &status, e) < 0)
		return -(int)e->code;
	if (!status)
		return 1;
	diagnose(j, &d);
	/* ccache that finds no space ends without a word: ask the compiler itself. */
	if (!d.code && d.vague && j->box.ccache && !j->box.ccache_off) {
		diagnosis_release(&d);
		j->box.ccache_off = true;
		return job_target(j, target, e);
	}
	j->vague = d.vague;
	return judge_failure(j, &d, e);
}
