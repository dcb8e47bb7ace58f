// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What a comparison promises, at large: bench-stats-worlds [TRIALS [SEED]] prints one line
 * for each world with the share of false or true verdicts and of intervals that hold the
 * truth, and the processor time of all.
 */
#include <stdio.h>
#include <time.h>

#include "../unit/stats-world.h"

enum way { ONE_LOOK, TOLD, CALIBRATED, PAIRS };

static const char *const ways[] = { "one look", "told", "calibrated", "pairs" };

static struct stats_world world(size_t boots, size_t runs, enum way way)
{
	struct stats_world w = { .boot_sd = 0.01,
				 .run_sd = 0.01,
				 .boots = boots,
				 .runs = runs,
				 .o = { .same_within = 1e-9, .confidence = 0.95 } };

	if (way == TOLD || way == CALIBRATED)
		w.o.noise.boot_sd = sqrt(1e-4 + 1e-4 / (double)runs);
	if (way == CALIBRATED)
		w.o.noise.boot_df = 12;
	w.drawn = way == CALIBRATED;
	w.o.sequential = way == PAIRS;
	return w;
}

static void show(const char *what, struct stats_world *w, size_t trials,
		 unsigned long seed)
{
	struct stats_tally t;

	w->trials = trials;
	w->seed = seed;
	t = stats_world_run(w);
	printf("| %s | %zu | %zu | %+.1f%% | %.2f | %.2f | %.2f |\n", what, w->boots,
	       w->runs, 100 * w->effect, 100 * t.differs, 100 * t.wrong, 100 * t.covers);
}

int main(int argc, char **argv)
{
	static const size_t runs[] = { 1, 2, 5, 10, 20 }, boots[] = { 2, 3, 4, 5, 10 };
	size_t trials = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
	unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 20250205;

	printf("| way | boots | runs | effect | verdicts %% | wrong way %% | covered %% "
	       "|\n"
	       "|---|---|---|---|---|---|---|\n");
	for (enum way way = ONE_LOOK; way <= PAIRS; way++) {
		for (size_t r = 0; r < ARRAY_SIZE(runs); r++) {
			for (size_t b = 0; b < ARRAY_SIZE(boots) && way != PAIRS; b++) {
				struct stats_world w = world(boots[b], runs[r], way);

				show(ways[way], &w, trials, seed);
			}
		}
		for (size_t r = 0; r < ARRAY_SIZE(runs) && way == PAIRS; r++) {
			struct stats_world w = world(20, runs[r], way);

			show("pairs, 20 looks", &w, trials, seed);
		}
	}
	for (enum way way = ONE_LOOK; way <= PAIRS; way++) {
		for (size_t b = 1; b < ARRAY_SIZE(boots); b++) {
			struct stats_world w = world(boots[b], 5, way);

			w.effect = log1p(0.03);
			show(ways[way], &w, trials, seed);
		}
	}
	printf("processor: %.1f s\n", (double)clock() / CLOCKS_PER_SEC);
	return 0;
}
