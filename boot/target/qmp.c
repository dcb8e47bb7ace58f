// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/qmp.h"

#include <jansson.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "core/base/alloc.h"

#define LINE_LIMIT ((size_t)1 << 20)

static void json_freep(json_t **j)
{
	json_decref(*j);
}
#define _cleanup_json_ _cleanup_(json_freep)

int qmp_feed(struct qmp *q, const char *data, size_t len, struct err *e)
{
	if (q->used) {
		memmove(q->in.data, q->in.data + q->used, q->in.len - q->used);
		q->in.len -= q->used;
		q->in.data[q->in.len] = '\0';
		q->used = 0;
	}
	buf_add(&q->in, data, len);
	if (q->in.len > LINE_LIMIT)
		return err_set(e, ERR_TOOL_FAILED, "QEMU's answer has no end");
	return 0;
}

static const char *string_of(const json_t *j, const char *key)
{
	return json_string_value(json_object_get(j, key)) ?: "";
}

static int number_of(const json_t *j, const char *key)
{
	json_int_t n = json_integer_value(json_object_get(j, key));

	return n >= 0 && n < 1000 ? (int)n : 0;
}

/* The greeting wants capabilities negotiated before anything else can be asked. */
static enum qmp_news greeting(struct qmp *q, const json_t *hello)
{
	const json_t *v = json_object_get(json_object_get(hello, "version"), "qemu");

	snprintf(q->version, sizeof(q->version), "%d.%d.%d", number_of(v, "major"),
		 number_of(v, "minor"), number_of(v, "micro"));
	if (!q->greeted)
		buf_adds(&q->out, "{\"execute\":\"qmp_capabilities\"}\n"
				  "{\"execute\":\"query-kvm\",\"id\":\"accel\"}\n");
	q->greeted = true;
	return QMP_OTHER;
}

static enum qmp_news event(struct qmp *q, const json_t *j)
{
	const char *name = string_of(j, "event");
	const char *reason = string_of(json_object_get(j, "data"), "reason");

	if (!strcmp(name, "SHUTDOWN") || !strcmp(name, "RESET")) {
		free(q->text);
		q->text = xasprintf("%s: %s", name, reason);
		return QMP_DOWN;
	}
	if (!strcmp(name, "WATCHDOG"))
		return QMP_WATCHDOG;
	return !strcmp(name, "GUEST_PANICKED") ? QMP_PANICKED : QMP_OTHER;
}

static int message(struct qmp *q, const json_t *j, enum qmp_news *ret, struct err *e)
{
	json_t *answer = json_object_get(j, "return");

	if (json_object_get(j, "error"))
		return err_set(e, ERR_TOOL_FAILED, "QEMU refuses: %s",
			       string_of(json_object_get(j, "error"), "desc"));
	if (json_object_get(j, "QMP"))
		*ret = greeting(q, json_object_get(j, "QMP"));
	else if (json_object_get(j, "event"))
		*ret = event(q, j);
	else if (answer && !strcmp(string_of(j, "id"), "accel")) {
		/* "present" only says that it was compiled in */
		q->kvm = json_is_true(json_object_get(answer, "enabled"));
		q->kvm_known = true;
		*ret = QMP_ACCEL;
	} else {
		*ret = QMP_OTHER;
	}
	return 0;
}

int qmp_next(struct qmp *q, enum qmp_news *ret, struct err *e)
{
	const char *s = buf_str(&q->in) + q->used;
	size_t left = q->in.len - q->used;
	const char *nl = left ? memchr(s, '\n', left) : NULL;
	_cleanup_json_ json_t *j = NULL;

	*ret = QMP_NOTHING;
	if (!nl)
		return 0;
	q->used += (size_t)(nl - s) + 1;
	j = json_loadb(s, (size_t)(nl - s), 0, NULL);
	if (!json_is_object(j))
		return err_set(e, ERR_TOOL_FAILED, "QEMU's answer is not JSON");
	return message(q, j, ret, e);
}

void qmp_quit(struct qmp *q)
{
	buf_adds(&q->out, "{\"execute\":\"quit\"}\n");
}

void qmp_nmi(struct qmp *q)
{
	buf_adds(&q->out, "{\"execute\":\"inject-nmi\"}\n");
}

void qmp_break(struct qmp *q, const char *chardev)
{
	buf_addf(&q->out,
		 "{\"execute\":\"chardev-send-break\",\"arguments\":{\"id\":\"%s\"}}\n",
		 chardev);
}

void qmp_release(struct qmp *q)
{
	buf_release(&q->in);
	buf_release(&q->out);
	free(q->text);
	*q = (struct qmp){ 0 };
}
