/* Notices: what is posted to another loop when something changed. They are on the heap and shared, because an item can not be taken
 * out of a mailbox when its receiver goes away. The receiver holds one reference, the mailbox another. */
#ifndef VERNIS_CACHE_NOTICE_H
#define VERNIS_CACHE_NOTICE_H

#include <stdatomic.h>

#include "loop/loop.h"

struct notice {
    struct post post;
    struct loop *loop;
    void (*fn)(void *arg);              /* NULL once cancelled; owner loop */
    void *arg;
    struct notice *next;                /* in one batch */
    atomic_uint refs, posted;
};

/* Collected under a lock, sent after it. */
struct notice_batch {
    struct notice *first, *last;
};

int notice_new(struct loop *loop, void (*fn)(void *arg), void *arg, struct notice **out);
void notice_collect(struct notice_batch *b, struct notice *n);
void notice_send(struct notice_batch *b);
void notice_cancel(struct notice **n);  /* owner loop; harmless on NULL */

#endif
