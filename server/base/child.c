/* SPDX-License-Identifier: ISC */
#include "server/base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <paths.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <unistd.h>

/* Says what the program finds when it begins; 0 or ENOMEM. */
static int
child_prepare(const struct child *c, posix_spawn_file_actions_t *acts,
    posix_spawnattr_t *attr)
{
	sigset_t none, all;
	int bad = 0;

	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	bad |= posix_spawn_file_actions_adddup2(acts, c->input, STDIN_FILENO);
	if (c->output != 0)
		bad |= posix_spawn_file_actions_adddup2(
		    acts, c->output, STDOUT_FILENO);
	else
		bad |= posix_spawn_file_actions_addopen(
		    acts, STDOUT_FILENO, _PATH_DEVNULL, O_WRONLY, 0);
	if (!c->has_log)
		bad |= posix_spawn_file_actions_addopen(
		    acts, STDERR_FILENO, _PATH_DEVNULL, O_WRONLY, 0);
	bad |=
	    posix_spawn_file_actions_addclosefrom_np(acts, STDERR_FILENO + 1);
	if (c->folder != NULL)
		bad |= posix_spawn_file_actions_addchdir_np(acts, c->folder);
	/* What a terminal sends to our group is not for it. */
	bad |= posix_spawnattr_setpgroup(attr, 0);
	bad |= posix_spawnattr_setsigmask(attr, &none);
	bad |= posix_spawnattr_setsigdefault(attr, &all);
	bad |= posix_spawnattr_setflags(attr,
	    POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
		POSIX_SPAWN_SETSIGDEF);
	return (bad == 0 ? 0 : ENOMEM);
}

int
child_start(const struct child *c, pid_t *pid)
{
	/* posix_spawn() knows no const and writes to neither. */
	char *const *argv = (char *const *)(uintptr_t)c->argv;
	char *const *env = (char *const *)(uintptr_t)c->env;
	posix_spawn_file_actions_t acts;
	posix_spawnattr_t attr;
	int error = ENOMEM;

	if (posix_spawn_file_actions_init(&acts) != 0)
		return (error);
	if (posix_spawnattr_init(&attr) == 0) {
		if ((error = child_prepare(c, &acts, &attr)) == 0)
			error =
			    posix_spawn(pid, c->path, &acts, &attr, argv, env);
		(void)posix_spawnattr_destroy(&attr);
	}
	(void)posix_spawn_file_actions_destroy(&acts);
	return (error);
}
