/* Purges, soft purges, purges by surrogate key, and bans: see invalidation.h.
 *
 * A ring remembers the latest purges, with an index by digest, for the fetches that were under way when the
 * purges came. The ring is bounded. Its floor is the position of the newest overwritten purge. An object born
 * below the floor is treated as purged, because an overwritten purge may concern it. (That needs a fetch that
 * takes longer than INVALIDATIONS_MAX purges.) Bans have a separate list (ban.c), which each fetch keeps from
 * its own birth on.
 *
 * A purge first records its position, then walks over the stored objects. An insertion first makes the object
 * visible to such walks, then reads the records. So, in any order, one of the two sees the other. */
#include "cache/invalidation.h"

#include <stdlib.h>

#include "base/mem.h"
#include "cache/ban_internal.h"
#include "cache/index.h"
#include "cache/invalidation_internal.h"
#include "cache/surrogate.h"
#include "log/txn.h"

#define INVALIDATIONS_MAX 65536u /* remembered purges; 5 MB of address space, used as they come */

struct row {
    struct invalidation record;
    uint64_t older; /* number of the previous row in this bucket; 0: none */
};

struct invalidations {
    atomic_ullong latest_row; /* position of the latest purge in the ring */
    pthread_mutex_t lock;     /* a leaf */
    struct row *rows;         /* guarded by the lock, like all fields below; NULL before the first purge */
    uint64_t *newest;         /* by digest: number of the newest row; numbers begin with 1 and grow */
    uint64_t n_rows, floor;
    struct invalidation_sink sink; /* fixed before traffic */
    atomic_ullong refused;
};

int
invalidations_new(struct invalidations **out)
{
    struct invalidations *inv = calloc(1, sizeof *inv);
    if (inv == NULL)
        return ERR_NOMEM;
    pthread_mutex_init(&inv->lock, NULL);
    *out = inv;
    return 0;
}

void
invalidations_release(struct invalidations **ip)
{
    struct invalidations *inv = *ip;
    *ip = NULL;
    if (inv == NULL)
        return;
    pthread_mutex_destroy(&inv->lock);
    free(inv->rows);
    free(inv->newest);
    free(inv);
}

/* ---- the ring; lock held ---- */

static uint64_t *
bucket(const struct invalidations *inv, struct digest d)
{
    return &inv->newest[d.low % INVALIDATIONS_MAX];
}

static struct row *
row_of(const struct invalidations *inv, uint64_t number)
{
    return &inv->rows[number % INVALIDATIONS_MAX];
}

/* An overwritten row ends its chain, because all later rows of the chain are older. */
static bool
is_kept(const struct invalidations *inv, uint64_t number)
{
    return number != 0 && number + INVALIDATIONS_MAX > inv->n_rows;
}

static void
row_add(struct invalidations *inv, const struct invalidation *record)
{
    if (inv->rows == NULL) {
        inv->rows = mem_zalloc(INVALIDATIONS_MAX * sizeof *inv->rows);
        inv->newest = mem_zalloc(INVALIDATIONS_MAX * sizeof *inv->newest);
    }
    uint64_t number = ++inv->n_rows, *newest = bucket(inv, record->digest);
    struct row *row = row_of(inv, number);
    inv->floor = row->record.position;
    *row = (struct row){ *record, *newest };
    *newest = number;
}

/* ---- judging a response that is being inserted ---- */

static void
verdict_apply(struct verdict *v, const struct invalidation *record)
{
    if (!record->soft) {
        verdict_dead(v, record->position);
        return;
    }
    if (!v->stale || record->stale_at < v->stale_at)
        v->stale_at = record->stale_at;
    /* The newest purge comes first: its values win. */
    v->grace = v->grace >= 0 ? v->grace : record->grace;
    v->keep = v->keep >= 0 ? v->keep : record->keep;
    v->stale = true;
}

struct judging {
    struct invalidations *inv;
    struct verdict *verdict;
    uint64_t born;
    uint32_t xid;
    enum invalidation_kind kind;
};

static void
judge_digest(struct digest d, void *arg)
{
    struct judging *j = arg;
    for (uint64_t n = *bucket(j->inv, d); is_kept(j->inv, n); n = row_of(j->inv, n)->older) {
        const struct invalidation *r = &row_of(j->inv, n)->record;
        if (r->position <= j->born)
            break;
        if (r->kind == j->kind && digest_eq(r->digest, d) && (r->by == 0 || r->by != j->xid))
            verdict_apply(j->verdict, r);
    }
}

void
invalidations_judge(struct store *s, const struct object *o, struct verdict *v)
{
    struct invalidations *inv = s->invalidations;
    struct judging j = { inv, v, o->head->born, o->xid, INVALIDATE_KEY };
    CHECK(o->entry != NULL && j.born > 0);
    if (atomic_load_explicit(&inv->latest_row, memory_order_acquire) <= j.born)
        return;
    pthread_mutex_lock(&inv->lock);
    if (j.born < inv->floor)
        verdict_dead(v, inv->floor);
    judge_digest(o->entry->digest, &j);
    j.kind = INVALIDATE_TAG;
    surrogates_each(s->surrogates, o, judge_digest, &j);
    pthread_mutex_unlock(&inv->lock);
}

/* ---- applying one to what is stored ---- */

static bool
is_fetched_since_before(const struct object *o, uint64_t position)
{
    if (object_state(o) >= OBJECT_STREAMING)
        return false;
    uint64_t born = o->live->born;
    return born > 0 && born < position;
}

/* Returns true if o was stored and the invalidation concerns it. A response that is still being fetched is
 * judged at its insertion; requests after the invalidation do not wait for it. */
static bool
invalidate(struct store *s, struct shard *sh, struct object *o, const struct invalidation *r,
           struct object **dropped)
{
    if (!(o->flags & OBJECT_FINDABLE)) {
        if (!r->soft && is_fetched_since_before(o, r->position))
            o->live->no_wait = true;
        return false;
    }
    if (object_state(o) == OBJECT_FAILED || o->head->born >= r->position)
        return false;
    bool stored = !index_is_between(o);
    if (r->soft) {
        index_soften_locked(sh, o, r->stale_at, r->grace, r->keep);
    } else if (!stored) {
        index_doom(o, r->position);
    } else {
        object_log_expired(o, clock_real_ns());
        index_unlink(s, sh, o, REMOVAL_PURGED, dropped);
    }
    return stored;
}

static unsigned
invalidate_stored(struct store *s, const struct cache_key *key, const struct invalidation *r)
{
    struct shard *sh = shard_of(s, r->digest);
    struct object *dropped = NULL;
    unsigned n = 0;
    pthread_mutex_lock(&sh->lock);
    struct cache_entry *e = index_find(sh, key, r->digest);
    for (struct object *o = e == NULL ? NULL : e->objects, *next; o != NULL; o = next) {
        next = o->next;
        n += invalidate(s, sh, o, r, &dropped);
    }
    index_note_death(sh);
    pthread_mutex_unlock(&sh->lock);
    index_release(&dropped);
    return n;
}

struct tag_walk {
    struct store *store;
    const struct invalidation *record;
    nsec now;
};

/* A purge does not concern objects born after it. */
static bool
invalidate_tagged(struct object *o, void *arg)
{
    const struct tag_walk *w = arg;
    const struct invalidation *r = w->record;
    if (o->head->born >= r->position)
        return false;
    if (!r->soft)
        return index_drop(w->store, o, REMOVAL_PURGED, NULL);
    if (!object_fresh(o, w->now))
        return false;
    index_soften(w->store, o, r->stale_at, r->grace, r->keep);
    return true;
}

/* ---- making one ---- */

static void
record(struct store *s, struct invalidation *r)
{
    struct invalidations *inv = s->invalidations;
    pthread_mutex_lock(&inv->lock);
    r->position = position_next(&s->positions);
    row_add(inv, r);
    atomic_store_explicit(&inv->latest_row, r->position, memory_order_release);
    pthread_mutex_unlock(&inv->lock);
}

static void
append_to_sink(struct invalidations *inv, const struct invalidation *r, struct span ban)
{
    if (inv->sink.append != NULL && inv->sink.append(inv->sink.arg, r, ban) != 0)
        atomic_fetch_add(&inv->refused, 1);
}

static unsigned
invalidate_key(struct store *s, const struct cache_key *key, struct invalidation r)
{
    r.kind = INVALIDATE_KEY;
    r.digest = index_key_digest(s, key);
    record(s, &r);
    unsigned n = invalidate_stored(s, key, &r);
    append_to_sink(s->invalidations, &r, SPAN_NULL);
    return n;
}

unsigned
store_purge(struct store *s, const struct cache_key *key)
{
    return invalidate_key(s, key, (struct invalidation){ .soft = false });
}

unsigned
store_purge_by(struct store *s, const struct cache_key *key, uint64_t by)
{
    return invalidate_key(s, key, (struct invalidation){ .by = (uint32_t)by });
}

unsigned
store_soft_purge_key(struct store *s, const struct cache_key *key, nsec now, nsec ttl, nsec grace, nsec keep)
{
    return invalidate_key(s, key,
                          (struct invalidation){ .soft = true,
                                                 .stale_at = nsec_add(now, ttl > 0 ? ttl : 0),
                                                 .grace = grace,
                                                 .keep = keep });
}

unsigned
store_purge_surrogates(struct store *s, struct span words, bool soft, nsec now, uint64_t by)
{
    unsigned n = 0;
    struct span word;
    while (surrogate_next(&words, &word)) {
        struct invalidation r = { .kind = INVALIDATE_TAG,
                                  .digest = digest_of(&s->tag_secret, word),
                                  .by = (uint32_t)by,
                                  .soft = soft,
                                  .stale_at = now,
                                  .grace = -1,
                                  .keep = -1 };
        record(s, &r);
        n += surrogates_visit(s->surrogates, r.digest, invalidate_tagged, &(struct tag_walk){ s, &r, now });
        append_to_sink(s->invalidations, &r, SPAN_NULL);
    }
    return n;
}

struct group_walk {
    struct tag_walk tag;
    struct span host;
};

/* A NUL ends each piece of a key. */
static bool
key_has_piece(const struct cache_entry *e, struct span piece)
{
    struct span rest = span_of(e->key, e->key_bytes);
    while (rest.len > 0) {
        const char *nul = memchr(rest.ptr, '\0', rest.len);
        size_t n = nul == NULL ? rest.len : (size_t)(nul - rest.ptr);
        if (span_eq_nocase(span_of(rest.ptr, n), piece))
            return true;
        n += nul != NULL;
        rest = span_of(rest.ptr + n, rest.len - n);
    }
    return false;
}

static bool
invalidate_grouped(struct object *o, void *arg)
{
    struct group_walk *w = arg;
    struct shard *sh = index_lock_of(w->tag.store, o);
    bool ours = o->entry != NULL && key_has_piece(o->entry, w->host);
    pthread_mutex_unlock(&sh->lock);
    return ours && invalidate_tagged(o, &w->tag);
}

unsigned
store_purge_groups(struct store *s, struct span groups, struct span host, uint64_t by)
{
    unsigned n = 0;
    struct digest digests[SURROGATE_GROUPS_MAX];
    unsigned n_groups = surrogate_groups(&s->tag_secret, groups, digests);
    for (unsigned i = 0; host.len > 0 && i < n_groups; i++) {
        struct invalidation r = {
            .kind = INVALIDATE_TAG, .digest = digests[i], .by = (uint32_t)by, .grace = -1, .keep = -1
        };
        record(s, &r);
        n += surrogates_visit(s->surrogates, r.digest, invalidate_grouped,
                              &(struct group_walk){ { s, &r, 0 }, host });
        append_to_sink(s->invalidations, &r, SPAN_NULL);
    }
    return n;
}

int
store_ban(struct store *s, struct ban_draft **d, nsec now, char *error)
{
    struct invalidation r = { .kind = INVALIDATE_BAN, .by = ban_draft_author(*d) };
    char *text = s->invalidations->sink.append == NULL ? NULL : ban_draft_text(*d);
    int err = bans_add(s->bans, d, now, &r.position, error);
    if (err == 0)
        append_to_sink(s->invalidations, &r, text == NULL ? SPAN_NULL : span_str(text));
    free(text);
    return err;
}

/* ---- fetches ---- */

uint64_t
store_born(struct store *s, struct object *busy)
{
    CHECK(object_state(busy) < OBJECT_STREAMING && !(busy->flags & OBJECT_FINDABLE));
    return ban_hold(s->bans, &s->positions, busy);
}

/* ---- sink and figures ---- */

void
store_set_sink(struct store *s, struct invalidation_sink sink)
{
    s->invalidations->sink = sink;
}

void
store_invalidation_stats(struct store *s, struct invalidation_stats *out)
{
    struct invalidations *inv = s->invalidations;
    pthread_mutex_lock(&inv->lock);
    *out = (struct invalidation_stats){
        .position = position_now(&s->positions),
        .floor = inv->floor,
        .refused = atomic_load(&inv->refused),
        .records = inv->n_rows < INVALIDATIONS_MAX ? inv->n_rows : INVALIDATIONS_MAX,
    };
    pthread_mutex_unlock(&inv->lock);
}
