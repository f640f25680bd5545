/* The table of client addresses. See addresses.h. An entry lives as long as a connection, a handshake or a
 * debt of its prefix. The table has at most connections_addresses_max entries, so that an attacker with many
 * addresses cannot exhaust our memory: the oldest debt makes room for a connection or another debt. Without
 * one, connections from further addresses are not counted. */
#include "stream/addresses.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/params.h"
#include "cache/digest.h"
#include "log/counters.h"

#define KEY_BYTES 17 /* family and address */
#define PREFIX_OF_V4 32u

struct entry {
    struct entry *next;
    struct list idle;   /* in table.idle: it has a debt or recent handshakes alone */
    nsec at, shaken_at; /* of `debt` and `shaken` */
    float debt;
    float shaken;                           /* handshakes of the last second: see shaken_now */
    uint32_t connections, waiting, shaking; /* waiting: connections that begin late */
    char key[KEY_BYTES];
};

static struct {
    pthread_mutex_t lock;
    struct digest_secret secret; /* clients choose their addresses, and must not be able to choose a bucket */
    struct entry **buckets;
    unsigned n_buckets, n_entries, most;
    unsigned prefix_v6;  /* fixed after the first use: entries are found by it */
    struct list idle;    /* entries that nothing uses, the oldest first */
    atomic_uint n_debts; /* entries with a debt: without one, nobody takes the lock to ask for it */
} table = { .lock = PTHREAD_MUTEX_INITIALIZER, .idle = { &table.idle, &table.idle } };

static void
prepare(void)
{
    uint8_t seed[DIGEST_SEED_BYTES];
    digest_seed_draw(seed);
    digest_secret_make(seed, DIGEST_OF_KEYS, &table.secret);
    table.most = params.connections_addresses_max;
    table.prefix_v6 = params.connections_prefix_ipv6;
    for (table.n_buckets = 64; table.n_buckets < table.most;)
        table.n_buckets *= 2;
    table.buckets = mem_zalloc(table.n_buckets * sizeof *table.buckets);
}

/* Sets the bits behind the prefix to zero. */
static void
make_key(const struct address *a, char key[KEY_BYTES])
{
    unsigned bits = a->family == 4 ? PREFIX_OF_V4 : table.prefix_v6;
    memset(key, 0, KEY_BYTES);
    key[0] = (char)a->family;
    memcpy(key + 1, a->addr, bits / 8);
    if (bits % 8 != 0)
        key[1 + bits / 8] = (char)(a->addr[bits / 8] & (0xff00u >> bits % 8));
}

static struct entry **
find(const char key[KEY_BYTES])
{
    struct entry *
        *at = &table.buckets[digest_of(&table.secret, span_of(key, KEY_BYTES)).low & (table.n_buckets - 1)];
    while (*at != NULL && memcmp((*at)->key, key, KEY_BYTES) != 0)
        at = &(*at)->next;
    return at;
}

static void
set_debt(struct entry *e, double debt, nsec now)
{
    if ((e->debt > 0) != (debt > 0))
        atomic_fetch_add_explicit(&table.n_debts, debt > 0 ? 1u : -1u, memory_order_relaxed);
    e->debt = (float)debt;
    e->at = now;
}

static double
debt_now(struct entry *e, nsec now)
{
    double passed = (double)(now - e->at) / (double)NSEC_PER_SEC;
    if (passed > 0) /* loops read the clock at different times */
        set_debt(e, fmax(0, (double)e->debt - passed / params.h2_budget_period_s), now);
    return (double)e->debt;
}

/* Each handshake adds one, and a second takes as many away as an address may have in it. */
static double
shaken_now(struct entry *e, nsec now)
{
    unsigned rate = params.tls_handshake_rate_per_address;
    double passed = (double)(now - e->shaken_at) / (double)NSEC_PER_SEC;
    if (rate == 0)
        e->shaken = 0;
    else if (passed > 0) {
        e->shaken = (float)fmax(0, (double)e->shaken - passed * rate);
        e->shaken_at = now;
    }
    return (double)e->shaken;
}

static void
drop(struct entry **at)
{
    struct entry *e = *at;
    set_debt(e, 0, 0);
    *at = e->next;
    list_remove(&e->idle);
    free(e);
    table.n_entries--;
}

/* Frees an entry that nothing needs any more. */
static void
settle(struct entry **at)
{
    struct entry *e = *at;
    if (e->connections > 0 || e->waiting > 0 || e->shaking > 0)
        return;
    if (e->debt == 0 && e->shaken == 0)
        drop(at);
    else if (!list_linked(&e->idle))
        list_push_back(&table.idle, &e->idle);
}

static struct entry *
add_entry(struct entry **at, const char key[KEY_BYTES])
{
    struct list *oldest;
    if (table.n_entries >= table.most && (oldest = list_pop_front(&table.idle)) != NULL) {
        drop(find(container_of(oldest, struct entry, idle)->key));
        at = find(key); /* it may have stood before it */
    }
    struct entry *e = table.n_entries < table.most ? malloc(sizeof *e) : NULL;
    if (e == NULL)
        return NULL;
    *e = (struct entry){ .next = *at };
    memcpy(e->key, key, KEY_BYTES);
    *at = e;
    table.n_entries++;
    return e;
}

static struct entry *
find_or_add(const struct address *a)
{
    char key[KEY_BYTES];
    if (table.buckets == NULL)
        prepare();
    make_key(a, key);
    struct entry **at = find(key);
    return *at != NULL ? *at : add_entry(at, key);
}

static struct entry **
find_address(const struct address *a)
{
    char key[KEY_BYTES];
    make_key(a, key);
    return find(key);
}

static enum address_entry
enter(const struct address *a)
{
    struct entry *e = find_or_add(a);
    if (e == NULL) {
        counters_here()->sess_address_uncounted++;
        return ADDRESS_UNCOUNTED;
    }
    if (e->connections >= params.connections_per_address)
        return ADDRESS_LIMITED;
    list_remove(&e->idle);
    counters_here()->client_addresses += e->connections++ == 0;
    return ADDRESS_COUNTED;
}

enum address_entry
addresses_enter(const struct address *a)
{
    if (params.connections_per_address == 0 || (a->family != 4 && a->family != 6))
        return ADDRESS_UNCOUNTED;
    pthread_mutex_lock(&table.lock);
    enum address_entry entry = enter(a);
    pthread_mutex_unlock(&table.lock);
    return entry;
}

void
addresses_leave(const struct address *a)
{
    pthread_mutex_lock(&table.lock);
    struct entry **at = find_address(a);
    CHECK(*at != NULL && (*at)->connections > 0);
    counters_here()->client_addresses -= --(*at)->connections == 0;
    settle(at);
    pthread_mutex_unlock(&table.lock);
}

/* ---- debts and handshakes ---- */

/* Entries without a purpose make room, a few at a time. */
static void
drop_spent(nsec now)
{
    for (unsigned i = 0; i < 2 && table.idle.next != &table.idle; i++) {
        struct entry *e = container_of(table.idle.next, struct entry, idle);
        if (debt_now(e, now) > 0 || shaken_now(e, now) > 0)
            return;
        drop(find(e->key));
    }
}

void
addresses_charge(const struct address *a, double part, nsec now)
{
    if (part <= 0)
        return;
    pthread_mutex_lock(&table.lock);
    struct entry *e = find_or_add(a);
    if (e != NULL) {
        set_debt(e, fmin(1, debt_now(e, now) + part), now);
        list_remove(&e->idle);
        settle(find(e->key));
        drop_spent(now);
    }
    pthread_mutex_unlock(&table.lock);
}

double
addresses_debt(const struct address *a, nsec now)
{
    if (atomic_load_explicit(&table.n_debts, memory_order_relaxed) == 0)
        return 0;
    pthread_mutex_lock(&table.lock);
    struct entry **at = find_address(a);
    double debt = *at == NULL ? 0 : debt_now(*at, now);
    if (*at != NULL)
        settle(at);
    pthread_mutex_unlock(&table.lock);
    return debt;
}

bool
addresses_wait(const struct address *a)
{
    pthread_mutex_lock(&table.lock);
    struct entry *e = find_or_add(a);
    bool may = e != NULL && e->waiting < params.h2_penalty_connections;
    if (may) {
        list_remove(&e->idle);
        e->waiting++;
    }
    pthread_mutex_unlock(&table.lock);
    return may;
}

void
addresses_waited(const struct address *a)
{
    pthread_mutex_lock(&table.lock);
    struct entry **at = find_address(a);
    CHECK(*at != NULL && (*at)->waiting > 0);
    (*at)->waiting--;
    settle(at);
    pthread_mutex_unlock(&table.lock);
}

static enum address_entry
shake(struct entry *e, nsec now)
{
    unsigned most = params.tls_handshakes_per_address, rate = params.tls_handshake_rate_per_address;
    if (e == NULL) {
        counters_here()->sess_address_uncounted++;
        return ADDRESS_UNCOUNTED;
    }
    if (most > 0 && e->shaking >= most)
        return ADDRESS_LIMITED;
    if (rate > 0 && shaken_now(e, now) + 1 > rate)
        return ADDRESS_TOO_FAST;
    list_remove(&e->idle);
    e->shaking++;
    e->shaken += rate > 0 ? 1 : 0;
    return ADDRESS_COUNTED;
}

enum address_entry
addresses_shake(const struct address *a, nsec now)
{
    if (params.tls_handshakes_per_address == 0 && params.tls_handshake_rate_per_address == 0)
        return ADDRESS_UNCOUNTED;
    pthread_mutex_lock(&table.lock);
    enum address_entry entry = shake(find_or_add(a), now);
    drop_spent(now);
    pthread_mutex_unlock(&table.lock);
    return entry;
}

void
addresses_shaken(const struct address *a)
{
    pthread_mutex_lock(&table.lock);
    struct entry **at = find_address(a);
    CHECK(*at != NULL && (*at)->shaking > 0);
    (*at)->shaking--;
    settle(at);
    pthread_mutex_unlock(&table.lock);
}

unsigned
addresses_held(void)
{
    pthread_mutex_lock(&table.lock);
    unsigned n = table.n_entries;
    pthread_mutex_unlock(&table.lock);
    return n;
}

uint64_t
addresses_bytes(void)
{
    pthread_mutex_lock(&table.lock);
    uint64_t bytes = table.n_entries * sizeof(struct entry) + table.n_buckets * sizeof *table.buckets;
    pthread_mutex_unlock(&table.lock);
    return bytes;
}
