/* Contracts of locks, as checks of debug builds. */
#ifndef VERNIS_BASE_LOCK_H
#define VERNIS_BASE_LOCK_H

#include <errno.h>
#include <pthread.h>
#include <stdint.h>

#include "base/check.h"

/* The caller holds the lock. Sees only that somebody does: a plain mutex does not tell who. */
#define LOCK_HELD(lock) DEBUG_CHECK(pthread_mutex_trylock((pthread_mutex_t *)(uintptr_t)(lock)) == EBUSY)

#endif
