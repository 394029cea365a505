/* SPDX-License-Identifier: ISC */
/* Filters of system calls, by libseccomp. */
#include "server/base/filter.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_LIBSECCOMP
#include <seccomp.h>
#endif

bool
filter_is_absent(int error)
{
	return (error == ENOSYS || error == EINVAL || error == EOPNOTSUPP ||
	    error == EPERM || error == ECANCELED);
}

#ifdef HAVE_LIBSECCOMP

/* What a process may do to itself, by its number: it may abort. */
static const int filter_own[] = {
    SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(rt_sigqueueinfo)};

/* Says why there is no empty filter: an old kernel knows no death by one. */
static int
filter_refused(struct errinfo *e)
{
	scmp_filter_ctx ctx;

	if ((ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM))) == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	seccomp_release(ctx);
	return (err_set(e, ERR_NOTFOUND, "",
	    "system calls cannot be filtered so that a forbidden one ends the "
	    "process"));
}

/* Puts the process under a filter, unless r says that it is not whole. */
static int
filter_end(scmp_filter_ctx ctx, int r, struct errinfo *e)
{
	if (r == 0)
		r = seccomp_load(ctx);
	seccomp_release(ctx);
	if (r == 0)
		return (0);
	if (r == -ENOMEM)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	return (err_set(e, filter_is_absent(-r) ? ERR_NOTFOUND : ERR_INTERNAL,
	    "", "system calls cannot be filtered: %s", strerror(-r)));
}

/* A filter in the making; `otherwise` is for what it has no rule of. */
static int
filter_begin(uint32_t otherwise, scmp_filter_ctx *out, struct errinfo *e)
{
	scmp_filter_ctx ctx;
	int r;

	if ((ctx = seccomp_init(otherwise)) == NULL)
		return (filter_refused(e));
	/* There may be threads already. */
	if ((r = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_TSYNC, 1)) != 0)
		return (filter_end(ctx, r, e));
	/* What follows is for the better, and not known to every kernel. */
	(void)seccomp_attr_set(ctx, SCMP_FLTATR_CTL_LOG, 1);
	(void)seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	(void)seccomp_attr_set(ctx, SCMP_FLTATR_API_SYSRAWRC, 1);
	(void)seccomp_attr_set(
	    ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	*out = ctx;
	return (0);
}

/* Writes a list into a filter; -errno or 0. */
static int
filter_fill(scmp_filter_ctx ctx, const struct filter *f)
{
	const struct filter_rule *rule;
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < f->n_calls; i++)
		r = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, f->calls[i], 0);
	for (i = 0; r == 0 && i < f->n_rules; i++) {
		rule = &f->rules[i];
		r = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, rule->call, 1,
		    SCMP_CMP64(rule->arg, SCMP_CMP_MASKED_EQ, rule->mask,
			rule->value));
	}
	for (i = 0; r == 0 && i < sizeof(filter_own) / sizeof(int); i++)
		r = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, filter_own[i], 1,
		    SCMP_CMP64(0, SCMP_CMP_EQ, (scmp_datum_t)getpid()));
	return (r);
}

int
filter_allow(const struct filter *f, bool is_deadly, struct errinfo *e)
{
	scmp_filter_ctx ctx;
	int r;

	r = filter_begin(
	    is_deadly ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM), &ctx, e);
	return (r != 0 ? r : filter_end(ctx, filter_fill(ctx, f), e));
}

int
filter_refuse(const int *calls, size_t n, struct errinfo *e)
{
	scmp_filter_ctx ctx;
	size_t i;
	int r;

	if ((r = filter_begin(SCMP_ACT_ALLOW, &ctx, e)) != 0)
		return (r);
	for (i = 0; r == 0 && i < n; i++)
		r = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), calls[i], 0);
	return (filter_end(ctx, r, e));
}

#else

int
filter_allow(const struct filter *f, bool is_deadly, struct errinfo *e)
{
	(void)f;
	(void)is_deadly;
	return (filter_refuse(NULL, 0, e));
}

int
filter_refuse(const int *calls, size_t n, struct errinfo *e)
{
	(void)calls;
	(void)n;
	return (err_set(e, ERR_NOTFOUND, "",
	    "system calls cannot be filtered: the program was built without "
	    "libseccomp"));
}

#endif
