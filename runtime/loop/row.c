/* Work that is put off to the end of a row of events, or of a round. See loop.h. */
#include "base/check.h"
#include "loop/loop_internal.h"

bool
loop_join_row(struct loop *loop, struct loop_row *f)
{
    bool alone = loop->n_row == 0 && loop->at_event + 1 >= loop->n_events;
    if (alone || loop->row_closed)
        return false;
    CHECK(loop_is_current(loop) && f->fn != NULL && !f->queued);
    list_push_back(&loop->row, &f->link);
    loop->n_row++;
    f->queued = true;
    return true;
}

void
loop_row_run(struct loop *loop)
{
    if (loop->n_row == 0)
        return;
    loop->row_closed = true;
    for (struct list *l; (l = list_pop_front(&loop->row)) != NULL;) {
        struct loop_row *f = container_of(l, struct loop_row, link);
        f->queued = false;
        f->fn(f);
    }
    loop->n_row = 0;
    loop->row_closed = false;
}

void
loop_end_round(struct loop *loop, struct loop_row *f)
{
    CHECK(loop_may_use(loop) && f->fn != NULL);
    if (!f->queued)
        list_push_back(&loop->ends, &f->link);
    f->queued = true;
}

void
loop_end_round_cancel(struct loop_row *f)
{
    if (f->queued)
        list_remove(&f->link);
    f->queued = false;
}

/* Up to a mark: what the end of a round queues waits for the next one. */
void
loop_ends_run(struct loop *loop)
{
    struct list *mark = &loop->ends_mark;
    if (list_empty(&loop->ends))
        return;
    list_push_back(&loop->ends, mark);
    for (struct list *l; (l = list_pop_front(&loop->ends)) != mark;) {
        struct loop_row *f = container_of(l, struct loop_row, link);
        f->queued = false;
        f->fn(f);
    }
}
