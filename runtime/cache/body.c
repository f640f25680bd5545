/* Bodies on the heap: segments that the fetch appends to and any number of readers follow. placed.c has the
 * bodies that the kernel can send by itself.
 *
 * Only the writer links segments, and it links a segment before it publishes a length that reaches into it
 * (release store of body_bytes, acquire load by readers), so readers need no lock. All segments but the last
 * are full. There are three kinds of space. With an announced length, segments are exactly as long as needed.
 * A private body passes through segments of a fixed size. A shared body of unknown length arrives in a
 * scratch buffer and is copied into segments that fit, so that a small chunked response does not keep a whole
 * read buffer in the store.
 *
 * A storage is charged for content, and the allocator's extra bytes are held as rounding. To keep these few,
 * the end of a long body of known length has its own segment. */
#include <stdlib.h>

#include "base/params.h"
#include "base/size.h"
#include "cache/object_internal.h"
#include "loop/fiber.h"

/* A full segment with its header is a power of two, which allocators do not round up. */
#define SEGMENT_BYTES_MAX (256u * 1024 - sizeof(struct segment))
/* For a stored body with at least as many bytes to come. A read from the origin fills at most one segment and
 * wakes all readers, so large segments save wake-ups. */
#define LARGE_SEGMENT_BYTES (1024u * 1024 - sizeof(struct segment))
#define TRANSIT_SEGMENT_BYTES (32u * 1024 - sizeof(struct segment))
/* For a long body in transit: fewer and larger reads and writes. Not for one of unknown length, which may be
 * a slow stream of events. */
#define LONG_TRANSIT_BYTES (1024 * 1024)
#define LONG_TRANSIT_SEGMENT_BYTES (128u * 1024 - sizeof(struct segment))
/* For a body in transit when its storage is tight. The allocator adds a page to longer segments. */
#define TIGHT_SEGMENT_BYTES (14u * 1024 - sizeof(struct segment))
#define PIECE_BYTES (64u * 1024) /* a body up to this length is one piece: see storage_reserve_piece */
#define SCRATCH_BYTES_MIN 4096u
#define SCRATCH_BYTES_MAX (128u * 1024)
#define SCRATCH_PART 8u /* a scratch buffer grows up to this part of the body so far */
/* Shorter bodies are one segment: a second one costs a hit more than it saves. */
#define SPLIT_BYTES_MIN (16u * 1024)
/* Step of reservations: a long body reserves in steps, so that other fibers run in between. */
#define RESERVE_BYTES (512u * 1024)
#define SPLIT_WASTE 16u /* longer bodies may waste 1/16 of their allocation */

/* ---- writer ---- */

/* Capacity of the next segment of a body with `left` bytes to come. */
static size_t
capacity_for(uint64_t left, size_t most)
{
    if (left >= most)
        return most;
    size_t all = sizeof(struct segment) + (size_t)left;
    bool split = left > SPLIT_BYTES_MIN && mem_class(all) - all > all / SPLIT_WASTE;
    return split ? mem_class_below(all) - sizeof(struct segment) : (size_t)left;
}

/* Capacity of the next segment of a stored body with `left` bytes to come. */
static size_t
stored_capacity_for(uint64_t left)
{
    return left >= LARGE_SEGMENT_BYTES ? LARGE_SEGMENT_BYTES : capacity_for(left, SEGMENT_BYTES_MAX);
}

bool
object_body_fits(const struct storage *st, uint64_t bytes)
{
    uint64_t left = bytes % LARGE_SEGMENT_BYTES,
             rounding = bytes / LARGE_SEGMENT_BYTES * segment_rounding(LARGE_SEGMENT_BYTES);
    while (left > 0) {
        size_t capacity = stored_capacity_for(left);
        rounding += segment_rounding(capacity);
        left -= capacity;
    }
    return storage_could_hold(st, bytes, bytes + rounding);
}

static void
segment_refund(struct storage *st, const struct segment *s)
{
    storage_hold(st, USE_ROUNDING, -(int64_t)segment_rounding(s->capacity));
    storage_refund(st, USE_BODIES, s->capacity);
}

/* Makes a segment for content that is charged already. */
static struct segment *
segment_make(struct storage *st, uint32_t capacity)
{
    struct segment *s = malloc(sizeof *s + capacity);
    if (s == NULL)
        return NULL;
    *s = (struct segment){ .capacity = capacity };
    storage_hold(st, USE_ROUNDING, (int64_t)segment_rounding(capacity));
    return s;
}

static void
segment_link(struct object *o, struct segment *s)
{
    if (o->live->last == NULL)
        o->first = s;
    else
        o->live->last->next = s;
    o->live->last = s;
}

static size_t
last_free_bytes(const struct object *o)
{
    const struct segment *s = o->live->last;
    return s == NULL ? 0 : s->capacity - s->bytes;
}

/* A published body in transit holds little (fetch_body.c), so each segment is a piece. */
static int
reserve(struct object *o, uint64_t bytes)
{
    bool flows = object_is_transit(o) && object_state(o) >= OBJECT_STREAMING;
    bool is_small = o->body_bytes + o->live->reserved_bytes + bytes <= PIECE_BYTES;
    return flows || is_small ? storage_reserve_piece(o->storage, USE_BODIES, bytes)
                             : storage_reserve(o->storage, USE_BODIES, bytes);
}

/* Reserves the whole body before the first byte is read: otherwise two long bodies that grow together could
 * both fail half-way. The unused part is given back with the object. */
static int
reserve_all(struct object *o, uint64_t bytes)
{
    const struct storage *st = o->storage;
    /* Refuse before evicting: a body over the limit can never fit. */
    int err = st->limit_bytes > 0 && bytes > st->limit_bytes ? ERR_NOMEM : 0;
    while (err == 0 && bytes > 0) {
        uint64_t step = bytes < RESERVE_BYTES ? bytes : RESERVE_BYTES;
        err = reserve(o, step);
        o->live->reserved_bytes += err == 0 ? step : 0;
        bytes -= step;
        fiber_yield_if_due();
    }
    return err;
}

int
body_charge(struct object *o, size_t bytes)
{
    size_t reserved = o->live->reserved_bytes;
    int err = bytes > reserved ? reserve_all(o, bytes - reserved) : 0;
    if (err != 0)
        return err;
    o->live->reserved_bytes -= bytes;
    storage_allocated(o->storage, bytes);
    return 0;
}

static int
segment_append(struct object *o, size_t capacity)
{
    struct segment *s = NULL;
    int err = body_charge(o, capacity);
    if (err != 0)
        return err;
    s = segment_make(o->storage, (uint32_t)capacity);
    if (s == NULL) {
        storage_refund(o->storage, USE_BODIES, capacity);
        return ERR_NOMEM;
    }
    segment_link(o, s);
    return 0;
}

/* Checked first, because a body that does not fit an empty storage must not evict everything. */
static bool
can_never_fit(const struct object *o)
{
    return (o->flags & OBJECT_HAS_LENGTH) && !object_is_transit(o) &&
           !object_body_fits(o->storage, (uint64_t)o->head->content_length);
}

int
object_expect(struct object *o, uint64_t content_length)
{
    CHECK(object_state(o) < OBJECT_STREAMING && o->head != NULL && o->first == NULL);
    o->head->content_length = (int64_t)content_length;
    o->flags |= OBJECT_HAS_LENGTH;
    if (object_is_transit(o) || content_length == 0)
        return 0;
    int err = reserve_all(o, content_length);
    if (err == 0 && !can_never_fit(o))
        placed_start(o, content_length);
    return err;
}

static size_t
transit_segment(const struct object *o)
{
    bool is_long = (o->flags & OBJECT_HAS_LENGTH) && o->head->content_length >= LONG_TRANSIT_BYTES;
    if (storage_is_tight(o->storage))
        return TIGHT_SEGMENT_BYTES;
    return is_long ? LONG_TRANSIT_SEGMENT_BYTES : TRANSIT_SEGMENT_BYTES;
}

static size_t
wanted_capacity(const struct object *o, size_t hint)
{
    if (o->flags & OBJECT_HAS_LENGTH) {
        int64_t wanted = o->head->content_length - (int64_t)o->body_bytes;
        uint64_t left = wanted > 0 ? (uint64_t)wanted : 1;
        return object_is_transit(o) ? capacity_for(left, transit_segment(o)) : stored_capacity_for(left);
    }
    return hint < params.fetch_chunksize_bytes ? hint : transit_segment(o);
}

/* A scratch buffer fills one segment, so the size of both is the allocator's. It grows with the body, because
 * short segments are rounded up by much: 16 KB to 20 KB and a page. */
static size_t
scratch_size(const struct object *o)
{
    size_t bytes = max_size(params.fetch_chunksize_bytes, SCRATCH_BYTES_MIN);
    while (bytes < SCRATCH_BYTES_MAX && bytes < o->body_bytes / SCRATCH_PART)
        bytes *= 2;
    return min_size(bytes, SCRATCH_BYTES_MAX) - sizeof(struct segment);
}

static int
reserve_up_to(struct object *o, size_t bytes)
{
    struct object_live *live = o->live;
    int err = bytes > live->reserved_bytes ? reserve(o, bytes - live->reserved_bytes) : 0;
    if (err == 0)
        live->reserved_bytes = max_size(bytes, live->reserved_bytes);
    return err;
}

static int
scratch_prepare(struct object *o)
{
    struct object_live *live = o->live;
    size_t bytes = scratch_size(o);
    /* Without room for a larger buffer the old one does */
    if (live->scratch_bytes < bytes && (live->scratch == NULL || reserve_up_to(o, bytes) == 0)) {
        free(live->scratch);
        live->scratch = malloc(bytes);
        live->scratch_bytes = live->scratch == NULL ? 0 : bytes;
    }
    return live->scratch == NULL ? ERR_NOMEM : reserve_up_to(o, live->scratch_bytes);
}

void
object_scratch_release(struct object *o)
{
    struct object_live *live = o->live;
    if (live->reserved_bytes > 0)
        storage_unreserve(o->storage, USE_BODIES, live->reserved_bytes);
    if (live->growing_bytes > 0)
        storage_grow(o->storage, -(int64_t)live->growing_bytes);
    free(live->scratch);
    live->scratch = NULL;
    live->scratch_bytes = live->reserved_bytes = live->growing_bytes = 0;
    placing_release(live);
}

static int
body_space(struct object *o, size_t hint, char **p, size_t *n)
{
    CHECK(o->live != NULL && o->head != NULL && o->storage == o->live->head_storage);
    bool direct = object_is_transit(o) || (o->flags & OBJECT_HAS_LENGTH);
    int err = 0;
    if (object_is_placed(o))
        return placed_space(o, p, n);
    if (can_never_fit(o))
        return ERR_NOMEM;
    if (!direct) {
        err = scratch_prepare(o);
        *p = o->live->scratch;
        *n = o->live->scratch_bytes;
        return err;
    }
    if (o->live->scratch != NULL)
        /* The length became known, or the object private, after a first scratch buffer. */
        object_scratch_release(o);
    if (last_free_bytes(o) == 0)
        err = segment_append(o, wanted_capacity(o, hint));
    if (err == 0) {
        struct segment *s = o->live->last;
        *p = s->data + s->bytes;
        *n = s->capacity - s->bytes;
    }
    return err;
}

int
object_body_space(struct object *o, size_t hint, char **p, size_t *n)
{
    int err = body_space(o, hint, p, n);
    if (err == 0 && o->storage->less_space && *n > 1)
        --*n;
    return err;
}

static void
segment_fill(struct segment *s, const char *from, size_t n)
{
    memcpy(s->data + s->bytes, from, n);
    s->bytes += (uint32_t)n;
}

/* Copies the first n scratch bytes to the free end of the last segment, and the rest into a new segment. The
 * first segment fits exactly; later ones grow with the body, so that a body in many small pieces has few
 * segments and at most half of it unused. */
static void
commit_scratch(struct object *o, size_t n)
{
    struct object_live *live = o->live;
    size_t head = min_size(n, last_free_bytes(o));
    if (head > 0)
        segment_fill(live->last, live->scratch, head);
    size_t rest = n - head;
    if (rest == 0)
        return;
    size_t capacity = max_size(rest, min_size(o->body_bytes / 2, live->scratch_bytes));
    CHECK(capacity <= live->reserved_bytes);
    struct segment *s = segment_make(o->storage, (uint32_t)capacity);
    CHECK(s != NULL); /* the memory is charged, so only an exhausted address space can fail here */
    live->reserved_bytes -= capacity;
    storage_allocated(o->storage, capacity);
    segment_fill(s, live->scratch + head, rest);
    segment_link(o, s);
    live->growing_bytes += capacity;
    storage_grow(o->storage, (int64_t)capacity);
}

void
object_body_commit(struct object *o, size_t n)
{
    CHECK(o->live != NULL);
    if (n == 0)
        return;
    if (object_is_placed(o)) {
        placed_commit(o, n);
    } else if (o->live->scratch != NULL) {
        CHECK(n <= o->live->scratch_bytes);
        commit_scratch(o, n);
    } else {
        CHECK(n <= last_free_bytes(o));
        o->live->last->bytes += (uint32_t)n;
    }
    atomic_fetch_add_explicit(&o->body_bytes, n, memory_order_release);
    object_wake(o);
}

static int
copy_piece(struct object *o, struct object *from, struct body_reader *r, size_t left)
{
    struct iovec iov;
    char *p;
    size_t room;
    int err = object_body_space(o, left, &p, &room);
    if (err != 0)
        return err;
    int n = object_read(from, r, &iov, room);
    if (n < 0)
        return n;
    CHECK(n == 1);
    memcpy(p, iov.iov_base, iov.iov_len);
    object_body_commit(o, iov.iov_len);
    object_read_on(from, r, iov.iov_len);
    return 0;
}

int
object_body_copy(struct object *o, struct object *from)
{
    CHECK(object_state(from) == OBJECT_COMPLETE);
    struct body_reader r = { 0 };
    size_t total = atomic_load_explicit(&from->body_bytes, memory_order_acquire);
    int err = 0;
    while (err == 0 && r.cursor.at < total)
        err = copy_piece(o, from, &r, total - r.cursor.at);
    object_read_end(&r);
    return err;
}

/* ---- end of writing ---- */

/* Returns the link to the last segment. */
static struct segment **
last_link(struct object *o)
{
    struct segment **link = &o->first;
    while (*link != NULL && *link != o->live->last)
        link = &(*link)->next;
    return link;
}

void
object_body_end(struct object *o)
{
    object_scratch_release(o);
    size_t unused = last_free_bytes(o);
    if (unused == 0)
        return;
    struct segment **link = last_link(o);
    struct segment *s = *link;
    CHECK(s != NULL);
    struct segment *exact = realloc(s, sizeof *s + s->bytes);
    if (exact == NULL)
        return; /* the segment stays longer than needed, which is harmless */
    storage_hold(o->storage, USE_ROUNDING,
                 (int64_t)segment_rounding(exact->bytes) - (int64_t)segment_rounding(exact->capacity));
    exact->capacity = exact->bytes;
    *link = o->live->last = exact;
    storage_trimmed(o->storage, USE_BODIES, unused);
}

void
object_body_free(struct object *o)
{
    if (object_is_placed(o)) {
        placed_free(o);
        return;
    }
    struct segment *s = o->first;
    o->first = NULL;
    while (s != NULL) {
        struct segment *next = s->next;
        segment_refund(o->storage, s);
        free(s);
        s = next;
    }
}

void
object_body_drop(struct object *o)
{
    CHECK(object_state(o) < OBJECT_STREAMING && !(o->flags & OBJECT_FINDABLE));
    if (o->head == NULL)
        return; /* without a head there is no body */
    CHECK(o->storage == o->live->head_storage);
    object_scratch_release(o);
    object_body_free(o);
    o->live->last = NULL;
    atomic_store_explicit(&o->body_bytes, 0, memory_order_relaxed);
    o->flags &= (unsigned char)~OBJECT_HAS_LENGTH;
    object_head_drop(o);
}

/* ---- readers ---- */

int
object_body(struct object *o, const struct body_cursor *c, struct iovec *iov, int max, size_t max_bytes)
{
    size_t total = atomic_load_explicit(&o->body_bytes, memory_order_acquire);
    CHECK(c->at <= total && !object_is_placed(o));
    size_t left = min_size(total - c->at, max_bytes);
    if (left == 0)
        return 0;
    struct segment *s = c->segment != NULL ? c->segment : o->first;
    size_t in = c->in_segment;
    int n = 0;
    while (n < max && left > 0) {
        if (in == s->capacity) {
            s = s->next;
            in = 0;
        }
        size_t take = min_size(s->capacity - in, left);
        iov[n++] = (struct iovec){ s->data + in, take };
        in += take;
        left -= take;
    }
    return n;
}

static void
segment_read(struct object *o, struct segment *s)
{
    o->first = s->next;
    segment_refund(o->storage, s);
    free(s);
}

/* A reader leaves a full segment only when more bytes are published: until then the writer may still link the
 * next segment. */
static void
cursor_next(struct object *o, struct body_cursor *c, bool transit)
{
    struct segment *s = c->segment;
    c->segment = s->next;
    c->in_segment = 0;
    if (transit && o->first == s)
        segment_read(o, s);
}

/* The last of reader and writer frees the last segment: the reader at the end of a finished body, or else the
 * writer (object_finish). Otherwise a marker would keep it for as long as it is stored. */
void
body_note_read(struct object *o, size_t at)
{
    struct notice_batch b = { 0 };
    pthread_mutex_lock(object_lock(o));
    bool finished = o->live == NULL;
    if (o->live != NULL) {
        o->live->read_bytes = max_size(o->live->read_bytes, at);
        if (o->live->on_reader != NULL)
            notice_collect(&b, o->live->on_reader);
    }
    pthread_mutex_unlock(object_lock(o));
    notice_send(&b);
    if (finished && at == o->body_bytes)
        object_body_free(o);
}

static inline void
cursor_move(struct object *o, struct body_cursor *c, size_t n, bool transit)
{
    if (c->segment == NULL)
        c->segment = o->first;
    while (n > 0) {
        if (c->in_segment == c->segment->capacity)
            cursor_next(o, c, transit);
        size_t take = min_size(c->segment->capacity - c->in_segment, n);
        c->in_segment += take;
        c->at += take;
        n -= take;
    }
}

void
object_body_pass(struct object *o, struct body_cursor *c, size_t n)
{
    CHECK(n <= atomic_load_explicit(&o->body_bytes, memory_order_acquire) - c->at);
    if (n > 0)
        cursor_move(o, c, n, false);
}

void
object_body_advance(struct object *o, struct body_cursor *c, size_t n)
{
    size_t total = atomic_load_explicit(&o->body_bytes, memory_order_acquire);
    CHECK(n <= total - c->at);
    if (n == 0)
        return;
    bool transit = object_is_transit(o);
    cursor_move(o, c, n, transit);
    if (c->in_segment == c->segment->capacity && c->at < total)
        cursor_next(o, c, transit);
    if (transit)
        body_note_read(o, c->at);
}

bool
object_growth_ends(const struct object *o)
{
    const struct object_live *live = o->live;
    return live->growing_bytes > 0 && !live->left && !object_is_transit(o) &&
           storage_growth_ends(o->storage, live->growing_bytes);
}

/* A reader that has read a whole segment may still point to it. So free only segments that end before `at`.
 */
static void
free_before(struct object *o, size_t at)
{
    struct object_live *live = o->live;
    while (o->first != live->last && live->freed_bytes + o->first->capacity < at) {
        size_t capacity = o->first->capacity;
        segment_read(o, o->first);
        live->freed_bytes += capacity;
        live->growing_bytes -= capacity;
        storage_grow(o->storage, -(int64_t)capacity);
    }
}

size_t
object_left_pending(struct object *o)
{
    size_t at = SIZE_MAX;
    if (!watches_are_all(o, &at))
        return SIZE_MAX;
    size_t total = atomic_load_explicit(&o->body_bytes, memory_order_relaxed);
    at = min_size(at, total);
    free_before(o, at);
    return total - at;
}

size_t
object_body_pending(const struct object *o)
{
    size_t read = 0;
    pthread_mutex_lock(object_lock(o));
    if (o->live != NULL)
        read = o->live->read_bytes;
    pthread_mutex_unlock(object_lock(o));
    size_t total = atomic_load_explicit(&((struct object *)o)->body_bytes, memory_order_acquire);
    return total > read ? total - read : 0;
}
