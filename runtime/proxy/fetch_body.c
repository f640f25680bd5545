/* Receives the content of a response into the object. A response with one reader is fetched no faster than
 * the reader takes it. On the fiber of the fetch. */
#include <errno.h>
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "filter/filter.h"
#include "loop/fiber.h"
#include "proxy/fetch_internal.h"
#include "reason_texts.h"

#define TIGHT_TRANSIT_BYTES 16384u /* with a segment that is half read, and a new one: 48 KB at most */
#define LOOK_BYTES 4096u           /* given to the chain at once, between two yields */
#define PUSH_BYTES (128u * 1024)   /* from the chain at once: a few bytes may unpack to a whole extent */

/* Wakes a fetch that waits for room. If the reader has left, also ends a wait for the origin. */
static void
reader_moved(struct watch *w)
{
    struct fetch *f = container_of(w, struct fetch, reader);
    DEBUG_CHECK(loop_may_use(f->loop));
    if (object_abandoned(f->busy) && f->exchange != NULL)
        exchange_interrupt(f->exchange);
    fiber_wake(f->fiber);
}

bool
fetch_in_transit(const struct fetch *f)
{
    return object_is_transit(f->busy);
}

/* A background refresh whose response is not shared has no reader. If it is short, receive it anyway, to keep
 * the connection. */
static bool
given_up(const struct fetch *f)
{
    DEBUG_CHECK(fetch_in_transit(f) && f->published);
    bool is_short = f->content.kind == CONTENT_KNOWN && f->content.bytes <= params.fetch_chunksize_bytes;
    return object_abandoned(f->busy) && !(f->kind == FETCH_BACKGROUND && is_short);
}

/* A response in transit holds at most beresp.transit_buffer bytes that its client has not taken. When its
 * storage is tight, it holds 48 KB, so that slow clients cannot fill the storage. */
static size_t
transit_limit(const struct fetch *f)
{
    DEBUG_CHECK(fetch_in_transit(f));
    uint64_t most = f->vars.transit_buffer >= 0 ? (uint64_t)f->vars.transit_buffer
                                                : params.transit_buffer_bytes;
    size_t limit = most > 0 ? most : SIZE_MAX;
    bool tight = limit > TIGHT_TRANSIT_BYTES && storage_is_tight(object_storage(f->busy));
    return tight ? TIGHT_TRANSIT_BYTES : limit;
}

#define LEFT_BYTES ((size_t)256 << 10) /* most unread bytes of a body that left its storage */

static int
wait_for_readers(struct fetch *f)
{
    DEBUG_CHECK(f->left && f->published);
    while (object_left_pending(f->busy) > LEFT_BYTES && !object_abandoned(f->busy))
        fiber_park();
    return object_abandoned(f->busy) ? fetch_failed(f, ERR_CANCELLED, "Delivery abandoned") : 0;
}

/* A body of unknown length takes too much of its storage. It goes on to the clients that read it already.
 * Before it is published there are none, so the fetch fails. */
static int
leave_storage(struct fetch *f)
{
    CHECK(!f->left);
    if (!f->published)
        return fetch_failed(f, ERR_NOMEM, "Body of unknown length exceeds growing_max");
    log_text(&f->log, TAG_NOTICE,
             SPAN_LIT("vsl: Not stored: of unknown length, and longer than growing_max"));
    fetch_refuse(f, REASON_GREW_TOO_LONG);
    store_withdraw(f->server->env->store, f->busy);
    object_on_reader(f->busy, &f->reader, f->loop, reader_moved);
    object_leave(f->busy);
    f->left = true;
    return wait_for_readers(f);
}

static int
make_room(struct fetch *f)
{
    if (f->left)
        return wait_for_readers(f);
    if (object_growth_ends(f->busy))
        return leave_storage(f);
    if (!fetch_in_transit(f) || !f->published)
        return 0;
    while (transit_limit(f) < SIZE_MAX && object_body_pending(f->busy) > transit_limit(f)) {
        if (object_abandoned(f->busy))
            return fetch_failed(f, ERR_CANCELLED, "Pass delivery abandoned");
        fiber_park();
    }
    return given_up(f) ? fetch_failed(f, ERR_CANCELLED, "Pass delivery abandoned") : 0;
}

static int
space(struct fetch *f, uint64_t hint, char **p, size_t *n)
{
    int err = make_room(f);
    if (err != 0)
        return err;
    size_t most = params.fetch_piece_bytes > 0 ? params.fetch_piece_bytes : SIZE_MAX;
    size_t want = hint < params.fetch_chunksize_bytes ? (size_t)hint : params.fetch_chunksize_bytes;
    err = object_body_space(f->busy, want < most ? want : most, p, n);
    *n = err == 0 && *n > most ? most : *n;
    DEBUG_CHECK(err != 0 || (*n > 0 && *n <= most));
    return err == 0 ? 0 : fetch_failed(f, err, "Could not get storage");
}

/* A failed connection gets a record of its own, before the record with the reason. If the reader has left,
 * the origin did not fail: reader_moved ended the exchange. */
int
fetch_recv_failed(struct fetch *f, ssize_t err)
{
    if (err == ERR_EOF && fetch_in_transit(f) && f->published && given_up(f))
        return fetch_failed(f, ERR_CANCELLED, "Pass delivery abandoned");
    if (err != ERR_EOF && err != ERR_SYNTAX && err != ERR_LIMIT)
        log_text(&f->log, TAG_FETCH_ERROR, span_str(strerror(err == ERR_TIMEOUT ? EAGAIN : ECONNRESET)));
    return fetch_failed(f, (int)err, f->exchange->error.why);
}

nsec
fetch_next_bytes(const struct fetch *f)
{
    return fetch_deadline(f, fetch_between_bytes(f));
}

static int
look(struct fetch *f, struct span piece, bool last)
{
    DEBUG_CHECK(piece.len > 0 || last);
    int err = 0;
    if (f->chain == NULL)
        return 0;
    do {
        size_t n = piece.len < LOOK_BYTES ? piece.len : LOOK_BYTES;
        err = chain_look(f->chain, span_of(piece.ptr, n), last && n == piece.len);
        piece = span_of(piece.ptr + n, piece.len - n);
        fiber_yield_if_due();
    } while (err == 0 && piece.len > 0);
    return err == 0 ? 0 : fetch_filter_failed(f, err);
}

/* Receives one piece into the memory of the object: its bytes, 0 at the end. Takes room only when bytes are
 * ready: content that just fits must not fail for lack of more room. */
static ssize_t
recv_piece(struct fetch *f, uint64_t left)
{
    DEBUG_CHECK(left > 0 && f->exchange != NULL);
    char *p;
    size_t n;
    ssize_t got = exchange_recv_wait(f->exchange, fetch_next_bytes(f));
    if (got <= 0)
        return got == 0 ? look(f, SPAN_LIT(""), true) : fetch_recv_failed(f, got);
    int err = space(f, left, &p, &n);
    if (err != 0)
        return err;
    got = exchange_recv_body(f->exchange, p, n < left ? n : (size_t)left, fetch_next_bytes(f));
    if (got < 0)
        return fetch_recv_failed(f, got);
    DEBUG_CHECK((uint64_t)got <= left && (size_t)got <= n);
    err = look(f, span_of(p, (size_t)got), got == 0 || (uint64_t)got == left);
    if (err != 0)
        return err;
    if (got > 0)
        object_body_commit(f->busy, (size_t)got);
    return got;
}

/* Pushes a piece through the chain, into the memory of the object. */
static int
push_through(struct fetch *f, struct filter_io io)
{
    CHECK(f->chain != NULL && f->piece != NULL);
    int r = FILTER_MORE;
    f->held_back = !io.flush && !io.last;
    do {
        char *p;
        size_t n;
        int err = space(f, params.fetch_chunksize_bytes, &p, &n);
        if (err != 0)
            return err;
        n = n < PUSH_BYTES ? n : PUSH_BYTES;
        io.out = p;
        io.room = n;
        r = chain_push(f->chain, &io);
        if (r < 0)
            return fetch_filter_failed(f, r);
        object_body_commit(f->busy, n - io.room);
        fiber_yield_if_due();
    } while (r == FILTER_BUSY || (r == FILTER_MORE && (io.in.len > 0 || io.room == 0)));
    CHECK(r == FILTER_END || !io.last);
    return 0;
}

/* When the origin pauses, flush the bytes so far to the clients: an origin may wait until its clients have
 * read them. */
static ssize_t
flush_in_pause(struct fetch *f)
{
    CHECK(f->chain != NULL);
    nsec pause = nsec_add(loop_now(f->loop), nsec_of(params.gzip_flush_delay_s)), next = fetch_next_bytes(f);
    if (!f->held_back || !chain_holds_back(f->chain) || pause >= next)
        return 0;
    ssize_t r = exchange_recv_poll(f->exchange, pause);
    if (r != 0)
        return r < 0 ? fetch_recv_failed(f, r) : 0;
    return push_through(f, (struct filter_io){ .in = SPAN_LIT(""), .flush = true });
}

/* The origin breaks off: flush the bytes so far to the clients that read along. */
static ssize_t
recv_broke_off(struct fetch *f, ssize_t got)
{
    DEBUG_CHECK(got < 0 && f->exchange != NULL);
    bool follow = f->published && !object_abandoned(f->busy);
    int err = fetch_recv_failed(f, got);
    if (follow && f->held_back && chain_holds_back(f->chain))
        (void)push_through(f, (struct filter_io){ .in = SPAN_LIT(""), .flush = true });
    return err;
}

/* Receives one piece through a chain that changes it. */
static ssize_t
recv_through(struct fetch *f, uint64_t left)
{
    ssize_t flushed = flush_in_pause(f);
    if (flushed < 0)
        return flushed;
    ssize_t got = exchange_recv_wait(f->exchange, fetch_next_bytes(f));
    size_t n = f->piece_bytes < left ? f->piece_bytes : (size_t)left;
    if (got > 0)
        got = exchange_recv_body(f->exchange, f->piece, n, fetch_next_bytes(f));
    if (got < 0)
        return recv_broke_off(f, got);
    DEBUG_CHECK((uint64_t)got <= left && (size_t)got <= f->piece_bytes);
    int err = push_through(f, (struct filter_io){ .in = span_of(f->piece, (size_t)got),
                                                  .last = got == 0 || (uint64_t)got == left });
    return err != 0 ? err : got;
}

static int
recv_content(struct fetch *f)
{
    uint64_t left = f->content.kind == CONTENT_KNOWN ? f->content.bytes
                  : f->content.kind == CONTENT_NONE  ? 0
                                                     : UINT64_MAX;
    bool through = f->chain != NULL && chain_changes(f->chain);
    while (left > 0) {
        ssize_t got = through ? recv_through(f, left) : recv_piece(f, left);
        if (got <= 0)
            return (int)got;
        left -= (uint64_t)got;
        fiber_yield_if_due();
    }
    return 0;
}

int
fetch_body(struct fetch *f)
{
    CHECK(f->fiber == fiber_current());
    DEBUG_CHECK(f->reader.object == NULL);
    if (fetch_in_transit(f))
        object_on_reader(f->busy, &f->reader, f->loop, reader_moved);
    int err = recv_content(f);
    if (f->reader.object != NULL)
        object_unwatch(&f->reader);
    if (err == 0)
        err = fetch_note_page(f);
    if (err == 0)
        fetch_note_gzip(f);
    if (err == 0)
        fetch_keep_trailers(f);
    fetch_close_filters(f);
    if (err == 0)
        fetch_end_exchange(f);
    else if (f->exchange != NULL)
        f->exchange->close_why = CLOSE_RX_BODY;
    fetch_cancel_exchange(f);
    return err;
}
