/* The table of client addresses. See addresses.h. An entry lives as long as a connection of its prefix. The
 * table has at most connections_addresses_max entries: connections from further addresses are not counted, so
 * an attacker with many addresses cannot exhaust our memory. */
#include "stream/addresses.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "cache/digest.h"
#include "log/counters.h"

#define KEY_BYTES 17 /* family and address */
#define PREFIX_OF_V4 32u

struct entry {
    struct entry *next;
    uint32_t connections;
    char key[KEY_BYTES];
};

static struct {
    pthread_mutex_t lock;
    struct digest_secret secret; /* clients choose their addresses, and must not be able to choose a bucket */
    struct entry **buckets;
    unsigned n_buckets, n_entries, most;
    unsigned prefix_v6; /* fixed after the first use: entries are found by it */
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

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

static enum address_entry
add_entry(struct entry **at, const char key[KEY_BYTES])
{
    struct entry *e = table.n_entries < table.most ? malloc(sizeof *e) : NULL;
    if (e == NULL) {
        counters_here()->sess_address_uncounted++;
        return ADDRESS_UNCOUNTED;
    }
    *e = (struct entry){ .next = *at, .connections = 1 };
    memcpy(e->key, key, KEY_BYTES);
    *at = e;
    table.n_entries++;
    counters_here()->client_addresses++;
    return ADDRESS_COUNTED;
}

static enum address_entry
enter(const struct address *a)
{
    char key[KEY_BYTES];
    if (table.buckets == NULL)
        prepare();
    make_key(a, key);
    struct entry **at = find(key);
    if (*at == NULL)
        return add_entry(at, key);
    if ((*at)->connections >= params.connections_per_address)
        return ADDRESS_LIMITED;
    (*at)->connections++;
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
    char key[KEY_BYTES];
    pthread_mutex_lock(&table.lock);
    make_key(a, key);
    struct entry **at = find(key), *e = *at;
    CHECK(e != NULL && e->connections > 0);
    if (--e->connections == 0) {
        *at = e->next;
        free(e);
        table.n_entries--;
        counters_here()->client_addresses--;
    }
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
