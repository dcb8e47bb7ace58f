// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A run and its stage runner. A run is one invocation of a command, kept so that it can
 * be shown and resumed. Its work is cut into steps; a step is recorded in the journal
 * before and after it acts, its results and its "done" record are one transaction. So
 * whatever kills kiln, a resumed run repeats at most the steps that were under way, and
 * no result counts twice.
 *
 * For tests: KILN_KILL_AT=N in the environment makes the process SIGKILL itself instead
 * of writing the N-th journal record of this process, N counted from 1.
 */
#include "core/store/store.h"

struct run;

enum run_state { RUN_ACTIVE, RUN_DONE, RUN_FAILED };

struct run_info {
	char *id, *command;
	struct strv argv; /* as given, without the program's name */
	char *cwd;
	enum run_state state;
	int exit_code;
	int64_t started, ended; /* epoch seconds, ended 0 while active */
};

/* Start a run, claimed by this process; its id is 12 random hex digits. */
_must_check_ int run_create(struct store *s, const char *command, const struct strv *argv,
			    struct run **ret, struct err *e);

/* Open one by id or unique prefix; ERR_NOT_FOUND. "last" is the newest. */
_must_check_ int run_open(struct store *s, const char *id, struct run **ret,
			  struct err *e);

/*
 * Become the one process that works on this run, to continue it; held until run_free() or
 * death. ERR_STORE when another process that lives has it.
 */
_must_check_ int run_claim(struct run *r, struct err *e);

/* Whether a process works on the run; an active run without one was interrupted. */
bool run_is_live(const char *id);

const char *run_id(const struct run *r);
struct store *run_store(struct run *r);
const struct run_info *run_info(const struct run *r);

/* A folder for this run's files (console logs, the fetched mails), created; borrowed. */
_must_check_ int run_dir(struct run *r, const char **ret, struct err *e);

/* What a step does. All callbacks get the call's ctx. */
struct step {
	/* The work; may take hours. Runs outside any transaction and maybe in a thread of
	 * its own, so it must not touch run or store. */
	int (*act)(void *ctx, struct err *e);
	/* Put results into the store and what load() needs into detail; inside the
	 * transaction. */
	int (*save)(void *ctx, struct run *r, struct buf *detail, struct err *e);
	/* The step was done before: bring ctx to the state act() would have left. */
	int (*load)(void *ctx, struct run *r, const char *detail, struct err *e);
};

/* One use of a step: name is its identity within the run ("boot:<commit>:<cell>:<n>"). */
struct step_call {
	char *name;
	void *ctx;
};

/* Do one step: load it when it is done already, else act and save. */
_must_check_ int run_step(struct run *r, const struct step *s, const char *name,
			  void *ctx, struct err *e);

/*
 * Do many independent steps, up to jobs at once in threads; results are saved in the
 * caller's thread as they come. On the first failure no new step starts, the running ones
 * end and are saved, and that first error is returned.
 */
_must_check_ int run_steps(struct run *r, const struct step *s,
			   const struct step_call *calls, size_t nr, unsigned int jobs,
			   struct err *e);

/* Small facts of a run that outlive it. Setting again replaces; get is ERR_NOT_FOUND when
 * the key is not set, its value owned by the caller. */
_must_check_ int run_set(struct run *r, const char *key, const char *value,
			 struct err *e);
_must_check_ int run_get(struct run *r, const char *key, char **ret, struct err *e);

/* The value that the newest run with such a fact has, and that run's id, both owned by the
 * caller: 1; 0 when no run has one. */
_must_check_ int run_newest(struct store *s, const char *key, char **ret_run,
			    char **ret_value, struct err *e);

/* All facts of a run as key, value, key, value ..., sorted by key. */
_must_check_ int run_facts(struct run *r, struct strv *ret, struct err *e);

/* The journal, oldest first, as "TIME STATE STEP DETAIL-OR-ERROR" lines for `kiln show`.
 */
_must_check_ int run_journal(struct run *r, struct strv *ret, struct err *e);

/* Record the end. */
_must_check_ int run_finish(struct run *r, enum run_state state, int exit_code,
			    struct err *e);

/* All runs, newest first; array and contents owned by the caller. */
_must_check_ int run_list(struct store *s, struct run_info **ret, size_t *ret_nr,
			  struct err *e);

void run_info_release(struct run_info *i);
void run_free(struct run *r);
DEFINE_FREEP(run_free, struct run *)
#define _cleanup_run_ _cleanup_(run_freep)
