/* SPDX-License-Identifier: ISC */
/*
 * Threads where there are none: none can be started, and who is alone needs no
 * lock.  What waits for another would wait for ever, so it traps.
 */
#ifndef LACKING_PTHREAD_H
#define LACKING_PTHREAD_H

#include <errno.h>
#include <stddef.h>

typedef int pthread_t;
typedef int pthread_mutex_t;
typedef int pthread_cond_t;

#define pthread_create(thread, attr, run, arg) \
	((void)(thread), (void)(run), (void)(arg), EAGAIN)
#define pthread_join(thread, value) ((void)(thread), ESRCH)
#define pthread_mutex_init(lock, attr) (*(lock) = 0)
#define pthread_mutex_lock(lock) ((void)(lock), 0)
#define pthread_mutex_unlock(lock) ((void)(lock), 0)
#define pthread_mutex_destroy(lock) ((void)(lock), 0)
#define pthread_cond_init(cond, attr) (*(cond) = 0)
#define pthread_cond_signal(cond) ((void)(cond), 0)
#define pthread_cond_broadcast(cond) ((void)(cond), 0)
#define pthread_cond_wait(cond, lock) (__builtin_trap(), 0)
#define pthread_cond_destroy(cond) ((void)(cond), 0)

#endif
