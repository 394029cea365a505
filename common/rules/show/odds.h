/* SPDX-License-Identifier: ISC */
/*
 * The odds of a combat that has not begun (umpire-rules.7, 6): exact, by
 * walking every outcome of its dice, or from a sample.  No I/O, no clock, and
 * no randomness but that of a seed; a run of the combat allocates nothing.
 */
#ifndef UMPIRE_COMMON_RULES_SHOW_ODDS_H
#define UMPIRE_COMMON_RULES_SHOW_ODDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/combat.h"
#include "common/rules/rules.h"

#define ODDS_BUDGET 2000000 /* runs of the combat that a walk may take */
#define ODDS_SAMPLES 100000 /* combats of a sample */
#define ODDS_SAMPLES_MIN 2 /* fewer have no variance */
#define ODDS_ENDS_MAX 16 /* of a unit */
#define ODDS_LOSS_MAX 15 /* losses above it are counted together */
#define ODDS_WHOLE_MAX 64 /* outcomes as a whole; more are one */
#define ODDS_SAID_MAX 64 /* answers to one kind; more are left to its word */
#define ODDS_MOST UINT64_C(9007199254740991) /* outcomes that are counted */
#define ODDS_WORD_MAX 48 /* bytes of an outcome as a whole */

#define ODDS_RANDOM (-1) /* struct odds_policy: any lawful answer */

/* How questions are answered. */
struct odds_policy {
	/*
	 * By side and by index into rules_system's policies: an index into
	 * the words, or ODDS_RANDOM.
	 */
	int word[2][RULES_POLICIES_MAX];
	bool is_given[2][RULES_POLICIES_MAX]; /* else it is the default */
	/*
	 * Answers of a combat that was fought, arrays of decision objects as
	 * combat_answer() takes them, borrowed; NULL: none.  A question is
	 * answered by the first of them that is lawful and that this run has
	 * not used yet, and by the word if there is none.
	 */
	const json_t *said[2][RULES_POLICIES_MAX];
};

/*
 * Told of how much of the work is done, 0 to 1, every few thousand runs.  A
 * code that is not 0 stops the work, which then ends with it.
 */
struct odds_progress {
	int (*tell)(void *arg, double done);
	void *arg;
};

/* A probability; of a sample, low and high are its 95 % interval (Wilson). */
struct odds_share {
	double p;
	double low, high; /* exact: both are p */
};

/* A mean; of a sample, low and high are its 95 % interval (normal). */
struct odds_mean {
	double mean;
	double low, high; /* exact: both are the mean */
	double variance; /* of a sample: by n - 1 */
};

struct odds_unit {
	const char *id; /* borrowed from the combat */
	enum combat_side side;
	struct odds_share ends[ODDS_ENDS_MAX]; /* by rules_system's ends */
	struct odds_mean loss;
	/* Of each loss 0 .. ODDS_LOSS_MAX, and of all above. */
	struct odds_share losses[ODDS_LOSS_MAX + 2];
};

/* What became of all runs: plain data, rather large. */
struct odds {
	bool is_exact;
	/* Outcomes of the dice (ODDS_MOST: or more), or combats of the sample.
	 */
	uint64_t runs;
	uint64_t walked; /* runs that a walk took: fewer where outcomes meet */
	uint64_t seed; /* of the sample */
	struct odds_unit units[RULES_OUTCOME_UNITS_MAX];
	size_t n_units;
	struct {
		struct odds_mean loss; /* of all its units */
		struct odds_mean hits;
	} sides[2];
	struct {
		char word[ODDS_WORD_MAX + 1];
		struct odds_share share;
	} whole[ODDS_WHOLE_MAX]; /* in the order in which they were met */
	size_t n_whole;
	struct odds_share other; /* outcomes that whole had no room for */
	/* Whether a question of this kind is put to this side at all. */
	struct odds_share asked[2][RULES_POLICIES_MAX];
};

/*
 * Reads a policy (an object, NULL: none), found at "policy": words by kind, for
 * both sides or for one ("attacker", "defender"), which goes before.
 * ERR_INVALID with the place ("policy.defender.retire") for unknown kinds,
 * words and sides.
 */
int odds_policy_parse(const struct rules_system *sys, const json_t *policy,
    struct odds_policy *out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Returns the kind of a question that chance answers, with its side; NULL if
 * there is none, so that the dice can be walked.
 */
const char *odds_policy_random(const struct rules_system *sys,
    const struct odds_policy *policy, enum combat_side *side);

/* Returns the word for the index `word` of a policy; static. */
const char *odds_policy_word(
    const struct rules_system *sys, size_t policy, int word);

/*
 * Walks every outcome of the dice of a combat that has not begun; *c is left
 * as it was found.  Outcomes that meet (combat_meet()) are walked on as one.
 * ERR_TOOBIG if that takes more than budget runs; ERR_INVALID
 * (where as odds_policy_parse() has it) for a policy that leaves an answer to
 * chance; the progress callback's own code; ERR_FAULT, ERR_NOMEM.
 */
int odds_exact(struct combat *c, const struct odds_policy *policy,
    uint64_t budget, const struct odds_progress *progress, struct odds *out,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The same in steps, for who must not be held up.  What is given must outlive
 * the walk, and nobody else may use the combat meanwhile.  step() goes on for
 * so many runs: 0 at the end, ERR_BUSY if there is more, else as odds_exact();
 * then end() gives the figures.  Both end() and free() free it, and leave the
 * combat as it was found; NULL is allowed for free().
 */
struct odds_walk;
int odds_walk_new(struct combat *c, const struct odds_policy *policy,
    uint64_t budget, const struct odds_progress *progress,
    struct odds_walk **out, struct errinfo *e)
    __attribute__((warn_unused_result));
int odds_walk_step(struct odds_walk *k, uint64_t runs)
    __attribute__((warn_unused_result));
void odds_walk_end(struct odds_walk *k, struct odds *out);
void odds_walk_free(struct odds_walk *k);

/*
 * Fights the combat n times (at least ODDS_SAMPLES_MIN) with dice of a
 * generator; the same seed gives the same figures everywhere.  Codes as of
 * odds_exact().
 */
int odds_sample(struct combat *c, const struct odds_policy *policy, uint64_t n,
    uint64_t seed, const struct odds_progress *progress, struct odds *out,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
