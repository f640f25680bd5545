/* A second store applies the records that the sink of a first one received. Random objects, some stored
 * before the invalidations and some fetched meanwhile, get the same verdict in both, and the one of a model
 * that knows nothing of tables, walks and merged purges. */
#include "store_fixture.h"

#include "base/params.h"
#include "cache/ban_internal.h"
#include "cache/invalidation_internal.h"
#include "cache/position.h"

#define ROUNDS 1000u
#define OBJECTS 1000u /* of a round */
#define RECORDS 40u
#define HOSTS 3u
#define TAGS 20u
#define GROUPS 4u
#define XIDS 50u

static struct store *stores[2]; /* the second one replays */
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
    struct object *object[2];
    struct cache_key *key;
    unsigned number, host, tags[2], group, kind, xid;
    uint64_t born;
    bool early; /* stored before the records */
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
thing_ask(struct thing *t, unsigned of)
{
    struct lookup l = lookup_of(t->key, REQUEST(), T0);
    CHECK(store_lookup(stores[of], &l) == LOOKUP_MISS);
    t->born = store_born(stores[of], l.busy);
    t->object[of] = l.busy;
}

static void
thing_finish(struct thing *t, unsigned of)
{
    struct object *o = t->object[of];
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
    store_insert(stores[of], o, NULL);
    CHECK(object_publish(o, 0) == 0);
    object_complete(o);
}

/* ---- records, and what a model of them says ---- */

struct made {
    struct invalidation record;
    char text[256];
    /* for the model */
    unsigned key, tag, group, host, kind;
    nsec age, ttl; /* of a ban; 0: no such condition */
};

static struct made mades[RECORDS];
static unsigned n_made;

static int
take(void *arg, const struct invalidation *r)
{
    struct made *m = &mades[n_made++];
    CHECK(n_made <= RECORDS && r->text.len <= sizeof m->text);
    m->record = *r;
    if (r->text.len > 0)
        memcpy(m->text, r->text.ptr, r->text.len);
    m->record.text = span_of(m->text, r->text.len);
    return 0;
}

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
    uint64_t position;
    m->kind = draw(3);
    condition(d, "obj.http.kind", "==", kinds[m->kind]);
    if (which == 1) {
        snprintf(value, sizeof value, "%u.%06us", 1 + draw(2), draw(1000000));
        condition(d, "obj.age", ">", value);
        m->age = d->tests[1].duration;
    } else {
        snprintf(value, sizeof value, "%u.%06us", 8 + draw(5), draw(1000000));
        condition(d, "obj.ttl", "<", value);
        m->ttl = d->tests[1].duration;
    }
    if (draw(2))
        ban_draft_by(d, 1 + draw(XIDS), 0);
    CHECK(store_ban(stores[0], &d, now, &position, error) == 0);
}

static void
make_one(nsec now)
{
    struct made *m = &mades[n_made];
    struct invalidated done = { 0 };
    char text[16];
    unsigned by = draw(10) == 0 ? 1 + draw(XIDS) : 0, choice = draw(400);
    *m = (struct made){ .key = draw(OBJECTS), .tag = draw(TAGS), .group = draw(GROUPS), .host = draw(HOSTS) };
    if (choice < 100) {
        CHECK(store_purge(stores[0], things[m->key].key, by, &done) == 0);
    } else if (choice < 200) {
        nsec grace = draw(2) ? (nsec)draw(30) * SEC : -1, keep = draw(2) ? (nsec)draw(30) * SEC : -1;
        CHECK(store_soft_purge_key(stores[0], things[m->key].key, now, (nsec)draw(3) * SEC, grace, keep,
                                   &done) == 0);
    } else if (choice < 320) {
        snprintf(text, sizeof text, "t%u", m->tag);
        CHECK(store_purge_surrogates(stores[0], span_str(text), draw(2), now, by, &done) == 0);
    } else if (choice < 350) {
        snprintf(text, sizeof text, "\"g%u\"", m->group);
        CHECK(store_purge_groups(stores[0], span_str(text), span_str(hosts[m->host]), by, &done) == 0);
    } else if (choice < 352) {
        CHECK(store_purge_all(stores[0], choice == 351, now, &done) == 0);
    } else {
        make_ban(m, now);
    }
}

static bool
ban_concerns(const struct made *m, const struct thing *t)
{
    nsec time = m->record.time;
    return m->kind == t->kind && (m->age == 0 || time - t->origin_time > m->age) &&
           (m->ttl == 0 || t->origin_time + t->ttl - time < m->ttl);
}

static bool
concerns(const struct made *m, const struct thing *t)
{
    const struct invalidation *r = &m->record;
    bool own = r->by != 0 && r->by == t->xid && (!t->early || r->kind == INVALIDATE_BAN);
    if (r->position <= t->born || own) /* what is stored is nobody's own, except for bans */
        return false;
    switch (r->kind) {
    case INVALIDATE_KEY: return m->key == t->number;
    case INVALIDATE_TAG: return m->tag == t->tags[0] || m->tag == t->tags[1];
    case INVALIDATE_GROUP: return m->group == t->group && m->host == t->host;
    case INVALIDATE_ALL: return true;
    case INVALIDATE_BAN: return ban_concerns(m, t);
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
        const struct invalidation *r = &mades[i].record;
        if (r->soft && r->to.stale_at < fate.fresh_to && concerns(&mades[i], t))
            fate.fresh_to = r->to.stale_at;
    }
    if (t->early) /* bans are tested at the lookup, and see the ttl that soft purges have left */
        last.ttl = fate.fresh_to > t->origin_time ? fate.fresh_to - t->origin_time : 0;
    for (unsigned i = 0; i < n_made; i++)
        fate.gone |= !mades[i].record.soft && concerns(&mades[i], &last);
    return fate;
}

/* ---- a round ---- */

static unsigned n_gone, n_stale, n_extra, n_differ;

/* Is it still there after a lookup, fresh or stale? */
static bool
is_kept(struct thing *t, unsigned of, nsec now)
{
    struct lookup l = lookup_of(t->key, REQUEST(), now);
    (void)store_lookup(stores[of], &l);
    if (l.busy != NULL)
        store_withdraw(stores[of], l.busy);
    object_release(&l.busy);
    object_release(&l.object);
    return object_findable(t->object[of]) && !purged_all_removed(stores[of], t->object[of]);
}

static void
judge(struct thing *t, nsec now)
{
    struct object *o = t->object[0], *p = t->object[1];
    bool there = is_kept(t, 0, now);
    struct fate fate = fate_of(t);
    n_differ += there != is_kept(t, 1, now);
    n_differ += there && (o->ttl != p->ttl || o->grace != p->grace || o->keep != p->keep);
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
        for (unsigned of = 0; of < 2 && t->early; of++) {
            thing_ask(t, of);
            thing_finish(t, of);
        }
    }
    for (unsigned i = 0; i < OBJECTS; i++) {
        if (i % (OBJECTS / RECORDS) == 0) {
            make_one(now + (nsec)i * NSEC_PER_MSEC / 10);
            CHECK(store_apply(stores[1], &mades[n_made - 1].record) == 0);
            EXPECT_EQ_INT(position_now(&stores[1]->positions), position_now(&stores[0]->positions));
            CHECK(store_apply(stores[1], &mades[n_made - 1].record) == 0); /* a second time: nothing */
        }
        for (unsigned of = 0; of < 2 && !things[i].early; of++)
            thing_ask(&things[i], of);
    }
    for (unsigned i = 0; i < OBJECTS; i++)
        for (unsigned of = 0; of < 2 && !things[i].early; of++)
            thing_finish(&things[i], of);
    for (unsigned i = 0; i < OBJECTS; i++)
        judge(&things[i], now + 100 * NSEC_PER_MSEC);
    for (unsigned of = 0; of < 2; of++) {
        for (unsigned i = 0; i < OBJECTS; i++)
            object_release(&things[i].object[of]);
        (void)store_sweep(stores[of], UINT32_MAX, NSEC_NEVER);
        (void)store_expire(stores[of], NSEC_NEVER, UINT32_MAX);
        (void)store_lurk(stores[of], now + 100 * SEC, NULL, NULL);
    }
}

static void
a_replay_gives_the_same_verdicts(void)
{
    uint8_t seed[DIGEST_SEED_BYTES] = { 7 };
    struct store_options options = { .seed = seed, .epoch = 5 };
    struct storage *st;
    names_init();
    arena_init(&f.arena, 0);
    for (unsigned of = 0; of < 2; of++) {
        CHECK(store_new(&options, &stores[of]) == 0);
        CHECK(store_add_storage(stores[of], SPAN_LIT("s0"), UINT64_C(64) << 20, &st) == 0);
    }
    store_set_sink(stores[0], (struct invalidation_sink){ .append = take });
    for (unsigned round = 0; round < ROUNDS; round++) {
        run(round);
        arena_release(&f.arena);
        arena_init(&f.arena, 0);
    }
    printf("%u objects: %u invalidated, %u made stale, %u invalidated without need\n", ROUNDS * OBJECTS,
           n_gone, n_stale, n_extra);
    EXPECT_EQ_INT(n_differ, 0);
    EXPECT(n_gone > ROUNDS * OBJECTS / 10 && n_stale > ROUNDS * OBJECTS / 100);
    EXPECT(n_extra < ROUNDS * OBJECTS / 10000);
    for (unsigned of = 0; of < 2; of++)
        store_release(&stores[of]);
    arena_release(&f.arena);
}

static void
a_damaged_record_is_refused(void)
{
    static const char *const texts[] = { "13:obj.http.kind",
                                         "99:x",
                                         "x",
                                         "13:obj.http.kind2:==1",
                                         "1:a2:==1:b",
                                         "7:obj.ttl1:>40:1111111111111111111111111111111111111111",
                                         "99999999999999999999999999:a" };
    begin();
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct invalidation r = { .position = position_of(3, i),
                                  .kind = INVALIDATE_BAN,
                                  .text = span_str(texts[i]) };
        EXPECT_EQ_INT(store_apply(f.store, &r), ERR_SYNTAX);
    }
    EXPECT_EQ_INT(position_epoch(position_now(&f.store->positions)), 0);
    end();
}

static const struct test tests[] = {
    TEST(a_replay_gives_the_same_verdicts),
    TEST(a_damaged_record_is_refused),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
