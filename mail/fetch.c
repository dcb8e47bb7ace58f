// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/fetch.h"

#include "core/base/log.h"
#include "mail/http-cache.h"

#define ATTEMPTS 2
#define DEFAULT_AGE_S 600

struct http_opts fetch_http_opts(const struct source_opts *o)
{
	return (struct http_opts){
		.timeout_s = o->timeout_s,
		.max_bytes = o->max_bytes,
		.retry_ms = o->retry_ms,
		.contact = o->contact,
		.progress = o->progress,
	};
}

static bool is_broken(const struct err *e)
{
	return e->code == ERR_TRUNCATED || e->code == ERR_CORRUPT;
}

/* kept is what the cache has and the server may confirm, or NULL. */
static int ask(const struct fetch *f, const struct source_opts *o,
	       const struct http_answer *kept, struct buf *ret, struct err *e)
{
	_cleanup_http_answer_ struct http_answer a = HTTP_ANSWER_INIT;
	struct http_opts ho = fetch_http_opts(o);

	ho.post = f->post;
	if (kept) {
		ho.etag = kept->etag;
		ho.modified = kept->modified;
	}
	if (http_fetch(f->url, &ho, &a, e) < 0)
		return -(int)e->code;
	if (a.status == 304 && kept) {
		http_cache_renew(f->url, f->post);
		return f->use(kept, f, ret, e);
	}
	if (f->use(&a, f, ret, e) < 0)
		return err_wrap(e, "cannot use the answer to '%s'", f->url);
	http_cache_put(f->url, f->post, &a);
	return 0;
}

static int ask_again(const struct fetch *f, const struct source_opts *o,
		     const struct http_answer *kept, struct buf *ret, struct err *e)
{
	int r = 0;

	for (int i = 0; i < ATTEMPTS; i++) {
		err_release(e);
		r = ask(f, o, kept, ret, e);
		if (r == 0 || !is_broken(e))
			break;
	}
	return r;
}

int fetch_run(const struct fetch *f, const struct source_opts *o, struct buf *ret,
	      struct err *e)
{
	_cleanup_http_answer_ struct http_answer kept = HTTP_ANSWER_INIT;
	uint64_t age;
	uint64_t fresh = o->cache_age_s ? o->cache_age_s : DEFAULT_AGE_S;
	bool have = http_cache_get(f->url, f->post, &kept, &age);

	if (have && (o->offline || (!o->refresh && age < fresh))) {
		if (f->use(&kept, f, ret, e) == 0) {
			log_debug("'%s' from the cache, %llu s old", f->url,
				  (unsigned long long)age);
			return 0;
		}
		err_release(e);
		have = false;
	}
	if (o->offline) {
		err_set(e, ERR_OFFLINE, "'%s' is not in the cache", f->url);
		return err_hint(e, "ask again without --offline, or name a local archive "
				   "with --archive");
	}
	return ask_again(f, o, have && !o->refresh ? &kept : NULL, ret, e);
}
