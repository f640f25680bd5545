/* The thread pool for blocking calls. Each job lies on the stack of the fiber that waits for it, so the queue
 * needs no memory, and fibers_max bounds it. The first job starts the threads. */
#include "loop/offload.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/check.h"
#include "base/mem.h"
#include "loop/fiber.h"
#include "loop/loop.h"

#define OFFLOAD_THREADS 4
#define OFFLOAD_STACK_BYTES (512 * 1024) /* getaddrinfo and its NSS modules need a large stack */

struct job {
    struct list link; /* pool lock */
    void (*fn)(void *arg);
    void *arg;
    struct loop *loop;
    struct fiber *fiber;
    bool done; /* owner loop; of a held loop: pool lock */
    struct post post;
};

static struct {
    _Alignas(CACHE_LINE_BYTES) pthread_mutex_t lock;
    pthread_cond_t wanted;
    struct list jobs;
    pthread_t threads[OFFLOAD_THREADS];
    unsigned n_threads;
    bool stopping, holds_loops;
    pthread_cond_t ran; /* a job of a held loop */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .wanted = PTHREAD_COND_INITIALIZER,
    .ran = PTHREAD_COND_INITIALIZER,
    .jobs = { &pool.jobs, &pool.jobs },
};

static void
job_done(struct post *p)
{
    struct job *job = container_of(p, struct job, post);
    CHECK(loop_is_current(job->loop) && !job->done);
    job->done = true;
    fiber_wake(job->fiber);
}

static void *
offload_main(void *arg)
{
    CHECK(pthread_mutex_lock(&pool.lock) == 0);
    while (!pool.stopping || !list_empty(&pool.jobs)) {
        struct list *link = list_pop_front(&pool.jobs);
        if (link == NULL) {
            CHECK(pthread_cond_wait(&pool.wanted, &pool.lock) == 0);
            continue;
        }
        CHECK(pthread_mutex_unlock(&pool.lock) == 0);
        struct job *job = container_of(link, struct job, link);
        job->fn(job->arg);
        if (!pool.holds_loops)
            loop_post(job->loop, &job->post); /* job may no longer exist after this call */
        CHECK(pthread_mutex_lock(&pool.lock) == 0);
        if (pool.holds_loops) {
            job->done = true;
            CHECK(pthread_cond_broadcast(&pool.ran) == 0);
        }
    }
    CHECK(pthread_mutex_unlock(&pool.lock) == 0);
    return arg;
}

/* Call under the lock. One thread is enough to run all jobs. The CHECK fails when the process cannot start
 * even one. */
static void
start_threads(void)
{
    pthread_attr_t attr;
    CHECK(pthread_attr_init(&attr) == 0);
    CHECK(pthread_attr_setstacksize(&attr, OFFLOAD_STACK_BYTES) == 0);
    while (pool.n_threads < OFFLOAD_THREADS &&
           pthread_create(&pool.threads[pool.n_threads], &attr, offload_main, NULL) == 0)
        pool.n_threads++;
    CHECK(pool.n_threads > 0);
    pthread_attr_destroy(&attr);
}

void
offload_start(void)
{
    CHECK(pthread_mutex_lock(&pool.lock) == 0);
    if (pool.n_threads == 0)
        start_threads();
    CHECK(pthread_mutex_unlock(&pool.lock) == 0);
}

void
offload_run(void (*fn)(void *arg), void *arg)
{
    struct job job = {
        .fn = fn, .arg = arg, .loop = loop_current(), .fiber = fiber_current(), .post.fn = job_done
    };
    CHECK(job.fiber != NULL);
    CHECK(pthread_mutex_lock(&pool.lock) == 0);
    CHECK(!pool.stopping);
    if (pool.n_threads == 0)
        start_threads();
    list_push_back(&pool.jobs, &job.link);
    CHECK(pthread_cond_signal(&pool.wanted) == 0);
    while (pool.holds_loops && !job.done)
        CHECK(pthread_cond_wait(&pool.ran, &pool.lock) == 0);
    CHECK(pthread_mutex_unlock(&pool.lock) == 0);
    while (!job.done)
        fiber_park();
}

void
offload_or_block(void (*fn)(void *arg), void *arg)
{
    CHECK(fn != NULL);
    if (fiber_current() != NULL)
        offload_run(fn, arg);
    else
        fn(arg);
}

void
offload_hold_loops(bool hold)
{
    CHECK(pthread_mutex_lock(&pool.lock) == 0);
    CHECK(list_empty(&pool.jobs));
    pool.holds_loops = hold;
    CHECK(pthread_mutex_unlock(&pool.lock) == 0);
}

void
offload_stop(void)
{
    CHECK(pthread_mutex_lock(&pool.lock) == 0);
    pool.stopping = true;
    CHECK(pthread_cond_broadcast(&pool.wanted) == 0);
    CHECK(pthread_mutex_unlock(&pool.lock) == 0);
    for (unsigned i = 0; i < pool.n_threads; i++)
        CHECK(pthread_join(pool.threads[i], NULL) == 0);
    CHECK(pthread_mutex_lock(&pool.lock) == 0);
    pool.n_threads = 0;
    pool.stopping = false;
    CHECK(pthread_mutex_unlock(&pool.lock) == 0);
}
