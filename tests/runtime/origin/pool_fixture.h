/* An origin in a thread, a loop that the test turns, and backends of the origin: takes and gives back
 * connections on fibers. */
#ifndef VERNIS_TESTS_RUNTIME_ORIGIN_POOL_FIXTURE_H
#define VERNIS_TESTS_RUNTIME_ORIGIN_POOL_FIXTURE_H

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/counters.h"
#include "loop/fiber.h"
#include "origin/backend.h"
#include "origin/endpoint.h"
#include "support/on_loop.h"
#include "support/origin.h"

static struct origin origin;
static struct loop *loop;
static struct image_backend declared;

static inline struct image_backend
declare(const char *name, const char *port)
{
    return (struct image_backend){
        .name = span_str(name),
        .host = SPAN_LIT("127.0.0.1"),
        .port = span_str(port),
        .connect_timeout_s = -1,
        .first_byte_timeout_s = 2,
        .between_bytes_timeout_s = -1,
        .probe = -1,
    };
}

static inline struct backend *
make(void)
{
    struct backend *b = NULL;
    char why[128] = "";
    if (!EXPECT_EQ_INT(backend_new(SPAN_LIT("p"), &declared, NULL, NULL, &b, why, sizeof why), 0))
        fprintf(stderr, "backend: %s\n", why);
    return b;
}

static inline void
begin(void)
{
    origin_start(&origin, 200);
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    declared = declare("b", origin.port_text);
}

static inline void
leave_loop(void *l)
{
    backend_loop_release(l);
}

static inline void
end(void)
{
    on_loop(loop, leave_loop, loop);
    loop_release(&loop);
    origin_stop(&origin);
}

/* ---- steps, run on a fiber of the loop ---- */

struct step {
    struct backend *backend;
    struct client_addresses *client;
    bool fresh, done;
    int err;
    struct backend_conn *got;
};

static inline void
step_fiber(void *arg)
{
    struct step *s = arg;
    s->err = backend_get_for(s->backend, loop_current(), 2, s->fresh, s->client, &s->got);
    s->done = true;
}

static inline void
step_spawn(void *arg)
{
    EXPECT_EQ_INT(fiber_spawn(loop_current(), step_fiber, arg), 0);
}

static inline struct step
get_on(struct loop *l, struct backend *b, bool fresh, struct client_addresses *client)
{
    struct step s = { .backend = b, .fresh = fresh, .client = client };
    on_loop(l, step_spawn, &s);
    while (!s.done)
        loop_run_once(l, NSEC_PER_SEC);
    return s;
}

static inline struct step
get(struct backend *b)
{
    return get_on(loop, b, false, NULL);
}

static inline void
keep_it(void *arg)
{
    backend_put(arg, true);
}

static inline void
drop_it(void *arg)
{
    backend_put(arg, false);
}

#endif
