/* The variants of a key: see variants.h. */
#include "cache/variants.h"

#include "cache/ban_internal.h"
#include "cache/invalidation_internal.h"
#include "body/partial.h"
#include "cache/vary.h"

unsigned
store_variants(struct store *s, const struct cache_key *key, struct object *out[], unsigned max)
{
    struct digest d = index_key_digest(s, key);
    struct shard *sh = shard_of(s, d);
    unsigned n = 0;
    pthread_mutex_lock(&sh->lock);
    struct cache_entry *e = index_find(sh, key, d);
    for (struct object *o = e == NULL ? NULL : e->objects; o != NULL; o = o->next, n++) {
        if (n >= max)
            continue;
        object_ref(o);
        out[n] = o;
    }
    pthread_mutex_unlock(&sh->lock);
    return n;
}

static enum variant_kind
kind_of(const struct object *o)
{
    if (o->flags & OBJECT_HIT_FOR_MISS)
        return VARIANT_HIT_FOR_MISS;
    return o->flags & OBJECT_HIT_FOR_PASS ? VARIANT_HIT_FOR_PASS : VARIANT_RESPONSE;
}

static enum variant_state
state_of(const struct object *o, nsec now)
{
    if (object_fresh(o, now))
        return VARIANT_FRESH;
    if (object_in_grace(o, now, -1))
        return VARIANT_GRACE;
    return object_in_keep(o, now) ? VARIANT_KEEP : VARIANT_DEAD;
}

/* For a body that still grows: the head and the bytes so far. */
static uint64_t
bytes_of(const struct object *o)
{
    if (object_state(o) == OBJECT_COMPLETE)
        return object_stored_bytes(o);
    return OBJECT_CORE_BYTES + head_bytes(o->head) + body_bytes(&o->body);
}

/* A partial object counts in its queue at its full size; here only the stored bytes count. */
static void
describe_partial(const struct body *b, struct variant *out)
{
    uint64_t stored;
    body_describe(b, out->segments, sizeof out->segments, &stored);
    out->bytes += stored - body_bytes(b);
}

/* As a lookup would do. */
static void
soften(struct store *s, struct object *o)
{
    struct shard *sh = index_lock_of(s, o);
    DEBUG_CHECK(object_state(o) >= OBJECT_STREAMING);
    if (o->entry != NULL)
        purged_all_soften(s, sh, o);
    pthread_mutex_unlock(&sh->lock);
}

void
variant_describe(struct store *s, struct object *o, const struct http_message *request, bool rfc9111,
                 nsec now, struct variant *out)
{
    *out = (struct variant){ .object = o, .kind = VARIANT_BUSY };
    if (object_state(o) < OBJECT_STREAMING || !object_findable(o) || o->head == NULL)
        return;
    out->kind = kind_of(o);
    out->purged = purged_all_removed(s, o);
    if (!out->purged && purged_all_may_concern(s, o))
        soften(s, o);
    out->state = state_of(o, now);
    out->selected = object_selected_by(o, request, rfc9111);
    out->banned = bans_to_test(s->bans, o) && bans_concern(s->bans, o, request);
    out->bytes = bytes_of(o);
    out->storage = object_storage(o)->name;
    if (object_is_partial(o) && object_state(o) == OBJECT_COMPLETE)
        describe_partial(&o->body, out);
}

void
variant_fields(const struct object *o, const struct http_message *request,
               void (*fn)(struct span name, struct span stored, bool same, void *arg), void *arg)
{
    vary_each(object_vary(o), request, fn, arg);
}
