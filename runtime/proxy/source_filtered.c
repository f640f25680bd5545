/* Bodies through filters: see source_filtered.h. The output of the chain is collected in one buffer, which is
 * filled again after all of it was released. So a slow client holds only that buffer and the state of the
 * filters, whatever the size of the body. */
#include "proxy/source_filtered.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "cache/store.h"

#define WORK_BYTES (64 * 1024) /* input of one call, even if it produces no output */

struct filtered_source {
    struct body_source source;
    struct body_source *inner;
    struct filter_chain *chain; /* NULL: ended */
    struct storage *account;
    size_t charged_bytes;
    enum source_state inner_says;
    bool failed;
    bool held_back; /* the chain may hold back output of its input */
    bool busy;      /* the chain has more to do with its input */
    bool held;      /* the stream holds bytes of the buffer */
    size_t at, end; /* bytes of the buffer that were not advanced over */
    size_t buffer_bytes;
    char buffer[];
};

static struct filtered_source *
filtered_of(struct body_source *b)
{
    return container_of(b, struct filtered_source, source);
}

/* Pushes the next bytes of the inner source. Returns the bytes consumed. */
static size_t
push_piece(struct filtered_source *s, struct filter_io *io, size_t most)
{
    DEBUG_CHECK(s->chain != NULL && most > 0 && io->room > 0);
    struct iovec iov = { NULL, 0 };
    int n = s->inner->ops->gather(s->inner, &iov, 1, most, &s->inner_says);
    io->in = n == 0 ? SPAN_LIT("") : span_of(iov.iov_base, iov.iov_len);
    io->last = s->inner_says == SOURCE_END;
    /* A body that breaks off, too: the client gets what came of it */
    bool pauses = s->inner_says == SOURCE_MORE || s->inner_says == SOURCE_FAILED;
    io->flush = n == 0 && pauses && s->held_back;
    if (n == 0 && !io->last && !io->flush && !s->busy)
        return 0;
    int r = chain_push(s->chain, io);
    s->busy = r == FILTER_BUSY;
    s->held_back = chain_holds_back(s->chain) && (!io->flush || io->room == 0 || s->busy);
    size_t consumed = iov.iov_len - io->in.len;
    DEBUG_CHECK(consumed <= iov.iov_len);
    s->inner->ops->advance(s->inner, consumed, 0);
    s->failed = r < 0;
    if (r == FILTER_END)
        chain_close(&s->chain);
    return consumed;
}

static void
fill(struct filtered_source *s)
{
    DEBUG_CHECK(!s->held && s->at == s->end);
    struct filter_io io = { .out = s->buffer, .room = s->buffer_bytes };
    size_t left = WORK_BYTES;
    bool moves = true;
    while (moves && left > 0 && io.room > 0 && s->chain != NULL && !s->failed) {
        size_t consumed = push_piece(s, &io, left);
        left -= consumed;
        moves = consumed > 0 && !s->busy;
    }
    s->at = 0;
    /* Output that comes with an error is not sent, as in Varnish */
    s->end = s->failed ? 0 : s->buffer_bytes - io.room;
    if ((left == 0 || s->busy) && s->end == 0)
        s->inner_says = SOURCE_BUSY;
}

static enum source_state
state_behind_buffer(const struct filtered_source *s)
{
    if (s->failed)
        return SOURCE_FAILED;
    if (s->chain == NULL)
        return SOURCE_END;
    if (s->held && s->at == s->end)
        return SOURCE_HELD;
    return s->inner_says == SOURCE_END ? SOURCE_MORE : s->inner_says;
}

static int
filtered_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    struct filtered_source *s = filtered_of(b);
    if (s->at == s->end && !s->held && !s->failed && s->chain != NULL)
        fill(s);
    size_t n = s->end - s->at < most ? s->end - s->at : most;
    DEBUG_CHECK(s->at <= s->end && s->end <= s->buffer_bytes);
    *then = s->at + n < s->end ? SOURCE_MORE : state_behind_buffer(s);
    iov[0] = (struct iovec){ s->buffer + s->at, n };
    return n > 0;
}

static void
filtered_advance(struct body_source *b, size_t n, uint64_t held)
{
    struct filtered_source *s = filtered_of(b);
    CHECK(n <= s->end - s->at);
    s->at += n;
    s->held = held > 0;
}

static void
filtered_watch(struct body_source *b, struct loop *loop)
{
    source_watch_inner(b, filtered_of(b)->inner, loop);
}

static void
filtered_unwatch(struct body_source *b)
{
    struct body_source *inner = filtered_of(b)->inner;
    inner->ops->unwatch(inner);
}

static bool
filtered_cancel(struct body_source *b)
{
    return source_cancel(filtered_of(b)->inner);
}

static void
filtered_close(struct body_source *b)
{
    struct filtered_source *s = filtered_of(b);
    source_close(s->inner);
    chain_close(&s->chain);
    store_unreserve(s->account, USE_FILTERS, s->charged_bytes);
    free(s);
}

static const struct body_source_ops ops = {
    .gather = filtered_gather,
    .advance = filtered_advance,
    .watch = filtered_watch,
    .unwatch = filtered_unwatch,
    .cancel = filtered_cancel,
    .close = filtered_close,
};

static int
new_source(struct body_source *inner, struct filter_chain *chain, struct storage *account, size_t bytes,
           struct body_source **out)
{
    size_t room = params.gzip_buffer_bytes;
    struct filtered_source *s = malloc(sizeof *s + room);
    if (s == NULL)
        return ERR_NOMEM;
    *s = (struct filtered_source){ .buffer_bytes = room };
    s->source.ops = &ops;
    s->inner = inner;
    s->chain = chain;
    s->account = account;
    s->charged_bytes = bytes;
    *out = &s->source;
    return 0;
}

int
source_filter(struct body_source **source, struct span names, const struct filter_wants *wants,
              struct storage *account)
{
    DEBUG_CHECK(*source != NULL);
    size_t bytes = chain_bytes(names, wants->side);
    struct filter_chain *chain = NULL;
    if (bytes == 0)
        return 0;
    bytes += sizeof(struct filtered_source) + params.gzip_buffer_bytes;
    int err = store_reserve(account, USE_FILTERS, bytes);
    if (err != 0)
        return err;
    err = chain_open(names, wants, &chain);
    if (err == 0 && chain != NULL && chain_changes(chain)) {
        err = new_source(*source, chain, account, bytes, source);
        if (err == 0)
            return 0;
    }
    chain_close(&chain);
    store_unreserve(account, USE_FILTERS, bytes);
    return err;
}
