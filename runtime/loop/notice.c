/* Notices: a wake-up on its way to a loop. A notice is posted at most once until its function starts, however
 * many changes happen meanwhile. Its receiver may cancel it while it is in the mailbox. Cancelling and
 * running happen on the receiver's loop, so they cannot overlap. Posting happens on any thread, under the
 * lock that guards the receiver. */
#include <stdlib.h>

#include "base/check.h"
#include "loop/notice.h"

static void
notice_unref(struct notice *n)
{
    if (atomic_fetch_sub_explicit(&n->refs, 1, memory_order_acq_rel) == 1)
        free(n);
}

static void
notice_run(struct post *p)
{
    struct notice *n = container_of(p, struct notice, post);
    /* Clear before fn runs: a later change posts again, an earlier one is visible to fn. */
    atomic_exchange(&n->posted, 0);
    if (n->fn != NULL)
        n->fn(n->arg);
    notice_unref(n);
}

int
notice_new(struct loop *loop, void (*fn)(void *arg), void *arg, struct notice **out)
{
    struct notice *n = malloc(sizeof *n);
    if (n == NULL)
        return ERR_NOMEM;
    *n = (struct notice){ .loop = loop, .fn = fn, .arg = arg };
    n->post.fn = notice_run;
    atomic_init(&n->refs, 1);
    atomic_init(&n->posted, 0);
    *out = n;
    return 0;
}

void
notice_collect(struct notice_batch *b, struct notice *n)
{
    if (atomic_exchange(&n->posted, 1) != 0)
        return;
    atomic_fetch_add_explicit(&n->refs, 1, memory_order_relaxed);
    n->next = NULL;
    if (b->last == NULL)
        b->first = n;
    else
        b->last->next = n;
    b->last = n;
}

void
notice_send(struct notice_batch *b)
{
    struct notice *n = b->first;
    *b = (struct notice_batch){ 0 };
    while (n != NULL) {
        struct notice *next = n->next;
        loop_post(n->loop, &n->post); /* the loop may run and free n at once */
        n = next;
    }
}

void
notice_cancel(struct notice **np)
{
    struct notice *n = *np;
    *np = NULL;
    if (n == NULL)
        return;
    n->fn = NULL;
    notice_unref(n);
}
