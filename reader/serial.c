/* SPDX-License-Identifier: ISC */
/* Checker and crew, where there are no threads. */
#include <stdlib.h>

#include "common/base/crew.h"
#include "common/base/err.h"
#include "common/crypt/checker.h"

struct crew {
	crew_job *job;
	void *arg;
	size_t n_done;
	bool is_done[]; /* by job */
};

int
crew_new(
    size_t n, crew_job *job, void *arg, bool is_parallel, struct crew **out)
{
	(void)is_parallel;
	if ((*out = calloc(1, sizeof(**out) + n * sizeof(bool))) == NULL)
		return (ERR_NOMEM);
	(*out)->job = job;
	(*out)->arg = arg;
	return (0);
}

void
crew_free(struct crew *c)
{
	free(c);
}

void
crew_need(struct crew *c, size_t i)
{
	if (c->is_done[i])
		return;
	c->job(c->arg, i);
	c->is_done[i] = true;
	c->n_done++;
}

size_t
crew_done(struct crew *c)
{
	return (c->n_done);
}

int
checker_new(struct checker **out)
{
	*out = NULL;
	return (0);
}

int
checker_end(struct checker *c)
{
	(void)c;
	return (0);
}

int
checker_sign(struct checker *c, const uint8_t key[SIGN_KEY_LEN],
    const char *tag, const void *p, size_t n, const uint8_t sig[SIGN_LEN])
{
	(void)c;
	return (sign_check(key, tag, p, n, sig));
}

int
checker_vrf(struct checker *c, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n, const uint8_t proof[VRF_PROOF_LEN],
    uint8_t beta[VRF_BETA_LEN])
{
	(void)c;
	return (vrf_check(key, alpha, n, proof, beta));
}
