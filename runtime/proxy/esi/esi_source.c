/* Assembles a page: see esi_source.h. A ring of slots holds the pieces under way, each until the stream of
 * the client has released all of it. Behind the last slot come the rest of the recipe and, for a body in gzip
 * coding, its tail. */
#include "proxy/esi/esi_source.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "filter/esi_recipe.h"
#include "proxy/esi/include.h"
#include "proxy/request_state.h"

#define STARTS_AT_ONCE 8 /* includes to start; then other work of this loop has its turn */
#define PIECES_AT_ONCE \
    1000u /* of the recipe to read, likewise: a page may have millions that give no bytes */

struct esi_source;

struct slot {
    struct esi_source *source;
    struct include *include; /* owned; NULL: the slot is a run of the page, or a text */
    const char *text;        /* next byte of a text (gzip head or tail); NULL: not a text */
    struct body_reader run;  /* run: its bytes of the page */
    uint64_t left;           /* run, text: bytes not yet advanced over */
    uint64_t held;           /* advanced over, but not released */
    struct gzip_sum sum;     /* run of a packed page: sum of its plain bytes */
    bool summed;
};

struct esi_source {
    struct body_source source;
    struct request *request;
    struct object *page; /* lent, held by the request */
    struct span recipe;  /* the unread rest of it */
    unsigned flags;
    uint64_t at; /* position in the page where the rest of the recipe begins */
    struct slot slots[ESI_SLOTS_MAX];
    unsigned first, n;
    unsigned pieces;   /* to read in this turn */
    uint64_t left_out; /* includes beyond a limit */
    uint64_t held;     /* bytes held in all slots */
    struct timer wake; /* set when an include has news */
    bool watching;
    bool failed;          /* the page cannot be completed */
    struct gzip_sum *sum; /* packed page: sum of all slots gathered to their end. Lent, or `own` */
    struct gzip_sum own;
    bool tail_due;
    char tail[STITCH_TAIL_BYTES];
};

static struct esi_source *
esi_of(struct body_source *b)
{
    return container_of(b, struct esi_source, source);
}

static struct slot *
slot_at(struct esi_source *s, unsigned i)
{
    DEBUG_CHECK(i < ESI_SLOTS_MAX && s->n <= ESI_SLOTS_MAX);
    return &s->slots[(s->first + i) % ESI_SLOTS_MAX];
}

/* A place of the page was read. */
static void
on_pin(struct body_reader *r)
{
    const struct slot *slot = container_of(r, struct slot, run);
    if (slot->source->watching)
        slot->source->source.moved(&slot->source->source);
}

/* ---- pieces ---- */

static bool
is_too_deep(const struct request *r)
{
    return r->vars.esi_level >= params.max_esi_depth;
}

/* Limits pages that include each other: with depth alone, one request could become very many. */
static bool
are_too_many(struct request *r)
{
    struct request *top = request_top(r);
    if (top->includes >= params.max_esi_includes)
        return true;
    top->includes++;
    return false;
}

/* One record for a page: its includes are as many as its author wants. */
static void
log_left_out(const struct esi_source *s)
{
    struct request *r = s->request;
    unsigned long long n = s->left_out;
    if (n == 0)
        return;
    if (is_too_deep(r))
        log_printf(&r->log, TAG_VCL_ERROR,
                   "ESI depth limit reach (param max_esi_depth = %u): includes left out: %llu",
                   params.max_esi_depth, n);
    else
        log_printf(&r->log, TAG_VCL_ERROR,
                   "ESI include limit reached (param max_esi_includes = %u): includes left out: %llu",
                   params.max_esi_includes, n);
}

static bool
is_packed(const struct esi_source *s)
{
    return (s->flags & ESI_GZIP) != 0;
}

static void
add_run(struct esi_source *s, const struct esi_piece *piece)
{
    DEBUG_CHECK(s->n < ESI_SLOTS_MAX);
    struct gzip_sum sum = { .bytes = piece->plain_bytes, .crc = piece->crc };
    struct slot *slot = slot_at(s, s->n++);
    *slot = (struct slot){ .left = piece->bytes, .sum = sum, .run.moved = on_pin, .source = s };
    body_open(&slot->run, &s->page->body);
    body_seek(&slot->run, s->at, s->at + piece->bytes);
    s->at += piece->bytes;
}

static void
add_text(struct esi_source *s, struct span text)
{
    DEBUG_CHECK(s->n < ESI_SLOTS_MAX);
    *slot_at(s, s->n++) = (struct slot){ .text = text.ptr, .left = text.len };
}

/* Adds the tail after all slots were gathered to their end: their sum is now that of the body. */
static void
add_tail(struct esi_source *s)
{
    DEBUG_CHECK(s->tail_due && s->recipe.len == 0);
    stitch_tail(s->sum, s->tail);
    s->tail_due = false;
    add_text(s, span_of(s->tail, sizeof s->tail));
}

static void
add_include(struct esi_source *s, const struct esi_include *what)
{
    if (is_too_deep(s->request) || are_too_many(s->request)) {
        s->left_out++;
        s->failed |= include_must(what);
        return;
    }
    struct include *i = include_start(s->request, what, is_packed(s), &s->wake);
    if (i == NULL) {
        s->failed = true;
        return;
    }
    *slot_at(s, s->n++) = (struct slot){ .include = i };
}

/* A recipe that does not fit its page is our own mistake: we made it from this page. */
static void
add_piece(struct esi_source *s, const struct esi_piece *piece)
{
    uint64_t there = body_bytes(&s->page->body) - s->at;
    CHECK(piece->kind == ESI_INCLUDE || piece->bytes <= there);
    switch (piece->kind) {
    case ESI_KEEP: add_run(s, piece); return;
    case ESI_SKIP: s->at += piece->bytes; return;
    case ESI_INCLUDE: add_include(s, &piece->include); return;
    }
    WRONG("kind of piece");
}

/* Reads the recipe until there is one more slot. False: the recipe has ended, all slots are in use, the page
 * has failed, or the pieces of this turn are read. */
static bool
next_of_recipe(struct esi_source *s)
{
    struct esi_piece piece;
    unsigned n = s->n;
    for (; s->n == n && n < ESI_SLOTS_MAX && !s->failed && s->pieces > 0; s->pieces--) {
        int r = esi_recipe_next(&s->recipe, s->flags, &piece);
        CHECK(r >= 0);
        if (r == 0)
            return false;
        add_piece(s, &piece);
    }
    return s->n > n;
}

static bool
has_rest(const struct esi_source *s)
{
    return s->recipe.len > 0 || s->tail_due;
}

/* Call after all slots were gathered to their end: as next_of_recipe, and adds the tail behind the recipe. */
static bool
next_slot(struct esi_source *s)
{
    if (next_of_recipe(s))
        return true;
    if (s->failed || s->recipe.len > 0 || !s->tail_due || s->n == ESI_SLOTS_MAX)
        return false;
    add_tail(s);
    return true;
}

/* ---- gathering ---- */

static bool
breaks_page(const struct slot *slot)
{
    return slot->include != NULL && slot->include->failed && slot->include->must;
}

static int
gather_run(struct esi_source *s, struct slot *slot, struct iovec *iov, int max, size_t most,
           enum source_state *then)
{
    DEBUG_CHECK(slot->include == NULL && slot->text == NULL);
    enum body_next next;
    int n = body_gather(&slot->run, iov, max, most, &next);
    if (n == 0 && next == BODY_HELD)
        *then = SOURCE_HELD;
    if (n == 0 && next == BODY_LOST) {
        store_lost(s->page);
        s->failed = true;
        *then = SOURCE_FAILED;
    }
    return n;
}

/* Gathers the bytes that a slot has now. Returns the number of iovecs; 0: `then` may say why. */
static int
gather_slot(struct esi_source *s, struct slot *slot, struct iovec *iov, int max, size_t most,
            enum source_state *then)
{
    if (slot->include != NULL)
        return include_gather(slot->include, iov, max, most);
    if (slot->text != NULL) {
        iov[0] = (struct iovec){ (void *)(uintptr_t)slot->text,
                                 slot->left < most ? (size_t)slot->left : most };
        return slot->left > 0;
    }
    return slot->left == 0 ? 0 : gather_run(s, slot, iov, max, most, then);
}

/* Will the slot have more than `bytes`? */
static bool
has_more(const struct slot *slot, size_t bytes)
{
    const struct include *i = slot->include;
    if (i == NULL)
        return slot->left > bytes;
    for (unsigned k = i->first; k < i->n; k++) {
        if (i->iov[k].iov_len > bytes)
            return true;
        bytes -= i->iov[k].iov_len;
    }
    return !i->last;
}

/* Call for a slot whose bytes were all gathered. The sum counts each slot once, in the order of the page. */
static void
add_to_sum(struct esi_source *s, struct slot *slot)
{
    if (!slot->summed && is_packed(s))
        gzip_sum_add(s->sum, slot->include != NULL ? &slot->include->part.sum : &slot->sum);
    slot->summed = true;
}

/* The state when no slot follows the last one, after `n` iovecs were given. */
static enum source_state
state_behind_slots(const struct esi_source *s, int n, bool turn_over)
{
    if (s->failed)
        return SOURCE_FAILED;
    if (!has_rest(s))
        return SOURCE_END;
    if (n == 0 && s->n == ESI_SLOTS_MAX)
        return SOURCE_HELD;
    return n == 0 && turn_over ? SOURCE_BUSY : SOURCE_MORE;
}

static int
gather_all(struct esi_source *s, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    int n = 0;
    unsigned started = 0, i = 0;
    *then = SOURCE_MORE;
    for (; n < max && most > 0; i++) {
        if (i == s->n && (started == STARTS_AT_ONCE || !next_slot(s))) {
            *then = state_behind_slots(s, n, started > 0 || s->pieces == 0);
            return n;
        }
        struct slot *slot = slot_at(s, i);
        started += slot->include != NULL;
        if (slot->include != NULL)
            slot->include->has_turn = true;
        enum source_state why = SOURCE_MORE;
        int got = gather_slot(s, slot, iov + n, max - n, most, &why);
        size_t bytes = iov_bytes(iov + n, got);
        n += got;
        most -= bytes;
        if (has_more(slot, bytes)) {
            *then = n == 0 ? why : SOURCE_MORE;
            return n;
        }
        add_to_sum(s, slot);
        if (breaks_page(slot)) {
            *then = SOURCE_FAILED;
            return n;
        }
    }
    if (i == s->n && !next_slot(s) && !s->failed && !has_rest(s))
        *then = SOURCE_END; /* reported with the last bytes: a flow-control window may close behind them */
    return n;
}

/* ---- releasing ---- */

static void
slot_close(struct slot *slot)
{
    if (slot->include != NULL)
        include_release(&slot->include);
    else if (slot->text == NULL)
        body_close(&slot->run);
}

/* Drops the finished slots at the front. */
static void
drop_slots(struct esi_source *s)
{
    while (s->n > 0) {
        struct slot *slot = slot_at(s, 0);
        if (slot->held > 0 || has_more(slot, 0) || (slot->include != NULL && !slot->include->over))
            return;
        add_to_sum(s, slot);
        s->failed |= breaks_page(slot);
        slot_close(slot);
        s->first = (s->first + 1) % ESI_SLOTS_MAX;
        s->n--;
    }
}

/* Starts includes before their turn, while earlier ones are fetched. Each include keeps its bytes until its
 * turn. */
static void
start_ahead(struct esi_source *s)
{
    unsigned running = 0;
    if (params.esi_parallel == 1)
        return;
    for (unsigned i = 0; i < s->n; i++) {
        const struct include *inc = slot_at(s, i)->include;
        running += inc != NULL && !inc->over;
    }
    while (running > 0 && running < params.esi_parallel && next_of_recipe(s)) {
        const struct include *inc = slot_at(s, s->n - 1)->include;
        running += inc != NULL && !inc->over;
    }
}

static int
esi_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    struct esi_source *s = esi_of(b);
    DEBUG_CHECK(max > 0);
    s->pieces = PIECES_AT_ONCE;
    drop_slots(s);
    int n = gather_all(s, iov, max, most, then);
    if (n == 0 && *then == SOURCE_END && s->n > 0)
        drop_slots(s);
    start_ahead(s);
    return n;
}

static size_t
take_from_slot(struct esi_source *s, struct slot *slot, size_t n)
{
    if (slot->include == NULL) {
        n = slot->left < n ? (size_t)slot->left : n;
        if (slot->text != NULL)
            slot->text += n;
        else
            body_advance(&slot->run, n, slot->held + n);
        slot->left -= n;
        return n;
    }
    struct iovec iov[INCLUDE_IOV_MAX];
    n = iov_bytes(iov, include_gather(slot->include, iov, INCLUDE_IOV_MAX, n));
    include_take(slot->include, n);
    return n;
}

static void
take(struct esi_source *s, size_t n)
{
    for (unsigned i = 0; n > 0; i++) {
        struct slot *slot = slot_at(s, i);
        CHECK(i < s->n);
        size_t k = take_from_slot(s, slot, n);
        slot->held += k;
        s->held += k;
        n -= k;
    }
}

static void
release(struct esi_source *s, uint64_t n)
{
    DEBUG_CHECK(n <= s->held);
    s->held -= n;
    for (unsigned i = 0; n > 0; i++) {
        struct slot *slot = slot_at(s, i);
        uint64_t k = slot->held < n ? slot->held : n;
        CHECK(i < s->n);
        slot->held -= k;
        n -= k;
        if (slot->include != NULL && k > 0)
            include_released(slot->include, (size_t)k);
        slot->run.held = slot->held;
    }
}

static void
esi_advance(struct body_source *b, size_t n, uint64_t held)
{
    struct esi_source *s = esi_of(b);
    take(s, n);
    CHECK(held <= s->held);
    release(s, s->held - held);
    drop_slots(s);
}

/* ---- waiting ---- */

static void
on_wake(struct timer *t)
{
    struct esi_source *s = container_of(t, struct esi_source, wake);
    DEBUG_CHECK(loop_may_use(s->request->loop));
    if (s->watching)
        s->source.moved(&s->source);
}

static void
esi_watch(struct body_source *b, struct loop *loop)
{
    DEBUG_CHECK(!esi_of(b)->watching);
    esi_of(b)->watching = true;
}

static void
esi_unwatch(struct body_source *b)
{
    esi_of(b)->watching = false;
}

static bool
esi_cancel(struct body_source *b)
{
    struct esi_source *s = esi_of(b);
    bool running = false;
    for (unsigned i = 0; i < s->n; i++) {
        struct include *inc = slot_at(s, i)->include;
        if (inc != NULL)
            include_cancel(inc);
        running |= inc != NULL && !inc->over;
    }
    return !running;
}

static void
esi_close(struct body_source *b)
{
    struct esi_source *s = esi_of(b);
    DEBUG_CHECK(!s->watching);
    log_left_out(s);
    timer_cancel(s->request->loop, &s->wake);
    for (unsigned i = 0; i < s->n; i++)
        slot_close(slot_at(s, i));
    free(s);
}

int
esi_source_open(struct request *r, struct gzip_sum *sum, struct body_source **out)
{
    /* A page is published whole, so its length says it: its fetch, on another loop, may not have ended yet */
    DEBUG_CHECK(object_state(r->object) == OBJECT_COMPLETE ||
                object_content_length(r->object) == (int64_t)body_bytes(&r->object->body));
    static const struct body_source_ops ops = {
        .gather = esi_gather,
        .advance = esi_advance,
        .watch = esi_watch,
        .unwatch = esi_unwatch,
        .cancel = esi_cancel,
        .close = esi_close,
    };
    struct esi_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return ERR_NOMEM;
    s->source.ops = &ops;
    s->request = r;
    s->page = r->object;
    s->recipe = object_note(r->object);
    s->wake.fn = on_wake;
    CHECK(esi_recipe_open(&s->recipe, &s->flags) == 0);
    s->tail_due = is_packed(s) && sum == NULL;
    s->sum = sum != NULL ? sum : &s->own;
    if (s->tail_due)
        add_text(s, stitch_head());
    *out = &s->source;
    return 0;
}
