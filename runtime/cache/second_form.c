/* Second forms of stored bodies: see second_form.h. They are attached to struct object_coding, which objects
 * with a suitable form have in their head. */
#include "cache/second_form.h"

#include <stdlib.h>

#include "cache/object_internal.h"

static struct second_form *
form_of(const struct object *o, enum coding c)
{
    struct object_coding *all = o->head == NULL ? NULL : object_coding_of(o->head);
    CHECK(c < CODING_NONE);
    return all == NULL || !all->form.codable ? NULL : &all->second[c];
}

const struct body *
object_second_form(const struct object *o, enum coding c)
{
    const struct second_form *s = form_of(o, c);
    return s == NULL || body_bytes(&s->body) == 0 ? NULL : &s->body;
}

bool
object_second_form_due(struct object *o, enum coding c, unsigned after)
{
    struct second_form *s = form_of(o, c);
    if (s == NULL || after == 0 || body_bytes(&s->body) > 0)
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
    CHECK(body_bytes(&s->body) == 0);
    atomic_store_explicit(&s->asked, 0, memory_order_relaxed);
    atomic_store_explicit(&s->is_made, for_good, memory_order_release);
}

int
object_keep_second_form(struct object *o, enum coding c, struct span bytes)
{
    struct second_form *s = form_of(o, c);
    CHECK(object_state(o) == OBJECT_COMPLETE && atomic_load_explicit(&s->is_made, memory_order_relaxed));
    DEBUG_CHECK(body_bytes(&s->body) == 0 && bytes.len > 0);
    int err = body_write(&s->body, object_storage(o), bytes);
    if (err != 0)
        object_give_up_second_form(o, c, false);
    return err;
}

void
second_forms_free(struct object_coding *all)
{
    for (unsigned c = 0; c < CODINGS; c++)
        body_release(&all->second[c].body);
}
