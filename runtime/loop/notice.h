/* Notices: messages to another loop that something changed. They are on the heap and shared, because an item
 * cannot be removed from a mailbox when its receiver goes away. The receiver holds one reference, the mailbox
 * another. */
#ifndef VERNIS_LOOP_NOTICE_H
#define VERNIS_LOOP_NOTICE_H

#include <stdatomic.h>

#include "loop/loop.h"

struct notice {
    struct post post;
    struct loop *loop;
    void (*fn)(void *arg); /* NULL once cancelled; owner loop */
    void *arg;
    struct notice *next; /* next in the batch */
    atomic_uint refs, posted;
};

/* Notices collected under a lock, to be sent after it. */
struct notice_batch {
    struct notice *first, *last;
};

int notice_new(struct loop *loop, void (*fn)(void *arg), void *arg, struct notice **out);
void notice_collect(struct notice_batch *b, struct notice *n);
void notice_send(struct notice_batch *b);
void notice_cancel(struct notice **n); /* owner loop; harmless on NULL */

#endif
