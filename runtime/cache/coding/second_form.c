/* Second forms of stored bodies: see second_form.h. They are attached to struct object_coding, which objects
 * with a suitable form have in their head. */
#include "cache/coding/second_form.h"

#include <stdlib.h>

#include "cache/object_internal.h"

struct second_body {
    size_t bytes;
    char data[];
};

static struct second_form *
form_of(const struct object *o, enum coding c)
{
    struct object_coding *all = o->head == NULL ? NULL : object_coding_of(o->head);
    CHECK(c < CODING_NONE);
    return all == NULL || !all->form.codable ? NULL : &all->second[c];
}

static int64_t
rounding(size_t bytes)
{
    return (int64_t)(mem_cost(bytes) - bytes);
}

struct span
object_second_form(const struct object *o, enum coding c)
{
    struct second_form *s = form_of(o, c);
    struct second_body *b = s == NULL ? NULL : atomic_load_explicit(&s->body, memory_order_acquire);
    return b == NULL ? SPAN_NULL : span_of(b->data, b->bytes);
}

bool
object_second_form_due(struct object *o, enum coding c, unsigned after)
{
    struct second_form *s = form_of(o, c);
    if (s == NULL || after == 0 || atomic_load_explicit(&s->body, memory_order_acquire) != NULL)
        return false;
    if (atomic_fetch_add_explicit(&s->asked, 1, memory_order_relaxed) + 1 < after ||
        object_state(o) != OBJECT_COMPLETE)
        return false;
    return !atomic_exchange_explicit(&s->is_made, true, memory_order_acq_rel);
}

void
object_give_up_second_form(struct object *o, enum coding c, bool for_good)
{
    struct second_form *s = form_of(o, c);
    CHECK(atomic_load_explicit(&s->body, memory_order_relaxed) == NULL);
    atomic_store_explicit(&s->asked, 0, memory_order_relaxed);
    atomic_store_explicit(&s->is_made, for_good, memory_order_release);
}

int
object_keep_second_form(struct object *o, enum coding c, struct span bytes)
{
    struct second_form *s = form_of(o, c);
    size_t all = sizeof(struct second_body) + bytes.len;
    struct second_body *b = NULL;
    CHECK(object_state(o) == OBJECT_COMPLETE && atomic_load_explicit(&s->is_made, memory_order_relaxed));
    int err = storage_charge(o->storage, USE_BODIES, all);
    if (err == 0 && (b = malloc(all)) == NULL) {
        storage_refund(o->storage, USE_BODIES, all);
        err = ERR_NOMEM;
    }
    if (err != 0) {
        object_give_up_second_form(o, c, false);
        return err;
    }
    storage_hold(o->storage, USE_ROUNDING, rounding(all));
    b->bytes = bytes.len;
    memcpy(b->data, bytes.ptr, bytes.len);
    atomic_store_explicit(&s->body, b, memory_order_release);
    return 0;
}

void
second_forms_free(struct object_coding *all, struct storage *st)
{
    for (unsigned c = 0; c < CODINGS; c++) {
        struct second_body *b = all->second[c].body;
        if (b == NULL)
            continue;
        size_t bytes = sizeof *b + b->bytes;
        storage_hold(st, USE_ROUNDING, -rounding(bytes));
        storage_refund(st, USE_BODIES, bytes);
        free(b);
    }
}
