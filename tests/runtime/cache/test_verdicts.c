/* Random objects, some stored before the invalidations and some fetched meanwhile, get the verdict of a model
 * that knows nothing of tables, walks and merged purges. */
#include "store_fixture.h"

#include "base/params.h"
#include "cache/ban_internal.h"
#include "cache/invalidation_internal.h"
#include "cache/position.h"

#define ROUNDS 1000u
#define OBJECTS 1000u /* of a round */
#define MADE 40u      /* invalidations of a round */
#define HOSTS 3u
#define TAGS 20u
#define GROUPS 4u
#define XIDS 50u

static struct store *store;
static uint64_t state = 88172645463325252u;

static unsigned
draw(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % n;
}

/* ---- objects ---- */

struct thing {
    struct object *object;
    struct cache_key *key;
    unsigned number, host, tags[2], group, kind, xid;
    uint64_t born;
    bool early; /* stored before the invalidations */
    nsec origin_time, ttl, grace, keep;
};

static struct thing things[OBJECTS];

static const char *const hosts[HOSTS] = { "a.example", "b.example", "c.example" };
static const char *const kinds[] = { "a", "b", "a b" };

static void
thing_draw(struct thing *t, unsigned number, nsec now)
{
    char url[16];
    *t = (struct thing){
        .number = number,
        .host = draw(HOSTS),
        .tags = { draw(TAGS), draw(TAGS) },
        .group = draw(GROUPS),
        .kind = draw(3),
        .xid = 1 + draw(XIDS),
        .early = draw(2),
        .origin_time = now - (nsec)draw(2000) * NSEC_PER_MSEC - draw(1000000),
        .ttl = 10 * SEC + (nsec)draw(4000) * NSEC_PER_MSEC + draw(1000000),
        .grace = draw(20) * SEC,
        .keep = draw(20) * SEC,
    };
    snprintf(url, sizeof url, "/%u", number);
    t->key = arena_zalloc(&f.arena, sizeof *t->key);
    key_add(t->key, &f.arena, span_str(url));
    key_add(t->key, &f.arena, span_str(number % 2 ? hosts[t->host] : "A.EXAMPLE"));
    t->host = number % 2 ? t->host : 0;
}

static void
thing_ask(struct thing *t)
{
    struct lookup l = lookup_of(t->key, REQUEST(), T0);
    CHECK(store_lookup(store, &l) == LOOKUP_MISS);
    t->born = store_born(store, l.busy);
    t->object = l.busy;
}

static void
thing_finish(struct thing *t)
{
    struct object *o = t->object;
    char tags[32], group[16];
    snprintf(tags, sizeof tags, "t%u t%u", t->tags[0], t->tags[1]);
    snprintf(group, sizeof group, "\"g%u\"", t->group);
    CHECK(object_set_head(o, RESPONSE("xkey", tags, "Cache-Groups", group, "kind", kinds[t->kind]),
                          REQUEST()) == 0);
    o->origin_time = t->origin_time;
    o->ttl = t->ttl;
    o->grace = t->grace;
    o->keep = t->keep;
    o->xid = t->xid;
    store_insert(store, o, NULL);
    CHECK(object_publish(o, 0) == 0);
    object_complete(o);
}

/* ---- invalidations, and what a model of them says ---- */

enum kind { KEY, TAG, GROUP, ALL, BAN };

struct made {
    uint64_t position;
    enum kind kind;
    bool soft;
    unsigned by, key, tag, group, host, said;
    nsec time, stale_at;
    nsec age, ttl; /* of a ban; 0: no such condition */
};

static struct made mades[MADE];
static unsigned n_made;

static void
condition(struct ban_draft *d, const char *field, const char *oper, const char *value)
{
    char error[BAN_ERROR_BYTES];
    CHECK(ban_draft_add(d, span_str(field), span_str(oper), span_str(value), error) == 0);
}

static void
make_ban(struct made *m, nsec now)
{
    struct ban_draft *d = ban_draft_new();
    char error[BAN_ERROR_BYTES], value[32];
    unsigned which = draw(3);
    m->said = draw(3);
    condition(d, "obj.http.kind", "==", kinds[m->said]);
    if (which == 1) {
        snprintf(value, sizeof value, "%u.%06us", 1 + draw(2), draw(1000000));
        condition(d, "obj.age", ">", value);
        m->age = d->tests[1].duration;
    } else {
        snprintf(value, sizeof value, "%u.%06us", 8 + draw(5), draw(1000000));
        condition(d, "obj.ttl", "<", value);
        m->ttl = d->tests[1].duration;
    }
    m->by = draw(2) ? 1 + draw(XIDS) : 0;
    if (m->by != 0)
        ban_draft_by(d, m->by, 0);
    CHECK(store_ban(store, &d, now, &m->position, error) == 0);
}

static void
make_one(nsec now)
{
    struct made *m = &mades[n_made++];
    struct invalidated done = { 0 };
    char text[16];
    unsigned choice = draw(400);
    CHECK(n_made <= MADE);
    *m = (struct made){ .by = draw(10) == 0 ? 1 + draw(XIDS) : 0,
                        .key = draw(OBJECTS),
                        .tag = draw(TAGS),
                        .group = draw(GROUPS),
                        .host = draw(HOSTS),
                        .time = now,
                        .stale_at = now };
    if (choice < 100) {
        store_purge(store, things[m->key].key, m->by, &done);
    } else if (choice < 200) {
        nsec grace = draw(2) ? (nsec)draw(30) * SEC : -1, keep = draw(2) ? (nsec)draw(30) * SEC : -1;
        nsec ttl = (nsec)draw(3) * SEC;
        m->soft = true;
        m->by = 0;
        m->stale_at = now + ttl;
        store_soft_purge_key(store, things[m->key].key, now, ttl, grace, keep, &done);
    } else if (choice < 320) {
        m->kind = TAG;
        m->soft = draw(2);
        snprintf(text, sizeof text, "t%u", m->tag);
        store_purge_surrogates(store, span_str(text), m->soft, now, m->by, &done);
    } else if (choice < 350) {
        m->kind = GROUP;
        snprintf(text, sizeof text, "\"g%u\"", m->group);
        store_purge_groups(store, span_str(text), span_str(hosts[m->host]), m->by, &done);
    } else if (choice < 352) {
        m->kind = ALL;
        m->by = 0;
        m->soft = choice == 351;
        store_purge_all(store, m->soft, now, &done);
    } else {
        m->kind = BAN;
        make_ban(m, now);
    }
    if (m->kind != BAN)
        m->position = done.position;
}

static bool
ban_concerns(const struct made *m, const struct thing *t)
{
    return m->said == t->kind && (m->age == 0 || m->time - t->origin_time > m->age) &&
           (m->ttl == 0 || t->origin_time + t->ttl - m->time < m->ttl);
}

static bool
concerns(const struct made *m, const struct thing *t)
{
    bool own = m->by != 0 && m->by == t->xid && (!t->early || m->kind == BAN);
    if (m->position <= t->born || own) /* what is stored is nobody's own, except for bans */
        return false;
    switch (m->kind) {
    case KEY: return m->key == t->number;
    case TAG: return m->tag == t->tags[0] || m->tag == t->tags[1];
    case GROUP: return m->group == t->group && m->host == t->host;
    case ALL: return true;
    case BAN: return ban_concerns(m, t);
    }
    return false;
}

/* The verdict of the model on an object at the end of a round. */
struct fate {
    bool gone;     /* a hard one concerns it */
    nsec fresh_to; /* the earliest end of freshness that a soft one asks for */
};

static struct fate
fate_of(const struct thing *t)
{
    struct fate fate = { false, t->origin_time + t->ttl };
    struct thing last = *t;
    for (unsigned i = 0; i < n_made; i++) {
        const struct made *m = &mades[i];
        if (m->soft && m->stale_at < fate.fresh_to && concerns(m, t))
            fate.fresh_to = m->stale_at;
    }
    if (t->early) /* bans are tested at the lookup, and see the ttl that soft purges have left */
        last.ttl = fate.fresh_to > t->origin_time ? fate.fresh_to - t->origin_time : 0;
    for (unsigned i = 0; i < n_made; i++)
        fate.gone |= !mades[i].soft && concerns(&mades[i], &last);
    return fate;
}

/* ---- a round ---- */

static unsigned n_gone, n_stale, n_extra;

/* Is it still there after a lookup, fresh or stale? */
static bool
is_kept(struct thing *t, nsec now)
{
    struct lookup l = lookup_of(t->key, REQUEST(), now);
    (void)store_lookup(store, &l);
    if (l.busy != NULL)
        store_withdraw(store, l.busy);
    object_release(&l.busy);
    object_release(&l.object);
    return object_findable(t->object) && !purged_all_removed(store, t->object);
}

static void
judge(struct thing *t, nsec now)
{
    struct object *o = t->object;
    bool there = is_kept(t, now);
    struct fate fate = fate_of(t);
    n_gone += fate.gone;
    /* More than the model says goes only where purges of several fetches were merged. */
    n_extra += !there && !fate.gone;
    EXPECT(!there || !fate.gone);
    if (there && fate.fresh_to < t->origin_time + t->ttl) {
        n_stale++;
        EXPECT(o->origin_time + o->ttl <= (fate.fresh_to > o->origin_time ? fate.fresh_to : o->origin_time));
    }
}

static void
run(unsigned round)
{
    nsec now = T0 + (nsec)round * SEC;
    n_made = 0;
    for (unsigned i = 0; i < OBJECTS; i++) {
        struct thing *t = &things[i];
        thing_draw(t, i, now);
        if (t->early) {
            thing_ask(t);
            thing_finish(t);
        }
    }
    for (unsigned i = 0; i < OBJECTS; i++) {
        if (i % (OBJECTS / MADE) == 0)
            make_one(now + (nsec)i * NSEC_PER_MSEC / 10);
        if (!things[i].early)
            thing_ask(&things[i]);
    }
    for (unsigned i = 0; i < OBJECTS; i++)
        if (!things[i].early)
            thing_finish(&things[i]);
    for (unsigned i = 0; i < OBJECTS; i++)
        judge(&things[i], now + 100 * NSEC_PER_MSEC);
    for (unsigned i = 0; i < OBJECTS; i++)
        object_release(&things[i].object);
    (void)store_sweep(store, UINT32_MAX, NSEC_NEVER);
    (void)store_expire(store, NSEC_NEVER, UINT32_MAX);
    (void)store_lurk(store, now + 100 * SEC, NULL, NULL);
}

static void
verdicts_are_those_of_the_model(void)
{
    uint8_t seed[DIGEST_SEED_BYTES] = { 7 };
    struct store_options options = { .seed = seed, .epoch = 5 };
    struct storage *st;
    names_init();
    arena_init(&f.arena, 0);
    CHECK(store_new(&options, &store) == 0);
    CHECK(store_add_storage(store, SPAN_LIT("s0"), UINT64_C(64) << 20, &st) == 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        run(round);
        arena_release(&f.arena);
        arena_init(&f.arena, 0);
    }
    printf("%u objects: %u invalidated, %u made stale, %u invalidated without need\n", ROUNDS * OBJECTS,
           n_gone, n_stale, n_extra);
    EXPECT(n_gone > ROUNDS * OBJECTS / 10 && n_stale > ROUNDS * OBJECTS / 100);
    EXPECT(n_extra < ROUNDS * OBJECTS / 10000);
    store_release(&store);
    arena_release(&f.arena);
}

static const struct test tests[] = {
    TEST(verdicts_are_those_of_the_model),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
