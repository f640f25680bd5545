/* The table of interned header names: open addressing over a power of two, read without a lock. When the
 * table is three quarters full, adding a name builds a table of twice the size and publishes it with one
 * store. Smaller tables stay for concurrent readers (together they are smaller than the last one). Ids are
 * indices into `texts`, whose blocks never move. */
#include "http/names.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "http/fields.h"

#define TABLE_FIRST_SLOTS 256u
#define TEXTS_PER_BLOCK 256u
#define TEXT_BLOCKS (65536u / TEXTS_PER_BLOCK)

const struct span name_known_texts[NAME_KNOWN_COUNT] = {
    [NAME_HOST] = SPAN_LIT("Host"),
    [NAME_CONNECTION] = SPAN_LIT("Connection"),
    [NAME_CONTENT_LENGTH] = SPAN_LIT("Content-Length"),
    [NAME_TRANSFER_ENCODING] = SPAN_LIT("Transfer-Encoding"),
    [NAME_DATE] = SPAN_LIT("Date"),
    [NAME_AGE] = SPAN_LIT("Age"),
    [NAME_VIA] = SPAN_LIT("Via"),
    [NAME_CACHE_CONTROL] = SPAN_LIT("Cache-Control"),
    [NAME_EXPIRES] = SPAN_LIT("Expires"),
    [NAME_LAST_MODIFIED] = SPAN_LIT("Last-Modified"),
    [NAME_ETAG] = SPAN_LIT("ETag"),
    [NAME_VARY] = SPAN_LIT("Vary"),
    [NAME_SET_COOKIE] = SPAN_LIT("Set-Cookie"),
    [NAME_COOKIE] = SPAN_LIT("Cookie"),
    [NAME_AUTHORIZATION] = SPAN_LIT("Authorization"),
    [NAME_ACCEPT_ENCODING] = SPAN_LIT("Accept-Encoding"),
    [NAME_CONTENT_ENCODING] = SPAN_LIT("Content-Encoding"),
    [NAME_CONTENT_TYPE] = SPAN_LIT("Content-Type"),
    [NAME_CONTENT_RANGE] = SPAN_LIT("Content-Range"),
    [NAME_RANGE] = SPAN_LIT("Range"),
    [NAME_IF_RANGE] = SPAN_LIT("If-Range"),
    [NAME_IF_MODIFIED_SINCE] = SPAN_LIT("If-Modified-Since"),
    [NAME_IF_NONE_MATCH] = SPAN_LIT("If-None-Match"),
    [NAME_IF_MATCH] = SPAN_LIT("If-Match"),
    [NAME_IF_UNMODIFIED_SINCE] = SPAN_LIT("If-Unmodified-Since"),
    [NAME_EXPECT] = SPAN_LIT("Expect"),
    [NAME_KEEP_ALIVE] = SPAN_LIT("Keep-Alive"),
    [NAME_UPGRADE] = SPAN_LIT("Upgrade"),
    [NAME_TE] = SPAN_LIT("TE"),
    [NAME_TRAILER] = SPAN_LIT("Trailer"),
    [NAME_PROXY_AUTHENTICATE] = SPAN_LIT("Proxy-Authenticate"),
    [NAME_PROXY_AUTHORIZATION] = SPAN_LIT("Proxy-Authorization"),
    [NAME_PROXY_CONNECTION] = SPAN_LIT("Proxy-Connection"),
    [NAME_X_FORWARDED_FOR] = SPAN_LIT("X-Forwarded-For"),
    [NAME_X_VARNISH] = SPAN_LIT("X-Varnish"),
    [NAME_ACCEPT_RANGES] = SPAN_LIT("Accept-Ranges"),
    [NAME_PRAGMA] = SPAN_LIT("Pragma"),
    [NAME_RETRY_AFTER] = SPAN_LIT("Retry-After"),
    [NAME_SURROGATE_CONTROL] = SPAN_LIT("Surrogate-Control"),
    [NAME_SURROGATE_CAPABILITY] = SPAN_LIT("Surrogate-Capability"),
    [NAME_LOCATION] = SPAN_LIT("Location"),
    [NAME_SERVER] = SPAN_LIT("Server"),
    [NAME_USER_AGENT] = SPAN_LIT("User-Agent"),
    [NAME_REFERER] = SPAN_LIT("Referer"),
    [NAME_ACCEPT] = SPAN_LIT("Accept"),
    [NAME_ACCEPT_LANGUAGE] = SPAN_LIT("Accept-Language"),
    [NAME_HTTP2_SETTINGS] = SPAN_LIT("HTTP2-Settings"),
    [NAME_ALLOW] = SPAN_LIT("Allow"),
    [NAME_CDN_CACHE_CONTROL] = SPAN_LIT("CDN-Cache-Control"),
    [NAME_VERNIS_CACHE_CONTROL] = SPAN_LIT("Vernis-Cache-Control"),
    [NAME_CACHE_STATUS] = SPAN_LIT("Cache-Status"),
    [NAME_CACHE_GROUPS] = SPAN_LIT("Cache-Groups"),
    [NAME_CACHE_GROUP_INVALIDATION] = SPAN_LIT("Cache-Group-Invalidation"),
    [NAME_CONTENT_LOCATION] = SPAN_LIT("Content-Location"),
    [NAME_CONTENT_LANGUAGE] = SPAN_LIT("Content-Language"),
    [NAME_VERNIS_WHY] = SPAN_LIT("Vernis-Why"),
    [NAME_REQUEST_RANGE] = SPAN_LIT("Request-Range"),
    [NAME_UNLESS_MODIFIED_SINCE] = SPAN_LIT("Unless-Modified-Since"),
    [NAME_A_IM] = SPAN_LIT("A-IM"),
    [NAME_ACCEPT_CHARSET] = SPAN_LIT("Accept-Charset"),
    [NAME_ACCESS_CONTROL_ALLOW_ORIGIN] = SPAN_LIT("Access-Control-Allow-Origin"),
    [NAME_CONTENT_DISPOSITION] = SPAN_LIT("Content-Disposition"),
    [NAME_FROM] = SPAN_LIT("From"),
    [NAME_LINK] = SPAN_LIT("Link"),
    [NAME_MAX_FORWARDS] = SPAN_LIT("Max-Forwards"),
    [NAME_REFRESH] = SPAN_LIT("Refresh"),
    [NAME_STRICT_TRANSPORT_SECURITY] = SPAN_LIT("Strict-Transport-Security"),
    [NAME_WWW_AUTHENTICATE] = SPAN_LIT("WWW-Authenticate"),
};

/* 0 = empty; else 48 bits of the hash, and the id. One load tells whether to compare the text. */
typedef _Atomic(uint64_t) slot;

struct table {
    uint32_t mask, n;      /* n: lock */
    struct table *smaller; /* the previous table, kept for its readers */
    slot slots[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct table *) published;
static _Atomic(struct span *) texts[TEXT_BLOCKS];
static _Atomic uint32_t n_names; /* written under the lock */

/* Setting bit 5 of every byte folds ASCII case. This also folds a few other bytes together, which costs only
 * a comparison. Of a name longer than 16 bytes, only its first and last eight bytes and its length are
 * hashed. */
static uint64_t
name_hash(const char *text, size_t len)
{
    uint64_t a = 0, b = 0;
    if (len >= 8) {
        memcpy(&a, text, 8);
        memcpy(&b, text + len - 8, 8);
    } else if (len >= 4) {
        uint32_t x, y;
        memcpy(&x, text, 4);
        memcpy(&y, text + len - 4, 4);
        a = x;
        b = y;
    } else {
        for (size_t i = 0; i < len; i++)
            a = a << 8 | (unsigned char)text[i];
    }
    const uint64_t fold = 0x2020202020202020ull;
    uint64_t h = ((a | fold) * 0x9e3779b97f4a7c15ull) ^ ((b | fold) + len) * 0xd6e8feb86659fd93ull;
    return h ^ h >> 32;
}

static uint64_t
slot_value(uint64_t hash, name_id id)
{
    return (hash & ~(uint64_t)0xffff) | id;
}

/* Most senders use the common spelling, so the plain comparison comes first. */
static bool
name_same(struct span a, struct span b)
{
    return a.len == b.len && (memcmp(a.ptr, b.ptr, a.len) == 0 || span_eq_nocase(a, b));
}

struct span
name_added_text(name_id id)
{
    struct span *block = atomic_load_explicit(&texts[id / TEXTS_PER_BLOCK], memory_order_acquire);
    CHECK(id != NAME_NONE && block != NULL);
    return block[id % TEXTS_PER_BLOCK];
}

static name_id
table_find(struct table *t, struct span text, uint64_t hash)
{
    uint64_t wanted = slot_value(hash, 0);
    for (uint32_t at = (uint32_t)(hash >> 16) & t->mask;; at = (at + 1) & t->mask) {
        uint64_t value = atomic_load_explicit(&t->slots[at], memory_order_acquire);
        if (value == 0)
            return NAME_NONE;
        if ((value & ~(uint64_t)0xffff) == wanted && name_same(name_text((name_id)value), text))
            return (name_id)value;
    }
}

static void
table_add(struct table *t, uint64_t value)
{
    CHECK(value != 0 && t->n <= t->mask);
    uint32_t at = (uint32_t)(value >> 16) & t->mask;
    while (atomic_load_explicit(&t->slots[at], memory_order_relaxed) != 0)
        at = (at + 1) & t->mask;
    atomic_store_explicit(&t->slots[at], value, memory_order_release);
    t->n++;
}

static struct table *
table_new(uint32_t n_slots, struct table *smaller)
{
    CHECK((n_slots & (n_slots - 1)) == 0);
    struct table *t = mem_zalloc(sizeof *t + n_slots * sizeof(slot));
    t->mask = n_slots - 1;
    t->smaller = smaller;
    for (uint32_t i = 0; smaller != NULL && i <= smaller->mask; i++) {
        uint64_t value = atomic_load_explicit(&smaller->slots[i], memory_order_relaxed);
        if (value != 0)
            table_add(t, value);
    }
    return t;
}

name_id
name_lookup(struct span text)
{
    if (text.ptr == NULL)
        return NAME_NONE;
    struct table *t = atomic_load_explicit(&published, memory_order_acquire);
    CHECK(t != NULL);
    return table_find(t, text, name_hash(text.ptr, text.len));
}

/* Call with the lock held. `text` must stay valid forever: a literal, or a copy made for the table. */
static name_id
name_add(struct span text)
{
    uint32_t n = atomic_load_explicit(&n_names, memory_order_relaxed);
    name_id id = (name_id)n;
    if (atomic_load_explicit(&texts[id / TEXTS_PER_BLOCK], memory_order_relaxed) == NULL)
        atomic_store_explicit(&texts[id / TEXTS_PER_BLOCK], mem_zalloc(TEXTS_PER_BLOCK * sizeof(struct span)),
                              memory_order_release);
    atomic_load_explicit(&texts[id / TEXTS_PER_BLOCK], memory_order_relaxed)[id % TEXTS_PER_BLOCK] = text;
    struct table *t = atomic_load_explicit(&published, memory_order_relaxed);
    if (t->n >= (t->mask + 1) / 4 * 3) {
        t = table_new((t->mask + 1) * 2, t);
        atomic_store_explicit(&published, t, memory_order_release);
    }
    table_add(t, slot_value(name_hash(text.ptr, text.len), id));
    atomic_store_explicit(&n_names, n + 1, memory_order_release); /* last: see names_count */
    return id;
}

unsigned
names_count(void)
{
    return atomic_load_explicit(&n_names, memory_order_acquire);
}

void
names_init(void)
{
    CHECK(pthread_mutex_lock(&lock) == 0);
    if (atomic_load_explicit(&published, memory_order_relaxed) == NULL) {
        atomic_store_explicit(&n_names, 1, memory_order_relaxed); /* 0 is NAME_NONE */
        atomic_store_explicit(&published, table_new(TABLE_FIRST_SLOTS, NULL), memory_order_release);
        for (unsigned i = 1; i < NAME_KNOWN_COUNT; i++) {
            CHECK(name_known_texts[i].ptr != NULL);
            CHECK(name_add(name_known_texts[i]) == i);
        }
    }
    CHECK(pthread_mutex_unlock(&lock) == 0);
}

int
name_intern(struct span text, name_id *out)
{
    if (!is_token(text))
        return ERR_SYNTAX;
    int err = 0;
    CHECK(pthread_mutex_lock(&lock) == 0);
    name_id id = name_lookup(text);
    if (id == NAME_NONE && (names_count() >= params.header_names_max || names_count() >= UINT16_MAX))
        err = ERR_LIMIT;
    else if (id == NAME_NONE)
        id = name_add(span_of(mem_text(text), text.len));
    CHECK(pthread_mutex_unlock(&lock) == 0);
    if (err == 0)
        *out = id;
    return err;
}
