/* The fiber that makes the second form of an object: it pushes the body through a chain, into a growing
 * buffer. Working memory is charged to Transient, and the kept form to the storage of the object. See
 * keep.h. */
#include "proxy/coding/keep.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "filter/lists.h"
#include "loop/fiber.h"
#include "proxy/server.h"

/* Most bytes of a second form; longer forms are made for each delivery */
#define KEPT_BYTES_MAX ((size_t)8 << 20)
#define STEP_BYTES ((size_t)32768) /* input given to the chain at once */

struct keeping {
    struct server *server;
    struct object *object; /* own reference */
    enum coding coding;
    struct filter_chain *chain;
    char *out;
    size_t n, room;     /* `room` is charged to Transient */
    size_t chain_bytes; /* charged to Transient, too */
};

static struct storage *
account(const struct keeping *k)
{
    return store_transient(k->server->env->store);
}

static void
refund(struct keeping *k, size_t bytes)
{
    if (bytes > 0)
        store_unreserve(account(k), USE_FILTERS, bytes);
}

/* Doubles the room. The old and the new buffer exist at once. */
static int
grow(struct keeping *k)
{
    DEBUG_CHECK(k->n == k->room);
    size_t room = k->room == 0 ? STEP_BYTES : 2 * k->room;
    if (room > KEPT_BYTES_MAX)
        return ERR_LIMIT;
    int err = store_reserve(account(k), USE_FILTERS, room);
    if (err != 0)
        return err;
    char *out = realloc(k->out, room);
    refund(k, out == NULL ? room : k->room);
    if (out == NULL)
        return ERR_NOMEM;
    k->out = out;
    k->room = room;
    return 0;
}

static int
push(struct keeping *k, struct span piece, bool last)
{
    struct filter_io io = { .in = piece, .last = last };
    int r = FILTER_MORE;
    do {
        int err = k->n == k->room ? grow(k) : 0;
        if (err != 0)
            return err;
        io.out = k->out + k->n;
        io.room = k->room - k->n;
        r = chain_push(k->chain, &io);
        k->n = k->room - io.room;
        fiber_yield_if_due();
    } while (r == FILTER_BUSY || (r == FILTER_MORE && (io.in.len > 0 || io.room == 0)));
    return r < 0 ? r : 0;
}

static int
push_all(struct keeping *k)
{
    DEBUG_CHECK(object_state(k->object) == OBJECT_COMPLETE && k->n == 0);
    struct body_reader r;
    uint64_t total = body_bytes(&k->object->body);
    int err = 0;
    body_open(&r, &k->object->body);
    do {
        struct iovec iov = { NULL, 0 };
        int n = body_read(&r, &iov, STEP_BYTES);
        err = n < 0 ? n
                    : push(k, n == 0 ? SPAN_LIT("") : span_of(iov.iov_base, iov.iov_len),
                           r.at + iov.iov_len == total);
        if (err == 0)
            body_advance(&r, n > 0 ? iov.iov_len : 0, 0);
    } while (err == 0 && r.at < total);
    body_close(&r);
    if (err == ERR_SYS)
        store_lost(k->object);
    return err;
}

static int
make(struct keeping *k)
{
    struct span names = filters_of_coding(object_form(k->object).gzipped, k->coding);
    struct filter_wants wants = { .log = &log_untied,
                                  .side = FILTER_DELIVERY,
                                  .known = object_gzip(k->object) };
    size_t bytes = chain_bytes(names, FILTER_DELIVERY);
    int err = store_reserve(account(k), USE_FILTERS, bytes);
    if (err != 0)
        return err;
    k->chain_bytes = bytes;
    err = chain_open(names, &wants, &k->chain);
    return err != 0 ? err : push_all(k);
}

static void
run(void *arg)
{
    struct keeping *k = arg;
    int err = make(k);
    if (err != 0)
        object_give_up_second_form(k->object, k->coding, err == ERR_LIMIT);
    else if (object_keep_second_form(k->object, k->coding, span_of(k->out, k->n)) == 0)
        k->server->counters->coded_kept++;
    chain_close(&k->chain);
    refund(k, k->chain_bytes);
    refund(k, k->room);
    free(k->out);
    object_release(&k->object);
    free(k);
}

void
coding_keep_if_due(struct loop *loop, struct server *server, struct object *o, enum coding c)
{
    if (!object_second_form_due(o, c, (unsigned)params.coding_keep_after))
        return;
    struct keeping *k = calloc(1, sizeof *k);
    if (k != NULL) {
        *k = (struct keeping){ .server = server, .object = o, .coding = c };
        object_ref(o);
        if (fiber_spawn(loop, run, k) == 0)
            return;
        struct object *ours = o;
        object_release(&ours);
        free(k);
    }
    object_give_up_second_form(o, c, false);
}
