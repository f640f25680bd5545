/* Writers of bodies: see writer.h. A storage is charged for content, and the allocator's extra bytes are held
 * as rounding. To keep these few, the end of a long body of known length has its own extent. */
#include "body/writer.h"

#include <stdlib.h>

#include "base/params.h"
#include "body/body_internal.h"
#include "loop/fiber.h"
#include "storage/memfd.h"

#if PLACE_BYTES_MAX > MEMFD_PLACE_MAX
#error "the space holds no places of this size"
#endif

/* Blocks are powers of two, which allocators do not round up. */
#define BLOCK_BYTES (256u * 1024)
/* For a stored body with at least as many bytes to come. A read from the origin fills at most one extent and
 * wakes all readers, so large ones save wake-ups. */
#define LARGE_BLOCK_BYTES (1024u * 1024)
#define FLOW_BLOCK_BYTES (32u * 1024)
/* For a long body that flows: fewer and larger reads and writes. Not for one of unknown length, which may be
 * a slow stream of events. */
#define LONG_FLOW_BYTES (1024 * 1024)
#define LONG_FLOW_BLOCK_BYTES (128u * 1024)
/* For a body that flows when its storage is tight. The allocator adds a page to longer blocks. */
#define TIGHT_BLOCK_BYTES (14u * 1024)
#define PIECE_BYTES (64u * 1024) /* a body up to this length is one piece: see storage_reserve_piece */
#define SCRATCH_BYTES_MIN 4096u
#define SCRATCH_BYTES_MAX (128u * 1024)
#define SCRATCH_PART 8u /* a scratch buffer grows up to this part of the body so far */
/* Shorter bodies are one extent: a second one costs a hit more than it saves. */
#define SPLIT_BYTES_MIN (16u * 1024)
/* Step of reservations: a long body reserves in steps, so that other fibers run in between. */
#define RESERVE_BYTES (512u * 1024)
#define SPLIT_WASTE 16u      /* longer bodies may waste 1/16 of their allocation */
#define LATER_BYTES_MIN 512u /* of an extent behind the first: it costs an entry in the table */
#define TABLE_EXTENTS 4u
#define FLOW_RUN_EXTENTS 16u /* of a body that flows; runs are freed as a whole */
#define RUN_EXTENTS_MAX 256u

/* ---- charges ---- */

/* Capacity of the next extent of a body with `left` bytes to come, in a block of at most `most` bytes that
 * begins with `head` other ones. */
static size_t
capacity_for(uint64_t left, size_t most, size_t head)
{
    if (left >= most - head)
        return most - head;
    size_t all = head + (size_t)left;
    bool split = left > SPLIT_BYTES_MIN && mem_class(all) - all > all / SPLIT_WASTE;
    return split ? mem_class_below(all) - head : (size_t)left;
}

static size_t
stored_capacity_for(uint64_t left, size_t head)
{
    return left >= LARGE_BLOCK_BYTES - head ? LARGE_BLOCK_BYTES - head
                                            : capacity_for(left, BLOCK_BYTES, head);
}

bool
body_fits(const struct storage *st, uint64_t bytes)
{
    uint64_t cost = bytes + bytes / LARGE_BLOCK_BYTES * (mem_cost(LARGE_BLOCK_BYTES) - LARGE_BLOCK_BYTES);
    size_t head = sizeof(struct content);
    for (uint64_t left = bytes % LARGE_BLOCK_BYTES; left > 0; head = 0) {
        size_t capacity = stored_capacity_for(left, head);
        cost += mem_cost(head + capacity) - capacity;
        left -= capacity;
    }
    return storage_could_hold(st, bytes, cost);
}

/* A published body that flows holds little, so each extent is a piece. */
static int
reserve(struct body_writer *w, uint64_t bytes)
{
    bool is_small = body_bytes(w->body) + w->reserved_bytes + bytes <= PIECE_BYTES;
    return (w->flows && w->is_published) || is_small ? storage_reserve_piece(w->storage, USE_BODIES, bytes)
                                                     : storage_reserve(w->storage, USE_BODIES, bytes);
}

/* Reserves the whole body before the first byte is read: otherwise two long bodies that grow together could
 * both fail half-way. The unused part is given back at the end. */
static int
reserve_all(struct body_writer *w, uint64_t bytes)
{
    const struct storage *st = w->storage;
    /* Refuse before evicting: a body over the limit can never fit. */
    int err = st->limit_bytes > 0 && bytes > st->limit_bytes ? ERR_NOMEM : 0;
    while (err == 0 && bytes > 0) {
        uint64_t step = bytes < RESERVE_BYTES ? bytes : RESERVE_BYTES;
        err = reserve(w, step);
        w->reserved_bytes += err == 0 ? step : 0;
        bytes -= step;
        fiber_yield_if_due();
    }
    return err;
}

/* Charges memory of the body, first from the reservation. */
static int
charge(struct body_writer *w, size_t bytes)
{
    int err = bytes > w->reserved_bytes ? reserve_all(w, bytes - w->reserved_bytes) : 0;
    if (err != 0)
        return err;
    w->reserved_bytes -= bytes;
    storage_allocated(w->storage, bytes);
    return 0;
}

int
body_expect(struct body_writer *w, uint64_t length)
{
    w->length = (int64_t)length;
    return w->flows ? 0 : reserve_all(w, length);
}

/* ---- extents ---- */

static uint32_t
run_cap(const struct body_writer *w)
{
    const struct run *last = w->body->content->extents->last;
    return w->flows ? FLOW_RUN_EXTENTS : (uint32_t)min_size(2 * (size_t)last->cap, RUN_EXTENTS_MAX);
}

/* Makes the first extent in one block with the content. */
static int
begin_inline(struct body_writer *w, uint32_t bytes)
{
    w->body->content = content_new(w->storage, bytes);
    if (w->body->content == NULL)
        return ERR_NOMEM;
    w->last = NULL;
    return 0;
}

static int
append(struct body_writer *w, uint64_t at, uint32_t bytes, bool in_space)
{
    struct body *b = w->body;
    if (b->content == NULL && (b->content = content_new(w->storage, 0)) == NULL)
        return ERR_NOMEM;
    struct content *c = b->content;
    int err = c->extents == NULL ? content_extend(c, TABLE_EXTENTS) : 0;
    struct extent *e = err == 0 ? extents_add(c, at, run_cap(w)) : NULL;
    if (e == NULL)
        return ERR_NOMEM;
    w->last = e; /* without memory, if that fails: the body fails, too */
    return extent_fill(c, e, bytes, in_space);
}

/* Makes the extent that begins with byte `at`, for bytes that are charged already. */
static int
extent_make(struct body_writer *w, uint64_t at, size_t bytes, bool is_inline, bool in_space)
{
    int err = is_inline ? begin_inline(w, (uint32_t)bytes) : append(w, at, (uint32_t)bytes, in_space);
    w->room_bytes = err == 0 ? bytes : 0;
    w->filled_bytes = 0;
    return err;
}

static char *
room_at(const struct body_writer *w)
{
    const struct content *c = w->body->content;
    char *at = w->last == NULL ? (char *)(uintptr_t)c->data : extent_buffer(c, w->last);
    return at + w->filled_bytes;
}

static size_t
room_left(const struct body_writer *w)
{
    return w->room_bytes - w->filled_bytes;
}

/* Counts n bytes that were written to the room. */
static void
fill(struct body_writer *w, size_t n)
{
    CHECK(n <= room_left(w));
    w->filled_bytes += n;
    if (n > 0 && room_left(w) == 0 && w->last != NULL)
        extent_end(w->body->content, w->last, (uint32_t)w->filled_bytes, false);
}

/* ---- the size of the next extent ---- */

static size_t
flow_block(const struct body_writer *w)
{
    if (storage_is_tight(w->storage))
        return TIGHT_BLOCK_BYTES;
    return w->length >= LONG_FLOW_BYTES ? LONG_FLOW_BLOCK_BYTES : FLOW_BLOCK_BYTES;
}

/* The kernel may send long bodies by itself, from places of the space. */
static bool
goes_to_space(const struct body_writer *w)
{
    uint64_t known = w->length >= 0 ? (uint64_t)w->length : body_bytes(w->body);
    return params.sendfile_min_bytes > 0 && known >= params.sendfile_min_bytes && !w->flows;
}

/* At least 1: the framing of the origin, not its memory, ends a body. */
static uint64_t
bytes_left(const struct body_writer *w)
{
    int64_t left = w->length - (int64_t)body_bytes(w->body);
    return left > 0 ? (uint64_t)left : 1;
}

static size_t
next_place_bytes(const struct body_writer *w)
{
    uint64_t so_far = body_bytes(w->body);
    return w->length >= 0 ? min_size(bytes_left(w), PLACE_BYTES_MAX)
                          : mem_class(min_size(so_far, PLACE_BYTES_MAX));
}

static size_t
next_block_bytes(const struct body_writer *w, size_t hint, size_t head)
{
    size_t most = flow_block(w);
    if (w->length < 0)
        return hint < params.fetch_chunksize_bytes ? hint : most - head;
    return w->flows ? capacity_for(bytes_left(w), most, head) : stored_capacity_for(bytes_left(w), head);
}

static int
next_extent(struct body_writer *w, size_t hint)
{
    bool in_space = goes_to_space(w), is_first = w->body->content == NULL;
    /* Extents that flow are freed behind their reader, but the first one only with the content */
    bool is_inline = is_first && !in_space && (!w->flows || (w->length >= 0 && w->length < FLOW_BLOCK_BYTES));
    size_t head = is_inline ? sizeof(struct content) : 0;
    size_t bytes = in_space ? next_place_bytes(w) : next_block_bytes(w, hint, head);
    int err = charge(w, bytes);
    if (err != 0)
        return err;
    err = extent_make(w, body_bytes(w->body), bytes, is_inline, in_space);
    if (err != 0) {
        storage_refund(w->storage, USE_BODIES, bytes);
        return ERR_NOMEM;
    }
    if (w->length < 0 && !w->flows) {
        w->growing_bytes += bytes;
        storage_grow(w->storage, (int64_t)bytes);
    }
    return 0;
}

/* ---- unknown length ---- */

/* A scratch buffer fills one extent, so the size of both is the allocator's. It grows with the body, because
 * short blocks are rounded up by much: 16 KB to 20 KB and a page. */
static size_t
scratch_size(const struct body_writer *w)
{
    size_t bytes = max_size(params.fetch_chunksize_bytes, SCRATCH_BYTES_MIN);
    while (bytes < SCRATCH_BYTES_MAX && bytes < body_bytes(w->body) / SCRATCH_PART)
        bytes *= 2;
    return min_size(bytes, SCRATCH_BYTES_MAX) - sizeof(struct content);
}

static int
reserve_up_to(struct body_writer *w, size_t bytes)
{
    int err = bytes > w->reserved_bytes ? reserve(w, bytes - w->reserved_bytes) : 0;
    if (err == 0)
        w->reserved_bytes = max_size(bytes, w->reserved_bytes);
    return err;
}

static int
scratch_prepare(struct body_writer *w)
{
    size_t bytes = scratch_size(w);
    /* Without room for a larger buffer the old one does */
    if (w->scratch_bytes < bytes && (w->scratch == NULL || reserve_up_to(w, bytes) == 0)) {
        free(w->scratch);
        w->scratch = malloc(bytes);
        w->scratch_bytes = w->scratch == NULL ? 0 : bytes;
    }
    return w->scratch == NULL ? ERR_NOMEM : reserve_up_to(w, w->scratch_bytes);
}

/* Copies the first n scratch bytes to the free end of the last extent, and the rest into a new one. The first
 * extent fits exactly; later ones grow with the body, so that a body in many small pieces has few extents and
 * at most half of it unused. */
static void
commit_scratch(struct body_writer *w, size_t n)
{
    size_t head = min_size(n, room_left(w));
    if (head > 0) {
        memcpy(room_at(w), w->scratch, head);
        fill(w, head);
    }
    size_t rest = n - head;
    if (rest == 0)
        return;
    size_t later = min_size(max_size(body_bytes(w->body) / 2, LATER_BYTES_MIN), w->scratch_bytes);
    size_t capacity = w->body->content == NULL ? rest : max_size(rest, later);
    CHECK(capacity <= w->reserved_bytes);
    w->reserved_bytes -= capacity;
    storage_allocated(w->storage, capacity);
    uint64_t at = body_bytes(w->body) + head;
    /* The memory is charged, so only an exhausted address space can fail here */
    CHECK(extent_make(w, at, capacity, w->body->content == NULL, false) == 0);
    memcpy(room_at(w), w->scratch + head, rest);
    fill(w, rest);
    w->growing_bytes += capacity;
    storage_grow(w->storage, (int64_t)capacity);
}

static void
scratch_end(struct body_writer *w)
{
    if (w->reserved_bytes > 0)
        storage_unreserve(w->storage, USE_BODIES, w->reserved_bytes);
    free(w->scratch);
    w->scratch = NULL;
    w->scratch_bytes = w->reserved_bytes = 0;
}

static void
growth_end(struct body_writer *w)
{
    if (w->growing_bytes > 0)
        storage_grow(w->storage, -(int64_t)w->growing_bytes);
    w->growing_bytes = 0;
}

/* ---- writing ---- */

/* Checked first, because a body that does not fit an empty storage must not evict everything. */
static bool
can_never_fit(const struct body_writer *w)
{
    return w->length >= 0 && !w->flows && !body_fits(w->storage, (uint64_t)w->length);
}

static int
direct_space(struct body_writer *w, size_t hint, char **p, size_t *n)
{
    if (w->scratch != NULL) /* the length became known, the object private, or the body long */
        scratch_end(w);
    if (w->flows || w->length >= 0)
        growth_end(w);
    int err = room_left(w) == 0 ? next_extent(w, hint) : 0;
    if (err != 0)
        return err;
    *p = room_at(w);
    *n = room_left(w);
    return 0;
}

int
body_space(struct body_writer *w, size_t hint, char **p, size_t *n)
{
    if (can_never_fit(w))
        return ERR_NOMEM;
    if (w->flows || w->length >= 0 || goes_to_space(w))
        return direct_space(w, hint, p, n);
    int err = scratch_prepare(w);
    *p = w->scratch;
    *n = w->scratch_bytes;
    return err;
}

void
body_commit(struct body_writer *w, size_t n)
{
    CHECK(w->scratch == NULL || n <= w->scratch_bytes);
    if (n == 0)
        return;
    if (w->scratch != NULL)
        commit_scratch(w, n);
    else
        fill(w, n);
    atomic_fetch_add_explicit(&w->body->bytes, n, memory_order_release);
}

void
body_end(struct body_writer *w, bool is_alone)
{
    scratch_end(w);
    growth_end(w);
    if (room_left(w) == 0)
        return;
    if (w->last != NULL && w->filled_bytes == 0)
        extent_free(w->body->content, w->last); /* nobody looks for bytes there */
    else if (w->last != NULL)
        extent_end(w->body->content, w->last, (uint32_t)w->filled_bytes, is_alone);
    else if (is_alone)
        content_trim(&w->body->content, (uint32_t)w->filled_bytes);
    w->room_bytes = w->filled_bytes;
}

void
body_leave_behind(struct body_writer *w, uint64_t at)
{
    uint64_t freed = body_free_before(w->body, at), growing = min_size(freed, w->growing_bytes);
    w->growing_bytes -= growing;
    storage_grow(w->storage, -(int64_t)growing);
}

int
body_write(struct body *b, struct storage *st, struct span bytes)
{
    struct body made = { 0 };
    struct body_writer w = { .body = &made, .storage = st };
    int err = body_expect(&w, bytes.len);
    for (size_t at = 0; err == 0 && at < bytes.len;) {
        char *room;
        size_t n;
        err = body_space(&w, bytes.len - at, &room, &n);
        if (err != 0)
            break;
        n = min_size(n, bytes.len - at);
        memcpy(room, bytes.ptr + at, n);
        body_commit(&w, n);
        at += n;
    }
    body_end(&w, true);
    if (err != 0) {
        body_release(&made);
        return err;
    }
    b->content = made.content;
    atomic_store_explicit(&b->bytes, bytes.len, memory_order_release);
    return 0;
}
