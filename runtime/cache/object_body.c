/* Bodies of objects: the writer is the fetch, and readers follow it. body/body.h has the bytes; this file
 * adds who may write, who is woken, and when a body in transit is freed. */
#include "base/size.h"
#include "body/partial.h"
#include "cache/object_internal.h"
#include "log/counters.h"

/* ---- writer ---- */

static struct body_writer *
writer_of(struct object *o)
{
    struct body_writer *w = &o->live->writer;
    CHECK(o->head != NULL && object_storage(o) == o->live->head_storage);
    w->body = &o->body;
    w->storage = object_storage(o);
    w->length = (o->flags & OBJECT_HAS_LENGTH) ? o->head->content_length : -1;
    w->flows = object_is_transit(o);
    w->is_published = object_state(o) >= OBJECT_STREAMING;
    return w;
}

int
object_expect(struct object *o, uint64_t content_length)
{
    CHECK(object_state(o) < OBJECT_STREAMING && o->head != NULL && o->body.content == NULL);
    o->head->content_length = (int64_t)content_length;
    o->flags |= OBJECT_HAS_LENGTH;
    return body_expect(writer_of(o), content_length);
}

int
object_body_space(struct object *o, size_t hint, char **p, size_t *n)
{
    int err = body_space(writer_of(o), hint, p, n);
    DEBUG_CHECK(err != 0 || *n > 0);
    if (err == 0 && object_storage(o)->less_space && *n > 1)
        --*n;
    return err;
}

void
object_body_commit(struct object *o, size_t n)
{
    if (n == 0)
        return;
    DEBUG_CHECK(object_state(o) < OBJECT_COMPLETE && o->live->writer.body == &o->body);
    body_commit(&o->live->writer, n);
    object_wake(o);
}

void
object_share_body(struct object *o, const struct object *from)
{
    CHECK(object_state(o) < OBJECT_STREAMING && o->body.content == NULL);
    CHECK(object_state(from) == OBJECT_COMPLETE || object_is_partial(from));
    DEBUG_CHECK(from != o && from->head != NULL);
    body_share(&o->body, &from->body);
    counters_here()->bodies_shared++;
}

int
object_set_holes(struct object *o, uint64_t total, uint32_t size, struct span validator)
{
    CHECK(object_state(o) < OBJECT_STREAMING && object_form(o).partial && object_part(o).total == 0);
    return body_make_holes(&o->body, o->live->head_storage, total, size, validator);
}

/* ---- end of writing ---- */

void
object_body_end(struct object *o, bool is_alone)
{
    DEBUG_CHECK(o->live->writer.body == NULL || o->live->writer.body == &o->body);
    if (o->live->writer.body != NULL)
        body_end(&o->live->writer, is_alone);
}

void
object_body_drop(struct object *o)
{
    CHECK(object_state(o) < OBJECT_STREAMING && !(o->flags & OBJECT_FINDABLE));
    if (o->head == NULL)
        return; /* without a head there is no body */
    CHECK(object_storage(o) == o->live->head_storage);
    object_body_end(o, true);
    o->live->writer = (struct body_writer){ 0 };
    body_release(&o->body);
    atomic_store_explicit(&o->body.bytes, 0, memory_order_relaxed);
    o->flags &= (unsigned char)~OBJECT_HAS_LENGTH;
    object_head_drop(o);
}

/* ---- readers ---- */

bool
object_is_partial(const struct object *o)
{
    const struct object_coding *c = o->head == NULL ? NULL : object_coding_of(o->head);
    return c != NULL && c->form.partial && c->only.total == 0;
}

/* The last of reader and writer frees the rest: the reader at the end of a finished body, or else the writer
 * (object_finish). Otherwise a marker would keep it for as long as it is stored. */
void
object_passed(struct object *o, uint64_t at)
{
    struct notice_batch b = { 0 };
    CHECK(object_is_transit(o));
    DEBUG_CHECK(at <= body_bytes(&o->body));
    (void)body_free_before(&o->body, at);
    pthread_mutex_lock(object_lock(o));
    bool finished = o->live == NULL;
    if (o->live != NULL) {
        o->live->read_bytes = max_size(o->live->read_bytes, (size_t)at);
        if (o->live->on_reader != NULL)
            notice_collect(&b, o->live->on_reader);
    }
    pthread_mutex_unlock(object_lock(o));
    notice_send(&b);
    if (finished && at == body_bytes(&o->body))
        object_drain(o);
}

size_t
object_body_pending(const struct object *o)
{
    size_t read = 0;
    pthread_mutex_lock(object_lock(o));
    if (o->live != NULL)
        read = o->live->read_bytes;
    pthread_mutex_unlock(object_lock(o));
    size_t total = body_bytes(&o->body);
    return total > read ? total - read : 0;
}

/* ---- leaving the storage ---- */

bool
object_growth_ends(const struct object *o)
{
    DEBUG_CHECK(object_state(o) < OBJECT_COMPLETE);
    const struct object_live *live = o->live;
    return live->writer.growing_bytes > 0 && !live->left && !object_is_transit(o) &&
           storage_growth_ends(object_storage(o), live->writer.growing_bytes);
}

size_t
object_left_pending(struct object *o)
{
    DEBUG_CHECK(object_has_left(o));
    size_t at = SIZE_MAX, total = body_bytes(&o->body);
    if (!watches_are_all(o, &at))
        return SIZE_MAX;
    at = min_size(at, total);
    body_leave_behind(&o->live->writer, at);
    return total - at;
}
