/* A loop's recycled memory for streams. See service.h. */
#include "stream/service.h"

#include <stdlib.h>

union record {
    struct list link; /* while it is free */
    char bytes[RECORD_BYTES];
    max_align_t aligned;
};

void
service_init(struct service *sv, const struct service_ops *ops, struct loop *loop)
{
    sv->ops = ops;
    sv->loop = loop;
    sv->load = loop_load(loop);
    sv->counters = counters_of(loop);
    buffers_init(&sv->buffers);
    list_init(&sv->sessions);
    list_init(&sv->free_records);
}

void
service_release(struct service *sv)
{
    buffers_release(&sv->buffers);
    for (struct list *l; (l = list_pop_front(&sv->free_records)) != NULL;)
        free(container_of(l, union record, link));
    sv->n_free_records = 0;
}

void *
service_record_take(struct service *sv)
{
    struct list *l = list_pop_front(&sv->free_records);
    if (l == NULL)
        return malloc(sizeof(union record));
    sv->n_free_records--;
    return container_of(l, union record, link);
}

void
service_record_give(struct service *sv, void *record)
{
    union record *r = record;
    if (sv->n_free_records >= RECORDS_KEPT) {
        free(r);
        return;
    }
    list_push_front(&sv->free_records, &r->link);
    sv->n_free_records++;
}
