/* The queue of interim responses of one request: see interim.h. */
#include "proxy/interim.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "loop/fiber.h"
#include "proxy/request_state.h"

struct interim {
    struct interim *next;
    struct arena arena; /* text of the head */
    struct http_message head;
};

static void
free_one(struct interim *i)
{
    arena_release(&i->arena);
    free(i);
}

/* Content-Length is left out: an interim response has no content. */
static bool
is_passed_on(const struct http_field *f)
{
    return (f->flags & FIELD_HOP) == 0 && f->id != NAME_CONTENT_LENGTH;
}

static int
copy_head(struct interim *i, const struct http_message *from)
{
    DEBUG_CHECK(from->status > 100 && from->status < 200);
    struct http_message *to = &i->head;
    int err = message_init(to, &i->arena, from->n_fields);
    to->status = from->status;
    to->minor = 1;
    to->proto = SPAN_LIT("HTTP/1.1");
    to->reason = status_reason(from->status);
    for (unsigned n = 0; err == 0 && n < from->n_fields; n++) {
        const struct http_field *f = &from->fields[n];
        if (!is_passed_on(f))
            continue;
        struct span name = arena_copy(&i->arena, f->name), value = arena_copy(&i->arena, f->value);
        err = name.ptr == NULL || value.ptr == NULL ? ERR_NOMEM : message_add(to, f->id, name, value);
    }
    return err;
}

static size_t
size_of(const struct http_message *m)
{
    size_t n = 0;
    for (unsigned i = 0; i < m->n_fields; i++)
        n += m->fields[i].name.len + m->fields[i].value.len;
    return n;
}

void
interim_offer(struct request *r, struct http_message *head)
{
    DEBUG_CHECK(r->fetching != NULL && r->interim.bytes <= INTERIM_BYTES_MAX);
    if (r->interim.n >= INTERIM_MAX)
        return;
    struct interim *i = calloc(1, sizeof *i), **end = &r->interim.first;
    if (i == NULL)
        return;
    message_mark_hop(head);
    arena_init(&i->arena, INTERIM_BYTES_MAX);
    if (copy_head(i, head) != 0 || size_of(&i->head) > INTERIM_BYTES_MAX - r->interim.bytes) {
        free_one(i);
        return;
    }
    while (*end != NULL)
        end = &(*end)->next;
    *end = i;
    r->interim.n++;
    r->interim.bytes += size_of(&i->head);
    fiber_wake(r->fiber);
}

/* Ignores failures: the sending of the final response notices a lost client. */
void
interim_send(struct request *r)
{
    struct interim *i;
    CHECK(r->stream->waiter == NULL);
    while ((i = r->interim.first) != NULL) {
        r->interim.first = i->next;
        nsec deadline = nsec_add(loop_now(r->loop), nsec_of(params.idle_send_timeout_s));
        if (!r->stream->broken)
            (void)r->stream->ops->send_interim(r->stream, i->head.status, &i->head, deadline);
        free_one(i);
    }
}

void
interim_release(struct request *r)
{
    struct interim *i;
    while ((i = r->interim.first) != NULL) {
        r->interim.first = i->next;
        free_one(i);
    }
}
