/* Runs a call on a loop without a thread: posts it, and turns the loop until the call has run. */
#ifndef VERNIS_TESTS_SUPPORT_ON_LOOP_H
#define VERNIS_TESTS_SUPPORT_ON_LOOP_H

#include "base/list.h"
#include "loop/loop.h"

struct on_loop {
    struct post post;
    void (*fn)(void *arg);
    void *arg;
    bool done;
};

static void
on_loop_run(struct post *post)
{
    struct on_loop *o = container_of(post, struct on_loop, post);
    o->fn(o->arg);
    o->done = true;
}

/* Runs fn(arg) on the loop, from a thread without a loop. */
static inline void
on_loop(struct loop *loop, void (*fn)(void *arg), void *arg)
{
    struct on_loop o = { .post.fn = on_loop_run, .fn = fn, .arg = arg };
    loop_post(loop, &o.post);
    while (!o.done)
        loop_run_once(loop, NSEC_PER_SEC);
}

#endif
